package sheet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
)

// BenchmarkRead reads records as the worker does. What the splitting alone costs, and what encoding/csv does, stands in package csv.
func BenchmarkRead(b *testing.B) {
	text := orderLines("Customer Name")
	b.Run("ascii", func(b *testing.B) { benchmarkRead(b, text) })
	b.Run("utf-8", func(b *testing.B) { benchmarkRead(b, orderLines("株式会社髙橋商店")) })
	for _, name := range []string{"cp932", "euc-jp", "iso-2022-jp", "utf-16le"} {
		b.Run(name, func(b *testing.B) {
			benchmarkRead(b, []byte(encodeText(b, name, string(orderLines("株式会社高橋商店")))))
		})
	}
	b.Run("windows-1252", func(b *testing.B) {
		benchmarkRead(b, []byte(encodeText(b, "windows-1252", string(orderLines("Größe für Françoise")))))
	})
}

func benchmarkRead(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		book, err := Open(b.Context(), bytes.NewReader(text), Options{}, DefaultLimits())
		if err != nil {
			b.Fatal(err)
		}
		s, err := book.Next()
		if err != nil {
			b.Fatal(err)
		}
		for {
			if rec, err := s.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil || rec.Kind == Reject {
				b.Fatal(err, rec)
			}
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// orderLines is 16 MiB of rows as exports have them: ids, codes, dates, amounts, and a quoted text in every third row.
func orderLines(customer string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 16<<20; i++ {
		note := "plain note"
		if i%3 == 0 {
			note = `"deliver to ""back door"", ring twice"`
		}
		fmt.Fprintf(&b, "%d,2024-%02d-%02d,K%06d,%s %d,%d.%02d,%d,EUR,shipped,%s,%d\n",
			i, i%12+1, i%28+1, i*7919%1000000, customer, i%977, i%1000, i%100, i%9, note, i%2)
	}
	return b.Bytes()
}
