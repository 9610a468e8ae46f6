package types_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

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
