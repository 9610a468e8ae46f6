package house

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docs/cost.md calculates with tables: amounts by name, formulas over them, and results, a column each for the loads and the environments. All
// results are calculated again here, so that none is wrong by hand, or stays as it was when a price changes.
func TestCostsAddUp(t *testing.T) {
	t.Parallel()
	costs := readTables(t, "docs/cost.md")
	amounts := formulas{}
	for _, heading := range []string{"price", "assumed", "measured"} {
		for name, cells := range costs.table(t, heading).rows {
			amounts[name] = cells[0]
		}
	}
	for call, cells := range costs.table(t, "call").rows {
		name := strings.ReplaceAll(strings.ToLower(call), " ", "_")
		amounts["file_"+name], amounts["run_"+name] = cells[0], cells[3]
	}
	checkResults(t, costs.table(t, "load"), costs.table(t, "USD a month"), amounts, dollars)
	checkResults(t, costs.table(t, "environment"), costs.table(t, "files a day"), amounts, twoDigits)
}

// checkResults calculates a table of results by the formulas in its last column. Each other column is one of the table of givens, which the
// formulas use beside the amounts and each other.
func checkResults(t *testing.T, given, results table, amounts formulas, format func(float64) string) {
	t.Helper()
	for column, load := range given.columns {
		all := maps.Clone(amounts)
		for name, cells := range given.rows {
			all[name] = cells[column]
		}
		for name, cells := range results.rows {
			all[name] = cells[len(cells)-1]
		}
		for name, cells := range results.rows {
			if want := format(all.value(t, name)); cells[column] != want {
				t.Errorf("%s, %s: it says %s, calculated is %s", name, load, cells[column], want)
			}
		}
	}
}

// The environments that docs/cost.md calculates with are those of the parameter files.
func TestCostsAreOfWhatIsDeployed(t *testing.T) {
	t.Parallel()
	costs := readTables(t, "docs/cost.md")
	given, assumed := costs.table(t, "environment"), costs.table(t, "assumed").rows
	defaults, budget := bicepFiles(t, ".bicep")["main.bicep"], bicepFiles(t, ".bicep")["connections.bicep"]
	for name, text := range bicepFiles(t, ".bicepparam") {
		column := slices.Index(given.columns, strings.TrimSuffix(name, ".bicepparam"))
		if column < 0 {
			t.Fatalf("there is no column for %s", name)
		}
		for amount, want := range map[string]string{
			"runs":    "86400 / " + strconv.Itoa(parameter(t, text, defaults, "relayPeriod")),
			"memory":  strconv.Itoa(parameter(t, text, defaults, "instanceMemoryMB") / 1024),
			"parses":  strconv.Itoa(parameter(t, text, defaults, "parseConcurrency")),
			"at_once": strconv.Itoa(parameter(t, text, defaults, "httpConcurrency")),
		} {
			if got := assumed[amount][0]; got != want {
				t.Errorf("%s is %s in docs/cost.md, %s in Bicep", amount, got, want)
			}
		}
		sku := submatches(`^param databaseSku = '(\w+)'`, text)[0]
		for amount, want := range map[string]int{
			"instances":   parameter(t, text, defaults, "maximumInstanceCount"),
			"disk":        parameter(t, text, defaults, "databaseStorageGB"),
			"log_quota":   parameter(t, text, defaults, "logDailyQuotaGb"),
			"connections": number(t, `^  `+sku+`: (\d+)`, budget) - number(t, `^var reserved = (\d+)`, budget),
		} {
			if got := given.rows[amount][column]; got != strconv.Itoa(want) {
				t.Errorf("%s of %s is %s in docs/cost.md, %d in Bicep", amount, name, got, want)
			}
		}
	}
}

// Each rule costs; nobody would count them again by hand when one is added.
func TestCostsCountTheAlerts(t *testing.T) {
	t.Parallel()
	templates, costs := bicepFiles(t, ".bicep"), readTables(t, "docs/cost.md")
	rules := `^ +name: '([\w-]+)'`
	log := strconv.Itoa(len(submatches(rules, templates["modules/log-alerts.bicep"])))
	if got := costs.table(t, "assumed").rows["log_alerts"][0]; got != log {
		t.Errorf("docs/cost.md counts %s rules on logs, there are %s", got, log)
	}
	always, burstable, _ := strings.Cut(templates["modules/metric-alerts.bicep"], "  burstable\n")
	prod := len(submatches(rules, always))
	dev := prod + len(submatches(rules, burstable))
	for column, load := range costs.table(t, "load").columns {
		want := prod
		if strings.Contains(load, "dev") {
			want = dev
		}
		if got := costs.table(t, "load").rows["metric_alerts"][column]; got != strconv.Itoa(want) {
			t.Errorf("docs/cost.md counts %s rules on metrics for %s, there are %d", got, load, want)
		}
	}
}

// parameter is what an environment says of it, or its default.
func parameter(t *testing.T, environment, template, name string) int {
	t.Helper()
	if found := submatches(`^param `+name+` = (-?\d+)`, environment); len(found) == 1 {
		return number(t, `^param `+name+` = (-?\d+)`, environment)
	}
	return number(t, `^param `+name+` [^=\n]*= (-?\d+)`, template)
}
