package xlsx

import (
	"math"
	"strconv"
	"time"
)

const (
	dayMillis  = 24 * 60 * 60 * 1000
	lastSerial = 2_958_465 // 9999-12-31 where 1900-01-01 is 1
	offset1904 = 1462      // days from that system's day 0 to 1904-01-01
)

// appendSerial appends a serial date to dst as ISO 8601: a date, a time, or both; an elapsed time as hours, minutes and
// seconds. It is rounded to milliseconds, Excel's precision. kind is 0 for a number that is not a date: a negative one,
// one after the year 9999, and the days 0 and 60 of the 1900 date system, which Excel displays as 1900-01-00 and
// 1900-02-29.
func appendSerial(dst []byte, serial float64, f format, date1904 bool) (text []byte, kind ValueKind) {
	if f == elapsed && math.Abs(serial) <= lastSerial {
		return appendElapsed(dst, int64(math.Round(serial*dayMillis))), Duration
	}
	if !(serial >= 0 && serial < lastSerial+1) {
		return dst, 0
	}
	if f == dateOrTime {
		if f = date; serial < 1 {
			f = timeOfDay
		}
	}
	if serial < 1 && (f == timeOfDay || f == timestamp && !date1904) {
		millis := min(int64(math.Round(serial*dayMillis)), dayMillis-1) // a time never rounds up to the next day
		return appendClock(dst, millis), Time
	}
	millis := int64(math.Round(serial * dayMillis))
	unixDay, ok := unixDay(millis/dayMillis, date1904)
	if !ok {
		return dst, 0
	}
	dst = appendDate(dst, unixDay)
	if f == date && millis%dayMillis == 0 {
		return dst, Date
	}
	return appendClock(append(dst, 'T'), millis%dayMillis), Timestamp
}

// unixDay returns a serial day as days from 1970-01-01. Excel counts 1900-02-29, a day that never was, as day 60.
func unixDay(day int64, date1904 bool) (int64, bool) {
	const epoch = -25569 // 1899-12-30
	switch {
	case date1904:
		day += offset1904
	case day == 0 || day == 60:
		return 0, false
	case day < 60:
		day++
	}
	return epoch + day, day <= lastSerial
}

func appendDate(dst []byte, unixDay int64) []byte {
	year, month, day := time.Unix(unixDay*24*60*60, 0).UTC().Date()
	dst = append(appendTwo(dst, int64(year)/100), byte('0'+year%100/10), byte('0'+year%10), '-')
	dst = append(appendTwo(dst, int64(month)), '-')
	return appendTwo(dst, int64(day))
}

// appendClock appends milliseconds of a day as hh:mm:ss, with a fraction if there is one.
func appendClock(dst []byte, millis int64) []byte {
	return appendBelowHour(appendTwo(dst, millis/3_600_000), millis)
}

// appendElapsed appends milliseconds as hours, minutes and seconds; the hours may have more than two digits.
func appendElapsed(dst []byte, millis int64) []byte {
	if millis < 0 {
		dst, millis = append(dst, '-'), -millis
	}
	if hours := millis / 3_600_000; hours < 100 {
		dst = appendTwo(dst, hours)
	} else {
		dst = strconv.AppendInt(dst, hours, 10)
	}
	return appendBelowHour(dst, millis)
}

func appendBelowHour(dst []byte, millis int64) []byte {
	dst = appendTwo(append(dst, ':'), millis/60_000%60)
	dst = appendTwo(append(dst, ':'), millis/1000%60)
	if fraction := millis % 1000; fraction != 0 {
		dst = append(dst, '.', byte('0'+fraction/100))
		dst = appendTwo(dst, fraction%100)
	}
	return dst
}

func appendTwo(dst []byte, n int64) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }
