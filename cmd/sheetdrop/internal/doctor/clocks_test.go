package doctor

import (
	"strings"
	"testing"
	"time"
)

// A machine whose own clock is wrong does not have its user set those of everybody else.
func TestThisMachinesClockIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clocks []clock
		state  State
		word   string
	}{
		"all agree":                  {[]clock{{"a", 0}, {"b", time.Second}}, OK, "a, b"},
		"one differs":                {[]clock{{"a", 0}, {"b", time.Hour}}, Problem, "The clock of b"},
		"one differs a little":       {[]clock{{"a", time.Minute}, {"b", 0}}, Warning, "The clock of a"},
		"there is only one other":    {[]clock{{"a", -time.Hour}}, Problem, "The clock of a"},
		"this one differs from all":  {[]clock{{"a", time.Hour}, {"b", time.Hour}}, Problem, "This machine's clock"},
		"nobody's clock can be read": {nil, Skipped, "no other clock"},
	} {
		e := &examination{Subject: Subject{Thresholds: Usual()}, clocks: c.clocks}
		if f := e.compareClocks(t.Context()); f.State != c.state || !strings.Contains(f.Found, c.word) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
