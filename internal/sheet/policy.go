package sheet

import (
	"fmt"
	"strconv"
	"strings"
)

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
func (t *tally) addRow(shape shape) *Refusal {
	if t.output -= int64(shape.size + valueOverhead*shape.values + rowOverhead); t.output < 0 {
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
