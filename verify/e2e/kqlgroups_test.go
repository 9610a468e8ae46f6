package e2e_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	aggregation = regexp.MustCompile(`^(\w+) = (count|max|sum)\((\w*)\)$`)
	groupKeys   = regexp.MustCompile(`bin\(\w+, \d+m\)|\w+`)
	binned      = regexp.MustCompile(`^bin\((\w+), (\d+)m\)$`)
)

// summarize puts the rows together that have the same values of what stands behind by, and calculates what stands before it of each group.
func summarize(t *testing.T, how string, rows []row) (groups []row) {
	t.Helper()
	values, by, _ := strings.Cut(how, " by ")
	members := map[string][]row{}
	var ids []string // of the groups
	for _, r := range rows {
		group := row{}
		for _, key := range groupKeys.FindAllString(by, -1) {
			name, value := groupKey(t, key, r)
			group[name] = value
		}
		id := fmt.Sprint(group)
		if members[id] == nil {
			groups, ids = append(groups, group), append(ids, id)
		}
		members[id] = append(members[id], r)
	}
	for i, group := range groups {
		for value := range strings.SplitSeq(values, ", ") {
			parts := aggregation.FindStringSubmatch(value)
			if parts == nil {
				t.Fatalf("unknown: summarize %s", value)
			}
			group[parts[1]] = aggregate(t, parts[2], parts[3], members[ids[i]])
		}
	}
	return groups
}

// groupKey is the column that a group gets, and its value: the row's, or the beginning of the minutes in which that is.
func groupKey(t *testing.T, key string, r row) (name string, value any) {
	t.Helper()
	parts := binned.FindStringSubmatch(key)
	if parts == nil {
		return key, evaluate(t, key, r)
	}
	at, err := time.Parse(time.RFC3339, evaluate(t, parts[1], r).(string))
	minutes, wrong := strconv.Atoi(parts[2])
	if err != nil || wrong != nil {
		t.Fatalf("%s: %v, %v", key, err, wrong)
	}
	return parts[1], at.Truncate(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
}

// aggregate calculates a function of a column of all rows but those in which it is null.
func aggregate(t *testing.T, function, column string, rows []row) (result any) {
	t.Helper()
	if function == "count" {
		return float64(len(rows))
	}
	for _, r := range rows {
		value := evaluate(t, column, r)
		switch number, isNumber := value.(float64); {
		case value == nil:
		case result == nil:
			result = value
		case function == "sum":
			result = result.(float64) + number
		case isNumber:
			result = max(result.(float64), number)
		default:
			result = max(result.(string), value.(string))
		}
	}
	return result
}

// order sorts rows by one column.
func order(t *testing.T, how string, rows []row) {
	t.Helper()
	parts := regexp.MustCompile(`^by (\w+) desc$`).FindStringSubmatch(how)
	if parts == nil {
		t.Fatalf("unknown: order %s", how)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		x, y := evaluate(t, parts[1], a), evaluate(t, parts[1], b)
		if number, isNumber := x.(float64); isNumber {
			return cmp.Compare(y.(float64), number)
		}
		return strings.Compare(y.(string), x.(string))
	})
}
