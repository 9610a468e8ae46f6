package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// A request that two servers could take for different ones is refused or taken for one: nothing is smuggled behind it.
func TestRequestSmuggling(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	handler := app.StartHandler(t, nil)
	const post = "POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
	const hidden = "DELETE /api/files/0197c7ba-0000-7000-8000-000000000000 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	const chunks = "\r\n\r\n4\r\na\n1\n\r\n0\r\n\r\n"
	for name, c := range map[string]struct{ request, status string }{
		"two lengths":             {post + "Content-Length: 4\r\nContent-Length: 5\r\n\r\na\n1\n" + hidden, "400"},
		"a length with a sign":    {post + "Content-Length: +4\r\n\r\na\n1\n" + hidden, "400"},
		"two lengths in a list":   {post + "Content-Length: 4, 5\r\n\r\na\n1\n" + hidden, "400"},
		"an unknown coding":       {post + "Transfer-Encoding: xchunked" + chunks + hidden, "501"},
		"two codings":             {post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity" + chunks + hidden, "501"},
		"a space before a colon":  {post + "Content-Length : 4\r\n\r\na\n1\n" + hidden, "400"},
		"a folded header":         {post + "Connection: close\r\nX-A: b\r\n Content-Length: 4\r\n\r\n", "400"},
		"a chunk without a size":  {post + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n" + hidden, "400"},
		"a header without an end": {"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("a", 1<<20+16<<10), "431"},
	} {
		answer := exchange(t, handler, c.request)
		if !strings.HasPrefix(answer, "HTTP/1.1 "+c.status+" ") || strings.Count(answer, "HTTP/1.1 ") != 1 {
			t.Errorf("%s: answered %.300q, want %s and nothing else", name, answer, c.status)
		}
	}
	both := post + "Connection: close\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
	answer := exchange(t, handler, both+fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(hidden), hidden))
	if strings.Count(answer, "HTTP/1.1 ") != 1 {
		t.Errorf("a length and chunks: answered %q", answer)
	}
	got := pgtest.Query[string](t, app.Database, `select coalesce(string_agg(size_bytes::text, ' '), '') from sheetdrop.source_file`)
	if got != "" && got != fmt.Sprint(len(hidden)) {
		t.Errorf("files of %s bytes were taken", got)
	}
}

// P9: clients that never finish their headers lose the connection, and nobody else notices them.
func TestSlowHeaders(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	handler := app.StartHandler(t, nil)
	var slow []net.Conn
	for range 100 {
		conn := dial(t, handler)
		if _, err := io.WriteString(conn, "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-A: "); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, conn)
	}
	if answer := exchange(t, handler, "GET /api/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
		t.Errorf("meanwhile: %q", answer)
	}
	for _, conn := range slow {
		if answer, err := io.ReadAll(conn); err != nil || bytes.HasPrefix(answer, []byte("HTTP/1.1 200 ")) { // it ends when the server has had enough
			t.Errorf("answered %q, %v", answer, err)
		}
	}
}

func dial(t *testing.T, handler *e2e.Handler) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", handler.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// exchange writes a request as it stands and returns all that comes back until the handler closes the connection.
func exchange(t *testing.T, handler *e2e.Handler, request string) string {
	t.Helper()
	conn := dial(t, handler)
	_, _ = io.WriteString(conn, request) // it may have closed the connection already
	answer, _ := io.ReadAll(conn)
	return string(answer)
}
