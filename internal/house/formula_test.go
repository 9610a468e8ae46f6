package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"testing"
)

// formulas are expressions by name, in which the names of others may stand: numbers, + - * /, parentheses and max of two.
type formulas map[string]string

// value calculates what a name stands for.
func (f formulas) value(t *testing.T, name string) float64 {
	t.Helper()
	expression, found := f[name]
	if !found {
		t.Fatalf("nothing is called %q", name)
	}
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		t.Fatalf("%s is %q: %v", name, expression, err)
	}
	return f.evaluate(t, parsed)
}

func (f formulas) evaluate(t *testing.T, expression ast.Expr) float64 {
	t.Helper()
	switch e := expression.(type) {
	case *ast.ParenExpr:
		return f.evaluate(t, e.X)
	case *ast.BasicLit:
		number, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			t.Fatal(err)
		}
		return number
	case *ast.Ident:
		return f.value(t, e.Name)
	case *ast.UnaryExpr: // minus, the only one
		return -f.evaluate(t, e.X)
	case *ast.CallExpr: // max, the only function
		return math.Max(f.evaluate(t, e.Args[0]), f.evaluate(t, e.Args[1]))
	case *ast.BinaryExpr:
		return calculate(t, e.Op, f.evaluate(t, e.X), f.evaluate(t, e.Y))
	default:
		t.Fatalf("not understood: %T", expression)
		return 0
	}
}

func calculate(t *testing.T, operator token.Token, x, y float64) float64 {
	t.Helper()
	switch operator {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.QUO:
		return x / y
	default:
		t.Fatalf("not understood: %s", operator)
		return 0
	}
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
