package receive

import (
	"errors"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sheetdrop/upload-api/internal/problem"
)

// isProblem reports that an error is a refusal that a caller may see, and blames the caller.
func isProblem(err error) bool {
	p, ok := errors.AsType[*problem.Problem](err)
	return ok && p.Status >= 400 && p.Status < 500
}

// Parse options are taken or refused in words, and what is taken can be kept as JSON.
func FuzzOptions(f *testing.F) {
	for _, query := range []string{"delimiter=tab&header=1", "column=a:integer;required;min=1", "policy=limit:2.5%25&dry_run=true", "encoding=\x00", "%", "target=t&mode=upsert&mapping=%7B%22a%22:null%7D"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		given, err := QueryOptions(r)
		options := given.joined()
		if err != nil && !isProblem(err) {
			t.Errorf("%q: %v", query, err)
		}
		if strings.Contains(string(options), `\u0000`) && !strings.Contains(string(options), `\\u0000`) {
			t.Errorf("%q gives what the database cannot keep: %s", query, options)
		}
	})
}

// A file's name is text that can be kept and shown, whatever a header says, or refused.
func FuzzDisposition(f *testing.F) {
	for _, header := range []string{
		`attachment; filename="../../etc/passwd"`, "attachment; filename*=UTF-8''%00a", "form-data; name=file; filename=\"a\r\nX: y\"", `attachment; filename*=utf-16''%ff`,
	} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		name, _, err := dispositionName(header)
		if err == nil {
			name, err = CheckName(name)
		}
		switch {
		case err != nil && !isProblem(err):
			t.Errorf("%q: %v", header, err)
		case err == nil && (name == "" || !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\r\n") || !norm.NFC.IsNormalString(name)):
			t.Errorf("%q gives the name %q", header, name)
		}
	})
}

// A multipart body of any bytes is refused in words or read to its end. No part of these is a file: files go to the blob store.
func FuzzMultipart(f *testing.F) {
	f.Add("--b\r\nContent-Disposition: form-data; name=delimiter\r\n\r\ntab\r\n--b--\r\n")
	f.Add("--b\r\n\r\n--b\r\nContent-Disposition: x\r\n\r\n")
	f.Add("--b--")
	f.Fuzz(func(t *testing.T, body string) {
		in := &intake{}
		reader := multipart.NewReader(strings.NewReader(body), "b")
		for options := (url.Values{}); ; {
			part, err := reader.NextRawPart()
			if err != nil {
				if err = bodyProblem(err); !isProblem(err) {
					t.Errorf("%q: %v", body, err)
				}
				return
			}
			if _, isFile, err := dispositionName(part.Header.Get("Content-Disposition")); err != nil || isFile {
				continue
			}
			if err := in.field(part, options); err != nil && !isProblem(err) {
				t.Errorf("%q: %v", body, err)
			}
		}
	})
}
