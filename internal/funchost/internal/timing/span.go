// Package timing has the host's durations: how host.json writes them, how tests shorten them, and waiting for them.
package timing

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Span is a .NET TimeSpan in host.json or a schedule: [d.]hh:mm:ss[.fffffff].
type Span time.Duration

var spanText = regexp.MustCompile(`^(?:(\d+)\.)?(\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d{1,7})?)$`)

// ParseSpan reads a Span.
func ParseSpan(text string) (time.Duration, error) {
	m := spanText.FindStringSubmatch(text)
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

// UnmarshalText is called by encoding/json.
func (s *Span) UnmarshalText(text []byte) error {
	d, err := ParseSpan(string(text))
	*s = Span(d)
	return err
}
