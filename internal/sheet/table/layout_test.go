package table

import (
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/dialect"
)

// rowsOf are the records of a text with commas.
func rowsOf(text string) []row {
	return readRows([]dialect.Sample{{Text: []byte(text), Head: true, Tail: true}}, dialect.Dialect{Delimiter: ",", Quote: '"', Escape: '"'}, 0)
}

// wide are records of these widths.
func wide(widths ...int) []row {
	rows := make([]row, len(widths))
	for i, w := range widths {
		rows[i] = row{width: w, filled: w}
	}
	return rows
}

func TestUsualWidth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []row
		want int
	}{
		"three records make a table":               {wide(2, 2, 2), 2},
		"two records do not":                       {wide(2, 2), 0},
		"a table among eight times as much prose":  {wide(append(slices.Repeat([]int{1}, 24), 4, 4, 4)...), 4},
		"a table among more prose":                 {wide(append(slices.Repeat([]int{1}, 25), 4, 4, 4)...), 1},
		"two records among prose":                  {wide(1, 1, 1, 4, 4), 1},
		"eight records above a longer table":       {wide(append(slices.Repeat([]int{3}, 8), slices.Repeat([]int{5}, 20)...)...), 3},
		"seven records above a longer table":       {wide(append(slices.Repeat([]int{3}, 7), slices.Repeat([]int{5}, 20)...)...), 5},
		"three records of the most frequent width": {wide(append([]int{5, 5, 5}, slices.Repeat([]int{3}, 8)...)...), 3},
	} {
		if got := usualWidth(c.rows); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestTrailingNeedsRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		width int
		want  bool
	}{
		"four records":          {strings.Repeat("a,b,\n", 4), 3, true},
		"three records":         {strings.Repeat("1,2,\n", 3), 3, false},
		"names and two records": {"a,b,\n1,2,\n3,4,\n", 3, true},
		"one column":            {strings.Repeat("a,\n", 9), 2, false},
	} {
		if got := trailing(rowsOf(c.text), c.width); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A line of a preamble that is as wide as the table by chance does not begin it.
func TestFollowers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		widths []int
		want   bool
	}{
		"the next":                {[]int{3}, true},
		"two of four":             {[]int{2, 2, 3, 3}, true},
		"one of four":             {[]int{2, 3, 2, 2, 3}, false},
		"those behind the fourth": {[]int{2, 2, 2, 3, 3}, false},
		"nothing":                 {nil, false},
	} {
		if got := hasFollowers(wide(c.widths...), 3); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNearlyHeader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		width, filled, columns int
		want                   bool
	}{
		"a cell too few":             {3, 3, 4, true},
		"a cell too many":            {5, 5, 4, true},
		"two of four too few":        {2, 2, 4, false},
		"a fifth too few":            {8, 8, 10, true},
		"more than a fifth too few":  {7, 7, 10, false},
		"three of four cells filled": {4, 3, 5, true},
		"two of four cells filled":   {4, 2, 5, false},
		"as wide":                    {4, 4, 4, false},
		"one cell":                   {1, 1, 2, false},
	} {
		if got := nearlyHeader(row{width: c.width, filled: c.filled}, c.columns); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What may be a record of the table, and what is a title with the unit beside it.
func TestFills(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct {
		columns int
		want    bool
	}{
		"a,b,c":       {3, true},
		"a,b":         {3, false},
		"Title,,":     {3, false},
		",b,":         {3, true},
		"Title,":      {2, true},
		"人口,,（単位：人）":  {3, false},
		"人口,年,（単位：人）": {3, true},
		"人口,（単位：人）":   {2, true},
	} {
		if got := rowsOf(text)[0].fills(c.columns); got != c.want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestFirstRecordOfValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"5,7\n": true, "\n5,12:30\n": true, "2023\n": false, "2022,2023\n": false, "2022,7\n": true, "5,x\n": false} {
		if got := startWithValues(rowsOf(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestYears(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int32{
		"2022,2023": 2, "2023,2022": 2, "2023,2023": 0, "2023,2023,2023": 3, "2010,2015,2020": 3, "2000,2010,2020": 3, "2010,2016,2022": 3, "2022,2019,2010": 3, "2023": 1,
		"2010,2016,2012": 0, "2010,2016,2016,2022": 0, "1990,2012,3000": 2, "2010,12.5,2022": 0, "2010,2016": 2, "202312,202401": 2, "202403,202402,202401": 3,
		"202313,202314": 0, "2023,202401": 0, "301201,301202": 0, "3023,3024": 0,
	} {
		if got := rowsOf(text)[0].years; got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}

// Where a worksheet's table ends on the right: a stray cell beside it widens nothing.
func TestGridWidth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		widths []int
		want   int
	}{
		"two of twenty are wider":   {append(slices.Repeat([]int{3}, 18), 9, 9), 3},
		"three of twenty are wider": {append(slices.Repeat([]int{3}, 17), 9, 9, 9), 9},
		"one of two is wider":       {[]int{3, 9}, 3},
		"one row":                   {[]int{3}, 0},
	} {
		if got := gridWidth(wide(c.widths...)); got != c.want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// Rows above the first one that fills more than half of the table are prose, and stay as they are.
func TestFit(t *testing.T) {
	t.Parallel()
	rows := wide(2, 3, 1)
	fit(rows, 4)
	if rows[0].width != 2 || rows[1].width != 4 || rows[2].width != 4 || len(rows[2].kinds) != 4 {
		t.Errorf("%+v", rows)
	}
}
