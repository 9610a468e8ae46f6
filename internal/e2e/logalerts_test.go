package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logAlert is a rule of infra/bicep/modules/log-alerts.bicep.
type logAlert struct {
	name, query, operator string
	greatest              bool // of the query's values is compared, else the number of its rows
	threshold             int64
}

// readLogAlerts gives the rules with their queries as Bicep puts them together.
func readLogAlerts(t *testing.T) (alerts []logAlert) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "infra", "bicep", "modules", "log-alerts.bicep"))
	if err != nil {
		t.Fatal(err)
	}
	part := func(expression, of string) string {
		if found := regexp.MustCompile(expression).FindStringSubmatch(of); found != nil {
			return found[1]
		}
		return ""
	}
	stats := part(`(?s)var stats = '''\n(.*?)'''`, string(text))
	valueOf := part(`query: '\$\{stats\}(.*)'`, string(text))
	for _, block := range regexp.MustCompile(`(?s)\n  \{\n    (name: .*?)\n  \}`).FindAllStringSubmatch(string(text), -1) {
		a := logAlert{name: part(`^name: '([\w-]+)'`, block[1]), operator: part(`operator: '(\w+)'`, block[1])}
		a.threshold, err = strconv.ParseInt(part(`threshold: (\d+)`, block[1]), 10, 64)
		field := part(`field: '(\w+)'`, block[1])
		switch {
		case err != nil || stats == "" || valueOf == "":
			t.Fatalf("no rule: %s, %v", block[1], err)
		case field != "":
			a.greatest, a.query = true, stats+strings.ReplaceAll(valueOf, "${alert.?field}", field)
		case strings.Contains(block[1], "query: stats"):
			a.query = stats
		default:
			a.query = part(`(?s)query: '''\n(.*?)'''`, block[1])
		}
		alerts = append(alerts, a)
	}
	return alerts
}

// fires says whether the rule would alert if these were the messages of all traces.
func (a logAlert) fires(t *testing.T, messages []string) bool {
	t.Helper()
	rows := kql(t, a.query, messages)
	value, known := int64(len(rows)), true
	if a.greatest {
		var values []int64
		for _, r := range rows {
			if r.hasValue {
				values = append(values, r.value)
			}
		}
		if known = len(values) > 0; known {
			value = slices.Max(values)
		}
	}
	switch a.operator {
	case "GreaterThan":
		return known && value > a.threshold
	case "LessThan":
		return known && value < a.threshold
	}
	t.Fatalf("%s has the operator %q", a.name, a.operator)
	return false
}

// traceRow is a row of AppTraces on its way through a query.
type traceRow struct {
	message  string
	line     map[string]any
	value    int64
	hasValue bool
}

// kql runs a query on the messages of traces. It knows as much of the Kusto Query Language as the rules use (Microsoft Learn, "KQL quick
// reference") and fails the test at all else.
func kql(t *testing.T, query string, messages []string) (rows []traceRow) {
	t.Helper()
	stages := strings.Split(strings.TrimSpace(query), "\n| ")
	if stages[0] != "AppTraces" {
		t.Fatalf("a query of %s", stages[0])
	}
	for _, message := range messages {
		rows = append(rows, traceRow{message: message})
	}
	for _, stage := range stages[1:] {
		switch operator, rest, _ := strings.Cut(stage, " "); operator {
		case "where":
			rows = slices.DeleteFunc(rows, func(r traceRow) bool { return !anyHolds(t, rest, r.message) })
		case "extend":
			extend(t, rest, rows)
		case "project":
			project(t, rest, rows)
		default:
			t.Fatalf("unknown: %s", stage)
		}
	}
	return rows
}

var condition = regexp.MustCompile(`^Message (!?)contains '([^']+)'$`)

// anyHolds is for conditions with "or" between them; contains does not tell capital letters from small ones.
func anyHolds(t *testing.T, conditions, message string) bool {
	for one := range strings.SplitSeq(conditions, " or ") {
		parts := condition.FindStringSubmatch(one)
		if parts == nil {
			t.Fatalf("unknown: %s", one)
		}
		if contains := strings.Contains(strings.ToLower(message), strings.ToLower(parts[2])); contains == (parts[1] == "") {
			return true
		}
	}
	return false
}

func extend(t *testing.T, column string, rows []traceRow) {
	if column != "line = parse_json(Message)" {
		t.Fatalf("unknown: %s", column)
	}
	for i := range rows {
		if err := json.Unmarshal([]byte(rows[i].message), &rows[i].line); err != nil {
			t.Fatalf("%s: %v", rows[i].message, err)
		}
	}
}

var projection = regexp.MustCompile(`^TimeGenerated, value = toint\(line\.(\w+)\)$`)

func project(t *testing.T, columns string, rows []traceRow) {
	parts := projection.FindStringSubmatch(columns)
	if parts == nil {
		t.Fatalf("unknown: %s", columns)
	}
	for i := range rows {
		number, isNumber := rows[i].line[parts[1]].(float64)
		rows[i].value, rows[i].hasValue = int64(number), isNumber
	}
}
