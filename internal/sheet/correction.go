package sheet

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/types"
)

// A file of corrections has the rejects of a sheet, under its columns, as a person has corrected them. Each record carries the key of its
// reject.

// RejectKey names a reject: its sheet's id, the record's number, and which of the rejects with this number it is.
type RejectKey struct {
	SheetID int64
	RowNo   int64
	ErrorNo int
}

// checkLength is the number of hexadecimal digits of a key's checksum. It is no secret: it keeps a key that a spreadsheet program has
// counted up, or somebody has mistyped, from naming another reject.
const checkLength = 12

// String returns the key as it stands in a file, a text that no program takes for a number or a date.
func (k RejectKey) String() string {
	text := fmt.Sprintf("r%d-%d-%d", k.SheetID, k.RowNo, k.ErrorNo)
	sum := sha256.Sum256([]byte("sheetdrop reject " + text))
	return fmt.Sprintf("%s-%x", text, sum[:checkLength/2])
}

// ParseRejectKey reads what String has written; anything else is no key.
func ParseRejectKey(text string) (k RejectKey, ok bool) {
	text = strings.TrimSpace(text)
	parts := strings.Split(strings.TrimPrefix(text, "r"), "-")
	if len(parts) != 4 {
		return k, false
	}
	var errs [3]error
	k.SheetID, errs[0] = strconv.ParseInt(parts[0], 10, 64)
	k.RowNo, errs[1] = strconv.ParseInt(parts[1], 10, 64)
	k.ErrorNo, errs[2] = strconv.Atoi(parts[2])
	return k, errs == [3]error{} && k.String() == text
}

// KeyColumn returns the name of the column with the keys in a file of corrections to a sheet of these columns.
func KeyColumn(columns []Column) string { return FreeColumnName("sheetdrop_key", columns) }

// FreeColumnName returns a name that none of the columns has.
func FreeColumnName(name string, columns []Column) string {
	for slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
		name += "_"
	}
	return name
}

// CorrectionOptions returns how a file of corrections is read: with a header and nothing else around the table, each column by the
// rule that the sheet's own rows follow. columns are those of the sheet, declared are the rules with which it was read.
func (o Options) CorrectionOptions(columns []Column, declared []types.Rule) Options {
	header, skip := 1, 0
	o.Header, o.Skip, o.Footer = &header, &skip, none
	o.Columns = []types.Rule{{Name: KeyColumn(columns), Type: types.Text, Required: true, Unique: true}}
	for _, c := range columns {
		rule := types.Rule{Name: c.Name}
		if i := slices.IndexFunc(declared, func(r types.Rule) bool { return r.Name == c.Name }); i >= 0 {
			rule = declared[i]
		}
		rule.Type, rule.Format = c.Type, c.Format
		o.Columns = append(o.Columns, rule)
	}
	return o
}

// MaxCorrected is how many columns a sheet can have whose rejects can be corrected: each is a declared one, and so is that of the keys.
const MaxCorrected = maxDeclared - 1

// CorrectedSheet returns which sheet the file corrects: the id of the task that read it, and its number; ok is false if it corrects none.
func (o Options) CorrectedSheet() (taskID string, number int, ok bool) {
	taskID, text, ok := strings.Cut(o.Corrects, "/")
	if !ok {
		return "", 0, false
	}
	number, err := strconv.Atoi(text)
	return taskID, number, err == nil
}

// UniqueValues are the values in the unique columns of a sheet. It is not safe for concurrent use.
type UniqueValues struct{ checker *types.Checker }

// NewUniqueValues returns UniqueValues for a sheet's columns; nil if none of them was declared as unique.
func NewUniqueValues(columns []Column, declared []types.Rule) (*UniqueValues, error) {
	checks, found := make([]*types.Check, len(columns)), false
	for i, c := range columns {
		if !slices.ContainsFunc(declared, func(r types.Rule) bool { return r.Name == c.Name && r.Unique }) {
			continue
		}
		check, err := types.Rule{Name: c.Name, Type: c.Type, Format: c.Format, Unique: true}.Compile()
		if err != nil {
			return nil, err
		}
		checks[i], found = check, true
	}
	if !found {
		return nil, nil
	}
	return &UniqueValues{types.NewChecker(checks, types.MaxUnique)}, nil
}

// Add adds a row, and returns an error for each of its values that an earlier row has. It returns a *Refusal if there are too many values.
func (u *UniqueValues) Add(row int64, cells [][]byte) (list []Error, err error) {
	faults, err := u.checker.Check(row, cells)
	if errors.Is(err, types.ErrTooManyUnique) {
		return nil, manyUnique.refuse(types.MaxUnique)
	}
	for _, f := range faults {
		list = append(list, Error{Code: Code(f.Code), ColumnNo: f.Column + 1, Message: f.Message(false), MessageJA: f.Message(true)})
	}
	return list, err
}

// RowCheck returns what is wrong with a row besides what the engine found, nothing for a row that is good. The columns are those of its
// sheet. It may look at the record only until it returns.
type RowCheck func(columns []Column, row *Record) ([]Error, error)

// CheckRows has each row checked before it is returned. Call it before Next.
func (b *Book) CheckRows(check RowCheck) { b.check = check }

// checkRow applies the book's own check.
func (s *Sheet) checkRow(rec *Record) error {
	if s.check == nil || len(rec.Errors) > 0 {
		return nil
	}
	found, err := s.check(s.columns, rec)
	for _, e := range found {
		rec.failWith(e)
	}
	return err
}

// NoKey returns the error of a record whose key is not that of a reject of the sheet.
func NoKey(column int) Error { return keyUnknown.at(column) }

// NoColumn returns the error of a cell that stands in a column without a name.
func NoColumn(column int) Error { return noHeader.at(column) }

func (why reason) at(column int) Error {
	return Error{Code: why.code, ColumnNo: column, Message: why.english, MessageJA: why.japanese}
}

// RefuseCorrections returns the refusal of a file that corrects a sheet which does not exist, or not any more.
func RefuseCorrections() *Refusal { return nothingToCorrect.refuse() }

// RefuseMissingColumns returns the refusal of a sheet with these columns that lacks others which it has to have.
func RefuseMissingColumns(missing, columns []string) *Refusal {
	return noColumn.refuse(listed(missing), listed(columns))
}

// RefuseWideCorrections returns the refusal of a file that corrects a sheet with too many columns.
func RefuseWideCorrections() *Refusal { return wideCorrections.refuse(MaxCorrected) }
