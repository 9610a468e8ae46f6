package table

import (
	"bytes"
	"fmt"
	"testing"

	"sheetdrop/internal/sheet/dialect"
)

// BenchmarkDecide decides on a text of 1 MiB.
func BenchmarkDecide(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("id,date,code,name,amount,count,note\n")
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "%d,2024-%02d-%02d,K%06d,Customer %d,%d.%02d,%d,\"said \"\"yes\"\", then went\"\n", i, i%12+1, i%28+1, i, i%977, i, i%100, i%9)
	}
	samples := []dialect.Sample{{Text: text.Bytes(), Head: true, Tail: true}}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		Decide(samples, Hints{})
	}
}
