package dialect

import (
	"strings"
	"testing"

	"sheetdrop/internal/sheet/sheettest"
)

var lines = sheettest.Lines

func detect(text string) Result {
	return Detect([]Sample{{Text: []byte(text), Head: true, Tail: true}}, Hints{})
}

func TestDelimiter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, delimiter string
		columns         int
	}{
		"decimal commas":              {lines("a;b;c\n", "{i},5;{i},25;{p}\n", 20), ";", 3},
		"decimal commas, no header":   {lines("", "{i},5;{i},25;{p}\n", 20), ";", 3},
		"tabs, commas in the text":    {lines("id\ttext\n", "{i}\tWell, this is {p}, he said; then {i}\n", 20), "\t", 2},
		"tabs, paths in the text":     {lines("Name\tKind\n", "North;Alder {p}\ttown\n", 40) + lines("", "North;Alder {p};Hay {i}\tward\n", 400) + "North\tcounty\n", "\t", 2},
		"spaces":                      {lines("", "2024-01-01 12:{i}:00 host {i}\n", 20), " ", 4},
		"days and numbers":            {lines("Week,chess board sets\n", "2024-05-02 - 2024-05-08,{i}\n", 20), ",", 2},
		"times in a column":           {lines("time,v\n", "12:{i}:00,{p}\n", 20), ",", 2},
		"one column of moments":       {lines("ts\n", "2024-01-01 12:{i}:00\n", 20), ",", 1},
		"one column of decimals":      {lines("value\n", "{i},5\n", 20), ";", 1},
		"one column of names":         {lines("Full name\n", "Anna Berg\n", 20), ",", 1},
		"one column of names, commas": {lines("name\n", "Doe, Jane\n", 20), ";", 1},
		"one column of addresses":     {lines("url\n", "https://example.org/{i}\n", 20), ",", 1},
		"long":                        {lines("a||b||c\n", "{i}||||{p}\n", 20), "||", 3},
		"long, of several characters": {lines("a<;>b\n", "{i}<;>{p}\n", 20), "<;>", 2},
		"space and comma":             {lines("a, b, c\n", "{i}, 1,5, {p}\n", 20), ", ", 3},
		"JSON in quotes":              {lines("id,doc\n", `{i},"{""a"":1,""b"":[2,3]}"`+"\n", 20), ",", 2},
		"little below prose":          {"On 3 May\nDevice: X, Y\ntime;v\n10:00;1,5\n10:05;1,7\n10:10;1,6\n", ";", 2},
		"said in the first line":      {lines("sep=^\na^b,c\n", "{i}^{p},x\n", 20), "^", 2},
		"said in quotes":              {lines("\"sep=;\"\na;b;c\n", "{i};{p},x;1,5\n", 20), ";", 3},
		"lines of prose first":        {lines("Report\nfor: Meyer, Braun\nas of\nby\nNote\nMore\nStill more\nThe end\na;b;c\n", "{i};{p};1,5\n", 6), ";", 3},
		"moments and numbers":         {lines("Meter 7\n", "2024-05-01,06:{i},1204.{i}\n", 20), ",", 3},
		"log":                         {lines("", "2024-05-01T08:{i}:12Z INFO started, pid={i}, from {p}\n2024-05-01T08:{i}:13Z WARN cold\n", 20), ";", 1},
		"padded cells":                {lines("a   ;b   \n", "{i}  ;x   \n", 20), ";", 2},
		"full width":                  {lines("番号，名称\n", "{i}，{p}\n", 20), "，", 2},
	} {
		if r := detect(c.text); r.Delimiter != c.delimiter || r.Candidates[0].width != c.columns {
			t.Errorf("%s: %q, %d columns", name, r.Delimiter, r.Candidates[0].width)
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text          string
		quote, escape byte
	}{
		"single":                          {lines("'a','b'\n", "'{i}','{i}, x'\n", 20), '\'', '\''},
		"apostrophes":                     {lines("a,b\n", "'tis {i},'twas the night'\n", 20), '"', '"'},
		"backslash":                       {lines("a,b\n", `{i},"say \"{p}\", he"`+"\n", 20), '"', '\\'},
		"folders":                         {lines("a,b\n", `{i},"C:\{p}\"`+"\n", 20), '"', '"'},
		"inches":                          {lines("a\tb\n", "\"{i}\t5\"\n", 20), 0, 0},
		"backticks":                       {lines("`a`,`b`\n", "`{i}`,`{i}, x`\n", 20), '`', '`'},
		"delimiters escaped":              {lines("a\tb\n", "{i}\\\t{p}\tx\n{i}\t{p}\n", 20), '"', '\\'},
		"none that is seen":               {lines("a,b\n", "{i},{p}\n", 20), '"', '"'},
		"all good, records of two widths": {lines("a,b,c\n", "{i},\"{p}, x\",\"1,5\"\n", 9) + lines("", "{i},2,3,4,5\n", 20), '"', '"'},
		"stray ones between tabs":         {lines("a\tb\tc\td\n", "{i}\t\"{p}, x\tno. {i}\t2.5\n"+strings.Repeat("{i}\t{p}\tno\t2.5\n", 9), 5), 0, 0},
		"a few stray":                     {lines("a,b\n", "{i},{p}\n", 20) + "1,\"x\n2,\"y\n", '"', '"'},
	} {
		if r := detect(c.text); r.Quote != c.quote || r.Escape != c.escape {
			t.Errorf("%s: %q, escape %q", name, r.Quote, r.Escape)
		}
	}
}

func TestSpacesBehindQuotes(t *testing.T) {
	t.Parallel()
	if r := detect(lines("a,b,c\n", "{i},\"{p}\" ,x\n", 20)); !r.SkipSpace || r.Delimiter != "," {
		t.Errorf("%+v", r.Dialect)
	}
}

func TestNewline(t *testing.T) {
	t.Parallel()
	for text, newline := range map[string]string{"a,\"b\nc\"\r\n1,2\r\n": "\r\n", "a\rb\r": "\r", "a,b\n1,2\r\n": "\n", "a": "", "": ""} {
		if r := detect(text); r.Newline != newline {
			t.Errorf("%q: %q", text, r.Newline)
		}
	}
}

// The choice and its score are shown first.
func TestCandidates(t *testing.T) {
	t.Parallel()
	for _, text := range []string{lines("a;b\n", "{i};{p}\n", 20), lines("value\n", "{i},5\n", 20)} {
		r := detect(text)
		if len(r.Candidates) < 4 || len(r.Candidates) > maxShown || r.Candidates[0].Dialect != r.Dialect || r.Candidates[0].Score <= 0 {
			t.Errorf("%+v", r.Candidates)
		}
	}
}
