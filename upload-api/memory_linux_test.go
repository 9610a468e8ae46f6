package upload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/receive"
)

// childVariable makes this test binary a server with the parts that it names.
const childVariable = "SHEETDROP_UPLOAD_CHILD"

type childParts struct {
	DatabaseURL                  string
	Connection, Container, Queue string // of the storage
	MaxBytes                     int64
}

func newChildParts(databaseURL string, s azure.Settings, maxBytes int64) childParts {
	return childParts{databaseURL, s.Connection, s.Container, s.Queue, maxBytes}
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		serveChild(text)
		return
	}
	os.Exit(runAll(m))
}

// serveChild prints its address, serves until its standard input ends, and prints the most memory that it ever held, in bytes.
func serveChild(text string) {
	var parts childParts
	must(json.Unmarshal([]byte(text), &parts))
	db, err := postgres.Open(postgres.Settings{URL: parts.DatabaseURL, MaxConns: 4})
	must(err)
	blobs, queue, err := azure.Open(azure.Settings{Connection: parts.Connection, Container: parts.Container, Queue: parts.Queue})
	must(err)
	h, err := New(Settings{Auth: AuthLocal, MaxBytes: parts.MaxBytes, AtOnce: 32,
		Preview: receive.PreviewSettings{MaxBytes: 8 << 20, MaxRecords: 10_000, AtOnce: 4}}, db, blobs, queue, func(...uuid.UUID) {}, func(context.Context) string { return "" }, slog.Default())
	must(err)
	server := httptest.NewServer(h)
	fmt.Println(server.URL)
	io.Copy(io.Discard, os.Stdin)
	status, err := os.ReadFile("/proc/self/status")
	must(err)
	peak, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	must(err)
	fmt.Println(peak << 10)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// P9: memory does not grow with the file, on its way in as a raw body or in a form, and on its way out. A body that huma knew of would
// be read whole before the operation starts. The blob client keeps its blocks outside of Go's heap, so it is the process that is measured.
func TestMemoryOfUpload(t *testing.T) {
	t.Parallel()
	const size, bound = 64 << 20, 56 << 20
	c := startChild(t, newChildParts(devtest.Database(t), newStorage(t), size+1<<20))

	var raw FileAndTask
	decode(t, post(t, c.address+"/api/files?name=a.csv", "text/csv", zeros(size)), &raw)
	if raw.File.SizeBytes != size {
		t.Errorf("took %d bytes", raw.File.SizeBytes)
	}
	head, _, _ := strings.Cut(filePart("b.csv", "|"), "|")
	var form Uploaded
	decode(t, post(t, c.address+"/api/files", "multipart/form-data; boundary=x", io.MultiReader(strings.NewReader(head), zeros(size), strings.NewReader("\r\n--x--\r\n"))), &form)
	if len(form.Items) != 1 || form.Items[0].File.SHA256 != raw.File.SHA256 {
		t.Errorf("the form's file is %+v, the raw one %+v", form, raw)
	}
	if n := c.read("/api/files/" + raw.File.ID.String() + "/content"); n != size {
		t.Errorf("returned %d bytes", n)
	}
	if peak := c.end(); peak > bound {
		t.Errorf("held %d MiB for files of %d MiB", peak>>20, size>>20)
	}
}

// P9: as many previews as are read at once, of files as wide as may be, take no more than an instance has, and answer with as much as their
// limits say.
func TestMemoryOfPreviews(t *testing.T) {
	t.Parallel()
	const bound, longest = 400 << 20, 64 << 20
	c := startChild(t, newChildParts(devtest.Database(t), newStorage(t), 16<<20))
	columns := func(format string) string { return strings.ReplaceAll(numbered(format, 16_384), ",", ";") + "\n" }
	wide := columns("h%d") + strings.Repeat(columns("\"\x01\x01\x01%d\""), 50)
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	_, err := io.Copy(archive, io.MultiReader(strings.NewReader("a,b\n"), repeated("\"\x01\",2\n1\n", 30_000_000)))
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		for _, content := range []string{wide, packed.String()} {
			wait.Go(func() {
				response, err := http.Post(c.address+"/api/files?preview=1000", "text/csv", strings.NewReader(content))
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				n, err := io.Copy(io.Discard, response.Body)
				busy := response.StatusCode == http.StatusServiceUnavailable || response.StatusCode == http.StatusUnprocessableEntity // or it took too long
				if err != nil || !busy && (response.StatusCode != http.StatusOK || n < 1<<10 || n > longest) {
					t.Errorf("%s, %d bytes, %v", response.Status, n, err)
				}
			})
		}
	}
	wait.Wait()
	if peak := c.end(); peak > bound {
		t.Errorf("held %d MiB", peak>>20)
	}
}

// P9: nor does it grow with the rows that somebody asks for in one answer.
func TestMemoryOfRows(t *testing.T) {
	t.Parallel()
	const rows, size, bound = 120_000, 1000, 88 << 20
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "a", "b")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i, array['=' || repeat('x', $2), '"'] from generate_series(2, $3::int + 1) i`, sheetID, size, rows)
	c := startChild(t, newChildParts(d.sql.Config().ConnString(), d.storage, 1<<20))
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format="
	for format, want := range map[string]int64{
		"csv":    int64(len("a,b\r\n")) + rows*int64(len(`'=,""""`+"\r\n")+size),
		"ndjson": rows * int64(len(`["=","\""]`+"\n")+size),
	} {
		if n := c.read(path + format); n != want {
			t.Errorf("%d bytes of %s, want %d", n, format, want)
		}
	}
	if peak := c.end(); peak > bound {
		t.Errorf("held %d MiB for answers of %d MiB", peak>>20, rows*size>>20)
	}
}

// P9: nor with a workbook or a Parquet file, be it long or wide.
func TestMemoryOfTables(t *testing.T) {
	t.Parallel()
	const longBound, wideBound = 128 << 20, 192 << 20 // a page of rows of 16,000 columns, and what is known about them, take most of the latter
	rows := *memoryRows
	d := newTestAPI(t)
	long := d.upload("long.csv", "a\n")
	sheetID := sheetOf(d, long.Task.ID, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	d.exec(`update sheetdrop.sheet set columns = (select jsonb_agg(case when n % 2 = 0 then c || '{"type":"decimal","format":"0.0","digits":9}' else c end)
from jsonb_array_elements(columns) with ordinality x(c, n)) where id = $1`, sheetID)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i,
array['text ' || i, i || '.25', md5(i::text), '1.5', '東京都千代田区' || i % 1000, i || '.5', 'x', '0', md5((-i)::text), '7.125'] from generate_series(2, $2::int + 1) i`, sheetID, rows)
	path := "/api/tasks/" + long.Task.ID.String() + "/sheets/1/rows?format="
	held := func(what, format string, least int64, bound int) {
		t.Helper()
		c := startChild(t, newChildParts(d.sql.Config().ConnString(), d.storage, 1<<20))
		if n := c.read(path + format); n < least {
			t.Errorf("%d bytes of %s", n, format)
		}
		if peak := c.end(); peak > bound {
			t.Errorf("held %d MiB for %s as %s", peak>>20, what, format)
		}
	}
	for _, format := range []string{"xlsx", "parquet", "csv&encoding=cp932"} {
		held("many rows", format, int64(rows)*10, longBound)
	}
	for format, columns := range map[string]int{"xlsx": 16_000, "parquet": 2000} {
		d.exec(`update sheetdrop.sheet set columns = (select jsonb_agg(columns->0 || jsonb_build_object('name', 'c' || i)) from generate_series(1, $2::int) i) where id = $1`, sheetID, columns)
		d.exec(`delete from sheetdrop.sheet_row`)
		d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells)
select $1, i, (select array_agg('cell ' || j) from generate_series(1, $2::int) j) from generate_series(2, 101) i`, sheetID, columns)
		held("many columns", format, 100_000, wideBound)
	}
}

var memoryRows = flag.Int("memory-rows", 100_000, "rows of TestMemoryOfTables")

// child is this test binary as a server.
type child struct {
	t       *testing.T
	address string
	command *exec.Cmd
	stdin   io.Closer
	lines   *bufio.Scanner // of its standard output
}

func startChild(t *testing.T, parts childParts) *child {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childVariable+"="+jsonOf(parts))
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	return &child{t, lines.Text(), command, stdin, lines}
}

// read returns how many bytes an answer has.
func (c *child) read(path string) int64 {
	c.t.Helper()
	response, err := http.Get(c.address + path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		c.t.Errorf("%s: %s, %v", path, response.Status, err)
	}
	return n
}

// end ends the server and returns the most memory that it ever held, in bytes.
func (c *child) end() int {
	c.t.Helper()
	c.stdin.Close()
	c.lines.Scan()
	peak, err := strconv.Atoi(c.lines.Text())
	if err := c.command.Wait(); err != nil {
		c.t.Fatal(err)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Logf("held at most %d MiB", peak>>20)
	return peak
}

func zeros(size int64) io.Reader { return io.LimitReader(zero{}, size) }

type zero struct{}

func (zero) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func post(t *testing.T, url, contentType string, body io.Reader) *http.Response {
	t.Helper()
	response, err := http.Post(url, contentType, body)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func decode(t *testing.T, response *http.Response, v any) {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer{t, response.StatusCode, response.Header, body}.into(http.StatusAccepted, v)
}
