package sheet

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
)

// P9: reading takes memory by its settings, not by the file: a few blocks, what is found out about each column, and less than one
// allocation in a thousand rows.
func TestReadingAllocatesLittle(t *testing.T) {
	for name, text := range map[string][]byte{
		"ascii":      orderLines("Customer Name"),
		"utf-8":      orderLines("株式会社髙橋商店"),
		"cp932":      []byte(toCP932(t, string(orderLines("株式会社髙橋商店")))),
		"open quote": append([]byte("a,b\n\"open,1\n"), bytes.Repeat([]byte("1,2\n"), 4<<20)...),
	} {
		book, err := Open(t.Context(), bytes.NewReader(text), Options{}, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		s, err := book.Next()
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		const perColumn = 40
		rows := 0
		runtime.ReadMemStats(&before)
		for {
			_, err := s.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			rows++
		}
		runtime.ReadMemStats(&after)
		if err := book.Close(); err != nil {
			t.Fatal(err)
		}
		count, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
		if rows < 100_000 || count > uint64(rows/1000+perColumn*len(s.Columns())) || size > 16<<20 {
			t.Errorf("%s: %d rows took %d allocations of %d bytes", name, rows, count, size)
		}
	}
}
