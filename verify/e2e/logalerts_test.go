package e2e_test

import (
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
	aggregate             func([]float64) float64 // of the query's values is compared; nil: the number of its rows
	threshold             float64
}

// readLogAlerts returns the rules with their queries as Bicep puts them together.
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
		a.threshold, err = strconv.ParseFloat(part(`threshold: (\d+)`, block[1]), 64)
		field := part(`field: '(\w+)'`, block[1])
		switch {
		case err != nil || stats == "" || valueOf == "":
			t.Fatalf("no rule: %s, %v", block[1], err)
		case field != "":
			if a.aggregate = slices.Max[[]float64]; part(`aggregation: '(\w+)'`, block[1]) == "Minimum" {
				a.aggregate = slices.Min[[]float64]
			}
			a.query = stats + strings.ReplaceAll(valueOf, "${alert.?field}", field)
		case strings.Contains(block[1], "query: stats"):
			a.query = stats
		default:
			a.query = part(`(?s)query: '''\n(.*?)'''`, block[1])
		}
		alerts = append(alerts, a)
	}
	if n := strings.Count(string(text), "\n    threshold: "); len(alerts) != n {
		t.Fatalf("there are %d rules, %d were read", n, len(alerts))
	}
	return alerts
}

// fires says whether the rule would alert if this were logged in its window.
func (a logAlert) fires(t *testing.T, logged tables) bool {
	t.Helper()
	rows := kql(t, a.query, logged)
	value, known := float64(len(rows)), true
	if a.aggregate != nil {
		var values []float64
		for _, r := range rows {
			if number, isNumber := r["value"].(float64); isNumber {
				values = append(values, number)
			}
		}
		if known = len(values) > 0; known {
			value = a.aggregate(values)
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

// firing names the rules that would alert.
func firing(t *testing.T, alerts []logAlert, logged tables) (names []string) {
	t.Helper()
	for _, a := range alerts {
		if a.fires(t, logged) {
			names = append(names, a.name)
		}
	}
	return names
}
