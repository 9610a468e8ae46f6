package reading

import (
	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/internal/sheet"
)

func columnsOf(columns []sheet.Column) []report.Column {
	shown := make([]report.Column, len(columns))
	for i, c := range columns {
		shown[i] = report.Column{Name: c.Name, Type: string(c.Type), Ambiguous: c.Ambiguous}
		if c.Nearly != nil {
			shown[i].Nearly = &report.Nearly{Type: string(c.Nearly.Type), Format: c.Nearly.Format, Count: c.Nearly.Count}
			for _, m := range c.Nearly.Misfits {
				shown[i].Nearly.Misfits = append(shown[i].Nearly.Misfits, report.Misfit(m))
			}
		}
	}
	return shown
}

func warningsOf(warnings []sheet.Warning) []report.Warning {
	shown := make([]report.Warning, len(warnings))
	for i, w := range warnings {
		shown[i] = report.Warning{Code: string(w.Code), Count: w.Count, Refs: w.Refs, Encodings: w.Encodings}
	}
	return shown
}

func rejectOf(rec *sheet.Record) report.Reject {
	e := rec.Errors[0]
	r := report.Reject{
		Where: report.Line(rec.Line), Column: e.ColumnName,
		Code: string(e.Code), Message: e.Message, MessageJA: e.MessageJA, More: len(rec.Errors) - 1,
	}
	if rec.Ref != "" {
		r.Where = report.Cell(rec.Ref)
	}
	return r
}
