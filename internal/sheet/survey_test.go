package sheet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet/csv"
)

// surveyed is all that surveys of a file's sheets show.
type surveyed struct {
	Surveys  []Survey
	Columns  [][]Column
	Warnings [][]Warning
	Encoding string
	Err      string

	joined int // sheets of which a segment was joined
}

func surveyOf(t fataler, content string, opt Options, lim Limits, segments segmentation) (found surveyed) {
	book, err := open(t.Context(), strings.NewReader(content), opening{options: opt, limits: lim, blockSize: blockBytes, segments: segments})
	if err != nil {
		found.Err = err.Error()
		return found
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			found.Err = err.Error()
			break
		}
		v, err := s.Survey(3)
		if err != nil {
			found.Err = err.Error()
		}
		found.Surveys, found.Columns, found.Warnings = append(found.Surveys, v), append(found.Columns, s.Columns()), append(found.Warnings, s.Warnings())
		if f, ok := s.records.(*csvFile); ok && f.next.work != (csv.Work{}) {
			found.joined++
		}
	}
	found.Encoding = book.Encoding()
	return found
}

var (
	atOnce  = segmentation{behind: 1 << 40}
	inFives = segmentation{behind: 1, least: 1, most: 5}
)

// sameSurvey fails unless a text has the same survey in one piece and in several. It reports whether it was read in several.
func sameSurvey(t fataler, content string, opt Options, lim Limits) bool {
	want, got := surveyOf(t, content, opt, lim, atOnce), surveyOf(t, content, opt, lim, inFives)
	joined := got.joined > 0
	if got.joined = 0; !reflect.DeepEqual(got, want) {
		t.Fatalf("%q\nin segments %+v\nin one piece %+v", content[:min(len(content), 2000)], got, want)
	}
	return joined
}

// P5, P6: a text that is read in several places at once has the same survey as one that is read from its beginning to its end.
func TestSurveyInSegments(t *testing.T) {
	t.Parallel()
	joined, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SampledFrom([]string{
			"1,2024-01-31,a\n", "22,2024-02-01,\"b, c\"\n", "3,,x\r\n", "4,2024-03-01,\"two\nlines\"\n", "5,N/A,'7\n", "6,n/a,=\"08\"\n", "short\n",
			"7,2024-03-01,\"open\n", "8,2024-03-02,\u6771\u4eac\n", "9.5,1/2/2024,\x00\n", "\n", ",,\n", "id,day,note\n", "1,2,3,4\n", "10;11;12\n", "11,2024-03-03,a\xff\n",
		})
		usual := rapid.SliceOfN(row, 1, 4).Draw(t, "usual")
		rows := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(usual), rapid.SampledFrom(usual), rapid.SampledFrom(usual), row), 8, 60).Draw(t, "rows")
		content := strings.Join(rows, "")
		if rapid.Bool().Draw(t, "has a header") {
			content = "id,day,note\n" + content
		}
		opt := Options{
			Encoding: rapid.SampledFrom([]string{"", "", "cp932", "utf-16le"}).Draw(t, "encoding"),
			Tables:   rapid.SampledFrom([]string{"", "", "all"}).Draw(t, "tables"),
			Policy:   rapid.SampledFrom([]string{"", "", "fail", "limit:3"}).Draw(t, "policy"),
		}
		lim := DefaultLimits()
		lim.RecordBytes = rapid.SampledFrom([]int{lim.RecordBytes, 40}).Draw(t, "record limit")
		lim.Rows = rapid.SampledFrom([]int64{lim.Rows, lim.Rows, 30}).Draw(t, "row limit")
		if all++; sameSurvey(t, content, opt, lim) {
			joined++
		}
	})
	if joined < all/10 {
		t.Errorf("%d of %d texts were read in segments", joined, all)
	}
}

// The corpus is read alike, too.
func TestSurveyOfCorpusInSegments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/corpus/*.csv")
	if err != nil || len(files) < 400 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	joined := 0
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if sameSurvey(t, string(content), Options{}, DefaultLimits()) {
			joined++
		}
	}
	if joined < len(files)/4 {
		t.Errorf("%d of %d texts were read in segments", joined, len(files))
	}
}

// Where segments do not make the same of a text as reading on, it is read on.
func TestSurveyIsReadOn(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("1,2\n", 100)
	late := "a,b\n" + strings.Repeat("1,2\n", keptBytes/4)
	sjis := "\x93\x8c\x8b\x9e" // in CP932
	for name, c := range map[string]struct {
		content string
		change  func(*Limits)
		options Options
	}{
		"too many rows":            {content: "a,b\n" + rows, change: func(l *Limits) { l.Rows = 99 }},
		"too many cells":           {content: "a,b\n" + rows, change: func(l *Limits) { l.Cells = 199 }},
		"too much output":          {content: "a,b\n" + rows, change: func(l *Limits) { l.OutputBytes = 0 }},
		"too many rejects":         {content: "a,b\n" + strings.Repeat("1,2\n1\n", 100), change: func(l *Limits) { l.Rejects = 99 }},
		"too many rejected bytes":  {content: "a,b\n" + strings.Repeat("1,2\n1\n", 100), change: func(l *Limits) { l.RejectBytes = 0 }},
		"two tables":               {content: "a,b\n" + rows + "\nc,d,e\n" + strings.Repeat("1,2,x\n", 100), options: Options{Tables: "all"}},
		"a field of many lines":    {content: "a,b\n" + rows + "3,\"" + strings.Repeat("x\n", 400) + "\"\n" + rows + "1\n"},
		"UTF-16":                   {content: wide("a,b\n" + rows + rows + "1\n"), options: Options{Encoding: "utf-16le"}},
		"another encoding, late":   {content: late + strings.Repeat("1,"+sjis+"\n", 20) + "1\n"},
		"the encoding is not sure": {content: late + "1\n1,\xff\n" + late[4:]},
		"values of another kind":   {content: "a,b\n" + strings.Repeat("1,N/A\n", 50) + strings.Repeat("x,n/a\n", 2000) + strings.Repeat("1,n/a\n", 2000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lim := DefaultLimits()
			if c.change != nil {
				c.change(&lim)
			}
			sameSurvey(t, c.content, c.options, lim)
		})
	}
}

// wide returns an ASCII text in UTF-16, the low byte first.
func wide(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}

// A large text is read in segments of its own accord, and numbers its records and lines as in one piece.
func TestSurveyOfLargeText(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	content.WriteString("id,place,amount,note\n")
	for i := range 1_200_000 {
		switch {
		case i%400_000 == 399_999:
			fmt.Fprintf(&content, "%d,too short\n", i)
		case i%100_000 == 5:
			fmt.Fprintf(&content, "%d,place %d,N/A,\"two\nlines\"\n", i, i%1000)
		default:
			fmt.Fprintf(&content, "%d,place %d,%d.%02d,\n", i, i%1000, i%977, i%100)
		}
	}
	inThrees := segmentation{most: 3}
	want, got := surveyOf(t, content.String(), Options{}, DefaultLimits(), atOnce), surveyOf(t, content.String(), Options{}, DefaultLimits(), inThrees)
	if got.joined != 1 || len(got.Surveys[0].Rejects) != 3 {
		t.Errorf("%d segments joined, %d rejects", got.joined, len(got.Surveys[0].Rejects))
	}
	if got.joined = 0; !reflect.DeepEqual(got, want) {
		t.Errorf("in segments\n%+v\nin one piece\n%+v", got, want)
	}
}
