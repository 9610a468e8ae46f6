package funchost

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// timeSpan is a .NET TimeSpan in host.json or a schedule: [d.]hh:mm:ss[.fffffff].
type timeSpan time.Duration

var timeSpanText = regexp.MustCompile(`^(?:(\d+)\.)?(\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d{1,7})?)$`)

func parseTimeSpan(text string) (time.Duration, error) {
	m := timeSpanText.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is not a time span like 00:00:30", text)
	}
	days, _ := strconv.Atoi("0" + m[1])
	hours, _ := strconv.Atoi(m[2])
	minutes, _ := strconv.Atoi(m[3])
	seconds, _ := strconv.ParseFloat(m[4], 64)
	if hours > 23 || minutes > 59 || seconds >= 60 {
		return 0, fmt.Errorf("%q is out of range for hh:mm:ss", text)
	}
	whole := time.Duration(days)*24*time.Hour + time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	return whole + time.Duration(seconds*float64(time.Second)), nil
}

func (s *timeSpan) UnmarshalText(text []byte) error {
	d, err := parseTimeSpan(string(text))
	*s = timeSpan(d)
	return err
}
