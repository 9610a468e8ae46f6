package problem

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the codes into docs/errors.md")

const (
	errorsPage = "../../../docs/errors.md"
	beginCodes = "<!-- Generated from upload-api/internal/problem: go test ./upload-api/internal/problem -run TestErrorsPage -update -->\n"
	endCodes   = "<!-- The end of what is generated. -->\n"
)

// The type of a problem opens the page of its code: docs/errors.md has a heading for each, in both languages, as the code
// says. After a change: go test ./upload-api/internal/problem -run TestErrorsPage -update
func TestErrorsPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), beginCodes)
	_, after, ends := strings.Cut(rest, endCodes)
	if !begins || !ends {
		t.Fatal("the page has no place for the codes")
	}
	want := before + beginCodes + codesPage() + endCodes + after
	if *update {
		if err := os.WriteFile(errorsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Error("docs/errors.md is not what the code says: write it with -update")
	}
}

func codesPage() string {
	var page strings.Builder
	page.WriteByte('\n')
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		e := explanations[code]
		fmt.Fprintf(&page, "### %s\n\n%s (%d %s). %s\n\n%s。%s\n\n", code, e.title, code.Status(), http.StatusText(code.Status()), e.help, e.titleJA, e.helpJA)
	}
	return page.String()
}
