package blocks

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"

	"sheetdrop/internal/devstack/devtest"
)

var mib = flag.Int("mib", 500, "the size of the file that BenchmarkSend sends")

const benchmarkBlock = 8 << 20 // as POST /uploads has it

// BenchmarkSend sends a file from the disk to the emulator. In each round a plain program sends the same file, too, first in every second round:
// as many goroutines that read a block into memory and put it, with its checksum, and nothing else. A ratio above 1 is faster than that.
func BenchmarkSend(b *testing.B) {
	file := benchmarkFile(b)
	var ours, plain, ratios []float64
	for round := 0; b.Loop(); round++ {
		address := benchmarkAddress(b)
		var seconds [2]float64 // ours, plain
		for i := range seconds {
			which := (i + round) % 2
			start := time.Now()
			if which == 0 {
				sendOurs(b, file, address())
			} else {
				sendPlain(b, file, address())
			}
			seconds[which] = time.Since(start).Seconds()
		}
		ours, plain, ratios = append(ours, float64(*mib)/seconds[0]), append(plain, float64(*mib)/seconds[1]), append(ratios, seconds[1]/seconds[0])
	}
	b.ReportMetric(median(ours), "MiB/s")
	b.ReportMetric(median(plain), "plain-MiB/s")
	b.ReportMetric(median(ratios), "×plain")
	b.ReportMetric(slices.Min(ratios), "×plain-min")
	b.ReportMetric(slices.Max(ratios), "×plain-max")
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

func benchmarkFile(b *testing.B) *os.File {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	for range *mib {
		if _, err := file.Write(random(1 << 20)); err != nil {
			b.Fatal(err)
		}
	}
	return file
}

// benchmarkAddress returns what makes addresses of new blobs, in a container that is removed with its blocks after the benchmark.
func benchmarkAddress(b *testing.B) func() string {
	b.Helper()
	parts := devtest.Storage(b)
	c, err := container.NewClientFromConnectionString(parts.ConnectionString, parts.Container, nil)
	if err != nil {
		b.Fatal(err)
	}
	made := 0
	return func() string {
		made++
		url, err := c.NewBlockBlobClient(strings.Repeat("x", made)).GetSASURL(sas.BlobPermissions{Write: true}, time.Now().Add(time.Hour), nil)
		if err != nil {
			b.Fatal(err)
		}
		return url
	}
}

func sendOurs(b *testing.B, file *os.File, address string) {
	b.Helper()
	u := &Upload{
		Content: file, Size: int64(*mib) << 20, BlockSize: benchmarkBlock, Progress: func(int64) {}, Waiting: func(error) {}, GiveUpAfter: time.Minute, StallTimeout: time.Minute,
		Address: func(context.Context) (Address, error) { return Address{address, time.Hour}, nil },
	}
	if err := u.Send(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func sendPlain(b *testing.B, file *os.File, address string) {
	b.Helper()
	numbers := make(chan int64)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: mostAtOnce}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for range mostAtOnce {
		all.Go(func() {
			block := make([]byte, benchmarkBlock)
			for number := range numbers {
				n, err := file.ReadAt(block, number*benchmarkBlock)
				if err != nil && err != io.EOF {
					b.Error(err)
				}
				putPlain(b, client, address+"&comp=block&blockid="+blockID(number), block[:n])
			}
		})
	}
	for number := range (int64(*mib)<<20 + benchmarkBlock - 1) / benchmarkBlock {
		numbers <- number
	}
	close(numbers)
	all.Wait()
}

func putPlain(b *testing.B, client *http.Client, url string, block []byte) {
	sum := md5.Sum(block)
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPut, url, bytes.NewReader(block))
	if err != nil {
		b.Error(err)
		return
	}
	r.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum[:]))
	answer, err := client.Do(r)
	if err != nil || answer.StatusCode != http.StatusCreated {
		b.Error(answer, err)
		return
	}
	_ = answer.Body.Close()
}
