package sheet

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"testing"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/types"
)

// BenchmarkRead reads records as the worker does: it decides encoding and dialect, splits, validates the text and finds out the types. In
// the same run it shows what the splitting alone takes, and encoding/csv, which does no more than that.
func BenchmarkRead(b *testing.B) {
	text := orderLines("Customer Name")
	b.Run("reference/encoding-csv", func(b *testing.B) { benchmarkEncodingCSV(b, text) })
	b.Run("scan", func(b *testing.B) { benchmarkScan(b, text, charset.UTF8, func(*csv.Scanner, *csv.Record) {}) })
	b.Run("scan+validate+types/utf-8", func(b *testing.B) { benchmarkTypes(b, text, "utf-8") })
	b.Run("scan+convert+types/cp932", func(b *testing.B) {
		benchmarkTypes(b, []byte(encodeText(b, "cp932", string(orderLines("株式会社高橋商店")))), "cp932")
	})
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

func benchmarkEncodingCSV(b *testing.B, text []byte) {
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

// benchmarkTypes is the reading without the decisions before it and the records after it.
func benchmarkTypes(b *testing.B, text []byte, encoding string) {
	const columns = 10
	enc, _ := charset.Lookup(encoding)
	var cells [columns][]byte
	var buffer []byte
	var table *types.Table
	benchmarkScan(b, text, enc, func(s *csv.Scanner, r *csv.Record) {
		if r.Line == 1 {
			table = types.NewTable(columns)
		}
		if len(r.Fields) != columns {
			b.Fatalf("%d cells: %s", len(r.Fields), r.Raw)
		}
		direct := enc.Direct(r.Raw)
		buffer = buffer[:0]
		for i, f := range r.Fields {
			cells[i] = r.Raw[f.Start:f.End]
			if f.Escaped {
				start := len(buffer)
				buffer = s.AppendText(buffer, cells[i])
				cells[i] = buffer[start:]
			}
			if !direct && !charset.IsASCII(cells[i]) {
				start := len(buffer)
				text, bad := enc.AppendText(buffer, cells[i])
				if bad >= 0 {
					b.Fatalf("no %s: %q", encoding, cells[i])
				}
				buffer, cells[i] = text, text[start:]
			}
		}
		table.Add(r.Line, cells[:])
	})
}

func benchmarkScan(b *testing.B, text []byte, enc charset.Encoding, each func(*csv.Scanner, *csv.Record)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := csv.NewScanner(enc.Reader(bytes.NewReader(text)), csv.Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 2 << 20, Fields: 16384})
		for {
			r, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			each(s, r)
		}
	}
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
