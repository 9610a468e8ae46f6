package trigger

import (
	"testing"
	"time"
)

// Six fields start with seconds, five with minutes; what fires more than once a minute has no monitor.
func TestSchedulesFireAsNCRONTABSays(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 1, 30, 23, 59, 30, 1, time.Local)
	for text, want := range map[string]struct {
		next     time.Time
		frequent bool
	}{
		"*/10 * * * * *":  {time.Date(2026, 1, 30, 23, 59, 40, 0, time.Local), true},
		"15,45 * * * * *": {time.Date(2026, 1, 30, 23, 59, 45, 0, time.Local), true},
		"0 */5 * * * *":   {time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local), false},
		"0 30 9 * * 1-5":  {time.Date(2026, 2, 2, 9, 30, 0, 0, time.Local), false},
		"0 0 0 1 JAN *":   {time.Date(2027, 1, 1, 0, 0, 0, 0, time.Local), false},
		"*/5 * * * *":     {time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local), false},
		"00:00:30":        {from.Add(15 * time.Second), true},
		"00:01:00":        {from.Add(30 * time.Second), false},
		"30 0 12 * * MON": {time.Date(2026, 2, 2, 12, 0, 30, 0, time.Local), false},
	} {
		s, frequent, err := parseSchedule(text, 0.5)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := s.Next(from); !got.Equal(want.next) || frequent != want.frequent {
			t.Errorf("%s: %v, frequent %v; want %+v", text, got, frequent, want)
		}
	}
}
