package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/internal/target"
)

// decide finds the target, and what goes where in it. What the first attempt has found holds for all: remembered choices may change.
func (r *targetRun) decide(ctx context.Context, found *result) error {
	err := r.worker.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		r.plan.Target, err = targetload.Find(ctx, tx, r.request.ID, r.task.Owner)
		return err
	})
	if err != nil {
		return err
	}
	if r.plan.Target == nil {
		return &sheet.Refusal{Code: sheet.Code(target.Dropped), Message: "The target has been deleted, or is no longer shared.",
			MessageJA: "取り込み先は削除されたか、共有されていません。"}
	}
	if err := r.findCorrected(ctx); err != nil {
		return err
	}
	r.plan.Mode = cmp.Or(r.request.Mode, r.plan.Target.Definition.Mode, target.Insert)
	frozen, err := r.plan.Target.Frozen(r.task.Mapping)
	if err != nil {
		return err
	}
	if frozen != nil {
		r.plan.Mapping = frozen.Mapping
		return nil
	}
	match := r.matchSheet
	if r.correction != nil {
		match = r.matchCorrected
	}
	problem := r.eachTable(ctx, match)
	if refusal, refused := errors.AsType[*sheet.Refusal](problem); problem != nil && (!refused || r.plan.Mapping.Columns == nil) {
		return problem
	} else if refused {
		found.mapping = &targetload.Mapping{Version: r.plan.Target.Version, Mapping: r.plan.Mapping}
		return refusal
	}
	return r.freeze(ctx)
}

// freeze keeps the mapping for later attempts.
func (r *targetRun) freeze(ctx context.Context) (err error) {
	held := false
	err = r.worker.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		held, err = targetload.Freeze(ctx, tx, r.task.Claim, targetload.Mapping{Version: r.plan.Target.Version, Mapping: r.plan.Mapping})
		return err
	})
	if err == nil && !held {
		err = errLeaseLost
	}
	return err
}

// eachTable opens the file and reads the header of its table, which it must have one of, for what is then to be found out about it.
func (r *targetRun) eachTable(ctx context.Context, find func(context.Context, *sheet.Sheet) error) error {
	book, err := sheet.Open(ctx, r.content, r.options, r.worker.limits)
	if err != nil {
		return r.content.blame(err)
	}
	defer book.Close()
	var table *sheet.Sheet
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return r.content.blame(err)
		}
		if s.LeftOut() {
			continue
		}
		first, err := readHeader(s)
		if err != nil {
			return r.content.blame(err)
		}
		switch {
		case !first:
		case table != nil:
			return manySheets(table, s)
		default:
			table = s
			if err := find(ctx, s); err != nil {
				return r.content.blame(err)
			}
		}
	}
	if table == nil {
		return &sheet.Refusal{Code: sheet.EmptyFile, Message: "The file has no table.", MessageJA: "ファイルに表がありません。"}
	}
	return nil
}

// readHeader reads until the columns are known; false where the sheet has none.
func readHeader(s *sheet.Sheet) (bool, error) {
	for {
		_, err := s.Read()
		switch {
		case errors.Is(err, io.EOF):
			return len(s.Columns()) > 0, nil
		case err != nil:
			return false, err
		case len(s.Columns()) > 0:
			return true, nil
		}
	}
}

func manySheets(a, b *sheet.Sheet) error {
	return &sheet.Refusal{
		Code:      sheet.Code(target.SheetNeeded),
		Message:   fmt.Sprintf("The workbook has tables in several sheets, such as %q and %q; choose one by the option sheet.", a.Name(), b.Name()),
		MessageJA: fmt.Sprintf("ブックの複数のシート（「%s」と「%s」など）に表があります。オプションsheetで一つを選んでください。", a.Name(), b.Name()),
	}
}

// matchSheet matches the columns of the file's table.
func (r *targetRun) matchSheet(ctx context.Context, s *sheet.Sheet) error {
	labels := make([]string, len(s.Columns()))
	for i, c := range s.Columns() {
		labels[i] = c.Label
	}
	t := r.plan.Target
	mapping, problems := target.MatchHeaders(t.Definition, labels, r.request.Mapping, t.Remembered)
	r.plan.Mapping = mapping
	if len(problems) > 0 {
		return refusalFor(problems)
	}
	if !r.needsFormats() {
		return nil
	}
	return r.profile(ctx, s)
}

// profile reads the rest of the file's table and finds what only all cells of a column tell: how they are written, and whether words such
// as
// N/A are values.
func (r *targetRun) profile(ctx context.Context, s *sheet.Sheet) error {
	r.plan.Mapping.Profiled = true
	for ctx.Err() == nil {
		_, err := s.Read()
		switch _, refused := errors.AsType[*sheet.Refusal](err); {
		case errors.Is(err, io.EOF):
			r.findNullWords(s.Columns())
			return r.findFormats(s.Columns())
		case refused: // so will the next reading be, which keeps the first rejects
			return nil
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

func refusalFor(problems []target.Problem) *sheet.Refusal {
	en, ja := make([]string, len(problems)), make([]string, len(problems))
	for i, p := range problems {
		en[i], ja[i] = p.Message, p.MessageJA
	}
	return &sheet.Refusal{Code: sheet.Code(problems[0].Code), Message: strings.Join(en, " "), MessageJA: strings.Join(ja, "")}
}

func (r *targetRun) needsFormats() bool {
	for _, s := range r.plan.Sources() {
		if s.Format == "" && typedcopy.NeedsFormat(s.Type) {
			return true
		}
	}
	return false
}

// findNullWords decides in which columns N/A and the like are no values, as in a view of the sheet.
func (r *targetRun) findNullWords(columns []sheet.Column) {
	for _, s := range r.plan.Sources() {
		r.plan.Mapping.Columns[s.ColumnNo-1].NullWords = typedcopy.HasNullWords(columns[s.ColumnNo-1].Report, s.Type)
	}
}

// errProfileNeeded says that a record was rejected for a word such as N/A, of which only the whole column tells whether it is a value.
var errProfileNeeded = errors.New("the file has to be read for words that may stand for no value")

// needsProfile reports whether such a word is why a record was rejected. Most files need no reading for that.
func (r *targetRun) needsProfile(rec *sheet.Record) bool {
	return !r.plan.Mapping.Profiled && slices.ContainsFunc(rec.Errors, func(e sheet.Error) bool {
		return e.Code == sheet.TypeMismatch && e.ColumnNo <= len(rec.Cells) && types.MayBeNullWord(rec.Cells[e.ColumnNo-1])
	})
}

// findFormats decides how the cells of each column are written, by all of them.
func (r *targetRun) findFormats(columns []sheet.Column) error {
	for _, s := range r.plan.Sources() {
		if s.Format != "" || !typedcopy.NeedsFormat(s.Type) {
			continue
		}
		c := columns[s.ColumnNo-1]
		format, choices := typedcopy.FormatOf(c.Report, s.Type)
		if len(choices) > 0 {
			list := strings.Join(choices, ", ")
			return &sheet.Refusal{
				Code: sheet.Code(target.FormatAmbiguous),
				Message: fmt.Sprintf("The cells of the column %q can be read in several ways, and all of them together do not tell which: %s. Choose a format.",
					c.Name, list),
				MessageJA: fmt.Sprintf("列「%s」の値は複数の書式で読めるため、一つに決まりません（%s）。書式を指定してください。", c.Name, list),
			}
		}
		r.plan.Mapping.Columns[s.ColumnNo-1].Format = format
	}
	return nil
}
