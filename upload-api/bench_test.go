package upload

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkExport reads 200,000 rows of four columns over HTTP, for who does not ask for compression and for who does.
func BenchmarkExport(b *testing.B) {
	const rows = 200_000
	d := newTestAPI(b)
	taken := d.upload("rows.csv", "a\n")
	id := sheetOf(d, taken.Task.ID, "a", "b", "c", "d")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells)
select $1, n, n, array[n::text, 'A-' || n % 977, '東京都千代田区丸の内', md5(n::text)] from generate_series(1, $2) n`, id, rows)
	d.exec(`vacuum analyze sheetdrop.sheet_row`)
	for _, format := range []string{"ndjson", "csv"} {
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			b.Run(format+"/"+coding, func(b *testing.B) {
				var received int64
				for b.Loop() {
					r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, fmt.Sprintf("%s/api/tasks/%s/sheets/1/rows?format=%s", d.server.URL, taken.Task.ID, format), nil)
					if err != nil {
						b.Fatal(err)
					}
					r.Header.Set("Accept-Encoding", coding)
					response, err := d.server.Client().Do(r)
					if err != nil {
						b.Fatal(err)
					}
					if received, err = io.Copy(io.Discard, response.Body); err != nil {
						b.Fatal(err)
					}
					_ = response.Body.Close()
				}
				b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
				b.ReportMetric(float64(received)/(1<<20), "MiB")
			})
		}
	}
}

// BenchmarkUpload posts small files, each with bytes of its own, by one client and by eight at once, and reports the median of the time to
// the answer and, for a machine that is busy with other work, the time that a tenth of them took at most. The owner has 20,000 other files.
func BenchmarkUpload(b *testing.B) {
	d := newTestAPI(b)
	d.exec(`with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'a.csv', 'text/csv', 1, sha256(n::text::bytea), 'blob ' || n, 1 from generate_series(1, 20000) n returning id
) insert into sheetdrop.task (id, source_file_id, owner, options, status, finished_at) select id, id, 'local', '{}', 'CANCELLED', now() from file`)
	d.exec(`analyze sheetdrop.source_file, sheetdrop.task`)
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			took := make([]time.Duration, b.N)
			next := make(chan int, b.N)
			for i := range b.N {
				next <- i
			}
			close(next)
			done := make(chan error, clients)
			b.ResetTimer()
			for range clients {
				go func() {
					for i := range next {
						body := fmt.Sprintf("a,b\n%d,%d\n", i, time.Now().UnixNano())
						begun := time.Now()
						answer, err := d.server.Client().Post(d.server.URL+"/api/files?name=a.csv", "text/csv", strings.NewReader(body))
						if err == nil && answer.StatusCode != http.StatusAccepted {
							err = fmt.Errorf("status %d", answer.StatusCode)
						}
						if err != nil {
							done <- err
							return
						}
						_ = answer.Body.Close()
						took[i] = time.Since(begun)
					}
					done <- nil
				}()
			}
			for range clients {
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(took[len(took)/10].Microseconds())/1000, "p10-ms")
		})
	}
}

// BenchmarkRows answers with all rows of a sheet, as CSV and as NDJSON, beside COPY of the same cells from a table of ten text columns to
// nowhere. Each round has each of them; the ratio is that of the round.
func BenchmarkRows(b *testing.B) {
	const rows = 500_000
	d := newTestAPI(b)
	taken := d.upload("a.csv", "a\n")
	names, cells := make([]string, len(rowKinds)), make([]string, len(rowKinds))
	for i, k := range rowKinds {
		names[i], cells[i] = fmt.Sprint("column_", i), k.cell
	}
	sheetID := sheetOf(d, taken.Task.ID, names...)
	d.exec(`update sheetdrop.sheet set columns = (select jsonb_agg(c || k order by n) from jsonb_array_elements(columns) with ordinality x (c, n)
  join jsonb_array_elements($2) with ordinality y (k, m) on n = m) where id = $1`, sheetID, kindsJSON())
	d.exec(`create table plain (` + strings.Join(names, " text, ") + ` text)`)
	d.exec(`insert into plain select `+strings.Join(cells, ", ")+` from generate_series(1, $1::int) i`, rows)
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select $1, i, i + 1, array[`+strings.Join(cells, ", ")+
		`] from generate_series(1, $2::int) i`, sheetID, rows)
	d.exec(`vacuum analyze plain`)
	d.exec(`vacuum analyze sheetdrop.sheet_row`)
	conn, err := d.sql.Acquire(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Release()
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?format="
	ratios := map[string][]float64{}
	for b.Loop() {
		begun := time.Now()
		if done, err := conn.Conn().PgConn().CopyTo(b.Context(), io.Discard, `copy plain to stdout (format csv)`); err != nil || done.RowsAffected() != rows {
			b.Fatal(done, err)
		}
		reference := time.Since(begun)
		for _, format := range []string{"csv", "ndjson"} {
			begun := time.Now()
			answer, err := d.server.Client().Get(d.server.URL + path + format)
			if err != nil {
				b.Fatal(err)
			}
			lines := &lineCounter{}
			if _, err := io.Copy(lines, answer.Body); err != nil || lines.n < rows {
				b.Fatalf("%d lines, %v", lines.n, err)
			}
			_ = answer.Body.Close()
			ratios[format] = append(ratios[format], reference.Seconds()/time.Since(begun).Seconds())
		}
	}
	for format, r := range ratios {
		slices.Sort(r)
		b.ReportMetric(r[len(r)/2], format+"/copy")
	}
}

// rowKinds are the columns of BenchmarkRows: the type, its format, and the cell of row i in SQL.
var rowKinds = []struct{ kind, format, cell string }{
	{"integer", "0", "i::text"}, {"text", "", "'A-' || i % 977"}, {"date", "YYYY/MM/DD", "to_char(date '2024-01-01' + i % 366, 'YYYY/MM/DD')"},
	{"decimal", "#,##0.0", "i % 900 || ',234.5'"}, {"text", "", "'東京都千代田区' || i % 31"}, {"timestamp", "YYYY-MM-DD hh:mm:ss", "'2024-01-31 09:05:' || 10 + i % 50"},
	{"boolean", "yes/no", "case i % 2 when 0 then 'yes' else 'no' end"}, {"text", "", "'a text; of some words'"}, {"integer", "#,##0", "'1,' || 100 + i % 900"},
	{"decimal", "0.0", "i % 1000 || '.25'"},
}

func kindsJSON() string {
	var b strings.Builder
	for i, k := range rowKinds {
		fmt.Fprintf(&b, `%c{"type":%q,"format":%q}`, "[,"[min(i, 1)], k.kind, k.format)
	}
	return b.String() + "]"
}

// lineCounter counts line ends.
type lineCounter struct{ n int }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte("\n"))
	return len(p), nil
}
