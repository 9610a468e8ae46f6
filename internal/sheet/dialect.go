package sheet

import (
	"bytes"
	"errors"
	"io"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
)

// Dialect is how a sheet's records are written; a workbook's sheets have HeaderRows alone.
type Dialect struct {
	Delimiter    string `json:"delimiter,omitempty"`
	Quote        string `json:"quote,omitempty"`
	Escape       string `json:"escape,omitempty"`
	Newline      string `json:"newline,omitempty"` // the first one in the file
	HeaderRows   int    `json:"header_rows"`
	PreambleRows int    `json:"preamble_rows"`
}

// decideDialect reads the samples with each delimiter and takes the one with which most records are as wide as the header. A delimiter
// that the header does not hold is taken only where it holds none: one column is what every wrong delimiter sees.
func decideDialect(samples []sample, enc charset.Encoding, opt Options, lim Limits) Dialect {
	d := Dialect{Delimiter: opt.Delimiter, Quote: `"`, Escape: `"`, Newline: firstNewline(samples[0], enc), HeaderRows: 1}
	if d.Delimiter != "" {
		return d
	}
	best := -1.0
	for _, delimiter := range delimiters {
		if score := consistency(samples, enc, delimiter[0], lim); score > best {
			best, d.Delimiter = score, delimiter
		}
	}
	return d
}

// consistency is the share of the samples' records that are as wide as the header, and one more for a header of several columns.
func consistency(samples []sample, enc charset.Encoding, delimiter byte, lim Limits) float64 {
	var header, fit, all int
	for _, s := range samples {
		for _, width := range widths(s, enc, delimiter, lim) {
			if header == 0 {
				header = max(width, -width)
				continue
			}
			all++
			if width == header {
				fit++
			}
		}
	}
	score := float64(fit) / float64(max(all, 1))
	if header > 1 {
		score++
	}
	return score
}

// widths counts the cells of the records that stand whole in the sample, negative for one that is broken; blank lines are left out.
func widths(s sample, enc charset.Encoding, delimiter byte, lim Limits) []int {
	sc := csv.NewScanner(enc.Reader(bytes.NewReader(s.Bytes)), csv.Config{Delimiter: string(delimiter), Quote: '"', Escape: '"', RecordBytes: lim.RecordBytes, Fields: 1})
	var found []int
	for first := true; ; first = false {
		rec, err := sc.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case first && !s.Head || isBlank(rec):
		case rec.Fault != csv.NoFault:
			found = append(found, -rec.Width)
		default:
			found = append(found, rec.Width)
		}
	}
	if !s.Tail && len(found) > 1 {
		found = found[:len(found)-1]
	}
	return found
}

func firstNewline(head sample, enc charset.Encoding) string {
	text, _ := io.ReadAll(enc.Reader(bytes.NewReader(head.Bytes)))
	i := bytes.IndexAny(text, "\r\n")
	switch {
	case i < 0:
		return ""
	case bytes.HasPrefix(text[i:], []byte("\r\n")):
		return "\r\n"
	}
	return string(text[i])
}
