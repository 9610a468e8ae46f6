package xlsx

import (
	"bytes"
	"time"
)

// isoDate reads a value that is stored as ISO 8601. A Z is left out, for a workbook knows no time zones. What is no date, or has
// another zone, stays the text that it is.
func isoDate(text []byte, f format) (ValueKind, []byte) {
	plain := string(bytes.TrimSuffix(text, []byte("Z")))
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		t, err := time.Parse(layout, plain)
		if err != nil {
			continue
		}
		t = t.Round(time.Millisecond)
		midnight := t.Truncate(24 * time.Hour)
		made := appendDate(nil, midnight.Unix()/(24*60*60))
		if layout == "2006-01-02" || f == date && t.Equal(midnight) {
			return Date, made
		}
		return Timestamp, appendClock(append(made, 'T'), t.Sub(midnight).Milliseconds())
	}
	for _, layout := range []string{"15:04:05", "T15:04:05", "15:04"} {
		if t, err := time.Parse(layout, plain); err == nil {
			clock := t.Sub(t.Truncate(24 * time.Hour)).Round(time.Millisecond).Milliseconds()
			return Time, appendClock(nil, min(clock, dayMillis-1))
		}
	}
	return Text, text
}
