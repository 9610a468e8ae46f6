package upload

import (
	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/internal/client"
)

func columnsOf(columns []client.Column) []report.Column {
	shown := make([]report.Column, len(columns))
	for i, c := range columns {
		shown[i] = report.Column{Name: c.Name, Type: c.Type, Ambiguous: valueOf(c.Ambiguous)}
		if c.Nearly != nil {
			shown[i].Nearly = &report.Nearly{Type: c.Nearly.Type, Format: valueOf(c.Nearly.Format), Count: c.Nearly.Count}
			for _, m := range c.Nearly.Misfits {
				shown[i].Nearly.Misfits = append(shown[i].Nearly.Misfits, report.Misfit(m))
			}
		}
	}
	return shown
}

func warningsOf(warnings []client.Warning) []report.Warning {
	shown := make([]report.Warning, len(warnings))
	for i, w := range warnings {
		shown[i] = report.Warning{Code: w.Code, Count: w.Count, Refs: w.Refs, Encodings: valueOf(w.Encodings)}
	}
	return shown
}

// byRecord returns one reject for each record. They come in order; older tasks have one for each reason, newer ones a list of reasons in
// one.
func byRecord(rejects []client.Reject) (records []report.Reject) {
	last := int64(0) // row numbers begin with 1
	for _, r := range rejects {
		if r.RowNo == last {
			records[len(records)-1].More++
			continue
		}
		last = r.RowNo
		records = append(records, report.Reject{
			Where: place(r), Column: valueOf(r.ColumnName), Code: r.Code,
			Message: r.Message, MessageJA: valueOf(r.MessageJA), More: max(len(r.Errors)-1, 0),
		})
	}
	return records
}

func place(r client.Reject) string {
	switch {
	case r.Line != nil:
		return report.Line(*r.Line)
	case r.CellRef != nil:
		return report.Cell(*r.CellRef)
	}
	return report.Row(r.RowNo)
}

// valueOf returns the zero value for nil.
func valueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
