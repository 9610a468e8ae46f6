package sheet

import (
	"fmt"
	"slices"
	"testing"
)

// reasonsOf returns the codes of each record's reasons with their columns, "" for a row.
func reasonsOf(t *testing.T, content string, query map[string][]string) (all []string) {
	t.Helper()
	query["header"], query["skip"], query["footer"] = []string{"1"}, []string{"0"}, []string{"none"}
	opt, err := ParseOptions(query)
	if err != nil {
		t.Fatal(err)
	}
	for rec := range recordsOf(t, firstSheet(t, content, opt)) {
		if rec.Kind == Header {
			continue
		}
		text := ""
		for _, e := range rec.Errors {
			text += fmt.Sprintf("%s %d;", e.Code, e.ColumnNo)
		}
		all = append(all, text)
	}
	return all
}

// Who repairs a record is told everything that is wrong with it, and nothing twice.
func TestAllReasonsAtOnce(t *testing.T) {
	t.Parallel()
	query := map[string][]string{"encoding": {"utf-8"}, "column": {"id:integer;required;unique", "name:text", "n:integer;required", "day:date"}}
	got := reasonsOf(t, "id,name,n,day\nx,\xff,y,z\n1,a,b\n1,a,2,2024-01-31,more,z\n1,ok,2,2024-01-31\n1,ok,2,2024-01-31\nq\n", query)
	want := []string{
		"invalid_encoding 2;type_mismatch 1;type_mismatch 3;type_mismatch 4;", "missing_cell 4;type_mismatch 3;", "extra_cell 5;",
		"", // the rejected one before it does not count for uniqueness
		"not_unique 1;", "missing_cell 2;type_mismatch 1;",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// With pad a record that ends early is a row, and the cells that it lacks are null; one with too many cells is none, and a required cell
// is still required.
func TestPad(t *testing.T) {
	t.Parallel()
	const content = "id,name,note\n1,a,x\n2,b\n3\n4,d,y,z\n"
	if got := read(t, content, Options{Pad: new(true)}, DefaultLimits()); !slices.Equal(got[1:4], []string{"row 2: 1|a|x", "row 3: 2|b|NULL", "row 4: 3|NULL|NULL"}) {
		t.Errorf("%q", got)
	}
	query := map[string][]string{"pad": {"true"}, "column": {"note:text;required"}}
	if got := reasonsOf(t, content, query); !slices.Equal(got, []string{"", "required_missing 3;", "required_missing 3;", "extra_cell 4;"}) {
		t.Errorf("%q", got)
	}
}

// The words that people name as null are null in text, too, and no rule is broken by them; other cells stay what they are.
func TestNullOption(t *testing.T) {
	t.Parallel()
	query := map[string][]string{"null": {"N/A", "auto", "該当なし"}, "column": {"n:integer", "must:integer;required"}}
	const content = "text,n,must\nN/A,N/A,1\n auto ,-,2\nn/a,該当なし,3\nb,4,N/A\n"
	if got := reasonsOf(t, content, query); !slices.Equal(got, []string{"", "type_mismatch 2;", "", "required_missing 3;"}) {
		t.Errorf("%q", got)
	}
	got := read(t, content, Options{Null: []string{"N/A", "auto", "該当なし"}}, DefaultLimits())
	if want := []string{"row 2: NULL|NULL|1", "row 3: NULL|-|2", "row 4: n/a|NULL|3", "row 5: b|4|NULL"}; !slices.Equal(got[1:], want) {
		t.Errorf("got  %q\nwant %q", got[1:], want)
	}
}

// A code that was written as a formula, so that spreadsheets keep its zeros, is the code; what is more than a text stays as it is.
func TestTextFormulas(t *testing.T) {
	t.Parallel()
	s := firstSheet(t, "id,code\n1,\"=\"\"00017\"\"\"\n2,=\"00034\"\n3,\"=\"\"a\"\"&\"\"b\"\"\"\n4,=1+1\n5,\"=\"\"\"\"\"\n", Options{})
	var got []string
	for rec := range recordsOf(t, s) {
		got = append(got, string(rec.Cells[1]))
	}
	if want := []string{"code", "00017", "00034", `="a"&"b"`, "=1+1", ""}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if w := s.Warnings(); len(w) != 1 || w[0].Code != TextFormula || w[0].Count != 3 || w[0].Refs[0] != "B2" {
		t.Errorf("%+v", w)
	}
}
