package table

import (
	"strings"
	"testing"
)

// Each pair stands on the two sides of one threshold.
func TestFooterThresholds(t *testing.T) {
	t.Parallel()
	three := lines("a,b,c\n", "{p},to {p},is\n", 20)
	for name, c := range map[string]struct {
		text string
		line int64
	}{
		"forty notes":                         {three + "\n" + strings.Repeat("as of May\n", 40), 23},
		"forty-one notes":                     {three + "\n" + strings.Repeat("as of May\n", 41), 0},
		"half filled":                         {lines("a,b,c,d\n", "{i},{i},,\n", 20) + "Total,,,9\n", 22},
		"less than half filled":               {lines("a,b,c,d,e\n", "{i},{i},,,\n", 20) + "Total,,,,9\n", 0},
		"a total, a third empty":              {three + "Oslo,Total,\n", 22},
		"a total, a quarter empty":            {lines("a,b,c,d\n", "{p},to {p},is,it\n", 20) + "Oslo,Total,x,\n", 0},
		"a total and a value, half empty":     {lines("a,b,c,d,e,f\n", "{p},to {p},1,2,3,4\n", 20) + "Oslo,Total,,,,5\n", 22},
		"a total and a value, less empty":     {lines("a,b,c,d,e\n", "{p},to {p},1,2,3\n", 20) + "Oslo,Total,,,5\n", 0},
		"half as wide":                        {lines("a,b,c,d\n", "{p},to {p},is,it\n", 20) + "\nsee,there\n", 23},
		"wider than half":                     {lines("a,b,c,d,e\n", "{p},to {p},is,it,so\n", 20) + "\nsee,there,too\n", 0},
		"a padded note below a full table":    {lines("a,b,c\n", "{p},,to {p}\n", 20) + "x,y,z\n\nsee,,\n", 24},
		"a padded note below a table of gaps": {lines("a,b,c\n", "{p},,to {p}\n", 8) + lines("", "{p},to {p},\n", 12) + "\nsee,,\n", 0},
		"likewise, where one column has none": {lines("a,b,c\n", "{p},,to {p}\n", 20) + "x,,z\n\nsee,,\n", 24},
		"a padded note below three records":   {lines("a,b,c\n", "{p},to {p},is\n", 3) + "\nsee,,\n", 6},
		"a padded note below two records":     {lines("a,b,c\n", "{p},to {p},is\n", 2) + "\nsee,,\n", 0},
		"a text alone that is a record":       {lines("a,b,c\n", "{p},to {p},is\n", 20) + "Call the new supplier back,,\n", 0},
		"a text alone that is marked":         {lines("a,b,c\n", "{p},to {p},is\n", 20) + "Source: the ledger of May,,\n", 22},
		"a record that is named Total":        {lines("a,b,c\n", "{p},to {p},1\n", 20) + "Total,General Mills,4\n", 0},
		"a total of something":                {lines("a,b,c\n", "{p},1,2\n", 20) + "Total for stock,20,40\n", 22},
		"a total with a colon":                {lines("a,b,c\n", "{p},1,2\n", 20) + "Total: all,20,40\n", 22},
		"a short record with a text":          {lines("a,b,c,d\n", "{i},{p},1,2\n", 20) + "X21,Novak\n", 0},
		"names and values apart":              {lines("a,b,c,d\n", "{p},to {p},1,it\n", 20) + "\n,Sold,5,\n,Left,4,\n", 23},
		"a name and a value apart":            {lines("a,b,c,d\n", "{p},to {p},1,it\n", 20) + "\n,Left,4,\n", 0},
		"a name and a value":                  {lines("a,b,c,d\n", "{p},to {p},1,it\n", 20) + ",Left,4,\n", 0},
		"names and values apart, as above":    {"a,b,c,d\n,to,1,\n,so,2,\n" + lines("", "{p},to {p},1,it\n", 20) + "\n,Sold,5,\n,Left,4,\n", 0},
		"an amount named among numbers":       {lines("a,b,c,d\n", "{p},to {p},1,2\n", 20) + ",,Net,4\n", 22},
		"shares apart":                        {lines("a,b,c,d\n", "{p},1,2,it\n", 20) + "\nWeights,40 %,60 %,\n", 23},
		"shares apart without a gap":          {lines("a,b,c\n", "{p},1,2\n", 20) + "\nWeights,40 %,60 %\n", 0},
		"shares":                              {lines("a,b,c,d\n", "{p},1,2,it\n", 20) + "Weights,40 %,60 %,\n", 0},
		"marks explained":                     {lines("a,b,c\n", "{p},E,L\n", 20) + "E = early,L = late,\n", 22},
		"marks explained in a row, too":       {lines("a,b,c\n", "{p},E,L\n", 2) + "E = x,L = y,\n" + lines("", "{p},E,L\n", 18) + "E = early,L = late,\n", 0},
		"two records of one width":            {three + "\nsee,1\nsee,2\n", 0},
	} {
		if r := decide(c.text); r.FooterLine != c.line {
			t.Errorf("%s: line %d, want %d", name, r.FooterLine, c.line)
		}
	}
}
