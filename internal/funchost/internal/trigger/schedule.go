package trigger

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"sheetdrop/internal/funchost/internal/timing"
)

// schedule tells when a timer fires next.
type schedule interface {
	// Next is the first occurrence after t.
	Next(t time.Time) time.Time
}

// every is a TimeSpan schedule.
type every time.Duration

func (e every) Next(t time.Time) time.Time { return t.Add(time.Duration(e)) }

// parseSchedule reads an NCRONTAB expression of six fields (seconds first) or five, in the local time zone, or a
// TimeSpan, which the scale applies to. frequent says that it fires more than once a minute, unscaled.
func parseSchedule(text string, scale timing.Scale) (s schedule, frequent bool, err error) {
	if span, err := timing.ParseSpan(text); err == nil {
		if span <= 0 {
			return nil, false, errors.New("schedule: the time span is zero")
		}
		return every(scale.Of(span)), span < time.Minute, nil
	}
	fields := strings.Fields(text)
	if len(fields) == 6 && restricted(fields[3]) && restricted(fields[5]) {
		// NCRONTAB wants both to match, the cron library either of them.
		return nil, false, fmt.Errorf("schedule %q: day and day of week together are not supported here", text)
	}
	parser := cron.NewParser(cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	s, err = parser.Parse(text)
	if err != nil {
		return nil, false, fmt.Errorf("schedule %q: %w", text, err)
	}
	return s, firesMoreThanOnceAMinute(s), nil
}

func restricted(field string) bool { return field != "*" && field != "?" }

func firesMoreThanOnceAMinute(s schedule) bool {
	const samples = 10
	at := s.Next(time.Now())
	for range samples {
		following := s.Next(at)
		if following.Sub(at) < time.Minute {
			return true
		}
		at = following
	}
	return false
}
