package volume

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// The bytes of a file that goes straight to the store do not pass the handler, whose memory does not grow with it: it has a list of block names
// to look at, and is asked for three things. With -full the file has 5 GB. P9.
func TestDirectUploadPassesTheHandlerBy(t *testing.T) {
	t.Parallel()
	const memory, passed = 64 << 20, 1 << 20
	app := newDirectApp(t)
	handler := app.StartHandler(t, nil)
	size := int64(messages(64<<20, 5_000_000_000))
	u := e2e.BeginUpload(t, handler.URL, "large.csv", size)
	block := make([]byte, u.BlockBytes)
	if _, err := io.ReadFull(largeTable(1<<20), block); err != nil {
		t.Fatal(err)
	}
	before, began := usageOf(t, handler.Process()), time.Now()
	putAll(u.Blocks, func(number int) {
		u.Put(t, number, block[:min(int64(u.BlockBytes), size-int64(number)*int64(u.BlockBytes))])
	})
	took, while := time.Since(began), usageOf(t, handler.Process())
	u.Complete(t)
	after, held := usageOf(t, handler.Process()), e2e.PeakMemory(t, handler.Process())
	t.Logf("%d bytes in %d blocks in %.1f s, meanwhile the handler read and wrote %d bytes in %.2f s of processor time; completed in %.2f s of it",
		size, u.Blocks, took.Seconds(), while.bytes-before.bytes, (while.processor - before.processor).Seconds(),
		(after.processor - while.processor).Seconds())
	t.Logf("the handler held %d MiB at the most", held>>20)
	if held > memory {
		t.Errorf("the handler held %d MiB, want at most %d", held>>20, memory>>20)
	}
	if n := while.bytes - before.bytes; n > passed {
		t.Errorf("%d bytes passed the handler while %d went to the store", n, size)
	}
	if after.bytes-while.bytes < int64(u.Blocks) {
		t.Error("what comes through connections is not counted: the list of blocks is not in it")
	}
}

// newDirectApp is an app on the servers that all tests share, or, with -full, on servers of its own.
func newDirectApp(t *testing.T) *e2e.App {
	t.Helper()
	servers := devtest.Shared(t)
	if *full {
		servers = devtest.Private(t)
	}
	parts := devtest.StorageOn(t, servers)
	return e2e.Prepare(t, e2e.Options{Database: pgtest.NewOn(t, servers), Storage: &parts})
}

// putAll calls put for each block, eight at once, as the command line does.
func putAll(blocks int, put func(number int)) {
	numbers := make(chan int)
	var putting sync.WaitGroup
	for range 8 {
		putting.Go(func() {
			for number := range numbers {
				put(number)
			}
		})
	}
	for number := range blocks {
		numbers <- number
	}
	close(numbers)
	putting.Wait()
}

// usage is what a process has used since its start.
type usage struct {
	bytes     int64         // read and written, connections among them
	processor time.Duration // of all cores together
}

// usageOf reads it. Source: proc_pid_io(5), proc_pid_stat(5)
func usageOf(t *testing.T, pid int) (u usage) {
	t.Helper()
	counts, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(counts)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "rchar" || name == "wchar" {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			u.bytes += n
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	const user, system, tick = 11, 12, 10 * time.Millisecond // places behind the name, which is in parentheses
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	for _, place := range []int{user, system} {
		ticks, err := strconv.Atoi(fields[place])
		if err != nil {
			t.Fatal(err)
		}
		u.processor += time.Duration(ticks) * tick
	}
	return u
}

// Many large files of one owner at once are all loaded as they are, by the limits that are set. With -full they are a hundred of 50 MiB.
func TestManyLargeFilesAtOnce(t *testing.T) {
	t.Parallel()
	files, size := 6, 9<<20
	if *full {
		files, size = 100, 50<<20
	}
	app := newDirectApp(t)
	app.Host = app.StartHost(t, e2e.Options{})
	const header = "number,date,customer,name,article,description,quantity,price,currency,note\n"
	var rows []byte // of all files: their first row is each one's own
	count, sum := 0, 0
	for ; len(header)+len(rows) < size; count++ {
		rows, sum = appendRow(rows, count), sum+quantity(count)
	}
	began := time.Now()
	var uploading sync.WaitGroup
	for file := range files {
		uploading.Go(func() {
			content := io.MultiReader(strings.NewReader(header), bytes.NewReader(appendRow(nil, count+file)), bytes.NewReader(rows))
			putFile(t, app, fmt.Sprintf("%d.csv", file), content, int64(len(header)+len(appendRow(nil, count+file))+len(rows)))
		})
	}
	uploading.Wait()
	uploaded := time.Since(began)
	app.Database.Await(t, `select count(*) = $1 from sheetdrop.task where status in ('COMPLETED', 'FAILED', 'CANCELLED')`, files)
	loaded, held := time.Since(began), e2e.PeakMemory(t, app.Host.HandlerPID())
	t.Logf("%d files of %d bytes with %d rows: stored and accepted after %.1f s, COMPLETED after %.1f s; the handler held %d MiB, the host %d MiB",
		files, size, count+1, uploaded.Seconds(), loaded.Seconds(), held>>20, app.Host.Memory().Peak>>20)

	got := make([]string, files)
	want := make([]string, files)
	for file := range files {
		want[file] = fmt.Sprintf("%d.csv COMPLETED %d %d %d", file, count+1, sum+quantity(count+file), count+2)
		got[file] = pgtest.Query[string](t, app.Database, `select concat_ws(' ', f.name, t.status, count(*), sum(r.cells[7]::bigint), max(r.row_no))
from sheetdrop.source_file f join sheetdrop.task t on t.source_file_id = f.id left join sheetdrop.sheet s on s.task_id = t.id
left join sheetdrop.sheet_row r on r.sheet_id = s.id where f.name = $1 group by f.id, t.id`, fmt.Sprintf("%d.csv", file))
	}
	if !slices.Equal(got, want) {
		t.Errorf("name, status, rows, sum, last are\n%v, want\n%v", got, want)
	}
	if n := pgtest.Query[int](t, app.Database, `select sum(attempt + crashes + faults) from sheetdrop.task`); n != files {
		t.Errorf("%d attempts, crashes and faults of %d files", n, files)
	}
}

// putFile uploads a file straight to the store, a block at a time.
func putFile(t *testing.T, app *e2e.App, name string, content io.Reader, size int64) {
	u := e2e.BeginUpload(t, app.Host.URL(), name, size)
	block := make([]byte, u.BlockBytes)
	for number := range u.Blocks {
		n, err := io.ReadFull(content, block)
		if err != nil && n == 0 {
			t.Errorf("block %d: %v", number, err)
		}
		u.Put(t, number, block[:n])
	}
	u.Complete(t)
}
