package export

import (
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/sheet/types"
)

const (
	daySeconds  = 24 * 60 * 60
	firstSerial = 61      // 1900-03-01: Excel counts a 29 February 1900 before it
	lastSerial  = 2958465 // 9999-12-31
	unixSerial  = 25569   // 1970-01-01
	excelDigits = 15      // significant digits of Excel's numbers
)

// excelNumber returns a value as a worksheet's number: numbers as they are, dates and times as days since 1900. What Excel does not
// have is left to be a text: numbers of more digits than it keeps, days before March 1900, 24:00, times with an offset, negative
// durations.
func (v value) excelNumber() ([]byte, bool) {
	switch v.kind {
	case types.Integer, types.Decimal:
		return []byte(v.text), significantDigits(v.text) <= excelDigits
	case types.Date:
		day, ok := serialDay(v.text)
		return strconv.AppendInt(nil, day, 10), ok
	case types.Time:
		seconds, ok := clockSeconds(v.text)
		return days(seconds), ok && seconds < daySeconds
	case types.Timestamp:
		date, clock, _ := strings.Cut(v.text, "T")
		day, ok := serialDay(date)
		seconds, isClock := clockSeconds(clock)
		return days(float64(day*daySeconds) + seconds), ok && isClock && seconds < daySeconds
	case types.Duration:
		seconds, ok := durationSeconds(v.text)
		return days(seconds), ok
	}
	return nil, false
}

func days(seconds float64) []byte { return strconv.AppendFloat(nil, seconds/daySeconds, 'f', -1, 64) }

// significantDigits counts the digits of a number without leading zeros.
func significantDigits(number string) (n int) {
	for _, c := range number {
		switch {
		case c == 'e' || c == 'E':
			return n
		case c > '0' && c <= '9' || c == '0' && n > 0:
			n++
		}
	}
	return n
}

// serialDay returns the number under which Excel knows a day.
func serialDay(text string) (int64, bool) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, false
	}
	serial := day.Unix()/daySeconds + unixSerial
	return serial, serial >= firstSerial && serial <= lastSerial
}

// clockSeconds returns the seconds of hh:mm:ss.fff; one with an offset is none.
func clockSeconds(text string) (float64, bool) {
	if len(text) < len("hh:mm:ss") || text[2] != ':' || text[5] != ':' {
		return 0, false
	}
	hours, err1 := strconv.Atoi(text[:2])
	minutes, err2 := strconv.Atoi(text[3:5])
	seconds, err3 := strconv.ParseFloat(text[6:], 64)
	return float64(hours*3600+minutes*60) + seconds, err1 == nil && err2 == nil && err3 == nil
}

// durationSeconds returns the seconds of PT27H30M10.5S.
func durationSeconds(text string) (total float64, ok bool) {
	rest, ok := strings.CutPrefix(text, "PT")
	for ok && rest != "" {
		end := strings.IndexAny(rest, "HMS")
		if end < 0 {
			return 0, false
		}
		n, err := strconv.ParseFloat(rest[:end], 64)
		total += n * map[byte]float64{'H': 3600, 'M': 60, 'S': 1}[rest[end]]
		rest, ok = rest[end+1:], err == nil
	}
	return total, ok
}
