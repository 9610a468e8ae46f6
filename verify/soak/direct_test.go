//go:build linux

package soak

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// directUpload is an upload whose bytes its client puts into the store.
type directUpload struct {
	*sheetFile
	number int
	key    string
	random *rand.Rand

	// Once it has begun:
	id                 uuid.UUID
	blocks, blockBytes int
	address            string
}

// newLargeFile makes the n-th file, of one to three blocks. Its rows have a long cell each, as what is tried here is how the bytes come.
func newLargeFile(n int, random *rand.Rand, large bool) *sheetFile {
	const cell = 4 << 10
	size := 8<<20 + random.IntN(10<<20)
	if !large && random.IntN(2) == 0 {
		size = 100_000 + random.IntN(1_000_000)
	}
	f := &sheetFile{name: fmt.Sprintf("direct-%d.csv", n), status: "COMPLETED"}
	f.options = url.Values{"delimiter": {","}, "header": {"1"}, "skip": {"0"}, "footer": {"none"}}
	var want expected
	f.content = append(make([]byte, 0, size+cell), "id,text,amount\n"...)
	for row := 2; len(f.content) < size; row++ {
		id, text, amount := fmt.Sprintf("id-%d", row), strings.Repeat(fmt.Sprintf("%08x", random.Uint32()), cell/8), fmt.Sprint(random.IntN(10_000))
		f.content = fmt.Appendf(f.content, "%s,%s,%s\n", id, text, amount)
		want.rows.add(row, id, text, amount)
	}
	f.sheets = []expected{want}
	return f
}

// begin begins an upload, or finds it again; false where it did not succeed.
func (s *soak) begin(t *testing.T, d *directUpload) bool {
	_, text := s.insist(t, request{
		method: http.MethodPost, path: "/api/uploads?" + d.options.Encode(), kind: "application/json", key: d.key,
		body: fmt.Appendf(nil, `{"name":%q,"size_bytes":%d}`, d.name, len(d.content)),
	}, http.StatusCreated)
	if text == nil {
		return false
	}
	var begun struct {
		ID         uuid.UUID
		Blocks     int
		BlockBytes int `json:"block_bytes"`
		Address    struct{ URL string }
	}
	err := json.Unmarshal(text, &begun)
	if err != nil || begun.Address.URL == "" || d.id != uuid.Nil && begun.ID != d.id {
		t.Errorf("seed %d: upload %d, which was %s, begins with %v, %s", s.seed, d.number, d.id, err, text)
		return false
	}
	d.id, d.blocks, d.blockBytes, d.address = begun.ID, begun.Blocks, begun.BlockBytes, begun.Address.URL
	return true
}

func (d *directUpload) path(operation string) string {
	return "/api/uploads/" + d.id.String() + operation
}

// block is the request that stores one.
func (d *directUpload) block(number int) request {
	id := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", number))
	return request{
		method: http.MethodPut, at: d.address, path: "&comp=block&blockid=" + id,
		body: d.content[number*d.blockBytes : min((number+1)*d.blockBytes, len(d.content))],
	}
}

// putBlocks stores all blocks at once but those that are stored.
func (s *soak) putBlocks(t *testing.T, d *directUpload, stored func(number int) bool) {
	var putting sync.WaitGroup
	defer putting.Wait()
	for number := range d.blocks {
		if !stored(number) {
			putting.Go(func() { s.insist(t, d.block(number), http.StatusCreated) })
		}
	}
}

func none(int) bool { return false }

// beginAndPut begins an upload and stores all of its blocks.
func (s *soak) beginAndPut(t *testing.T, d *directUpload) bool {
	if !s.begin(t, d) {
		return false
	}
	s.putBlocks(t, d, none)
	return true
}

// beginAndBreakOff begins an upload whose client is gone in the middle of a block.
func (s *soak) beginAndBreakOff(t *testing.T, d *directUpload) bool {
	if !s.begin(t, d) {
		return false
	}
	last := d.random.IntN(d.blocks)
	s.putBlocks(t, d, func(number int) bool { return number >= last })
	r := d.block(last)
	r.slow = 500 * time.Millisecond
	s.isGone(t, d, r)
	return true
}

// isGone sends a request whose client is gone before it has the answer, or has even sent all.
func (s *soak) isGone(t *testing.T, d *directUpload, r request) {
	ctx, cancel := context.WithTimeout(t.Context(), between(d.random, time.Millisecond, 300*time.Millisecond))
	defer cancel()
	_, _, _ = s.try(ctx, r)
}

// finish completes an upload, which is a file like others then.
func (s *soak) finish(t *testing.T, d *directUpload) {
	if file, task := s.complete(t, d); task != uuid.Nil {
		s.actOn(t, s.acceptedDirectly(d, file, task), d.sheetFile, d.random)
	}
}

func (s *soak) acceptedDirectly(d *directUpload, file, task uuid.UUID) *upload {
	u := newUpload(d.number, d.sheetFile)
	u.direct, u.file, u.task = d, file, task
	s.accepted(u)
	return u
}

func (d *directUpload) completion() request {
	return request{method: http.MethodPost, path: d.path("/complete")}
}

// complete completes an upload; uuid.Nil where it did not succeed.
func (s *soak) complete(t *testing.T, d *directUpload) (file, task uuid.UUID) {
	_, text := s.insist(t, d.completion(), http.StatusAccepted)
	if text == nil {
		return uuid.Nil, uuid.Nil
	}
	return s.idsIn(t, text)
}
