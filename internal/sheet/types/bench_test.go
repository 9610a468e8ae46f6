package types_test

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/types"
)

// BenchmarkAdd takes rows whose columns are all of one kind.
func BenchmarkAdd(b *testing.B) {
	const columns = 8
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		cell func(i int) string
	}{
		{"id", func(i int) string { return fmt.Sprint(i) }},
		{"integer", func(int) string { return fmt.Sprint(random.IntN(1_000_000)) }},
		{"decimal", func(int) string { return fmt.Sprintf("%d.%02d", random.IntN(10_000), random.IntN(100)) }},
		{"thousands", func(int) string { return fmt.Sprintf("%d,%03d", 1+random.IntN(100), random.IntN(1000)) }},
		{"yen", func(int) string { return fmt.Sprintf("%d,%03d円", 1+random.IntN(100), random.IntN(1000)) }},
		{"date", func(int) string {
			return fmt.Sprintf("%d-%02d-%02d", 1950+random.IntN(75), 1+random.IntN(12), 1+random.IntN(28))
		}},
		{"timestamp", func(int) string {
			return fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d", 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60))
		}},
		{"era", func(int) string {
			return fmt.Sprintf("令和%d年%d月%d日", 2+random.IntN(5), 1+random.IntN(12), 1+random.IntN(28))
		}},
		{"boolean", func(int) string { return []string{"true", "false"}[random.IntN(2)] }},
		{"code", func(int) string { return fmt.Sprintf("K%06d", random.IntN(1_000_000)) }},
		{"constant", func(int) string { return "EUR" }},
		{"text", func(int) string {
			return fmt.Sprintf("%c customer of some street %d", 'a'+random.IntN(26), random.IntN(1000))
		}},
		{"japanese", func(int) string {
			return fmt.Sprintf("%c式会社髙橋商店 %d", '一'+random.IntN(2000), random.IntN(1000))
		}},
		{"empty", func(int) string { return "" }},
	} {
		rows := make([][][]byte, 1024) // as near to the processor as a record just scanned
		for i := range rows {
			for j := range columns {
				rows[i] = append(rows[i], []byte(c.cell(i*columns+j)))
			}
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			t := types.NewTable(columns)
			for i := 0; b.Loop(); i++ {
				t.Add(int64(i), rows[i%len(rows)])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*columns), "ns/cell")
		})
	}
}

// The benchmarks below read the same text, so that their ratio means something: scanning, UTF-8 and types should take no longer than
// encoding/csv does for scanning alone.

func BenchmarkScanAndTypes(b *testing.B) {
	text := orders()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := csv.NewScanner(bytes.NewReader(text), csv.Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 2 << 20, Fields: 16384})
		table := types.NewTable(10)
		var cells [][]byte
		var undoubled []byte
		for row := int64(1); ; row++ {
			rec, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if !utf8.Valid(rec.Raw) {
				b.Fatal("not UTF-8")
			}
			cells = cells[:0]
			for _, f := range rec.Fields {
				cell := rec.Raw[f.Start:f.End]
				if f.Escaped {
					undoubled = s.AppendText(undoubled[:0], cell)
					cell = undoubled
				}
				cells = append(cells, cell)
			}
			table.Add(row, cells)
		}
		if r := table.Reports(); r[0].Type != types.Integer || r[1].Type != types.Date || r[4].Type != types.Decimal {
			b.Fatal(r)
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
