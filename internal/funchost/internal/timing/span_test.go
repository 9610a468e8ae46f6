package timing

import (
	"testing"
	"time"
)

// Durations of host.json mean what .NET takes them for.
func TestTimeSpansAreNETs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"00:00:30": 30 * time.Second, "1:2:3": time.Hour + 2*time.Minute + 3*time.Second,
		"2.00:00:00": 48 * time.Hour, "00:00:00.1": 100 * time.Millisecond,
	} {
		if got, err := ParseSpan(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "24:00:00", "00:60:00", "00:00:60", "-00:00:01", "0 0 * * * *"} {
		if got, err := ParseSpan(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
