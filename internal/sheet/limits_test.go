package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/types"
)

// P9: each limit on what a file makes has its code, and what is exactly at the limit is read.
func TestLimitsOfWhatAFileMakes(t *testing.T) {
	t.Parallel()
	twice := pack(t, parts(text(1, "ab", "c")+text(2, "1", "2"), manySheets(2)))
	merged := pack(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": `<worksheet ` + mainNS + `><sheetData>` +
		text(1, "a", "b") + text(2, "12345678", "x") + text(3, "", "y") + `</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`}))
	const katakana = "\xb1,b\n\xb1\xb1,2\n"
	patterned := []types.Rule{{Name: "ab", Pattern: "[a-z]*"}}
	compiled, err := patterned[0].Compile()
	if err != nil {
		t.Fatal(err)
	}
	steps := compiled.Instructions()
	for name, c := range map[string]struct {
		content string
		opt     Options
		set     func(l *Limits, less int)
		code    Code
	}{
		"columns":       {twice, Options{}, func(l *Limits, less int) { l.FileColumns = 4 - less }, ManyFileColumns},
		"headers":       {twice, Options{}, func(l *Limits, less int) { l.HeaderBytes = 6 - less }, HeadersTooLong},
		"workbook rows": {twice, Options{}, func(l *Limits, less int) { l.OutputBytes = outputOf(twice, 2*(96+2*4+2)) - int64(less) }, OutputTooLarge},
		"patterns": {"ab\nxyz\n\"\"\n", Options{Columns: patterned}, func(l *Limits, less int) {
			l.PatternWork = int64(steps*(len("xyz")+1+0+1)) - patternFactor*int64(len("ab\nxyz\n\"\"\n")) - int64(less)
		}, TooComplex},
		"rejects": {"a,b\n1\n2\n", Options{}, func(l *Limits, less int) {
			each := int64(rejectOverhead + len("1") + valueOverhead + len("1") + len(MissingCell) + len("b") + len("The cell is missing: the record has 1 cell, but the header has 2.セルがありません。このレコードのセルは1個、見出しは2個です。"))
			l.RejectBytes = 2*each - rejectFactor*int64(len("a,b\n1\n2\n")) - int64(less)
		}, TooManyRejects},
		"CSV rows": {"a,b\n1,2\n3,\n", Options{}, func(l *Limits, less int) { l.OutputBytes = outputOf("a,b\n1,2\n3,\n", 2*(96+2*4)+5) - int64(less) }, OutputTooLarge},
		"empty lines": {"a,b\n\n\n1,2\n", Options{}, func(l *Limits, less int) { // one value each, the row two
			l.OutputBytes = outputOf("a,b\n\n\n1,2\n", 2*(96+4)+96+2*4+3) - int64(less)
		}, OutputTooLarge},
		"katakana": {katakana, Options{Encoding: "cp932"}, func(l *Limits, less int) { // of each byte become three
			l.OutputBytes = outputOf(katakana, 96+2*4+int64(len("\xb1\xb1,2")+len("ｱｱ"))) - int64(less)
		}, OutputTooLarge},
		"merged cells": {merged, Options{FillDown: true}, func(l *Limits, less int) { l.OutputBytes = outputOf(merged, 2*(96+2*4+8+1)) - int64(less) }, OutputTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for less, want := range []string{"", "refused " + string(c.code)} {
				lim := DefaultLimits()
				c.set(&lim, less)
				if got := refusalOf(t, c.content, c.opt, lim); got != want {
					t.Errorf("%d below it: %q, want %q", less, got, want)
				}
			}
		})
	}
}

// outputOf is the limit at which a file whose rows take so many bytes is just read.
func outputOf(content string, bytes int64) int64 { return bytes - outputFactor*int64(len(content)) }

func refusalOf(t *testing.T, content string, opt Options, lim Limits) string {
	t.Helper()
	if err := eachRecord(t.Context(), []byte(content), opt, lim, func(*Sheet, *Record) {}); err != nil {
		return refusal(t, err)
	}
	return ""
}

// A label that nobody could read as one is cut, between characters, and said: the rows are there all the same.
func TestLongLabels(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("表", 2000)
	row := long + ",b\n"
	book, s := openFirst(t, "id,"+long+","+long+"\n1,2,3\n"+"id,"+row, Options{})
	var kinds []Kind
	for {
		rec, err := s.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, rec.Kind)
	}
	if want := []Kind{Header, Row, Row}; !slices.Equal(kinds, want) { // the last begins as the header does, and is another
		t.Errorf("records %v, want %v", kinds, want)
	}
	cut := strings.Repeat("表", maxLabelBytes/len("表"))
	if c := s.Columns(); len(c) != 3 || c[1].Label != cut || c[1].Name != cut || c[2].Name != cut+"_2" {
		t.Errorf("columns %.80v", c)
	}
	if got, want := fmt.Sprint(s.Warnings()), fmt.Sprint([]Warning{{Code: LabelCut, Count: 2, Refs: []string{"B1", "C1"}}}); got != want {
		t.Errorf("warnings %s, want %s", got, want)
	}
	if err := book.Close(); err != nil {
		t.Error(err)
	}
}

// A cancel is seen while patterns take their time, and not only when the record's cells are done with.
func TestCancelWithinARecord(t *testing.T) {
	t.Parallel()
	const columns = 200
	var header, row []string
	var opt Options
	for i := range columns {
		header, row = append(header, fmt.Sprint("c", i)), append(row, strings.Repeat("a", types.MaxPatternCell))
		opt.Columns = append(opt.Columns, types.Rule{Name: header[i], Pattern: strings.Repeat(`a*`, 200)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	lim := DefaultLimits()
	lim.PatternWork = math.MaxInt64 / 2
	content := strings.Join(header, ",") + "\n" + strings.Join(row, ",") + "\n"
	book, err := Open(ctx, strings.NewReader(content), opt, lim)
	if err != nil {
		t.Fatal(err)
	}
	s, err := book.Next()
	if err == nil {
		_, err = s.Read()
	}
	if err != nil {
		t.Fatal(err)
	}
	before := s.tally.patterns
	cancel()
	if _, err := s.Read(); !errors.Is(err, context.Canceled) {
		t.Errorf("the record was read: %v", err)
	}
	if done, all := before-s.tally.patterns, int64(columns*types.MaxPatternCell*200); done > all/4 {
		t.Errorf("%d steps after the cancel, of %d", done, all)
	}
	if err := book.Close(); err != nil {
		t.Error(err)
	}
}

// Patterns of which each is within its limit are refused where all of them together would fill the memory of who only reads them.
func TestPatternsTogether(t *testing.T) {
	t.Parallel()
	declare := func(n int) error {
		var columns []string
		for i := range n {
			columns = append(columns, fmt.Sprintf(`c%d:text;pattern=(?:\pL*\pN?){300}x`, i))
		}
		_, err := ParseOptions(map[string][]string{"column": columns})
		return err
	}
	if err := declare(50); err != nil {
		t.Error(err)
	}
	if wrong, ok := errors.AsType[*OptionError](declare(1000)); !ok || wrong.Option != "column" {
		t.Errorf("a thousand of them: %v", wrong)
	}
}
