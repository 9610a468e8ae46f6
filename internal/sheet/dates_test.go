package sheet

import (
	"errors"
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"
)

func TestDatesByNumberFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, want string
		serial       any
	}{
		{"yyyy-mm-dd", "2024-02-29", 45351},
		{"yyyy-mm-dd", "2024-02-29T12:00:00", 45351.5},
		{`yyyy"年"m"月"d"日"`, "2024-02-29", 45351},
		{`[$-411]ggge"年"m"月"d"日"`, "2024-02-29", 45351},
		{"[Red]d/m/yy h:mm", "2024-02-29T00:00:00", 45351},
		{"h:mm AM/PM", "18:00:00", 0.75},
		{"mm:ss.000", "00:00:01.500", 1.5 / 86400},
		{"[h]:mm", "36:30:00", 1.5208333333333333},
		{"mmm", "1900-01-31", 31},
		{"yyyy-mm-dd", "1900-02-28", 59},
		{"yyyy-mm-dd", "60", 60},
		{"yyyy-mm-dd", "1900-03-01", 61},
		{"yyyy-mm-dd", "9999-12-31", 2958465},
		{"yyyy-mm-dd", "2958466", 2958466},
		{"yyyy-mm-dd", "-1", -1},
		{"yyyy-mm-dd", "no date", "no date"},
		{"General", "45351", 45351},
		{"0.00E+00", "45351", 45351},
		{`0.0 "days"`, "1.5", 1.5},
		{`0\d`, "2", 2},
		{"[Red]#,##0;[Blue]-#,##0", "-1234.5", -1234.5},
		{"0%", "0.25", 0.25},
	} {
		t.Run(c.format+" "+c.want, func(t *testing.T) {
			t.Parallel()
			got := read(t, styled(t, c.format, c.serial, false), Options{}, DefaultLimits())
			if want := []string{"sheet 1 Sheet1 visible=true", "header 1A1: a", "row 2A2: " + c.want}; !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestDatesSince1904(t *testing.T) {
	t.Parallel()
	got := read(t, styled(t, "yyyy-mm-dd", 0, true), Options{}, DefaultLimits())
	if want := "row 2A2: 1904-01-01"; len(got) != 3 || got[2] != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

func styled(t *testing.T, format string, value any, date1904 bool) string {
	t.Helper()
	book := excelize.NewFile()
	style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	return save(t, book, err,
		book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &date1904}),
		book.SetCellValue("Sheet1", "A1", "a"),
		book.SetCellValue("Sheet1", "A2", value),
		book.SetCellStyle("Sheet1", "A2", "A2", style))
}

func save(t *testing.T, book *excelize.File, errs ...error) string {
	t.Helper()
	b, err := book.WriteToBuffer()
	if err := errors.Join(append(errs, err, book.Close())...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
