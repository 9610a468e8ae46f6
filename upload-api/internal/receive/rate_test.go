package receive

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"sheetdrop/upload-api/internal/problem"
)

// A client that sends slowly does not keep its place, unlike one that is slow for a moment or that we keep waiting ourselves.
func TestSlowBodiesLoseTheirPlace(t *testing.T) {
	t.Parallel()
	const kib, second = 1 << 10, time.Second
	for name, c := range map[string]struct {
		pieces, bytes int           // so many, of so many bytes each
		pause         time.Duration // of the client, before each
		work          time.Duration // of ours, after each
		want          problem.Code
	}{
		"17 KiB a second": {1000, 17 * kib, second, 0, ""},
		"15 KiB a second": {1000, 15 * kib, second, 0, problem.UploadStalled},
		"15 KiB a second, and ends before it is up": {100, 15 * kib, second, 0, ""},
		"a byte now and then":                       {1000, 1, 59 * second, 0, problem.UploadStalled},
		"nothing for a minute":                      {2, 64 * kib, 61 * second, 0, problem.UploadStalled},
		"a pause that what came before makes up":    {100, 1024 * kib, 50 * second, 0, ""},
		"we are slow ourselves":                     {1000, kib, second / 100, 10 * second, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			source := &slowSource{ResponseRecorder: httptest.NewRecorder(), pieces: c.pieces, bytes: c.bytes, pause: c.pause}
			r := httptest.NewRequest(http.MethodPost, "/api/files", source)
			err := readSlowly(NewBody(source, r, 1<<40, time.Minute), c.work)
			var got problem.Code
			if p, ok := errors.AsType[*problem.Problem](err); ok {
				got = p.Code
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got != c.want {
				t.Errorf("%s: ends with %q, want %q", name, got, c.want)
			}
		})
	}
}

// readSlowly reads a body to its end and works for so long on each piece.
func readSlowly(body io.Reader, work time.Duration) error {
	for piece := make([]byte, 1<<20); ; <-time.After(work) {
		if _, err := body.Read(piece); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// slowSource is a connection on which a body comes in pieces, after a pause each; time.After is the bubble's.
type slowSource struct {
	*httptest.ResponseRecorder
	pieces, bytes int
	pause         time.Duration
	deadline      time.Time
}

func (s *slowSource) SetReadDeadline(at time.Time) error {
	s.deadline = at
	return nil
}

func (s *slowSource) Read(p []byte) (int, error) {
	if s.pieces == 0 {
		return 0, io.EOF
	}
	s.pieces--
	select {
	case <-time.After(time.Until(s.deadline)):
		return 0, os.ErrDeadlineExceeded
	case <-time.After(s.pause):
		return min(s.bytes, len(p)), nil
	}
}
