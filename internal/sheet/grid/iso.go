package grid

import (
	"bytes"
	"time"
)

const dateTime = "2006-01-02T15:04:05"

// ParseISO parses a value that is stored as ISO 8601: a date, a time, or both. A Z is dropped, because workbooks know no
// time zones. Anything else, or a value with another zone, stays text.
func ParseISO(text []byte, f Format) (ValueKind, []byte) {
	plain := string(bytes.TrimSuffix(text, []byte("Z")))
	layout := time.DateOnly
	switch t := bytes.IndexByte(text, 'T'); {
	case t > 0:
		layout = dateTime
	case t == 0:
		layout = "T15:04:05"
	case bytes.IndexByte(text, ':') >= 0:
		layout = time.TimeOnly
	}
	moment, err := time.Parse(layout, plain)
	if err != nil {
		return Text, text
	}
	moment = moment.Round(time.Millisecond)
	if layout != time.DateOnly && layout != dateTime {
		clock := moment.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds()
		return Time, AppendClock(nil, min(clock, DayMillis-1))
	}
	midnight := moment.Truncate(24 * time.Hour)
	millis := moment.Sub(midnight).Milliseconds()
	made := AppendDate(nil, midnight.Unix()/(24*60*60))
	if layout == time.DateOnly || f == DateFormat && millis == 0 {
		return Date, made
	}
	return Timestamp, AppendClock(append(made, 'T'), millis)
}
