package upload

import (
	"bufio"
	"encoding/json"
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
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
)

// childVariable makes this test binary a server with the parts that it names.
const childVariable = "SHEETDROP_UPLOAD_CHILD"

type childParts struct {
	DatabaseURL string
	Storage     azure.Settings
	MaxBytes    int64
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		serveChild(text)
		return
	}
	m.Run()
}

// serveChild prints its address, serves until its standard input ends, and prints the most memory that it ever held, in bytes.
func serveChild(text string) {
	var parts childParts
	must(json.Unmarshal([]byte(text), &parts))
	db, err := postgres.Open(postgres.Settings{URL: parts.DatabaseURL, MaxConns: 4})
	must(err)
	blobs, queue, err := azure.Open(parts.Storage)
	must(err)
	h, err := New(Settings{Auth: AuthLocal, MaxBytes: parts.MaxBytes, AtOnce: 32}, db, blobs, queue, func(...uuid.UUID) {}, slog.Default())
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
	text := mustJSON(childParts{devtest.Database(t), newStorage(t), size + 1<<20})
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+text)
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	address := lines.Text()

	var raw FileAndTask
	decode(t, post(t, address+"/api/files?name=a.csv", "text/csv", zeros(size)), &raw)
	if raw.File.SizeBytes != size {
		t.Errorf("took %d bytes", raw.File.SizeBytes)
	}
	head, _, _ := strings.Cut(filePart("b.csv", "|"), "|")
	var form Uploaded
	decode(t, post(t, address+"/api/files", "multipart/form-data; boundary=x", io.MultiReader(strings.NewReader(head), zeros(size), strings.NewReader("\r\n--x--\r\n"))), &form)
	if len(form.Items) != 1 || form.Items[0].File.SHA256 != raw.File.SHA256 {
		t.Errorf("the form's file is %+v, the raw one %+v", form, raw)
	}
	response, err := http.Get(address + "/api/files/" + raw.File.ID.String() + "/content")
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if n != size || err != nil {
		t.Errorf("gave back %d bytes: %v", n, err)
	}

	stdin.Close()
	lines.Scan()
	peak, err := strconv.Atoi(lines.Text())
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if err != nil || peak > bound {
		t.Errorf("held %d MiB for files of %d MiB: %v", peak>>20, size>>20, err)
	}
	t.Logf("held at most %d MiB for files of %d MiB", peak>>20, size>>20)
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
