package dialect

import (
	"bytes"

	"sheetdrop/internal/sheet/csv"
)

// Dialects are scored on pieces of the samples.
const (
	headPiece  = 48 << 10
	otherPiece = 8 << 10
	morePieces = 8
)

// piece is a text on which dialects are scored.
type piece struct {
	csv.Text
	bytes []byte
	whole []byte         // the lines of it that end in it
	seen  *[256]int      // how often each byte occurs in them
	found map[string]int // likewise, of longer strings that were counted
	open  bool           // its first record may have begun before it
	cut   bool           // its last record may continue after it
}

func newPiece(text []byte, open, cut bool) piece {
	whole := text
	if end := bytes.LastIndexAny(text, "\r\n"); cut && end >= 0 { // a delimiter of several characters may be cut in two
		whole = text[:end+1]
	}
	seen := new([256]int)
	for _, c := range whole {
		seen[c]++
	}
	return piece{csv.NewText(text), text, whole, seen, map[string]int{}, open, cut}
}

// pieces takes some text from the head and some from places spread evenly over the rest, not in order.
func pieces(samples []Sample) []piece {
	var list []piece
	add := func(text []byte, open, cut bool) {
		list = append(list, newPiece(text, open, cut))
	}
	head := samples[0].Text
	if samples[0].Head {
		head = belowComments(head)
	}
	if len(head) <= headPiece+morePieces*otherPiece {
		add(head, !samples[0].Head, !samples[0].Tail)
	} else {
		add(head[:headPiece], !samples[0].Head, true)
		rest := head[headPiece:]
		for i := range morePieces {
			end := len(rest) * (i + 1) / morePieces
			add(fromLine(rest[end-otherPiece:end]), true, end < len(rest) || !samples[0].Tail)
		}
	}
	step := (len(samples) + morePieces - 1) / morePieces
	for i := len(samples) - 1; i > 0; i -= step {
		add(fromLine(EndOf(samples[i].Text)), true, !samples[i].Tail)
	}
	return list
}

// MarkOf returns the mark that a record begins with, "" if it has none. A delimiter is none.
func (d Dialect) MarkOf(record []byte) string {
	if len(record) == 0 {
		return ""
	}
	for _, mark := range csv.CommentMarks {
		if record[0] == mark[0] && mark != d.Delimiter && bytes.HasPrefix(record, []byte(mark)) {
			return mark
		}
	}
	return ""
}

// belowComments returns the text without the lines at its beginning that are comments of one kind: however many they are, they say
// nothing of how the records are written. It returns all of a text that is nothing else.
func belowComments(text []byte) []byte {
	mark := Dialect{Delimiter: ";"}.MarkOf(text)
	if mark == "" {
		return text
	}
	rest := text
	for len(rest) > 0 && bytes.HasPrefix(rest, []byte(mark)) {
		end := bytes.IndexAny(rest, "\r\n")
		if end < 0 {
			return text
		}
		rest = bytes.TrimLeft(rest[end:], "\r\n")
	}
	if len(bytes.TrimSpace(rest)) == 0 {
		return text
	}
	return rest
}

// EndOf returns the last piece of a sample.
func EndOf(text []byte) []byte { return text[max(0, len(text)-otherPiece):] }

// fromLine returns the text after its first line end.
func fromLine(text []byte) []byte {
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		return text[i:]
	}
	return text
}

// firstNewline returns the line end of the text's first record.
func firstNewline(p piece, d Dialect) string {
	rec, err := d.Scanner(p.Text, recordBytes).Next()
	if err != nil {
		return ""
	}
	return FirstLineEnd(p.bytes[len(rec.Raw):])
}

// FirstLineEnd returns the first line end of the text, "" if it has none.
func FirstLineEnd(text []byte) string {
	i := bytes.IndexAny(text, "\r\n")
	switch {
	case i < 0:
		return ""
	case bytes.HasPrefix(text[i:], []byte("\r\n")):
		return "\r\n"
	}
	return string(text[i : i+1])
}
