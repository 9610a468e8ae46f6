package e2e_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// row is a row of a table of Log Analytics on its way through a query: values by column. A value is a string, a float64, a bool, an object or nil.
type row map[string]any

// tables are rows by the name of their table.
type tables map[string][]row

// columns are those that the queries may ask for (Microsoft Learn, "Azure Monitor Logs reference"). Another one is an error in Log Analytics, too.
var columns = map[string][]string{
	"AppTraces":   {"TimeGenerated", "Message", "SeverityLevel", "OperationName", "Properties", "AppRoleInstance"},
	"AppRequests": {"TimeGenerated", "Name", "ResultCode", "Success", "Url", "OperationName", "Properties", "AppRoleInstance"},
}

// kql runs a query. It knows as much of the Kusto Query Language as the rules use (Microsoft Learn, "KQL quick reference"), and fails the test at
// all else.
func kql(t *testing.T, query string, data tables) (rows []row) {
	t.Helper()
	stages := strings.Split(strings.TrimSpace(query), "\n| ")
	known, isTable := columns[stages[0]]
	if !isTable {
		t.Fatalf("a query of %s", stages[0])
	}
	for _, r := range data[stages[0]] {
		whole := row{}
		for _, column := range known {
			whole[column] = r[column]
		}
		rows = append(rows, whole)
	}
	for _, stage := range stages[1:] {
		switch operator, rest, _ := strings.Cut(stage, " "); operator {
		case "where":
			rows = slices.DeleteFunc(rows, func(r row) bool { return evaluate(t, rest, r) != true })
		case "extend":
			name, expression, _ := strings.Cut(rest, " = ")
			for _, r := range rows {
				r[name] = evaluate(t, expression, r)
			}
		case "project":
			for i, r := range rows {
				rows[i] = project(t, rest, r)
			}
		case "summarize":
			rows = summarize(t, rest, rows)
		case "order":
			order(t, rest, rows)
		case "take":
			most, err := strconv.Atoi(rest)
			if err != nil {
				t.Fatalf("take %s: %v", rest, err)
			}
			rows = rows[:min(len(rows), most)]
		default:
			t.Fatalf("unknown: %s", stage)
		}
	}
	return rows
}

func project(t *testing.T, list string, of row) row {
	projected := row{}
	for column := range strings.SplitSeq(list, ", ") {
		name, expression, renamed := strings.Cut(column, " = ")
		if !renamed {
			expression = name
		}
		projected[name] = evaluate(t, expression, of)
	}
	return projected
}

// evaluate calculates an expression on a row.
func evaluate(t *testing.T, expression string, on row) any {
	t.Helper()
	e := &evaluation{T: t, text: expression, row: on}
	e.words = regexp.MustCompile(`'[^']*'|\d+|!?[A-Za-z]\w*|[=!<>]=|\S`).FindAllString(expression, -1)
	value := e.or()
	if len(e.words) > 0 {
		e.Fatalf("unknown: %q in %s", e.words, expression)
	}
	return value
}

// evaluation is an expression of which the first words are calculated already.
type evaluation struct {
	*testing.T
	text  string
	words []string
	row   row
}

func (e *evaluation) next() string {
	if len(e.words) == 0 {
		e.Fatalf("it breaks off: %s", e.text)
	}
	word := e.words[0]
	e.words = e.words[1:]
	return word
}

// took takes the next word if it is this one.
func (e *evaluation) took(word string) bool {
	if len(e.words) == 0 || e.words[0] != word {
		return false
	}
	e.words = e.words[1:]
	return true
}

func (e *evaluation) or() any {
	value := e.and()
	for e.took("or") {
		other := e.and() // and not only where the first one is false: it must be read
		value = value == true || other == true
	}
	return value
}

func (e *evaluation) and() any {
	value := e.comparison()
	for e.took("and") {
		other := e.comparison()
		value = value == true && other == true
	}
	return value
}

// comparison with null is null, which no condition takes for true.
func (e *evaluation) comparison() any {
	left := e.operand()
	if len(e.words) == 0 || slices.Contains([]string{"and", "or", ")"}, e.words[0]) {
		return left
	}
	operator, right := e.next(), e.operand()
	if left == nil || right == nil {
		return nil
	}
	switch operator {
	case "==":
		return left == right // of strings, as they are written
	case ">=":
		return left.(float64) >= right.(float64)
	case ">":
		return left.(float64) > right.(float64)
	case "contains", "!contains":
		return strings.Contains(fold(left), fold(right)) == (operator == "contains")
	case "startswith":
		return strings.HasPrefix(fold(left), fold(right))
	}
	e.Fatalf("unknown: %s in %s", operator, e.text)
	return nil
}

// fold is for operators that do not tell capital letters from small ones.
func fold(value any) string { return strings.ToLower(value.(string)) }

func (e *evaluation) operand() any {
	word := e.next()
	if word[0] == '\'' {
		return strings.Trim(word, "'")
	}
	if number, err := strconv.ParseFloat(word, 64); err == nil {
		return number
	}
	if value, err := strconv.ParseBool(word); err == nil {
		return value
	}
	if word == "(" || e.took("(") {
		value := e.or()
		if !e.took(")") {
			e.Fatalf("it breaks off: %s", e.text)
		}
		return e.call(word, value)
	}
	value, known := e.row[word]
	if !known {
		e.Fatalf("there is no %s: %s", word, e.text)
	}
	for e.took(".") {
		object, _ := value.(map[string]any)
		value = object[e.next()]
	}
	return value
}

// call calls a function; a parenthesis alone is none.
func (e *evaluation) call(function string, value any) any {
	switch function {
	case "(":
	case "parse_json":
		var parsed any
		if json.Unmarshal([]byte(value.(string)), &parsed) == nil {
			value = parsed
		}
	case "tostring":
		switch known := value.(type) {
		case nil:
			return ""
		case float64:
			return strconv.FormatFloat(known, 'f', -1, 64)
		case bool:
			return strconv.FormatBool(known)
		}
	case "toint", "tolong":
		if text, isText := value.(string); isText {
			if number, err := strconv.ParseInt(text, 10, 32); err == nil {
				return float64(number)
			}
			return nil
		}
	default:
		e.Fatalf("unknown: %s in %s", function, e.text)
	}
	return value
}
