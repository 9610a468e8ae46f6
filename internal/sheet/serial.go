package sheet

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// numberText is the shortest text that means the number exactly, without an exponent where 21 digits do.
func numberText(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-7 || a >= 1e21) {
		return strconv.FormatFloat(f, 'E', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

const (
	dayMillis  = 24 * 60 * 60 * 1000
	lastSerial = 2_958_465 // 9999-12-31
)

// serialText gives Excel's serial date as ISO 8601: a date, a time, or both where the value has both; an elapsed time as hours, minutes
// and seconds. ok is false for a number that is no date: a negative one, one beyond the year 9999, and 1900-02-29, which Excel counts
// (as serial 60) and the calendar does not.
func serialText(serial float64, kind dateKind, date1904 bool) (text string, ok bool) {
	if serial < 0 || serial > lastSerial+1 {
		return "", false
	}
	millis := int64(math.Round(serial * dayMillis))
	day, ofDay := millis/dayMillis, millis%dayMillis
	if kind == elapsed {
		return clock(millis), true
	}
	if kind == timeOnly && day == 0 {
		return clock(ofDay), true
	}
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case day == 0 || day == 60:
		return "", false
	case day < 60:
		epoch = epoch.AddDate(0, 0, 1)
	}
	date := epoch.AddDate(0, 0, int(day))
	if date.Year() > 9999 {
		return "", false
	}
	text = date.Format(time.DateOnly)
	if kind != dateOnly || ofDay != 0 {
		text += "T" + clock(ofDay)
	}
	return text, true
}

// clock writes milliseconds as hh:mm:ss, with a fraction where there is one.
func clock(millis int64) string {
	seconds := millis / 1000
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if fraction := millis % 1000; fraction != 0 {
		text += fmt.Sprintf(".%03d", fraction)
	}
	return text
}
