package upload

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A request that cannot be taken gets a 4xx with its code and words, leaves nothing behind, and the server goes on serving.
func TestBadInput(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	form := func(parts ...string) string { return strings.Join(parts, "") + "--x--\r\n" }
	const multipart = "Content-Type: multipart/form-data; boundary=x"
	for name, test := range map[string]struct {
		query, body string
		headers     []string
		code        Code
		says        string
	}{
		"empty body":                 {"name=a.csv", "", nil, EmptyFile, "empty"},
		"no name":                    {"", "a", nil, NameMissing, "?name="},
		"empty name":                 {"name=", "a", nil, NameMissing, "Content-Disposition"},
		"disposition without a name": {"", "a", []string{"Content-Disposition: attachment"}, NameMissing, "?name="},
		"garbled disposition":        {"", "a", []string{"Content-Disposition: filename=a b"}, InvalidName, "attachment; filename="},
		"control character":          {"name=a%00.csv", "a", nil, InvalidName, "U+0000"},
		"line break":                 {"name=a%0A.csv", "a", nil, InvalidName, "U+000A"},
		"no UTF-8":                   {"name=%92%8D.csv", "a", nil, InvalidName, "UTF-8"},
		"256 characters":             {"name=" + strings.Repeat("x", 256), "a", nil, InvalidName, "255"},
		"1,028 bytes":                {"name=" + strings.Repeat("%F0%9F%98%80", 257), "a", nil, InvalidName, "1024"},
		"unknown option":             {"name=a.csv&colour=red", "a", nil, UnknownOption, "colour"},
		"bad option":                 {"name=a.csv&encoding=klingon", "a", nil, InvalidOption, "encoding"},
		"option given twice":         {"name=a.csv&delimiter=tab&delimiter=comma", "a", nil, InvalidOption, "once"},
		"query that cannot be read":  {"name=a.csv&%zz=1", "a", nil, InvalidParameter, "query"},
		"query too long":             {"name=a.csv&column=a:text%3Bpattern=" + strings.Repeat("x", 300_000), "a", nil, InvalidParameter, "262144"},
		"bad column":                 {"name=a.csv&column=a:text&column=b:colour", "a", nil, InvalidOption, "colour"},
		"column declared twice":      {"name=a.csv&column=a:text&column=a:date", "a", nil, InvalidOption, "twice"},
		"1,001 columns":              {"name=a.csv" + manyColumns(1001), "a", nil, InvalidOption, "1000"},
		"option with U+0000":         {"name=a.csv&column=a%00:text", "a", nil, InvalidOption, "U+0000"},
		"option that is no UTF-8":    {"name=a.csv&sheet=%92%8D", "a", nil, InvalidOption, "UTF-8"},
		"bad policy":                 {"name=a.csv&policy=limit:-1", "a", nil, InvalidOption, "policy"},
		"bad dry run":                {"name=a.csv&dry_run=perhaps", "a", nil, InvalidOption, "perhaps"},
		"key with a space":           {"name=a.csv", "a", []string{"Idempotency-Key: a b"}, InvalidKey, "ASCII"},
		"key too long":               {"name=a.csv", "a", []string{"Idempotency-Key: " + strings.Repeat("k", 256)}, InvalidKey, "255"},
		"two keys":                   {"name=a.csv", "a", []string{"Idempotency-Key: a", "Idempotency-Key: b"}, InvalidKey, "once"},

		"form":                     {"name=a.csv", "a", []string{"Content-Type: application/x-www-form-urlencoded"}, UnsupportedMediaType, "--data-binary"},
		"JSON":                     {"name=a.csv", "{}", []string{"Content-Type: application/json"}, UnsupportedMediaType, "text/csv"},
		"multipart, no boundary":   {"name=a.csv", "a", []string{"Content-Type: multipart/form-data"}, UnsupportedMediaType, "boundary"},
		"compressed":               {"name=a.csv", "a", []string{"Content-Encoding: gzip"}, UnsupportedMediaType, "gzip"},
		"garbled type":             {"name=a.csv", "a", []string{"Content-Type: text csv"}, UnsupportedMediaType, "Content-Type"},
		"multipart, no multipart":  {"", "a,b\n1,2\n", []string{multipart}, NoFile, "file name"},
		"multipart, cut off":       {"", filePart("a.csv", "a"), []string{multipart}, InvalidMultipart, "multipart"},
		"multipart, cut in a part": {"", strings.TrimSuffix(filePart("a.csv", "a"), "a\r\n"), []string{multipart}, InvalidMultipart, "multipart"},
		"multipart, no file":       {"", form(fieldPart("encoding", "utf-8")), []string{multipart}, NoFile, "file name"},
		"multipart, name in query": {"name=a.csv", form(filePart("a.csv", "a")), []string{multipart}, InvalidOption, "name"},
		"multipart, unknown field": {"", form(fieldPart("colour", "red"), filePart("a.csv", "a")), []string{multipart}, UnknownOption, "colour"},
		"multipart, field late":    {"", form(filePart("a.csv", "a"), fieldPart("encoding", "utf-8")), []string{multipart}, InvalidOption, "before"},
		"multipart, long fields":   {"", form(strings.Repeat(fieldPart("column", "a:text;pattern="+strings.Repeat("x", 200_000)), 2), filePart("a.csv", "a")), []string{multipart}, InvalidOption, "262144"},
		"multipart, empty name":    {"", form(filePart("", "a")), []string{multipart}, NameMissing, "name"},
		"multipart, 101 files":     {"", form(strings.Repeat(filePart("a.csv", "a"), 101)), []string{multipart}, TooManyParts, "100"},
		"multipart, 1,101 fields":  {"", form(strings.Repeat(fieldPart("column", "a:text"), 1101)), []string{multipart}, TooManyParts, "1100"},
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

// A zero-byte file that comes chunked has no Content-Length to tell it by.
func TestEmptyBodyChunked(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	d.send(http.MethodPost, "/api/files?name=a.csv", chunked("")).problem(EmptyFile)
	d.nothingLeft()
}

// Paths, methods and parameters that are not there are problems too, and say what is wrong.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	const id = "/0197c7ba-0000-7000-8000-000000000000"
	for _, test := range []struct {
		method, path string
		code         Code
		says         string
	}{
		{http.MethodGet, "/api/tasks/42", InvalidParameter, "path.id"},
		{http.MethodGet, "/api/tasks" + id + "?wait=fast", InvalidParameter, "query.wait"},
		{http.MethodGet, "/api/tasks" + id + "?wait=61s", InvalidParameter, "1m0s"},
		{http.MethodGet, "/api/tasks" + id + "?wait=-1s", InvalidParameter, "query.wait"},
		{http.MethodGet, "/api/tasks" + id + "?until=end", UnknownParameter, "query.until"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/0/rows", InvalidParameter, "path.number"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?limit=10001", InvalidParameter, "10000"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?limit=0", InvalidParameter, "query.limit"},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rows?format=xml", InvalidParameter, "query.format"},
		{http.MethodGet, "/api/files?limit=many", InvalidParameter, "query.limit"},
		{http.MethodGet, "/api/files?cursor=x", InvalidCursor, "cursor"},
		{http.MethodGet, "/api/files?cursor=" + encodeCursor("rows/1", 1), InvalidCursor, "cursor"},
		{http.MethodGet, "/api/tasks" + id, NotFound, ""},
		{http.MethodGet, "/api/files" + id, NotFound, ""},
		{http.MethodDelete, "/api/files" + id, NotFound, ""},
		{http.MethodGet, "/api/files" + id + "/content", NotFound, ""},
		{http.MethodPost, "/api/tasks" + id + "/cancel", NotFound, ""},
		{http.MethodGet, "/api/tasks" + id + "/sheets", NotFound, ""},
		{http.MethodGet, "/api/tasks" + id + "/sheets/1/rejects", NotFound, ""},
		{http.MethodGet, "/api/nothing", NotFound, "path"},
		{http.MethodGet, "/", NotFound, "path"},
		{http.MethodPut, "/api/files", MethodNotAllowed, "POST"},
		{http.MethodPost, "/api/files" + id, MethodNotAllowed, "DELETE"},
	} {
		answer := d.send(test.method, test.path, nil)
		if problem := answer.problem(test.code); !strings.Contains(problem.Detail, test.says) {
			t.Errorf("%s %s says %q, without %q", test.method, test.path, problem.Detail, test.says)
		}
		if test.code == MethodNotAllowed && !strings.Contains(answer.header.Get("Allow"), test.says) {
			t.Errorf("Allow is %q", answer.header.Get("Allow"))
		}
	}
}

// P1: of a client that goes away half-way nothing is left, and the server still serves.
func TestClientGone(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
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
		answer, err := io.ReadAll(conn) // ends when the server is done with it
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), string(BodyIncomplete)) {
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
