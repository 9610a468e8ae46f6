package upload

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/upload-api/internal/problem"
)

// P9: whatever there is too much of, the caller hears which limit it was, in a short answer, and the server goes on.
func TestFloods(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes = 64 << 20 }))
	const multipart, json = "Content-Type: multipart/form-data; boundary=x", "Content-Type: application/json"
	long := strings.Repeat("x", 1<<20)
	for name, test := range map[string]struct {
		path, header string
		body         io.Reader
		code         problem.Code
	}{
		"a million fields":             {"/api/files", multipart, repeated(fieldPart("a", ""), 1_000_000), problem.TooManyParts},
		"a million parts without name": {"/api/files", multipart, repeated("--x\r\n\r\n\r\n", 1_000_000), problem.TooManyParts},
		"10,000 files":                 {"/api/files", multipart, repeated(filePart("a.csv", "a"), 10_000), problem.TooManyParts},
		"an option of 1 MiB":           {"/api/files", multipart, strings.NewReader(fieldPart("sheet", long)), problem.InvalidOption},
		"a field's name of 1 MiB":      {"/api/files", multipart, strings.NewReader(fieldPart(long, "")), problem.InvalidMultipart},
		"a query's name of 200 kB":     {"/api/files?name=a.csv&" + long[:200_000] + "=1", "Content-Type: text/csv", strings.NewReader("a"), problem.UnknownOption},
		"a query's value of 200 kB":    {"/api/files?name=a.csv&encoding=" + long[:200_000], "Content-Type: text/csv", strings.NewReader("a"), problem.InvalidOption},
		"a member's name of 500 kB":    {"/api/bulk/tasks", json, strings.NewReader(`{"` + long[:500_000] + `":1}`), problem.InvalidBody},
		"a value of 500 kB":            {"/api/bulk/tasks", json, strings.NewReader(`{"items":[{"file_id":"` + long[:500_000] + `"}]}`), problem.InvalidBody},
		"a header of 500 kB":           {"/api/files", "Content-Type: " + long[:500_000], strings.NewReader("a"), problem.UnsupportedMediaType},
		"a name of 500 kB":             {"/api/files", "Content-Disposition: attachment; filename=" + long[:500_000], strings.NewReader("a"), problem.InvalidName},
		"a part's million headers":     {"/api/files", multipart, io.MultiReader(strings.NewReader("--x\r\n"), repeated("A: b\r\n", 1_000_000)), problem.InvalidMultipart},
		"a part's endless header":      {"/api/files", multipart, io.MultiReader(strings.NewReader("--x\r\nA: "), repeated("a", 32<<20)), problem.InvalidMultipart},
		"no part in 24 MiB":            {"/api/files", multipart, repeated("a\r\n", 8<<20), problem.NoFile},
		"nested JSON":                  {"/api/bulk/tasks", json, strings.NewReader(strings.Repeat(`{"filter":`, 50_000)), problem.InvalidBody},
		"nested JSON that is whole":    {"/api/bulk/tasks", json, strings.NewReader(strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000)), problem.InvalidBody},
		"100,000 unknown members":      {"/api/bulk/tasks", json, strings.NewReader("{" + numbered(`"%d":0`, 100_000) + "}"), problem.InvalidBody},
		"30,000 items":                 {"/api/bulk/tasks", json, strings.NewReader(`{"items":[` + numbered(`{"file_id":"%d"}`, 30_000) + "]}"), problem.InvalidBody},
		"50,000 ids":                   {"/api/tasks/retry", json, strings.NewReader(`{"ids":[` + numbered(`"%d"`, 50_000) + "]}"), problem.InvalidBody},
		"JSON of 8 MiB":                {"/api/tasks/retry", json, io.MultiReader(strings.NewReader(`{"owner":"`), repeated("a", 8<<20)), problem.TooLarge},
		"10,000 unknown parameters":    {"/api/outbox/redrive?" + strings.ReplaceAll(numbered("a%d=", 10_000), ",", "&"), json, strings.NewReader("{}"), problem.UnknownParameter},
	} {
		t.Run(name, func(t *testing.T) {
			a := d.send(http.MethodPost, test.path, test.body, test.header)
			a.t = t
			if a.problem(test.code); len(a.body) > 16<<10 {
				t.Errorf("the answer has %d bytes", len(a.body))
			}
		})
	}
	d.nothingLeft()
	d.noBlobs()
	d.upload("good.csv", "a\n1\n")
}

// repeated is a text n times over, without being kept.
func repeated(text string, n int) io.Reader {
	block := strings.Repeat(text, max(1, min(n, (64<<10)/len(text))))
	blocks := n * len(text) / len(block)
	readers := make([]io.Reader, blocks)
	for i := range readers {
		readers[i] = strings.NewReader(block)
	}
	return io.MultiReader(readers...)
}

// numbered is a format with each number from 1, with commas between.
func numbered(format string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i+1)
	}
	return strings.Join(all, ",")
}
