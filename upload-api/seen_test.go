package upload

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// seen are the answers that tests of this run have had, by operation and status. Those to fuzzed requests do not count, since nobody chose them.
var seen = &seenAnswers{statuses: map[string]bool{}}

type seenAnswers struct {
	mu       sync.Mutex
	statuses map[string]bool // such as "GET /api/files 200"
}

func (s *seenAnswers) note(pattern string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statuses[fmt.Sprint(pattern, " ", status)] = true
}

// missing returns the documented answers that no test has had.
func (s *seenAnswers) missing() (missing []string, err error) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		return nil, err
	}
	var document struct {
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			for status := range operation.Responses {
				if answer := strings.ToUpper(method) + " " + prefix + path + " " + status; !s.statuses[answer] {
					missing = append(missing, answer)
				}
			}
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// runAll runs the tests, and returns the exit status. A status that the document promises, and that no request can provoke, misleads whoever
// programs against it: so the tests of this package together have to have had each one. A run of some of them cannot tell.
func runAll(m *testing.M) int {
	code := m.Run()
	if code != 0 || !allTestsRan() {
		return code
	}
	missing, err := seen.missing()
	if err != nil || len(missing) > 0 {
		fmt.Printf("%d answers are documented, and no test has had them (%v):\n%s\n", len(missing), err, strings.Join(missing, "\n"))
		return 1
	}
	return 0
}

func allTestsRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.bench", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}
