package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// result is what a run has found so far. Close it.
type result struct {
	sheets  sheetStore
	summary task.Summary
	kept    postgres.KeptRejects
	mapping *targetload.Mapping // that was refused
}

// add records a sheet that was read, or as much of it as could be.
func (found *result) add(id int64, s *sheet.Sheet, counts task.Counts) error {
	sheet, err := describe(id, s, counts)
	if err == nil {
		err = found.sheets.add(sheet)
	}
	if err != nil {
		return fmt.Errorf("sheet %d: %w", s.Number(), err)
	}
	found.summary.Add(counts)
	found.summary.Sheets = append(found.summary.Sheets, task.SheetSummary{
		Number: s.Number(), Name: s.Name(), RowsLoaded: counts.Loaded, RowsRejected: counts.Rejected, RowsValid: counts.Valid,
	})
	return nil
}

func describe(id int64, s *sheet.Sheet, counts task.Counts) (postgres.Sheet, error) {
	described := postgres.Sheet{ID: id, Number: s.Number(), Name: s.Name(), Visible: s.Visible(), Counts: counts}
	for _, part := range []struct {
		to   *json.RawMessage
		from any
	}{
		{&described.Dialect, s.Dialect()},
		{&described.Warnings, append([]sheet.Warning{}, s.Warnings()...)}, // [] rather than null if there are none
	} {
		var text bytes.Buffer
		if err := newEncoder(&text).Encode(part.from); err != nil {
			return described, err
		}
		*part.to = text.Bytes()
	}
	var err error
	described.Columns, err = encodeColumns(s.Columns())
	return described, err
}

// encodeColumns encodes one column after the other, because encoding/json would hold the whole text a second time.
func encodeColumns(columns []sheet.Column) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder, before := newEncoder(&text), byte('[')
	for i := range columns {
		text.WriteByte(before)
		before = ','
		if err := encoder.Encode(&columns[i]); err != nil {
			return nil, err
		}
	}
	if len(columns) == 0 {
		text.WriteByte('[')
	}
	text.WriteByte(']')
	return text.Bytes(), nil
}

func newEncoder(to *bytes.Buffer) *json.Encoder {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false) // which would make six bytes of each <
	return encoder
}

// sheetMemory is how much JSON of sheets is kept in memory.
const sheetMemory = 4 << 20

// sheetStore keeps sheets until they can be written, with their rows or, if the file fails, without: the first ones in
// memory, the JSON of the others in a temporary file.
type sheetStore struct {
	list  []storedSheet
	bytes int // of JSON in memory
	file  *os.File
	end   int64 // of the file
}

// storedSheet has no JSON if that is in the file.
type storedSheet struct {
	postgres.Sheet
	offset  int64
	lengths [3]int // in the file, one after the other
}

func (st *sheetStore) add(s postgres.Sheet) error {
	size := len(s.Dialect) + len(s.Columns) + len(s.Warnings)
	if st.bytes+size <= sheetMemory {
		st.bytes += size
		st.list = append(st.list, storedSheet{Sheet: s})
		return nil
	}
	if err := st.open(); err != nil {
		return err
	}
	stored := storedSheet{Sheet: s, offset: st.end}
	for i, part := range stored.parts() {
		if _, err := st.file.WriteAt(*part, st.end); err != nil {
			return fmt.Errorf("keep what was found: %w", err)
		}
		stored.lengths[i] = len(*part)
		st.end += int64(len(*part))
		*part = nil
	}
	st.list = append(st.list, stored)
	return nil
}

func (s *storedSheet) parts() [3]*json.RawMessage {
	return [3]*json.RawMessage{&s.Dialect, &s.Columns, &s.Warnings}
}

// open creates the file if it does not exist. Its name is removed at once if the system permits, so that nothing is
// left behind however the process ends.
func (st *sheetStore) open() (err error) {
	if st.file != nil {
		return nil
	}
	if st.file, err = os.CreateTemp("", "sheetdrop-found-*"); err != nil {
		return fmt.Errorf("keep what was found: %w", err)
	}
	_ = os.Remove(st.file.Name())
	return nil
}

// all returns the sheets in the order in which they were added.
func (st *sheetStore) all() iter.Seq2[postgres.Sheet, error] {
	return func(yield func(postgres.Sheet, error) bool) {
		for _, stored := range st.list {
			if err := st.read(&stored); !yield(stored.Sheet, err) || err != nil {
				return
			}
			if size := stored.lengths[0] + stored.lengths[1] + stored.lengths[2]; size >= sheetMemory {
				runtime.GC() // the driver has made two copies, and the next sheet's would be made beside them
			}
		}
	}
}

// read fills in the JSON of a copy of a stored sheet.
func (st *sheetStore) read(stored *storedSheet) error {
	if stored.Columns != nil {
		return nil
	}
	offset := stored.offset
	for i, part := range stored.parts() {
		*part = make(json.RawMessage, stored.lengths[i])
		if _, err := io.ReadFull(io.NewSectionReader(st.file, offset, int64(stored.lengths[i])), *part); err != nil {
			return fmt.Errorf("read what was kept of sheet %d: %w", stored.Number, err)
		}
		offset += int64(stored.lengths[i])
	}
	return nil
}

func (st *sheetStore) close() error {
	if st.file == nil {
		return nil
	}
	err := st.file.Close()
	if gone := os.Remove(st.file.Name()); !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
