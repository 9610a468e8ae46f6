package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var memoryMiB = flag.Int64("memory-mib", 192, "size of the file that TestMemoryOfCSV reads")

// P9: the memory that reading takes does not grow with the file.
func TestMemoryOfCSV(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "orders.csv")
	rows := writeOrders(t, path, *memoryMiB<<20)
	wantMemory(t, path, rows, 64<<20)
}

// wantMemory reads the file in a process of its own and compares the peak of its memory with a limit.
func wantMemory(t *testing.T, path string, rows int, limit int64) {
	t.Helper()
	p := start(t, "sniff", path)
	peaks := make(chan int64)
	go func() { peaks <- watchMemory(p.Process.Pid) }()
	status, peak := p.end(), <-peaks
	if status != 0 {
		t.Fatalf("exit status %d", status)
	}
	want(t, p.out.String(), fmt.Sprintf("%d rows read: %d accepted", rows, rows))
	t.Logf("%d MiB at the peak", peak>>20)
	if peak == 0 || peak > limit {
		t.Errorf("%d bytes at the peak, want at most %d", peak, limit)
	}
}

// watchMemory samples the peak of a process's memory until it has ended. (The figure that the system has of an ended process includes the memory
// of the one that started it.)
func watchMemory(pid int) (peak int64) {
	for sample := time.NewTicker(5 * time.Millisecond); ; <-sample.C {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, after, found := strings.Cut(string(status), "VmHWM:")
		if err != nil || !found {
			return peak
		}
		line, _, _ := strings.Cut(after, " kB")
		if kib, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64); err == nil {
			peak = max(peak, kib<<10)
		}
	}
}

// writeOrders writes a CSV file of so many bytes and returns the number of its rows.
func writeOrders(t *testing.T, path string, size int64) (rows int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<20)
	n, err := fmt.Fprintln(w, "番号,日付,コード,得意先,金額,数量,通貨,状態,備考,急ぎ")
	for written := int64(n); written < size && err == nil; rows++ {
		const row = "%d,2024-%02d-%02d,K%06d,株式会社髙橋商店 %d,%d.%02d,%d,JPY,発送済み,\"裏口へ, \"\"2階\"\"\",%d\n"
		n, err = fmt.Fprintf(w, row, rows, rows%12+1, rows%28+1, rows*7919%1_000_000, rows%977, rows%1000, rows%100, rows%9, rows%2)
		written += int64(n)
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
