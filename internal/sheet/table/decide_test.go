package table

import (
	"testing"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/sheettest"
)

var lines = sheettest.Lines

func decide(text string) Result {
	return Decide([]dialect.Sample{{Text: []byte(text), Head: true, Tail: true}}, Hints{})
}

func TestHeader(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text             string
		preamble, header int
	}{
		"plain":                         {lines("name,n\n", "{p},{i}\n", 20), 0, 1},
		"text alone":                    {lines("name,place\n", "x{i}y z,{p}\n", 20), 0, 1},
		"numbers alone, two records":    {"1,2.5\n2,3.5\n", 0, 0},
		"years, two records":            {"2022;2023\n5;7\n", 0, 1},
		"addresses":                     {lines("", "https://example.org/{i},{p}\n", 5), 0, 0},
		"a header above addresses":      {lines("who,mail\n", "{p},m{i}@example.org\n", 5), 0, 1},
		"text alone, two records":       {"name,city\nAnna,Oslo\n", 0, 1},
		"none, numbers":                 {lines("", "{i},{p}\n", 20), 0, 0},
		"none, text that comes again":   {lines("", "{p},{p},a b\n", 20), 0, 0},
		"years":                         {lines("country,2019,2020,2021\n", "{p},{i},3{i},7\n", 20), 0, 1},
		"from and to are no header":     {lines("", "{p},19{i},20{i}\n", 20), 0, 0},
		"two rows":                      {lines("who,,how much,\nname,id,net,gross\n", "{p},{i},1.5,2.5\n", 20), 0, 2},
		"groups in a narrower record":   {lines(",,FAM,,VIC\nrun,no,conc,sd,conc,sd\n", "{p},{i},1{i},2,3{i},4\n", 20), 0, 2},
		"no value in the first record":  {lines("name,a,b\nx,n/a,-\n", "{p},{i},3\n", 20), 0, 1},
		"a word in the first record":    {lines("name,n\nx,pending\n", "{p},{i}\n", 20), 0, 1},
		"a title":                       {lines("Places\n\nname,n\n", "{p},{i}\n", 20), 2, 1},
		"a title as wide as the table":  {lines("Places,,\n,,\nname,n,m\n", "{p},{i},1\n", 20), 2, 1},
		"a title and no header":         {lines("Places of the world\n", "{p},{i},1\n", 20), 1, 0},
		"a cell too few":                {lines("id,name city,amount\n", "{i},{p},x,1.5\n", 20), 0, 1},
		"a cell too many":               {lines("a,b,c\n", "{i},{p}\n", 20), 0, 1},
		"ragged and short":              {"a,b\n1,2,,\n", 0, 1},
		"sparse":                        {lines("a,b,c,d\n", "{p},,,\n", 20), 0, 1},
		"a title and the unit":          {lines("人口,,,（単位：人）\nname,n,m,k\n", "{p},{i},1,2\n", 20), 1, 1},
		"blank lines first":             {lines("\n\nname,n\n", "{p},{i}\n", 20), 0, 1},
		"units":                         {lines("time,temp\nh,°C\n", "{i},1.5\n", 20), 0, 2},
		"four rows, some with dates":    {lines("Title,Prices,Pay\nCode,CH,KA\nUnit,Index,GBP\nReleased,17-01-2024,16-01-2024\n", "20{i},1.5,2.5\n", 4), 0, 4},
		"a part without rows above":     {lines("Short\nparts,far,rate\n\nLong\npart,far,rate\n", "{i},{i}.5,2\n", 9), 4, 1},
		"two rows above padded notes":   {lines("place,,sum\nno,name,n\n", "{i},{p},2\n", 4) + ",,\nnote,,\nmore,,\n", 0, 2},
		"two years and a word":          {lines("name,2022,2023,change\n", "{p},1{i},2{i},1.5\n", 3), 0, 1},
		"two years in a record":         {lines("", "{p},20{i},20{i},1.5\n", 20), 0, 0},
		"the same year":                 {lines(",,2023,2023,2023\n,,May,June,July\n", "{i},{p},1{i},2{i},3{i}\n", 20), 0, 2},
		"on each page":                  {"id,name\n1,x\n2,y\n\nid,name\n3,z\n4,a\n\nid,name\n5,b\n", 0, 1},
		"records of other kinds":        {"1,21,0,04,0001\n2,5,A,1,12\n2,9,B,3,85\n2,7,C,2,44,1\n2,33,C,1,43\n", 0, 0},
		"a first record one cell short": {lines("1,2,3\n", "{i},{i},x,{i}\n", 20), 0, 0},
		"more prose than table":         {"Report\nfor Meyer\nby Braun\nas of May\nid,n,m\n1,2,3\n2,3,4\n3,4,5\n", 4, 1},
		"said delimiter":                {lines("sep=;\n\nname;n\n", "{p};{i}\n", 20), 1, 1},
		"said delimiter, two records":   {"sep=;\nname;n\nAnna;1\n", 1, 1},
		"log":                           {lines("", "2024-05-01T08:{i}:12Z INFO all is well\n", 20), 0, 0},
		"text alone, doubled":           {lines("term,sense\nterm,sense\n", "{i}x,{p}\n", 20), 0, 1},
		"text alone, once more":         {lines("term,sense\n", "{i}x,{p}\n", 9) + lines("term,sense\n", "{i}y,{p}\n", 9), 0, 1},
		"pairs, then text alone":        {lines("Source,Registry\nDate,2024-03-01\nBy,me\nterm,sense,root\n", "{i}x,{p},a b\n", 20), 3, 1},
		"codes of one shape, no header": {lines("", "AB-{i},{p}\n", 20), 0, 0},
	} {
		if r := decide(c.text); r.Preamble != c.preamble || r.Header != c.header {
			t.Errorf("%s: %d before the header, %d rows of it", name, r.Preamble, r.Header)
		}
	}
}

func TestFooter(t *testing.T) {
	t.Parallel()
	table := lines("id,name,amount\n", "{i},{p},1.5\n", 20)
	text := lines("name,id,amount\n", "{p},{i},1.5\n", 20)
	for name, c := range map[string]struct {
		text string
		line int64
	}{
		"nothing":                      {table, 0},
		"a source":                     {table + "Source: Registry\n", 22},
		"apart":                        {table + "\n\nNotes\nmore\n", 24},
		"a total":                      {table + "Total,,30\n", 22},
		"a total without empty cells":  {text + "Total,190,30\n", 22},
		"a total in the second cell":   {lines("date,what,n\n", "2024-01-01,{p},5\n", 9) + ",Total,45\n", 11},
		"a subtotal":                   {table + "Subtotal,,30\n", 0},
		"footnotes":                    {text + "1) on average\n(b) rounded\n", 22},
		"a drawn line":                 {text + "+-------+---+\n", 22},
		"a record cut":                 {table + "20\n", 0},
		"a record cut in its text":     {text + "New York\n", 0},
		"a record cut behind a number": {text + "New York,3\n", 0},
		"a second table":               {table + "\na,b\nc,d\ne,f\ng,h\n", 0},
	} {
		if r := decide(c.text); r.FooterLine != c.line {
			t.Errorf("%s: line %d, want %d", name, r.FooterLine, c.line)
		}
	}
}

func TestTrailingDelimiters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		trailing int
		columns  int
	}{
		"all":               {lines("a,b,\n", "{i},{p},\n", 20), 1, 2},
		"not in the header": {lines("a,b\n", "{i},{p},\n", 20), 1, 2},
		"a column of blank": {lines("a,b,c\n", "{i},{p},\n", 20), 0, 3},
		"quoted":            {lines("a,b,\n", "{i},{p},\"\"\n", 20), 0, 3},
		"three":             {lines("a,b,,,\n", "{i},{p},,,\n", 20), 3, 2},
		"a value in one":    {lines("a,b,,,\n", "{i},{p},,,\n", 20) + "1,x,,y,\n", 1, 2}, // it stands beside the table
		"not always":        {lines("a,b,\n", "{i},{p},\n", 20) + "1,x,y\n", 0, 3},
	} {
		r := decide(c.text)
		if r.Ended {
			r.Trailing++
		}
		if r.Trailing != c.trailing || r.Columns != c.columns || r.Header != 1 || r.Preamble != 0 {
			t.Errorf("%s: %d, %d columns, header %d, preamble %d", name, r.Trailing, r.Columns, r.Header, r.Preamble)
		}
	}
}

func TestRowNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		names bool
	}{
		"tabs":               {lines("speed\tweight\n", "car {i}\t1{i}\t2.5\n", 9), true},
		"spaces, quoted":     {lines("\"speed\" \"weight\"\n", "\"{i}\" 1{i} 2.5\n", 9), true},
		"commas, quoted":     {lines("\"speed\",\"weight\"\n", "\"{i}\",1{i},2.5\n", 9), true},
		"commas":             {lines("id,place amount\n", "{i},{p},2.5\n", 9), false},
		"not in all records": {lines("speed\tweight\n", "car {i}\t1{i}\t2.5\n", 9) + "1\t2\n3\t4\n", false},
		"no names":           {lines("speed\tweight\n", "car\t1{i}\t2.5\n", 9), false},
		"no header":          {lines("01\t1.5\n", "{i}x\t1{i}\t2.5\n", 9), false},
	} {
		if r := decide(c.text); r.RowNames != c.names || r.Columns != 3 {
			t.Errorf("%s: %+v", name, r.Layout)
		}
	}
}

// What is known beforehand is not found out.
func TestHints(t *testing.T) {
	t.Parallel()
	text := lines("Title\na;b\n", "{i};{p}\n", 20)
	delimiter, quote, escape, preamble, header := "#", byte('\''), byte('\\'), 0, 2
	r := Decide([]dialect.Sample{{Text: []byte(text), Head: true, Tail: true}}, Hints{
		Hints: dialect.Hints{Delimiter: &delimiter, Quote: &quote, Escape: &escape}, Preamble: &preamble, Header: &header,
	})
	if r.Delimiter != "#" || r.Quote != '\'' || r.Escape != '\\' || r.Preamble != 0 || r.Header != 2 {
		t.Errorf("%+v", r)
	}
	if r := Decide([]dialect.Sample{{Text: []byte(text), Head: true, Tail: true}}, Hints{Preamble: &preamble}); r.Delimiter != ";" || r.Preamble != 0 || r.Header != 1 {
		t.Errorf("%+v", r)
	}
}

// A large text is known by its samples: the head alone has the preamble, the tail alone the footer.
func TestSamples(t *testing.T) {
	t.Parallel()
	head := lines("Title\n\nid;name\n", "{i};{p}\n", 5000)
	middle := lines("", "{i};{p}\n", 100)
	r := Decide([]dialect.Sample{{Text: []byte(head), Head: true}, {Text: []byte(middle[3:])}, {Text: []byte(middle[2:] + "\nSource: none\n"), Tail: true}}, Hints{})
	if r.Delimiter != ";" || r.Preamble != 2 || r.Header != 1 || r.Columns != 2 || r.FooterLine != 102 || r.Trailing != 0 {
		t.Errorf("%+v", r.Layout)
	}
}

// A record that goes on behind its sample says nothing of how wide the table is.
func TestSamplesEndAmongRecords(t *testing.T) {
	t.Parallel()
	head := lines("X,CH1,CH2,Start,Step,\nSequence,Volt,Volt,-1.5e-03,2.0e-09\n", "{i},{i}.25,{i}.75,\n", 3000)
	middle := lines("", "{i},{i}.25,{i}.75,\n", 100)
	cut := len(head) - len("25,2999.75,\n")
	r := Decide([]dialect.Sample{{Text: []byte(head[:cut]), Head: true}, {Text: []byte(middle[3 : len(middle)-7])}, {Text: []byte(middle[2:]), Tail: true}}, Hints{})
	if r.Preamble != 0 || r.Header != 2 || r.Columns != 5 {
		t.Errorf("%+v", r.Layout)
	}
}
