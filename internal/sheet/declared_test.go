package sheet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// under returns the brief records of a text that is read under options as a query has them.
func under(t *testing.T, content string, lim Limits, query map[string][]string) []string {
	t.Helper()
	opt, err := ParseOptions(query)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, content, opt, lim)
}

// A cell that does not follow the rule of its column rejects its row, with a code and words in both languages.
func TestDeclaredColumns(t *testing.T) {
	t.Parallel()
	got := under(t, "id,day,amount\n1,2024-01-31,5\nx,2024-01-31,5\n3,31.12.24,\n1,2024-02-01,7\n5,2024-02-01,500\n6,,8\n7,2024-02-02\n", DefaultLimits(),
		map[string][]string{"column": {"id:integer;unique", "day:date", "amount:integer;required;max=100"}})
	want := []string{
		"header 1: id|day|amount",
		"row 2: 1|2024-01-31|5",
		"reject 3: x|2024-01-31|5 !type_mismatch 1 id",
		"reject 4: 3|31.12.24| !type_mismatch 2 day !required_missing 3 amount",
		"reject 5: 1|2024-02-01|7 !not_unique 1 id",
		"reject 6: 5|2024-02-01|500 !out_of_range 3 amount",
		"row 7: 6||8",
		"reject 8: 7|2024-02-02 !missing_cell 3 amount",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A declared column that is not there leaves nothing to hold the rows against.
func TestDeclaredColumnIsMissing(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"id,name\n1,a\n", "id,name\n"} {
		got := under(t, content, DefaultLimits(), map[string][]string{"column": {"id:integer", "price:decimal"}, "header": {"1"}})
		if len(got) == 0 || got[len(got)-1] != "refused missing_column" {
			t.Errorf("%q: %q", content, got)
		}
	}
}

// The name of a commented header may be declared with and without the mark.
func TestDeclaredNameOfACommentedHeader(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"id", "#id"} {
		got := under(t, "##made by hand\n#id,town\n1,Bath\n2,York\n", DefaultLimits(), map[string][]string{"column": {name + ":integer"}})
		if len(got) == 0 || got[len(got)-1] != "row 4: 2|York" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The names of declared columns tell the header from records of which every declared value is wrong, wherever it stands; names that only
// rows of a header make together do so, too.
func TestDeclaredNamesTellTheHeader(t *testing.T) {
	t.Parallel()
	for content, want := range map[string][]string{
		"id,name,amount\nx,Ann,y\n2,Bob,5\n3,Cid,6\n": {
			"header 1: id|name|amount", "reject 2: x|Ann|y !type_mismatch 1 id !type_mismatch 3 amount", "row 3: 2|Bob|5", "row 4: 3|Cid|6",
		},
		"Sales,,\nid,name,amount\nx,Ann,y\n2,Bob,5\n3,Cid,6\n": {
			"skip 1:", "header 2: id|name|amount", "reject 3: x|Ann|y !type_mismatch 1 id !type_mismatch 3 amount", "row 4: 2|Bob|5", "row 5: 3|Cid|6",
		},
		"id,amount\n1,2\n": {"header 1: id|amount", "row 2: 1|2"},
		"id,Sales,\n,count,amount\n1,2,3\n4,5,6\n7,8,9\n": {
			"header 1: id|Sales|", "header 2: |count|amount", "row 3: 1|2|3", "row 4: 4|5|6", "row 5: 7|8|9",
		},
	} {
		columns := []string{"id:integer", "amount:integer"}
		if strings.Contains(content, ",count,amount") {
			columns[1] = "Sales amount:integer"
		}
		if got := under(t, content, DefaultLimits(), map[string][]string{"column": columns}); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %q\nwant %q", content, got, want)
		}
	}
}

// Whoever repairs a file is told all missing columns at once, not one per try.
func TestAllMissingColumnsAreNamed(t *testing.T) {
	t.Parallel()
	options, err := ParseOptions(map[string][]string{"column": {"id:integer", "price:decimal", "day:date", "name:text"}, "header": {"1"}})
	if err != nil {
		t.Fatal(err)
	}
	_, s := openFirst(t, "id,name\n1,a\n", options)
	for err == nil {
		_, err = s.Read()
	}
	refused, ok := errors.AsType[*Refusal](err)
	if !ok || !strings.Contains(refused.Message, "day, price") || !strings.Contains(refused.MessageJA, "day, price") {
		t.Errorf("%v, want a word about day and price", err)
	}
}

// Who skips more records than the file has is told that, and not that the file is empty.
func TestEverythingIsSkipped(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"id,name\n1,a\n2,b\n": "The file has 3 records, and the first 99 are skipped",
		"\n\n":                "2 records, and the first 99",
	} {
		options, err := ParseOptions(map[string][]string{"skip": {"99"}})
		if err != nil {
			t.Fatal(err)
		}
		_, s := openFirst(t, content, options)
		for err == nil {
			_, err = s.Read()
		}
		if refused, ok := errors.AsType[*Refusal](err); !ok || refused.Code != EmptyFile || !strings.Contains(refused.Message, want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// What is rejected beyond the policy refuses the file, behind the record that was one too many; a share is known at the end.
func TestPolicies(t *testing.T) {
	t.Parallel()
	content := "a,b\n1,2\n3\n4,5\n6\n7\n8,9\n"
	for policy, want := range map[string]string{
		"reject":      "row 7: 8|9",
		"limit:3":     "row 7: 8|9",
		"fail":        "reject 3: 3 !missing_cell 2 b, refused row_rejected",
		"limit:0":     "reject 3: 3 !missing_cell 2 b, refused too_many_rejects",
		"limit:2":     "reject 6: 7 !missing_cell 2 b, refused too_many_rejects",
		"limit:50%":   "row 7: 8|9",
		"limit:49.9%": "row 7: 8|9, refused too_many_rejects",
	} {
		got := strings.Join(under(t, content, DefaultLimits(), map[string][]string{"policy": {policy}, "header": {"1"}}), ", ")
		if !strings.HasSuffix(got, want) || strings.Contains(want, "refused") != strings.Contains(got, "refused") {
			t.Errorf("%s: %s", policy, got)
		}
	}
}

// A file over a limit on its records is refused with the limit's code.
func TestLimitsOfRecords(t *testing.T) {
	t.Parallel()
	for code, content := range map[Code]string{
		TooManyRows:    "a,b\n" + strings.Repeat("\n", 40) + strings.Repeat("1\n", 9) + strings.Repeat("\n", 60),
		TooManyCells:   "a,b\n" + strings.Repeat("1,2\n", 51),
		TooManyRejects: "a,b\n" + strings.Repeat("1\n", 11),
	} {
		got := under(t, content, small, map[string][]string{"header": {"1"}, "delimiter": {","}})
		if len(got) == 0 || got[len(got)-1] != "refused "+string(code) {
			t.Errorf("%s: %q", code, got)
		}
	}
}

// The types come from the rows that were accepted, all of them, and a declared type stays what was declared.
func TestTypes(t *testing.T) {
	t.Parallel()
	content := "商品コード,単価,登録日,在庫,備考\n007,\"1,200円\",令和6年1月31日,△5,あ\n010,980円,R6.2.1,12,\n011,x,2024-02-02,7\n"
	opt, err := ParseOptions(map[string][]string{"column": {"在庫:decimal"}})
	if err != nil {
		t.Fatal(err)
	}
	_, s := openFirst(t, content, opt)
	for range recordsOf(t, s) {
	}
	var got []string
	for _, c := range s.Columns() {
		got = append(got, fmt.Sprintf("%s %s %s..%s", c.Name, c.Type, c.Min, c.Max))
	}
	want := []string{"商品コード text 007..010", "単価 integer 980..1200", "登録日 date 2024-01-31..2024-02-01", "在庫 decimal -5..12", "備考 text あ..あ"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	converters, err := NewConverters(s.Columns())
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := converters[1].Value([]byte("1,200円")); !ok || fmt.Sprint(value) != "1200" {
		t.Error(value, ok)
	}
}
