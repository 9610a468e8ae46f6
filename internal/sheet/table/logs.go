package table

import "sheetdrop/internal/sheet/dialect"

// use fills in what the hints leave open about a log.
func (h *Hints) use(log dialect.Log) {
	h.log = true
	if h.Delimiter == nil {
		h.Delimiter = &log.Delimiter
	}
	if h.Preamble == nil && h.Header == nil {
		h.Preamble, h.Header = &log.Above, new(1)
	}
}

// setDirectives marks the lines of a log that begin with # and are no records of it.
func setDirectives(rows []row) {
	for i := range rows {
		rows[i].broken = rows[i].broken || rows[i].mark == "#"
	}
}
