package grid

import (
	"math"
	"strconv"
	"time"
)

// DayMillis is the number of milliseconds of a day.
const DayMillis = 24 * 60 * 60 * 1000

const (
	lastSerial = 2_958_465 // 9999-12-31 where 1900-01-01 is 1
	offset1904 = 1462      // days from that system's day 0 to 1904-01-01
)

// AppendSerial appends a serial date to dst as ISO 8601: a date, a time, or both; an elapsed time as hours, minutes and
// seconds. It is rounded to milliseconds, Excel's precision. kind is 0 for a number that is not a date: a negative one,
// one after the year 9999, and the days 0 and 60 of the 1900 date system, which Excel displays as 1900-01-00 and
// 1900-02-29.
func AppendSerial(dst []byte, serial float64, f Format, date1904 bool) (text []byte, kind ValueKind) {
	if f == ElapsedFormat && math.Abs(serial) <= lastSerial {
		return AppendElapsed(dst, int64(math.Round(serial*DayMillis))), Duration
	}
	if !(serial >= 0 && serial < lastSerial+1) {
		return dst, 0
	}
	if f == DateOrTimeFormat {
		if f = DateFormat; serial < 1 {
			f = TimeFormat
		}
	}
	if serial < 1 && (f == TimeFormat || f == TimestampFormat && !date1904) {
		millis := min(int64(math.Round(serial*DayMillis)), DayMillis-1) // a time never rounds up to the next day
		return AppendClock(dst, millis), Time
	}
	millis := int64(math.Round(serial * DayMillis))
	unixDay, ok := unixDay(millis/DayMillis, date1904)
	if !ok {
		return dst, 0
	}
	dst = AppendDate(dst, unixDay)
	if f == DateFormat && millis%DayMillis == 0 {
		return dst, Date
	}
	return AppendClock(append(dst, 'T'), millis%DayMillis), Timestamp
}

// SetNumber sets the cell's value to a number, or to the date that it is displayed as, as text that it appends to dst.
func (c *Cell) SetNumber(dst []byte, value float64, f Format, date1904 bool) []byte {
	start := len(dst)
	if f != PlainFormat {
		if dst, c.Kind = AppendSerial(dst, value, f, date1904); c.Kind != 0 {
			c.Text = dst[start:]
			return dst
		}
		dst, c.Warning = dst[:start], NoDate
	}
	dst = AppendFloat(dst, value)
	c.Kind, c.Text = Number, dst[start:]
	return dst
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

// AppendDate appends a day, counted from 1970-01-01, as ISO 8601.
func AppendDate(dst []byte, unixDay int64) []byte {
	year, month, day := time.Unix(unixDay*24*60*60, 0).UTC().Date()
	dst = append(appendTwo(dst, int64(year)/100), byte('0'+year%100/10), byte('0'+year%10), '-')
	dst = append(appendTwo(dst, int64(month)), '-')
	return appendTwo(dst, int64(day))
}

// AppendClock appends milliseconds of a day as hh:mm:ss, with a fraction if there is one.
func AppendClock(dst []byte, millis int64) []byte {
	return appendBelowHour(appendTwo(dst, millis/3_600_000), millis)
}

// AppendElapsed appends milliseconds as hours, minutes and seconds; the hours may have more than two digits.
func AppendElapsed(dst []byte, millis int64) []byte {
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
