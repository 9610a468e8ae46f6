package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docs/cost.md calculates with tables: amounts by name, formulas over them, and results, a column each for the loads and the environments. All
// results are calculated again here, so that none is wrong by hand, or stays as it was when a price changes.
func TestCostsAddUp(t *testing.T) {
	t.Parallel()
	tables := markdownTables(t, "docs/cost.md")
	amounts := map[string]string{}
	for _, heading := range []string{"price", "assumed", "measured"} {
		for name, cells := range rowsOf(t, tables, heading) {
			amounts[name] = cells[0]
		}
	}
	for call, cells := range rowsOf(t, tables, "call") {
		name := strings.ReplaceAll(strings.ToLower(call), " ", "_")
		amounts["file_"+name], amounts["run_"+name] = cells[0], cells[2]
	}
	checkResults(t, tables, amounts, "load", "USD a month", dollars)
	checkResults(t, tables, amounts, "environment", "files a day", twoDigits)
}

// checkResults calculates a table of results by the formulas in its last column. Each other column is one of the table of givens, which the
// formulas use beside the amounts, and each result by the formulas of others.
func checkResults(t *testing.T, tables []table, amounts map[string]string, givens, results string, format func(float64) string) {
	t.Helper()
	given, result := rowsOf(t, tables, givens), rowsOf(t, tables, results)
	for column, load := range columnsOf(t, tables, givens) {
		names := maps.Clone(amounts)
		for name, cells := range given {
			names[name] = cells[column]
		}
		for name, cells := range result {
			names[name] = cells[len(cells)-1]
		}
		for name, cells := range result {
			if want := format(evaluate(t, names[name], names)); cells[column] != want {
				t.Errorf("%s, %s of %s: it says %s, calculated is %s", results, name, load, cells[column], want)
			}
		}
	}
}

// The environments that docs/cost.md calculates with are those of the parameter files.
func TestCostsAreOfWhatIsDeployed(t *testing.T) {
	t.Parallel()
	tables := markdownTables(t, "docs/cost.md")
	given, columns := rowsOf(t, tables, "environment"), columnsOf(t, tables, "environment")
	defaults, budget := bicepFiles(t, ".bicep")["main.bicep"], bicepFiles(t, ".bicep")["connections.bicep"]
	assumed := rowsOf(t, tables, "assumed")
	for amount, constant := range map[string]string{"old_files": "oldFiles", "purge_steps": "purgeSteps"} {
		if got := matches(t, `\b`+constant+` += (\d+)`, "outbox-relay/purge.go"); !slices.Equal(got, assumed[amount][:1]) {
			t.Errorf("%s is %s in docs/cost.md, %s in the code", amount, assumed[amount][0], got)
		}
	}
	for name, text := range bicepFiles(t, ".bicepparam") {
		column := slices.Index(columns, strings.TrimSuffix(name, ".bicepparam"))
		if column < 0 {
			t.Fatalf("there is no column for %s", name)
		}
		sku := submatches(`^param databaseSku = '(\w+)'`, text)[0]
		for amount, want := range map[string]int{
			"instances":   parameter(t, text, defaults, "maximumInstanceCount"),
			"parses":      parameter(t, text, defaults, "parseConcurrency"),
			"disk":        parameter(t, text, defaults, "databaseStorageGB"),
			"log_quota":   parameter(t, text, defaults, "logDailyQuotaGb"),
			"connections": number(t, `^  `+sku+`: (\d+)`, budget) - number(t, `^var reserved = (\d+)`, budget),
		} {
			if got := given[amount][column]; got != strconv.Itoa(want) {
				t.Errorf("%s of %s is %s in docs/cost.md, %d in Bicep", amount, name, got, want)
			}
		}
	}
}

// parameter is what an environment says of it, or its default.
func parameter(t *testing.T, environment, template, name string) int {
	t.Helper()
	if found := submatches(`^param `+name+` = (-?\d+)`, environment); len(found) == 1 {
		return number(t, `^param `+name+` = (-?\d+)`, environment)
	}
	return number(t, `^param `+name+` int = (-?\d+)`, template)
}

// table is one of a document: its cells by row, of which the first is the heading.
type table [][]string

func markdownTables(t *testing.T, file string) (tables []table) {
	t.Helper()
	for _, text := range regexp.MustCompile(`(?m)(^\|.*\n)+`).FindAllString(readFile(t, file), -1) {
		var rows table
		for line := range strings.Lines(text) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i, cell := range cells {
				cells[i] = strings.Trim(cell, " `")
			}
			rows = append(rows, cells)
		}
		tables = append(tables, slices.Delete(rows, 1, 2)) // the rule below the heading
	}
	return tables
}

// rowsOf gives the rows below a heading, by their first cell, which the heading's first cell names.
func rowsOf(t *testing.T, tables []table, heading string) map[string][]string {
	t.Helper()
	for _, rows := range tables {
		if rows[0][0] != heading {
			continue
		}
		byName := map[string][]string{}
		for _, cells := range rows[1:] {
			byName[cells[0]] = cells[1:]
		}
		return byName
	}
	t.Fatalf("no table begins with %q", heading)
	return nil
}

func columnsOf(t *testing.T, tables []table, heading string) []string {
	t.Helper()
	for _, rows := range tables {
		if rows[0][0] == heading {
			return rows[0][1:]
		}
	}
	t.Fatalf("no table begins with %q", heading)
	return nil
}

// evaluate calculates an expression over names that stand for expressions themselves.
func evaluate(t *testing.T, expression string, names map[string]string) float64 {
	t.Helper()
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		t.Fatalf("%q: %v", expression, err)
	}
	return value(t, parsed, names)
}

func value(t *testing.T, expression ast.Expr, names map[string]string) float64 {
	t.Helper()
	switch e := expression.(type) {
	case *ast.ParenExpr:
		return value(t, e.X, names)
	case *ast.BasicLit:
		number, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			t.Fatal(err)
		}
		return number
	case *ast.Ident:
		if names[e.Name] == "" {
			t.Fatalf("nothing is called %s", e.Name)
		}
		return evaluate(t, names[e.Name], names)
	case *ast.UnaryExpr: // minus, the only one
		return -value(t, e.X, names)
	case *ast.CallExpr: // max, the only function
		return math.Max(value(t, e.Args[0], names), value(t, e.Args[1], names))
	case *ast.BinaryExpr:
		x, y := value(t, e.X, names), value(t, e.Y, names)
		return map[token.Token]float64{token.ADD: x + y, token.SUB: x - y, token.MUL: x * y, token.QUO: x / y}[e.Op]
	}
	t.Fatalf("not understood: %T", expression)
	return 0
}

// dollars writes an amount without cents, and with them where it is less than ten.
func dollars(x float64) string {
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return thousands(math.Round(x))
}

// twoDigits rounds down to two digits, as suits what is estimated; a limit of nothing is none.
func twoDigits(x float64) string {
	if x == 0 {
		return "none"
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return thousands(math.Floor(x/unit) * unit)
}

// thousands sets a comma before each three digits.
func thousands(x float64) string {
	text := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
