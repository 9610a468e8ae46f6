package parse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
)

// correction is what a run that corrects the rejects of a sheet knows about that sheet. Its file has the sheet's columns, among others
// and in any order, and a column with the keys of the rejects.
type correction struct {
	target   postgres.CorrectedSheet
	sheet    []sheet.Column                 // of the corrected sheet
	key      string                         // the name of the column with the keys
	unique   *sheet.UniqueValues            // of the corrected sheet's rows; nil if none have to be unique
	replaced map[postgres.RejectNumber]bool // rejects that have become rows; nil where unique is
	open     []postgres.RejectNumber        // rejects that are there, in their order; of a load into a target alone
	columns  json.RawMessage                // sheet, with what the corrections add to it
	isText   bool                           // the corrected sheet is of a text, and not of a workbook

	of    []sheet.Column // those of the file's sheet at hand, where
	place []int          // each column of the corrected sheet stands, from 0,
	back  []int          // which column of that each one is, from 1; 0 for another one,
	keyAt int            // the keys stand, from 0,
	bare  []int          // and no name stands, from 0
	cells [][]byte
}

// correctionOf returns the correction that the options ask for, and has the options read the file by the rules of the sheet; nil for none.
func (w *Worker) correctionOf(ctx context.Context, r *run, options *sheet.Options) (*correction, error) {
	if options.Corrects == "" {
		return nil, nil
	}
	c, declared, err := w.findSheet(ctx, r, *options)
	if err != nil {
		return nil, err
	}
	if c.target.InTarget { // whose corrections are loads into it
		return nil, sheet.RefuseCorrections()
	}
	*options = options.CorrectionOptions(c.sheet, declared)
	if c.unique, err = sheet.NewUniqueValues(c.sheet, declared); err != nil || c.unique == nil {
		return c, err
	}
	return c, w.readUnique(ctx, c)
}

// findSheet finds the sheet that the options ask to correct, with the columns that were declared for it.
func (w *Worker) findSheet(ctx context.Context, r *run, options sheet.Options) (c *correction, declared []types.Rule, err error) {
	text, number, _ := options.CorrectedSheet()
	taskID, err := uuid.Parse(text)
	if err != nil {
		return nil, nil, sheet.RefuseCorrections()
	}
	c = &correction{}
	if c.target, err = w.db.CorrectedSheet(ctx, r.task.Owner, taskID, number); errors.Is(err, postgres.ErrNotFound) {
		return nil, nil, sheet.RefuseCorrections()
	} else if err != nil {
		return nil, nil, err
	}
	c.columns = c.target.Columns
	if err := json.Unmarshal(c.target.Columns, &c.sheet); err != nil {
		return nil, nil, fmt.Errorf("columns of sheet %d: %w", c.target.ID, err)
	}
	if len(c.sheet) > sheet.MaxCorrected {
		return nil, nil, sheet.RefuseWideCorrections()
	}
	read, _, err := readOptions(c.target.Options)
	if err != nil {
		return nil, nil, err
	}
	var dialect sheet.Dialect
	if err := json.Unmarshal(c.target.Dialect, &dialect); err != nil {
		return nil, nil, fmt.Errorf("dialect of sheet %d: %w", c.target.ID, err)
	}
	c.key, c.isText = sheet.KeyColumn(c.sheet), dialect.Delimiter != ""
	return c, read.Columns, nil
}

// uniquePage is how many rows are read at once.
const uniquePage = 5000

// readUnique reads the values that the rows of the corrected sheet have in its unique columns.
func (w *Worker) readUnique(ctx context.Context, c *correction) (err error) {
	if c.replaced, err = w.db.ReplacedRejects(ctx, c.target.ID); err != nil {
		return err
	}
	reader := w.db.RowReader(c.target.ID)
	for after, more := int64(-1), true; more; {
		var rows []postgres.SheetRow
		rows, more, err = reader.Page(ctx, after, uniquePage)
		if errors.Is(err, postgres.ErrNotFound) {
			return sheet.RefuseCorrections()
		}
		if err != nil {
			return err
		}
		for _, row := range rows {
			if _, err := c.unique.Add(row.RowNo, row.Cells); err != nil {
				return err
			}
			after = row.RowNo
		}
	}
	return nil
}

// use finds the columns of a sheet of the file.
func (c *correction) use(columns []sheet.Column) {
	if len(c.of) == len(columns) && (len(columns) == 0 || &c.of[0] == &columns[0]) {
		return
	}
	c.of, c.back, c.bare, c.keyAt = columns, make([]int, len(columns)), nil, -1
	c.place = make([]int, len(c.sheet))
	for i, column := range columns {
		of := slices.IndexFunc(c.sheet, func(s sheet.Column) bool { return s.Name == column.Name })
		switch {
		case column.Name == c.key:
			c.keyAt = i
		case of >= 0:
			c.place[of], c.back[i] = i, of+1
		case strings.TrimSpace(column.Label) == "":
			c.bare = append(c.bare, i)
		}
	}
}

// check is what is asked of a row besides the rules of its columns: the key of a reject, no cell without a column, and values that no
// row of the sheet has in its unique columns.
func (c *correction) check(columns []sheet.Column, row *sheet.Record) (found []sheet.Error, err error) {
	c.use(columns)
	key, ok := c.keyOf(row)
	if !ok {
		return []sheet.Error{sheet.NoKey(c.keyAt + 1)}, nil
	}
	for _, i := range c.bare {
		if len(row.Cells[i]) > 0 {
			found = append(found, sheet.NoColumn(i+1))
		}
	}
	if c.unique == nil || len(found) > 0 || c.replaced[numberOf(key)] { // it would be compared with the row that it has become
		return found, nil
	}
	found, err = c.unique.Add(row.No, c.arranged(row))
	for i := range found {
		found[i].ColumnNo = c.place[found[i].ColumnNo-1] + 1
	}
	return found, err
}

// keyOf returns the key of a record, if it is one of a reject of the sheet.
func (c *correction) keyOf(rec *sheet.Record) (key sheet.RejectKey, ok bool) {
	if c.keyAt < 0 || c.keyAt >= len(rec.Cells) {
		return key, false
	}
	key, ok = sheet.ParseRejectKey(string(rec.Cells[c.keyAt]))
	return key, ok && key.SheetID == c.target.ID
}

// openReject returns the reject of which a record of a file for a target is the correction; false where that has been replaced already.
func (c *correction) openReject(columns []sheet.Column, rec *sheet.Record) (n postgres.RejectNumber, ok bool) {
	c.use(columns)
	key, ok := c.keyOf(rec)
	if !ok {
		return n, false
	}
	_, ok = slices.BinarySearchFunc(c.open, numberOf(key), postgres.RejectNumber.Compare)
	return numberOf(key), ok
}

func numberOf(key sheet.RejectKey) postgres.RejectNumber {
	return postgres.RejectNumber{RowNo: key.RowNo, ErrorNo: key.ErrorNo}
}

// arranged returns the cells of a record in the order of the corrected sheet's columns, valid until the next call. In a text a cell
// that is not there is an empty one.
func (c *correction) arranged(rec *sheet.Record) [][]byte {
	c.cells = c.cells[:0]
	for _, i := range c.place {
		var cell []byte
		if i < len(rec.Cells) {
			cell = rec.Cells[i]
		}
		if cell == nil && c.isText {
			cell = []byte{}
		}
		c.cells = append(c.cells, cell)
	}
	return c.cells
}

// from returns what a record says about a reject of the sheet; nil if it has no key of one.
func (c *correction) from(s *sheet.Sheet, rec *sheet.Record) *postgres.Correction {
	if c == nil {
		return nil
	}
	c.use(s.Columns())
	key, ok := c.keyOf(rec)
	if !ok {
		return nil
	}
	found := &postgres.Correction{RejectNumber: numberOf(key), Cells: c.arranged(rec)}
	for _, e := range rec.Errors {
		reason := reasonOf(e)
		reason.ColumnNo, reason.LastColumnNo = c.columnOf(e.ColumnNo), c.columnOf(e.LastColumn)
		if reason.ColumnNo == 0 || reason.LastColumnNo < reason.ColumnNo {
			reason.LastColumnNo = reason.ColumnNo
		}
		if reason.ColumnNo == 0 {
			reason.ColumnName = ""
		}
		found.Errors = append(found.Errors, reason)
	}
	return found
}

// columnOf returns which column of the corrected sheet one of the file is, both from 1; 0 for none.
func (c *correction) columnOf(column int) int {
	if column < 1 || column > len(c.back) {
		return 0
	}
	return c.back[column-1]
}

// learn adds to the columns of the corrected sheet what decides how their values are written: how many digits they have, and how long they
// are. The rest of what is known about them remains that of the first reading.
func (c *correction) learn(s *sheet.Sheet) (err error) {
	if len(s.Columns()) == 0 {
		return nil
	}
	c.use(s.Columns())
	for i, at := range c.place {
		c.sheet[i].Digits = max(c.sheet[i].Digits, s.Columns()[at].Digits)
		c.sheet[i].Longest = max(c.sheet[i].Longest, s.Columns()[at].Longest)
	}
	c.columns, err = encodeColumns(c.sheet)
	return err
}
