package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"testing"
)

// orders is 16 MiB of rows as exports have them: ids, codes, dates, amounts, and a quoted text in every third row.
func orders() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 16<<20; i++ {
		note := "plain note"
		if i%3 == 0 {
			note = `"deliver to ""back door"", ring twice"`
		}
		fmt.Fprintf(&b, "%d,2024-%02d-%02d,K%06d,Customer Name %d,%d.%02d,%d,EUR,shipped,%s,%d\n",
			i, i%12+1, i%28+1, i*7919%1000000, i%977, i%1000, i%100, i%9, note, i%2)
	}
	return b.Bytes()
}

func BenchmarkScanner(b *testing.B) {
	text := orders()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewScanner(bytes.NewReader(text), Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 2 << 20, Fields: 16384})
		for {
			if _, err := s.Next(); errors.Is(err, io.EOF) {
				break
			}
		}
	}
}

func BenchmarkEncodingCSV(b *testing.B) {
	text := orders()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := stdcsv.NewReader(bytes.NewReader(text))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
