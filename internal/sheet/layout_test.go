package sheet

import (
	"bytes"
	"slices"
	"testing"
)

func TestLayout(t *testing.T) {
	t.Parallel()
	rows := "1,x,2.5\n2,y,3.5\n3,z,4.5\n4,w,5.5\n"
	read3 := []string{"row 2: 1|x|2.5", "row 3: 2|y|3.5", "row 4: 3|z|4.5", "row 5: 4|w|5.5"}
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"no header":                           {rows, []string{"row 1: 1|x|2.5", "row 2: 2|y|3.5", "row 3: 3|z|4.5", "row 4: 4|w|5.5"}},
		"header once more":                    {"id,n,v\n" + rows + "id,n,v\n", append([]string{"header 1: id|n|v"}, append(slices.Clone(read3), "skip 6:")...)},
		"footer":                              {"id,n,v\n" + rows + "\nSource: none\n", append([]string{"header 1: id|n|v"}, append(slices.Clone(read3), "skip 6:", "skip 7:")...)},
		"no bad cell in them":                 {"\xff\xff\n\nid,é,v\n1,é,2.5\n2,é,3.5\n3,é,4.5\n4,é,5.5\nSource: \xff\n", []string{"skip 1:", "skip 2:", "header 3: id|é|v", "row 4: 1|é|2.5", "row 5: 2|é|3.5", "row 6: 3|é|4.5", "row 7: 4|é|5.5", "skip 8:"}},
		"trailing delimiters":                 {"id,n\n1,x,\n2,y,\n3,z,\n4,w,\n5,v\n6,,,\n", []string{"header 1: id|n", "row 2: 1|x", "row 3: 2|y", "row 4: 3|z", "row 5: 4|w", "row 6: 5|v", "reject 7: 6||| !extra_cell 3-4 "}},
		"of two columns, in the header alone": {"id,name,\n1,x\n2,y\n3,z\n", []string{"header 1: id|name|", "row 2: 1|x", "row 3: 2|y", "row 4: 3|z"}},
		"and a note below":                    {"id,n,v,\n" + rows + "see page two\n", append([]string{"header 1: id|n|v|"}, append(slices.Clone(read3), "skip 6:")...)},
		"a header without the last name, of days": {"id,n\n1,2.5,2024-01-31\n2,3.5,2024-02-29\n3,4.5,2024-03-31\n",
			[]string{"header 1: id|n", "row 2: 1|2.5|2024-01-31", "row 3: 2|3.5|2024-02-29", "row 4: 3|4.5|2024-03-31"}},
		"a header that goes on further below": {"no,town,office,total,,\n1,Elm,,925,,\n2,Elm,,435,,\nall,all,all,1360,,\nno,town,office,total,poll,post\n1,Elm,Mayor,521,127,394\n" +
			"2,Elm,Mayor,250,71,179\n3,Oak,Mayor,306,115,191\n", []string{"header 1: no|town|office|total||", "row 2: 1|Elm||925||", "row 3: 2|Elm||435||",
			"row 4: all|all|all|1360||", "reject 5: no|town|office|total|poll|post !other_table 0 ", "reject 6: 1|Elm|Mayor|521|127|394 !other_table 0 ",
			"reject 7: 2|Elm|Mayor|250|71|179 !other_table 0 ", "reject 8: 3|Oak|Mayor|306|115|191 !other_table 0 "}},
		"a header between pages of few rows": {"no,cost,sold,left,day,kept\n65,45.60,449.78,824,2024-02-09,115\n401,303.94,372.79,384,2024-10-08,267\n" +
			"444,528.16,160.32,253,2024-01-28,326\nno,cost,sold,left,day,kept\n670,613.92,87.05,643,2024-11-11,331\n73,231.17,143.45,316,2024-10-22,64\n",
			[]string{"header 1: no|cost|sold|left|day|kept", "row 2: 65|45.60|449.78|824|2024-02-09|115", "row 3: 401|303.94|372.79|384|2024-10-08|267",
				"row 4: 444|528.16|160.32|253|2024-01-28|326", "skip 5:", "row 6: 670|613.92|87.05|643|2024-11-11|331", "row 7: 73|231.17|143.45|316|2024-10-22|64"}},
		"a line is drawn":    {"id|n\n---+---\n1|x\n---|---\n", []string{"header 1: id|n", "skip 2:", "row 3: 1|x", "row 4: ---|---"}},
		"another delimiter":  {"id,n,v\n1,x,2.5\n2,y,3.5\n3;z;4.5\n4,w,5.5\n", append([]string{"header 1: id|n|v"}, read3...)},
		"mark in the middle": {"id,n\n1,x\n\ufeff2,y\n", []string{"header 1: id|n", "row 2: 1|x", "row 3: 2|y"}},
		"a second table": {"id,n,v\n" + rows + "\na,b\nc,d\n", append([]string{"header 1: id|n|v"}, append(slices.Clone(read3), "skip 6:",
			"reject 7: a|b !missing_cell 3 v", "reject 8: c|d !missing_cell 3 v")...)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := read(t, c.content, Options{}, DefaultLimits()); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// Who knows that there is no footer loses no record to one.
func TestNoFooter(t *testing.T) {
	t.Parallel()
	content := "id,n,v\n1,x,2\n2,y,3\n3,z,4\n4,w,5\nTotal,,14\n"
	for footer, want := range map[string]string{"auto": "skip 6:", "none": "row 6: Total||14"} {
		got := under(t, content, DefaultLimits(), map[string][]string{"footer": {footer}})
		if last := got[len(got)-1]; last != want {
			t.Errorf("%s: %s", footer, last)
		}
	}
}

// The first row of data is not taken for a line that was drawn under the header; nor is any by who says how many rows the header has.
func TestRowsOfDashesAreKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		options map[string][]string
		want    string
	}{
		"values that are not there":     {"name,x,y\n-,-,-\n", nil, "row 2: -|-|-"},
		"values of several dashes":      {"name,from,to\nann,--,--\n", nil, "row 2: ann|--|--"},
		"dashes shorter than the names": {"name,amount\n---,-\n", nil, "row 2: ---|-"},
		"a line as sqlcmd draws it":     {"name,id,x\n----,--,-\n", nil, "skip 2:"},
		"a line under two names":        {"name  amount\n------------\n", nil, "skip 2:"},
		"who says the header":           {"name,b\n---,---\n", map[string][]string{"header": {"1"}}, "row 2: ---|---"},
		"who says the whole layout": {"name,\"b;c\"\r\n=,==\r\n", map[string][]string{
			"delimiter": {","}, "quote": {`"`}, "escape": {`"`}, "header": {"1"}, "skip": {"0"}, "footer": {"none"},
		}, "row 2: =|=="},
	} {
		if got := under(t, c.content, DefaultLimits(), c.options); len(got) != 2 || got[1] != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// columnsOf reads all of the content and gives its columns' names and dialect.
func columnsOf(t *testing.T, content string, opt Options) (names []string, d Dialect) {
	t.Helper()
	_, s := openFirst(t, content, opt)
	for range recordsOf(t, s) {
	}
	for _, c := range s.Columns() {
		names = append(names, c.Name)
	}
	return names, s.Dialect()
}

func TestColumnNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"no header":          {"1,x\n2,y\n3,z\n4,w\n", []string{"column_1", "column_2"}},
		"names of rows":      {"speed\tweight\na\t1\t2\nb\t2\t3\nc\t3\t4\n", []string{"column_1", "speed", "weight"}},
		"rows are joined":    {"who,,amount,\nname,id,net,gross\nx,1,2.5,3\ny,2,3.5,4\nz,3,4.5,5\n", []string{"who name", "who id", "amount net", "amount gross"}},
		"the same once":      {"id,n,n\nid,n,(m)\n1,2,3\n2,3,4\n3,4,5\n", []string{"id", "n", "n (m)"}},
		"unseen marks":       {"\ufeffid,\ufeffname,\ufeff price\n1,x,2\n2,y,3\n3,z,4\n", []string{"id", "name", "price"}},
		"a line in a header": {"\"a\nb\",c\n1,2\n", []string{"a\nb", "c"}},
	} {
		if got, _ := columnsOf(t, c.content, Options{}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestOptionsOverrideTheDialect(t *testing.T) {
	t.Parallel()
	zero, one, two, three := 0, 1, 2, 3
	content := "Title\nwho|x\nname|'id'\nz|1\ny|2\nx|3\nw|4\n"
	for name, c := range map[string]struct {
		opt  Options
		want Dialect
		name string // of the last column
	}{
		"nothing":     {Options{}, Dialect{Delimiter: "|", Quote: `'`, Escape: `'`, Newline: "\n", HeaderRows: 1, PreambleRows: 1}, "x"},
		"two rows":    {Options{Header: &two}, Dialect{Delimiter: "|", Quote: `'`, Escape: `'`, Newline: "\n", HeaderRows: 2, PreambleRows: 1}, "x id"},
		"none":        {Options{Header: &zero, Skip: &three}, Dialect{Delimiter: "|", Quote: `'`, Escape: `'`, Newline: "\n", PreambleRows: 3}, "column_2"},
		"quote":       {Options{Quote: `"`, Escape: `\`, Skip: &two, Header: &one}, Dialect{Delimiter: "|", Quote: `"`, Escape: `\`, Newline: "\n", HeaderRows: 1, PreambleRows: 2}, "'id'"},
		"no quotes":   {Options{Quote: "none", Skip: &two}, Dialect{Delimiter: "|", Newline: "\n", HeaderRows: 1, PreambleRows: 2}, "'id'"},
		"a delimiter": {Options{Delimiter: "#", Skip: &zero}, Dialect{Delimiter: "#", Quote: `"`, Escape: `"`, Newline: "\n", HeaderRows: 1}, "Title"},
	} {
		names, d := columnsOf(t, content, c.opt)
		if d != c.want || len(names) == 0 || names[len(names)-1] != c.name {
			t.Errorf("%s: %+v, %q", name, d, names)
		}
	}
}

// Where the table begins and ends is found in any encoding, for the samples are decoded and the file is not.
func TestLayoutInOtherEncodings(t *testing.T) {
	t.Parallel()
	text := "表題\n\n番号,名称\n1,あ\n2,い\n3,う\n4,え\n※出典：統計局\n"
	utf16le := []byte("\xff\xfe")
	for _, r := range text {
		utf16le = append(utf16le, byte(r), byte(r>>8))
	}
	for name, content := range map[string]string{"utf-8": text, "with a mark": "\ufeff" + text, "cp932": toCP932(t, text), "utf-16": string(utf16le)} {
		got := read(t, content, Options{}, DefaultLimits())
		want := []string{"skip 1:", "skip 2:", "header 3: 番号|名称", "row 4: 1|あ", "row 5: 2|い", "row 6: 3|う", "row 7: 4|え", "skip 8:"}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A file of more than one sample has its footer told from its last sample.
func TestFooterOfALargeFile(t *testing.T) {
	t.Parallel()
	content := append([]byte("id;name\n"), bytes.Repeat([]byte("12;x\n"), 400_000)...)
	content = append(content, "\nSource: \"none\"\nas of 2024\n"...)
	_, s := openFirst(t, string(content), Options{})
	counts := map[Kind]int{}
	for rec := range recordsOf(t, s) {
		counts[rec.Kind]++
	}
	if counts[Row] != 400_000 || counts[Skip] != 3 || counts[Header] != 1 || counts[Reject] != 0 {
		t.Errorf("%v", counts)
	}
}
