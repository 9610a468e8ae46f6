package upload

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// An invalid request gets a 4xx with its code and a human-readable detail, leaves nothing behind, and the server
// continues.
func TestBadInput(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	form := func(parts ...string) string { return strings.Join(parts, "") + "--x--\r\n" }
	const multipart = "Content-Type: multipart/form-data; boundary=x"
	for name, test := range map[string]struct {
		query, body string
		headers     []string
		code        problem.Code
		says        string
	}{
		"empty body":                 {"name=a.csv", "", nil, problem.EmptyFile, "empty"},
		"no name":                    {"", "a", nil, problem.NameMissing, "?name="},
		"empty name":                 {"name=", "a", nil, problem.NameMissing, "Content-Disposition"},
		"disposition without a name": {"", "a", []string{"Content-Disposition: attachment"}, problem.NameMissing, "?name="},
		"garbled disposition":        {"", "a", []string{"Content-Disposition: filename=a b"}, problem.InvalidName, "attachment; filename="},
		"control character":          {"name=a%00.csv", "a", nil, problem.InvalidName, "U+0000"},
		"line break":                 {"name=a%0A.csv", "a", nil, problem.InvalidName, "U+000A"},
		"no UTF-8":                   {"name=%92%8D.csv", "a", nil, problem.InvalidName, "UTF-8"},
		"256 characters":             {"name=" + strings.Repeat("x", 256), "a", nil, problem.InvalidName, "255"},
		"1,028 bytes":                {"name=" + strings.Repeat("%F0%9F%98%80", 257), "a", nil, problem.InvalidName, "1024"},
		"unknown option":             {"name=a.csv&colour=red", "a", nil, problem.UnknownOption, "colour"},
		"bad option":                 {"name=a.csv&encoding=klingon", "a", nil, problem.InvalidOption, "encoding"},
		"option given twice":         {"name=a.csv&delimiter=tab&delimiter=comma", "a", nil, problem.InvalidOption, "once"},
		"query that cannot be read":  {"name=a.csv&%zz=1", "a", nil, problem.InvalidParameter, "query"},
		"query too long":             {"name=a.csv&column=a:text%3Bpattern=" + strings.Repeat("x", 300_000), "a", nil, problem.InvalidParameter, "256 KiB"},
		"bad column":                 {"name=a.csv&column=a:text&column=b:colour", "a", nil, problem.InvalidOption, "colour"},
		"column declared twice":      {"name=a.csv&column=a:text&column=a:date", "a", nil, problem.InvalidOption, "twice"},
		"1,001 columns":              {"name=a.csv" + manyColumns(1001), "a", nil, problem.InvalidOption, "1000"},
		"option with U+0000":         {"name=a.csv&column=a%00:text", "a", nil, problem.InvalidOption, "U+0000"},
		"option that is no UTF-8":    {"name=a.csv&sheet=%92%8D", "a", nil, problem.InvalidOption, "UTF-8"},
		"bad policy":                 {"name=a.csv&policy=limit:-1", "a", nil, problem.InvalidOption, "policy"},
		"bad dry run":                {"name=a.csv&dry_run=perhaps", "a", nil, problem.InvalidOption, "perhaps"},
		"key with a space":           {"name=a.csv", "a", []string{"Idempotency-Key: a b"}, problem.InvalidKey, "ASCII"},
		"key too long":               {"name=a.csv", "a", []string{"Idempotency-Key: " + strings.Repeat("k", 256)}, problem.InvalidKey, "255"},
		"two keys":                   {"name=a.csv", "a", []string{"Idempotency-Key: a", "Idempotency-Key: b"}, problem.InvalidKey, "once"},

		"form":                     {"name=a.csv", "a", []string{"Content-Type: application/x-www-form-urlencoded"}, problem.UnsupportedMediaType, "--data-binary"},
		"JSON":                     {"name=a.csv", "{}", []string{"Content-Type: application/json"}, problem.UnsupportedMediaType, "text/csv"},
		"multipart, no boundary":   {"name=a.csv", "a", []string{"Content-Type: multipart/form-data"}, problem.UnsupportedMediaType, "boundary"},
		"compressed":               {"name=a.csv", "a", []string{"Content-Encoding: gzip"}, problem.UnsupportedMediaType, "gzip"},
		"garbled type":             {"name=a.csv", "a", []string{"Content-Type: text csv"}, problem.UnsupportedMediaType, "Content-Type"},
		"multipart, no multipart":  {"", "a,b\n1,2\n", []string{multipart}, problem.NoFile, "file name"},
		"multipart, cut off":       {"", filePart("a.csv", "a"), []string{multipart}, problem.InvalidMultipart, "multipart"},
		"multipart, cut in a part": {"", strings.TrimSuffix(filePart("a.csv", "a"), "a\r\n"), []string{multipart}, problem.InvalidMultipart, "multipart"},
		"multipart, no file":       {"", form(fieldPart("encoding", "utf-8")), []string{multipart}, problem.NoFile, "file name"},
		"multipart, name in query": {"name=a.csv", form(filePart("a.csv", "a")), []string{multipart}, problem.InvalidOption, "name"},
		"multipart, unknown field": {"", form(fieldPart("colour", "red"), filePart("a.csv", "a")), []string{multipart}, problem.UnknownOption, "colour"},
		"multipart, long fields":   {"", form(strings.Repeat(fieldPart("column", "a:text;pattern="+strings.Repeat("x", 200_000)), 2), filePart("a.csv", "a")), []string{multipart}, problem.InvalidOption, "256 KiB"},
		"multipart, empty name":    {"", form(filePart("", "a")), []string{multipart}, problem.NameMissing, "name"},
		"multipart, 101 files":     {"", form(strings.Repeat(filePart("a.csv", "a"), 101)), []string{multipart}, problem.TooManyParts, "100"},
		"multipart, 1,101 fields":  {"", form(strings.Repeat(fieldPart("column", "a:text"), 1101)), []string{multipart}, problem.TooManyParts, "1100"},
	} {
		t.Run(name, func(t *testing.T) {
			path := "/api/files"
			if test.query != "" {
				path += "?" + test.query
			}
			headers := test.headers
			if !strings.Contains(strings.Join(headers, " "), "Content-Type") {
				headers = append(headers, "Content-Type: text/csv")
			}
			problem := d.send(http.MethodPost, path, strings.NewReader(test.body), headers...).problem(test.code)
			if !strings.Contains(problem.Detail, test.says) {
				t.Errorf("it says %q, without %q", problem.Detail, test.says)
			}
		})
	}
	d.nothingLeft()
	if len(d.nudges()) > 0 {
		t.Error("the relay was told of messages that are not there")
	}
	d.upload("good.csv", "a\n1\n")
}

// A zero-byte file that is sent chunked has no Content-Length to detect it by.
func TestEmptyBodyChunked(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.send(http.MethodPost, "/api/files?name=a.csv", chunked("")).problem(problem.EmptyFile)
	d.nothingLeft()
}

// Unknown paths, methods and parameters are problems too, which say what is wrong.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const id = "/0197c7ba-0000-7000-8000-000000000000"
	for _, test := range []struct {
		method, path string
		code         problem.Code
		says         string
	}{
		{http.MethodGet, "/api/tasks/42", problem.InvalidParameter, "path.id"},
		{http.MethodGet, "/api/tasks" + id + "?wait=fast", problem.InvalidParameter, "query.wait"},
		{http.MethodGet, "/api/tasks" + id + "?wait=61s", problem.InvalidParameter, "1m0s"},
		{http.MethodGet, "/api/tasks" + id + "?wait=-1s", problem.InvalidParameter, "query.wait"},
		{http.MethodGet, "/api/tasks" + id + "?until=end", problem.UnknownParameter, "query.until"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/0/rows", problem.InvalidParameter, "path.number"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?limit=10001", problem.InvalidParameter, "10000"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?limit=0", problem.InvalidParameter, "query.limit"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?format=xml", problem.InvalidParameter, "query.format"},
		{http.MethodGet, "/api/files?limit=many", problem.InvalidParameter, "query.limit"},
		{http.MethodGet, "/api/files?cursor=x", problem.InvalidCursor, "cursor"},
		{http.MethodGet, "/api/files?cursor=" + export.EncodeCursor("rows/1", 1), problem.InvalidCursor, "cursor"},
		{http.MethodGet, "/api/tasks" + id, problem.NotFound, ""},
		{http.MethodGet, "/api/files" + id, problem.NotFound, ""},
		{http.MethodDelete, "/api/files" + id, problem.NotFound, ""},
		{http.MethodGet, "/api/files" + id + "/content", problem.NotFound, ""},
		{http.MethodPost, "/api/tasks" + id + "/cancel", problem.NotFound, ""},
		{http.MethodGet, "/api/tasks" + id + "/sheets", problem.NotFound, ""},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rejects", problem.NotFound, ""},
		{http.MethodGet, "/api/nothing", problem.NotFound, "path"},
		{http.MethodGet, "/", problem.NotFound, "path"},
		{http.MethodPut, "/api/files", problem.MethodNotAllowed, "POST"},
		{http.MethodPost, "/api/files" + id, problem.MethodNotAllowed, "DELETE"},
	} {
		answer := d.send(test.method, test.path, nil)
		if problem := answer.problem(test.code); !strings.Contains(problem.Detail, test.says) {
			t.Errorf("%s %s says %q, without %q", test.method, test.path, problem.Detail, test.says)
		}
		if test.code == problem.MethodNotAllowed && !strings.Contains(answer.header.Get("Allow"), test.says) {
			t.Errorf("Allow is %q", answer.header.Get("Allow"))
		}
	}
}

// P1: a client that disconnects half-way leaves nothing behind, and the server continues.
func TestClientGone(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	for _, headers := range []string{
		"Content-Length: 1000\r\n\r\nsku,price\n",
		"Transfer-Encoding: chunked\r\n\r\n5\r\nsku,p\r\n",
	} {
		conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"+headers); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn) // ends when the server has closed the connection
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), string(problem.BodyIncomplete)) {
			t.Errorf("answered %q", answer)
		}
	}
	d.nothingLeft()
	d.noBlobs()
	d.upload("good.csv", "a\n1\n")
}

func manyColumns(n int) string {
	var query strings.Builder
	for i := range n {
		fmt.Fprintf(&query, "&column=c%d:text", i)
	}
	return query.String()
}
