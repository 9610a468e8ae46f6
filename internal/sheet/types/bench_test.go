package types

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The figures are ns per cell. A row of encoding/csv costs about 30 to 40 ns per cell.
func BenchmarkAdd(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	columns := []struct {
		name string
		cell func(i int) string
	}{
		{"id", func(i int) string { return fmt.Sprint(i) }},
		{"integer", func(int) string { return fmt.Sprint(random.IntN(1_000_000)) }},
		{"decimal", func(int) string { return fmt.Sprintf("%d.%02d", random.IntN(10_000), random.IntN(100)) }},
		{"thousands", func(int) string { return fmt.Sprintf("%d,%03d", 1+random.IntN(100), random.IntN(1000)) }},
		{"yen", func(int) string { return fmt.Sprintf("%d,%03d円", 1+random.IntN(100), random.IntN(1000)) }},
		{"date", func(int) string { return fmt.Sprintf("2024-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28)) }},
		{"timestamp", func(int) string {
			return fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d", 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60))
		}},
		{"era", func(int) string {
			return fmt.Sprintf("令和%d年%d月%d日", 2+random.IntN(5), 1+random.IntN(12), 1+random.IntN(28))
		}},
		{"boolean", func(int) string { return []string{"true", "false"}[random.IntN(2)] }},
		{"code", func(int) string { return fmt.Sprintf("K%06d", random.IntN(1_000_000)) }},
		{"constant", func(int) string { return "EUR" }},
		{"category", func(int) string { return []string{"shipped", "open", "cancelled", "returned"}[random.IntN(4)] }},
		{"text", func(int) string { return fmt.Sprintf("Customer Name %d of Some Street", random.IntN(1000)) }},
		{"japanese", func(int) string { return fmt.Sprintf("株式会社髙橋商店 %d", random.IntN(1000)) }},
		{"empty", func(int) string { return "" }},
	}
	for _, c := range columns {
		cells := make([][]byte, 100_000)
		for i := range cells {
			cells[i] = []byte(c.cell(i))
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			o := NewObserver()
			i := 0
			for b.Loop() {
				if i == len(cells) {
					i = 0
				}
				o.Add(int64(i), cells[i])
				i++
			}
		})
	}
}
