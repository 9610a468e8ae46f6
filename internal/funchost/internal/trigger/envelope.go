package trigger

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Envelope is the body of a call to the handler that is no proxied request.
type Envelope struct {
	Data     map[string]any
	Metadata map[string]any
}

// newEnvelope wraps one binding's value, encoded already, with metadata.
func newEnvelope(functionName, bindingName string, value any, metadata map[string]any) Envelope {
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["sys"] = map[string]any{
		"MethodName": functionName,
		"UtcNow":     time.Now().UTC().Format("2006-01-02T15:04:05.9999999Z"), // .NET's ticks, without zeros at the end
		"RandGuid":   uuid.NewString(),
	}
	return Envelope{Data: map[string]any{bindingName: value}, Metadata: metadata}
}

// encodeJSON writes JSON as the real host does, without escaping <, > and &.
func encodeJSON(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), err
}

// twice encodes a scalar as the real host does: its JSON text, which then goes out as a JSON string.
func twice(value any) string {
	text, err := encodeJSON(value)
	if err != nil {
		panic(err) // only strings and numbers come here
	}
	return string(text)
}

// wireTime is how a date goes out: once, in whole seconds.
func wireTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-07:00") }

// addProperties copies the top-level properties of a message that is a JSON object into the metadata, where they replace what
// has the same name in any case. Arrays and nulls stay out, objects stay objects, the rest becomes text, as .NET writes
// it: numbers without zeros at the end, dates in the order of the United States.
func addProperties(metadata map[string]any, message string) {
	var properties map[string]json.RawMessage
	if json.Unmarshal([]byte(message), &properties) != nil {
		return
	}
	for name, raw := range properties {
		if strings.HasSuffix(strings.ToLower(name), "trigger") {
			continue
		}
		if value, ok := bindingValue(raw); ok {
			metadata[existingKey(metadata, name)] = value
		}
	}
}

// bindingValue converts a property of a message; false means that it is left out.
func bindingValue(raw json.RawMessage) (any, bool) {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	switch v := value.(type) {
	case nil, []any:
		return nil, false
	case map[string]any:
		return raw, true
	case bool:
		if v {
			return twice("True"), true
		}
		return twice("False"), true
	case string:
		if timestamp, err := time.Parse(time.RFC3339, v); err == nil {
			v = timestamp.Format("01/02/2006 15:04:05")
		}
		return twice(v), true
	}
	number := string(raw)
	if strings.Contains(number, ".") && !strings.ContainsAny(number, "eE") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return twice(number), true
}

func existingKey(metadata map[string]any, name string) string {
	for key := range metadata {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return name
}
