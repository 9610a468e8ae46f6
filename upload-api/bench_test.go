package upload

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

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
