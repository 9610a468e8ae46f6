package house

import "testing"

// No few bodies that clients may send at once take more memory than an instance has: it would be killed, with the
// requests of everybody else. What docs/deploy.md offers fits; four times the requests, or bodies as large as on a
// laptop, do not, nor does anything on the smallest instance.
func TestMemoryBudget(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	defaults, budget := templates["main.bicep"], templates["memory.bicep"]
	perBody, reserved := number(t, `^var hostMemoryPerBody = (\d+)`, budget), number(t, `^var reservedMemory = (\d+)`, budget)
	fits := func(memory, requests, limit int) bool { return requests*limit*perBody <= memory-reserved }
	for name, text := range bicepFiles(t, ".bicepparam") {
		memory, requests := parameter(t, text, defaults, "instanceMemoryMB"), parameter(t, text, defaults, "httpConcurrency")
		if limit := parameter(t, text, defaults, "bodyLimitMiB"); !fits(memory, requests, limit) {
			t.Errorf("%s: %d bodies of %d MiB do not fit into %d MB", name, requests, limit, memory)
		}
	}
	for _, offered := range []struct{ memory, requests, limit int }{{2048, 4, 8}, {4096, 4, 16}} {
		if !fits(offered.memory, offered.requests, offered.limit) {
			t.Errorf("%+v does not fit", offered)
		}
	}
	for _, tooMuch := range []struct{ memory, requests, limit int }{{2048, 16, 8}, {2048, 4, 64}, {4096, 1, 100}, {512, 1, 1}} {
		if fits(tooMuch.memory, tooMuch.requests, tooMuch.limit) {
			t.Errorf("%+v fits", tooMuch)
		}
	}
}

// parameter returns the number that an environment sets for a parameter, or else the template's default.
func parameter(t *testing.T, environment, template, name string) int {
	t.Helper()
	if found := submatches(`^param `+name+` = (-?\d+)`, environment); len(found) == 1 {
		return number(t, `^param `+name+` = (-?\d+)`, environment)
	}
	return number(t, `^param `+name+` [^=\n]*= (-?\d+)`, template)
}
