package problem

import (
	"strings"
	"sync"
)

// plain says in plain words what huma, and what reads ids, say of a value that cannot be: what was expected. As in japanese the first ones
// are formats of package fmt, {1} stands for the first value, and the first match counts.
var plain = [][2]string{
	{"unknown query parameter", "there is no such parameter"},
	{"unexpected property", "there is no such member"},
	{"required %s parameter is missing", "the parameter {1} is missing"},
	{"expected required property %s to be present", "the member {1} is missing"},

	{"invalid UUID length: %d", anID}, {"invalid UUID format", anID}, {"invalid urn prefix: %q", anID},
	{"expected string to be RFC 4122 uuid: %v", anID},
	{"invalid date/time for format %s", aTime}, {"expected string to be RFC 3339 date-time", aTime},
	{"expected string to match pattern ^[0-9a-f]{64}$", "expected 64 hexadecimal digits, a to f in lower case"},
	{"invalid boolean", "expected true or false"}, {"expected boolean", "expected true or false"},
	{"invalid integer", "expected a whole number"}, {"expected integer", "expected a whole number"},
	{"expected number", "expected a number"},
	{"expected string", "expected a text"},
	{"expected string to be base64 encoded", "expected a text in base64"},
	{"expected array", "expected a list"},
	{"expected object", "expected an object"},

	{"expected array items to be unique", "expected no item twice"},
	{`expected value to be one of "%s"`, "expected one of: {1}"},
	{"expected number >= %v", "expected {1} or more"},
	{"expected number <= %v", "expected {1} or less"},
	{"expected length >= %d", "expected at least {1} characters"},
	{"expected length <= %d", "expected at most {1} characters"},
	{"expected string to match pattern %s", "expected a text that matches {1}"},
	{"expected array length >= %d", "expected at least {1} items"},
	{"expected array length <= %d", "expected at most {1} items"},
	{"expected object with at least %d properties", "expected at least {1} members"},
	{"expected object with at most %d properties", "expected at most {1} members"},
	{"expected value to match at least one schema but matched none", anotherForm},
	{"expected value to match exactly one schema but matched none", anotherForm},
	{"expected value to match exactly one schema but matched multiple", anotherForm},
}

const (
	anID        = "expected an id, such as 0193c1a2-5c7a-7000-8000-000000000001"
	aTime       = "expected a time, such as 2024-01-31T09:00:00Z"
	anotherForm = "expected another form: the documentation of the operation has it"
)

var plainPhrases = sync.OnceValue(func() []phrase { return compile(plain) })

// inPlainWords returns what was expected of a value.
func inPlainWords(message string) string {
	said, _ := find(plainPhrases(), strings.TrimPrefix(message, "invalid value: "))
	return said
}
