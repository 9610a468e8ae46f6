package sheet

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits bound the resources that a hostile or broken file can make the engine use. Each has its own Code.
type Limits struct {
	RecordBytes   int   // a CSV record as scanned (UTF-8; in other encodings the file's own bytes)
	CellBytes     int   // the text of a cell
	Columns       int   // the cells of the header
	FileColumns   int   // the columns of all sheets of a file
	HeaderBytes   int   // the text of all headers of a file; a label counts with at most maxLabelBytes
	Rows          int64 // the records of a sheet
	Cells         int64 // the cells of a file
	Rejects       int64 // the rejects of a file
	RejectBytes   int64 // the space that a file's rejects need in a table, beyond rejectFactor times the file's size
	OutputBytes   int64 // the space that a file's rows need in a table, beyond outputFactor times the file's size
	PatternWork   int64 // instructions of patterns times bytes of cells, beyond patternFactor times the file's size
	PackageBytes  int64 // a workbook as sent
	UnzippedBytes int64 // the unpacked parts of a workbook together
	UnzipRatio    int64 // unpacked size divided by packed size, for workbooks that unpack to more than 16 MiB
	Parts         int   // the number of a workbook's parts
}

// DefaultLimits returns the limits for untrusted files. A record's text stays below 6 MiB: one scanned byte becomes at
// most three bytes of UTF-8.
func DefaultLimits() Limits {
	return Limits{
		RecordBytes:   2 << 20,
		CellBytes:     1 << 20,
		Columns:       16_384,
		FileColumns:   131_072,
		HeaderBytes:   2 << 20,
		Rows:          100_000_000,
		Cells:         1_000_000_000,
		Rejects:       1_000_000,
		RejectBytes:   32 << 20,
		OutputBytes:   256 << 20,
		PatternWork:   1 << 29,
		PackageBytes:  128 << 20,
		UnzippedBytes: 512 << 20,
		UnzipRatio:    200,
		Parts:         10_000,
	}
}

// The space that rows and rejects need in PostgreSQL besides their text: for a row its header, ids and index entry; for
// a value its length; for a reject also its position, and for each further reason the member names.
const (
	rowOverhead    = 96
	valueOverhead  = 4
	rejectOverhead = 144
	reasonOverhead = 112
)

// outputFactor is how many times its size the rows of a file may need, whatever the limit. Text that was not compressed
// stays below it, unless it has millions of records of less than five bytes.
const outputFactor = 20

// rejectFactor is the same for rejects, each of which has its reason in two languages.
const rejectFactor = 10

// patternFactor is the average number of pattern instructions per byte of a file that is allowed whatever the limit.
const patternFactor = 128

// maxLabelBytes is the length in bytes to which a label is truncated.
const maxLabelBytes = 1 << 10

// policy says how many records may be rejected before the file is refused. The zero value sets no limit.
type policy struct {
	fail    bool    // no record may be rejected
	count   int64   // the maximum, if limited
	percent float64 // the maximum as a percentage of the records read
	unit    policyUnit
}

type policyUnit uint8

const (
	unlimited policyUnit = iota
	limitedCount
	limitedShare
)

// parsePolicy parses "reject", "fail", "limit:10" or "limit:2.5%".
func parsePolicy(text string) (p policy, ok bool) {
	switch text {
	case "", "reject":
		return policy{}, true
	case "fail":
		return policy{fail: true}, true
	}
	limit, found := strings.CutPrefix(text, "limit:")
	if !found {
		return policy{}, false
	}
	var err error
	if share, isShare := strings.CutSuffix(limit, "%"); isShare {
		p.unit = limitedShare
		p.percent, err = strconv.ParseFloat(share, 64)
		return p, err == nil && p.percent >= 0 && p.percent <= 100
	}
	p.unit = limitedCount
	p.count, err = strconv.ParseInt(limit, 10, 64)
	return p, err == nil && p.count >= 0
}

// tally counts what a file contains, and the space that its rows will need, against the limits and the policy.
type tally struct {
	policy                policy
	limits                Limits
	read, rejected, cells int64
	columns, headerBytes  int
	output, rejects       int64 // bytes that rows and rejects may still need
	patterns              int64 // instructions times bytes that patterns may still use
}

func newTally(p policy, lim Limits, fileSize int64) *tally {
	return &tally{
		policy: p, limits: lim, output: lim.OutputBytes + outputFactor*fileSize, rejects: lim.RejectBytes + rejectFactor*fileSize,
		patterns: lim.PatternWork + patternFactor*fileSize,
	}
}

// addColumns counts a sheet's columns.
func (t *tally) addColumns(n int) *Refusal {
	if t.columns += n; t.columns > t.limits.FileColumns {
		return manyColumns.refuse(t.limits.FileColumns)
	}
	return nil
}

// addHeader counts a row of a header.
func (t *tally) addHeader(cells []string) *Refusal {
	for _, cell := range cells {
		t.headerBytes += len(cell)
	}
	if t.headerBytes > t.limits.HeaderBytes {
		return longHeaders.refuse(t.limits.HeaderBytes)
	}
	return nil
}

// addRow counts the space that a row needs in a table.
func (t *tally) addRow(shape *shape) *Refusal {
	if t.output -= int64(shape.size + valueOverhead*shape.values + rowOverhead); t.output < 0 {
		return largeOutput.refuse(t.limits.OutputBytes, outputFactor)
	}
	return nil
}

// addSkipped counts a record that is not part of the table: it is shown, and a file may repeat it as often as a row. An empty row of a
// worksheet is nothing: workbooks have millions of them whose rows were formatted to the last.
func (t *tally) addSkipped(shape *shape, inGrid bool) *Refusal {
	if !inGrid {
		return t.addRow(shape)
	}
	if t.output -= int64(shape.size + valueOverhead*shape.values); t.output < 0 {
		return largeOutput.refuse(t.limits.OutputBytes, outputFactor)
	}
	return nil
}

// add counts a record other than a header. It refuses the file if the file has too many cells.
func (t *tally) add(rec *Record) *Refusal {
	t.read++
	if t.cells += int64(len(rec.Cells)); t.cells > t.limits.Cells {
		return manyCells.refuse(t.limits.Cells)
	}
	return nil
}

// reject counts a reject, which is still returned to the reader. A refusal that it returns ends the file after it.
func (t *tally) reject(rec *Record) *Refusal {
	t.rejected++
	t.rejects -= rejectSize(rec)
	switch p := t.policy; {
	case p.fail:
		return rec.Errors[0].refuse(RowRejected, rec.No, oneReject)
	case p.unit == limitedCount && t.rejected > p.count:
		return tooManyRejects.refuse(fmt.Sprint(p.count))
	case t.rejected > t.limits.Rejects:
		return tooManyRejects.refuse(fmt.Sprint(t.limits.Rejects))
	case t.rejects < 0:
		return largeRejects.refuse(t.limits.RejectBytes, rejectFactor)
	}
	return nil
}

// join adds what part counted since it was a copy of before. It reports whether no limit is exceeded.
func (t *tally) join(part, before *tally) bool {
	t.read += part.read - before.read
	t.rejected += part.rejected - before.rejected
	t.cells += part.cells - before.cells
	t.output += part.output - before.output
	t.rejects += part.rejects - before.rejects
	return t.cells <= t.limits.Cells && t.rejected <= t.limits.Rejects && t.output >= 0 && t.rejects >= 0
}

// rejectSize returns the space that a reject needs in a table.
func rejectSize(rec *Record) int64 {
	size := rejectOverhead + len(rec.Raw)
	for _, cell := range rec.Cells {
		if cell != nil {
			size += len(cell) + valueOverhead
		}
	}
	for i, e := range rec.Errors {
		if size += len(e.Code) + len(e.ColumnName) + len(e.Message) + len(e.MessageJA); i > 0 {
			size += reasonOverhead
		}
	}
	return int64(size)
}

// end refuses the file if too large a percentage of its records was rejected.
func (t *tally) end() *Refusal {
	if t.policy.unit == limitedShare && float64(t.rejected)*100 > t.policy.percent*float64(t.read) {
		return tooManyRejects.refuse(strconv.FormatFloat(t.policy.percent, 'f', -1, 64) + "%")
	}
	return nil
}
