// Command vulncheck compares what govulncheck found with the list of exceptions, and fails on a difference in either
// direction: on a known vulnerability that the program calls and nobody has assessed, and on an exception that is no
// longer found.
//
//	go tool -modfile=tools/go.mod govulncheck -format=json ./... > found.json
//	go run ./internal/house/vulncheck < found.json
//
// govulncheck itself exits with 0 whenever it writes JSON. The format is described in its documentation
// (golang.org/x/vuln/cmd/govulncheck) and in the comments of golang.org/x/vuln/internal/govulncheck: a stream of
// messages, each an object with one member.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// listFile is the list, relative to the top of the repository.
const listFile = "docs/vulnerabilities.md"

func main() {
	list, err := os.ReadFile(listFile)
	if err == nil {
		err = check(os.Stdin, string(list))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns all differences as one error.
func check(found io.Reader, list string) error {
	called, err := calledVulnerabilities(found)
	if err != nil {
		return fmt.Errorf("read what govulncheck found: %w", err)
	}
	excepted, err := exceptions(list)
	if err != nil {
		return err
	}
	var differences []error
	for _, id := range slices.Sorted(maps.Keys(called)) {
		if !excepted[id] {
			differences = append(differences, fmt.Errorf("%s is called and no exception: %s", id, called[id]))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(excepted)) {
		if called[id] == "" {
			differences = append(differences, fmt.Errorf("%s is an exception and is not found any more: take it off the list", id))
		}
	}
	return errors.Join(differences...)
}

// message is the part of govulncheck's messages that is used here.
type message struct {
	Config *struct {
		ScanLevel string `json:"scan_level"`
	} `json:"config"`
	Finding *struct {
		OSV   string `json:"osv"`
		Fixed string `json:"fixed_version"`
		Trace []struct {
			Module   string `json:"module"`
			Version  string `json:"version"`
			Package  string `json:"package"`
			Function string `json:"function"`
		} `json:"trace"`
	} `json:"finding"`
}

// calledVulnerabilities returns descriptions, by id, of those whose vulnerable function is called. A finding without a
// function concerns a module or a package of which something else is used. Input that does not come from a scan of
// calls is an error: it would look like no findings.
func calledVulnerabilities(found io.Reader) (map[string]string, error) {
	called, scanned := map[string]string{}, false
	for messages := json.NewDecoder(found); ; {
		var m message
		if err := messages.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		scanned = scanned || m.Config != nil && m.Config.ScanLevel == "symbol"
		if f := m.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Function != "" {
			at := f.Trace[0]
			called[f.OSV] = fmt.Sprintf(
				"%s.%s of %s %s, fixed in %q, see https://pkg.go.dev/vuln/%s",
				at.Package,
				at.Function,
				at.Module,
				at.Version,
				f.Fixed,
				f.OSV,
			)
		}
	}
	if !scanned {
		return nil, errors.New("it has no configuration of a scan by symbols")
	}
	return called, nil
}

// exception matches a row of the list's table: id, date of the assessment, reason.
var exception = regexp.MustCompile(`^\| (GO-\d{4}-\d{4,}) \| \d{4}-\d{2}-\d{2} \| \S.*\|$`)

func exceptions(list string) (map[string]bool, error) {
	ids := map[string]bool{}
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if match := exception.FindStringSubmatch(line); match != nil {
			ids[match[1]] = true
		} else if strings.HasPrefix(line, "| GO-") {
			return nil, fmt.Errorf("an exception needs an id, a day and a reason: %s", line)
		}
	}
	return ids, nil
}
