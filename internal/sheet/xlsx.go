package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/xuri/excelize/v2"
)

// xlsxFile is an Excel workbook, read through excelize.
type xlsxFile struct {
	ctx      context.Context
	parts    *officePackage
	book     *excelize.File
	date1904 bool
	targets  map[string]relation // of the workbook's relations, by id
	index    int                 // of the next sheet
	rows     *xlsxRows
}

// memoryBytes is the size of a part beyond which excelize keeps it in a temporary file.
const memoryBytes = 16 << 20

func openXLSX(ctx context.Context, src Source, lim Limits) (*xlsxFile, error) {
	if src.Size() > lim.PackageBytes {
		return nil, refuse(PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; %d can be read.", src.Size(), lim.PackageBytes))
	}
	in := newReadAhead(ctx, src, 0, blockBytes)
	defer in.close()
	file, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	f := &xlsxFile{ctx: ctx}
	if f.parts, err = openPackage(file, lim); err != nil {
		return nil, err
	}
	if err := f.readRelations(); err != nil {
		return nil, err
	}
	f.book, err = excelize.OpenReader(bytes.NewReader(file), excelize.Options{
		UnzipSizeLimit: lim.UnzippedBytes, UnzipXMLSizeLimit: min(memoryBytes, lim.UnzippedBytes),
	})
	if err != nil {
		err = atFault(err)
		if f.book != nil {
			err = errors.Join(err, f.book.Close())
		}
		return nil, err
	}
	props, err := f.book.GetWorkbookProps()
	if err != nil {
		return nil, errors.Join(atFault(err), f.book.Close())
	}
	f.date1904 = props.Date1904 != nil && *props.Date1904
	if err := markDates(f.book); err != nil {
		return nil, errors.Join(atFault(err), f.book.Close())
	}
	return f, nil
}

// atFault tells the file's faults from those of the disk that holds temporary files.
func atFault(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("keep the workbook's parts: %w", err)
	}
	return damaged(err.Error())
}

// readRelations finds the workbook's part and what it points to.
func (f *xlsxFile) readRelations() error {
	root, err := f.parts.relations("")
	if err != nil {
		return err
	}
	workbook := "xl/workbook.xml"
	for _, r := range root {
		if r.is("officeDocument") {
			workbook = r.Target
		}
	}
	list, err := f.parts.relations(workbook)
	if err != nil {
		return err
	}
	f.targets = make(map[string]relation, len(list))
	for _, r := range list {
		f.targets[r.ID] = r
		if r.is("sharedStrings") {
			if err := f.parts.checkXML(r.Target); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *xlsxFile) nextSheet() (*sheetInfo, records, error) {
	sheets := f.book.WorkBook.Sheets.Sheet
	for f.index < len(sheets) {
		s := sheets[f.index]
		f.index++
		target := f.targets[s.ID]
		if !target.is("worksheet") {
			continue
		}
		info := &sheetInfo{number: f.index, name: s.Name, visible: s.State == "" || s.State == "visible", dialect: Dialect{HeaderRows: 1}, grid: true}
		if !info.visible {
			return info, nil, nil
		}
		if err := f.parts.checkXML(target.Target); err != nil {
			return nil, nil, err
		}
		err := f.openRows(s.Name)
		return info, f.rows, err
	}
	return nil, nil, io.EOF
}

func (f *xlsxFile) openRows(name string) error {
	if err := f.closeRows(); err != nil {
		return err
	}
	values, err := f.book.Rows(name)
	if err != nil {
		return atFault(err)
	}
	marked, err := f.book.Rows(name)
	if err != nil {
		return errors.Join(atFault(err), values.Close())
	}
	f.rows = &xlsxRows{ctx: f.ctx, values: values, marked: marked, date1904: f.date1904}
	return nil
}

func (f *xlsxFile) closeRows() error {
	if f.rows == nil {
		return nil
	}
	rows := f.rows
	f.rows = nil
	return errors.Join(rows.values.Close(), rows.marked.Close())
}

func (f *xlsxFile) encoding() (name string, confidence float64) { return "", 0 }

func (f *xlsxFile) settle() error { return nil }

func (f *xlsxFile) close() error { return errors.Join(f.closeRows(), f.book.Close()) }
