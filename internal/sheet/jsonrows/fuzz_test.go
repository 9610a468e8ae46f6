package jsonrows

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzReader reads any text. It must not panic, and the records' places ascend within the text.
func FuzzReader(f *testing.F) {
	f.Add("[{\"a\":1,\"b\":\"x\\n\\u65e5\\ud83d\\ude00\"},\n {\"a\":[1,{\"c\":2}]}]", false)
	f.Add("{\"a\":1}\n{\"a\":2,}\n\n{\"b\":null}", true)
	f.Add("{\n\"a\":1}\n{\"a\":{\"b\":[}", false)
	f.Add("[{\"a\":1,\"b\":\""+strings.Repeat("x", 70)+"\"},\n{\"a\":2}]", false) // longer than allowed, and read at once
	f.Add("{{\"a\"\n\v\x04\"a6:\n2b\":{\n", false)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		r := NewReader(strings.NewReader(text), Config{RecordBytes: 64, Columns: 10, Cut: cut})
		names, err := r.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for last := int64(-1); ; {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.Offset <= last || rec.Offset > int64(len(text)) || len(rec.Raw) > 66 || rec.Fault == NoFault && len(rec.Cells) != len(names) {
				t.Fatalf("%+v behind %d of %q", rec, last, text)
			}
			if !strings.HasPrefix(strings.TrimLeft(text[rec.Offset:], " \t\r\n"), string(rec.Raw)) {
				t.Fatalf("%q is not at %d of %q", rec.Raw, rec.Offset, text)
			}
			last = rec.Offset
		}
	})
}
