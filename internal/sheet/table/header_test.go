package table

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

func TestColumnKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]kind.Kind{
		"1\n2\n3\n4\nx\n": kind.Number, // four of five
		"1\n2\n3\nx\n":    kind.Word,
		"1\n":             kind.Word, // one cell says nothing
		"1\n2\n":          kind.Number,
		"1\n\n-\n2\n":     kind.Number, // empty cells do not count
		"1:30\n2:30\n":    kind.Moment,
	} {
		if got := columnKinds(rowsOf(text), 1).kinds[0]; got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A title that was padded to the table's width says nothing of the columns; in a table of two it may be a record.
func TestPaddedTitlesSayNothing(t *testing.T) {
	t.Parallel()
	if got := columnKinds(rowsOf("1,2,3\n4,5,6\nA title,,\nAnother,,\n"), 3).kinds[0]; got != kind.Number {
		t.Errorf("of three columns: %d", got)
	}
	if got := columnKinds(rowsOf("1,2\n4,5\nA title,\nAnother,\n"), 2).kinds[0]; got != kind.Word {
		t.Errorf("of two columns: %d", got)
	}
}

// Years above numbers are names: three of them, two beside another name, or two above numbers that are no years.
func TestYearsAsNames(t *testing.T) {
	t.Parallel()
	body := columnKinds(rowsOf("1,2,3,4:30\n4,5,6,4:31\n7,8,9,4:32\n"), 4)
	for text, want := range map[string]bool{
		"2021,2022,2023,": true, "2021,2022,,": true, "2021,2022,,at": true, "2021,2022,,4:33": false,
	} {
		r := rowsOf(text)[0]
		if same, other := body.compare(r); (other > same) != want {
			t.Errorf("%s: %d cells as below, %d others", text, same, other)
		}
	}
	values := columnKinds(rowsOf("1998,2004\n1999,2005\n1987,2003\n"), 2)
	if same, other := values.compare(rowsOf("2001,2002\n")[0]); other > same {
		t.Errorf("years above years: %d cells as below, %d others", same, other)
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	const text = "Oslo,Norway,x,y\nRome,Italy,x,y\nOslo,a,x,y\nb,Norway,x,y\n"
	for name, c := range map[string]struct {
		text, record string
		want         bool
	}{
		"two of four cells":      {text + "c,d,x,y\n", "Oslo,Norway,p,q", true},
		"two of five cells":      {"Oslo,Norway,x,y,z\nRome,Italy,x,y,z\nOslo,a,x,y,z\nb,Norway,x,y,z\nc,d,x,y,z\n", "Oslo,Norway,p,q,r", false},
		"one of two cells":       {text + "c,d,x,y\n", "Oslo,p,,", false},
		"in four records":        {text, "Oslo,Norway,p,q", false},
		"as a whole record only": {strings.Repeat("a,b,c,d\n", 5), "a,b,c,d", false},
	} {
		body := columnKinds(rowsOf(c.text), len(strings.Split(c.record, ",")))
		if got := body.repeats(rowsOf(c.record)[0]); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHeaderRows(t *testing.T) {
	t.Parallel()
	head := manyHeads
	body := lines("", "{i},1{i},2\n", 9)
	for name, c := range map[string]struct {
		text  string
		width int
		want  int
	}{
		"one row":                          {head(1) + body, 3, 1},
		"five rows":                        {head(5) + body, 3, 5},
		"six rows":                         {head(6) + body, 3, 5},
		"a second row of two words":        {"name,a,b\n,h,m\n" + body, 3, 2},
		"a second row of one word":         {"name,a,b\n,h,\n" + body, 3, 1},
		"values above two records":         {"1,2,3\n4,5,6\n7,8,9\n", 3, 0},
		"values above one record":          {"1,2,3\n4,5,6\n", 3, 1},
		"a short row of values":            {"1,2\n" + body, 3, 0},
		"a short row of a value":           {"1\n" + body, 3, 1},
		"a short row of values and text":   {"1,2,x\n" + lines("", "{i},1{i},2,3\n", 9), 4, 1},
		"a short row of values, less text": {"1,2,3,x\n" + lines("", "{i},1{i},2,3,4\n", 9), 5, 0},
		"nothing":                          {"", 3, 1},
	} {
		if got := headerRows(rowsOf(c.text), c.width); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// manyHeads are rows of names that differ.
func manyHeads(n int) string {
	var b strings.Builder
	for i := range n {
		name := strings.Repeat("n", i+1)
		b.WriteString(name + "," + name + "," + name + "\n")
	}
	return b.String()
}

func TestRowNamesNeedRecords(t *testing.T) {
	t.Parallel()
	d := dialect.Dialect{Delimiter: "\t", Quote: '"', Escape: '"'}
	for name, c := range map[string]struct {
		text  string
		width int
		want  bool
	}{
		"three records": {"speed\tweight\na\t1\t2\nb\t3\t4\nc\t5\t6\n", 3, true},
		"two records":   {"speed\tweight\na\t1\t2\nb\t3\t4\n", 3, false},
		"one column":    {"speed\na\t1\nb\t3\nc\t5\nd\t7\n", 2, false},
	} {
		rows := readRows([]dialect.Sample{{Text: []byte(c.text), Head: true, Tail: true}}, d, 0)
		if got := namesRows(d, rows, c.width); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
