package reading

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// The limits of what SniffRows reads and shows; those of the HTTP interface are the same unless they are set.
const (
	MaxPreviewRows    = 1000
	maxPreviewRecords = 10_000
	maxPreviewSheets  = 100
	maxPreviewColumns = 16_384
	maxPreviewText    = 8 << 20
	maxPreviewBytes   = 8 << 20
)

// SniffRows prints how the beginning of the file is read, with its first rows: for people, or as the JSON of a preview.
func (f *File) SniffRows(ctx context.Context, to io.Writer, rows int, asJSON bool) (err error) {
	if f.PasswordFile != "" {
		return badUsage{words.New("--rows: an encrypted workbook is read as a whole; leave --rows out")}
	}
	in, err := openInput(ctx, f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	limits := sheet.PreviewLimits{
		Limits: sheet.DefaultLimits(), Rows: rows, Records: maxPreviewRecords,
		Sheets: maxPreviewSheets, ShownColumns: maxPreviewColumns, Bytes: maxPreviewText,
	}
	limits.RecordBytes = f.MaxLine
	found, err := sheet.ReadPreview(ctx, in, sheet.Part{Bytes: maxPreviewBytes}, f.options, limits)
	if err != nil {
		return err
	}
	out := newOutput(to)
	if asJSON {
		line, err := jsonLine(found)
		if err != nil {
			return err
		}
		out.pending = append(out.pending, line...)
	} else {
		printSniffedRows(out, in, f.options, found)
	}
	return errors.Join(out.flush(), f.afterPreview(in, found))
}

// afterPreview saves the options, and returns the refusal of the file as an error.
func (f *File) afterPreview(in *input, found sheet.Preview) error {
	if e := found.Error; e != nil {
		return asBadUsage(in, words.Errorf("%s: %s (%w)", terminal.Printable(in.name), terminal.Printable(words.Localized(e.Message, e.MessageJA)),
			&sheet.Refusal{Code: e.Code, Message: e.Message, MessageJA: e.MessageJA}))
	}
	if f.Options.Save == "" {
		return nil
	}
	var options []sheet.Options
	for _, s := range found.Sheets {
		if s.Read {
			options = append(options, *s.Options)
		}
	}
	return f.Options.save(options)
}

func printSniffedRows(out *output, in *input, given sheet.Options, found sheet.Preview) {
	beginning := ""
	if !found.Complete {
		beginning = words.In(", of which the beginning was read")
	}
	out.printf("%s: %s, %d bytes%s\n", terminal.Printable(in.name), found.Format, in.Size(), beginning)
	for _, s := range found.Sheets {
		if s.Name != "" {
			out.printf("  sheet %s", terminal.Printable(s.Name))
			if !s.Read {
				out.printf(": not read")
			}
			out.printf("\n")
		}
		if s.Read {
			printSheetPreview(out, given, found, s)
		}
	}
}

func printSheetPreview(out *output, given sheet.Options, found sheet.Preview, s sheet.PreviewedSheet) {
	if found.Encoding != "" {
		printTextDialect(out, given, found.Encoding, found.EncodingConfidence, s.Dialect)
	}
	printHeaderLine(out, s.Dialect)
	counts := task.Counts{Read: s.RowsRead, Loaded: s.RowsAccepted, Rejected: s.RowsRejected, Skipped: s.RowsSkipped}
	printFact(out, "records", countsText(counts))
	out.printf("%s%s", candidateTable(s.Candidates), columnTable(s.Columns, out.width))
	if len(s.Rows) > 0 {
		out.printf("  rows:\n%s", report.Rows(columnsOf(s.Columns), cellsOf(s.Rows), out.width))
		out.more(s.RowsAccepted, len(s.Rows))
	}
	rejects := rejectsOf(s.Rejects)
	printRejects(out, rejects, s.RowsRejected)
	printSkipped(out, s)
	printHeaderCandidates(out, s.HeaderCandidates)
	out.printf("%s", report.Hints(columnsOf(s.Columns), warningsOf(s.Warnings)))
}

func cellsOf(rows []sheet.RowPreview) [][]any {
	list := make([][]any, len(rows))
	for i, r := range rows {
		for _, text := range r.Text {
			if text == nil {
				list[i] = append(list[i], nil)
			} else {
				list[i] = append(list[i], *text)
			}
		}
	}
	return list
}

func rejectsOf(previews []sheet.RejectPreview) []report.Reject {
	list := make([]report.Reject, len(previews))
	for i, r := range previews {
		e := r.Errors[0]
		list[i] = report.Reject{
			Where: where(r.Place), Column: e.ColumnName, Code: string(e.Code), Message: e.Message, MessageJA: e.MessageJA, More: len(r.Errors) - 1,
		}
	}
	return list
}

func where(p sheet.Place) string {
	if p.CellRef != "" {
		return report.Cell(p.CellRef)
	}
	return report.Line(p.Line)
}

// printSkipped prints the skipped records that are not blank, and why they are skipped.
func printSkipped(out *output, s sheet.PreviewedSheet) {
	var t terminal.Table
	t.Width, t.UncutLast = out.width, true
	t.Header("where", "why", "text")
	n := 0
	for _, r := range s.Skipped {
		if r.Reason == sheet.SkipBlank {
			continue
		}
		n++
		t.Add(where(r.Place), string(r.Reason), joined(r.Cells))
	}
	if n > 0 {
		out.printf("  skipped:\n%s", t.String())
	}
}

// shownHeaders is how many candidates for the header are shown.
const shownHeaders = 5

func printHeaderCandidates(out *output, list []sheet.HeaderCandidate) {
	if len(list) < 2 {
		return
	}
	var t terminal.Table
	t.Width, t.UncutLast = out.width, true
	t.Header("where", "--skip", "--header", "", "text")
	for _, c := range list[:min(len(list), shownHeaders)] {
		chosen := ""
		if c.Chosen {
			chosen = words.In("chosen")
		}
		t.Add(where(c.Place), strconv.FormatInt(c.Skip, 10), strconv.Itoa(c.Header), chosen, joined(c.Cells))
	}
	out.printf("  may be the header:\n%s", t.String())
}

func joined(cells []*string) string {
	list := make([]string, len(cells))
	for i, cell := range cells {
		if cell != nil {
			list[i] = *cell
		}
	}
	return strings.Join(list, " | ")
}
