package azure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"sheetdrop/internal/backoff"
)

const (
	// A range is asked for so often without a byte that comes, with pauses of 6 s together: what was loaded would be lost. A store that is
	// away for longer is left to the task's next run, so that no transaction waits for it. A run that has not begun loses nothing.
	readTries = 6
	openTries = 3

	// stallTimeout is how long an answer may bring no byte until its request is given up and repeated.
	stallTimeout = 20 * time.Second
)

// betweenReads are the pauses between these tries.
var betweenReads = backoff.Policy{First: 200 * time.Millisecond, Max: 10 * time.Second}

var errStalled = fmt.Errorf("storage has stopped in the middle of an answer: %w", context.DeadlineExceeded)

// version is a blob with one ETag; "" until its head was read.
type version struct {
	client *blob.Client
	etag   string
	stall  time.Duration // stallTimeout
}

// head asks for the blob's first block, and settles on the ETag. nil is the answer where the blob is empty, which has no range.
func (v *version) head(ctx context.Context) (a *answer, err error) {
	err = v.repeat(ctx, openTries, func() (bool, error) {
		a, err = v.ask(ctx, 0, readBlock)
		return false, err
	})
	if bloberror.HasCode(err, bloberror.InvalidRange) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open blob: %w", err)
	}
	v.etag = a.etag
	return a, nil
}

// read fills p with the blob's bytes from offset on, with what comes of the answer first, unless that is nil. What has come is not asked
// for again.
func (v *version) read(ctx context.Context, p []byte, offset int64, first *answer) error {
	err := v.repeat(ctx, readTries, func() (came bool, err error) {
		a := first
		if first = nil; a == nil {
			if a, err = v.ask(ctx, offset, int64(len(p))); err != nil {
				return false, err
			}
		}
		defer a.close()
		n, err := io.ReadFull(a, p)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // of the answer: it is not the blob's end
		}
		p, offset = p[n:], offset+int64(n)
		return n > 0, err
	})
	if err != nil {
		return fmt.Errorf("read blob at %d: %w", offset, err)
	}
	return nil
}

// repeat calls try until it goes well, fails for good, or has failed so many times in a row without a byte that came.
func (v *version) repeat(ctx context.Context, tries int, try func() (came bool, err error)) error {
	for failed := 0; ; {
		came, err := try()
		if err == nil {
			return nil
		}
		if failed++; came {
			failed = 1
		}
		if err = explain(ctx, v.client, err); failed == tries || !worthRepeating(err) {
			return err
		}
		if ended := betweenReads.Wait(ctx, failed); ended != nil {
			return ended
		}
	}
}

// ask sends one request for a range, from the blob's beginning for as much as there is. The SDK's own retries are left out: they would not
// go on where an answer broke off, and wait for a minute where one stalls.
func (v *version) ask(ctx context.Context, offset, count int64) (*answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	a := &answer{ctx: ctx, cancel: cancel, stall: v.stall, timer: time.AfterFunc(v.stall, func() { cancel(errStalled) })}
	response, err := v.client.DownloadStream(policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1}), &blob.DownloadStreamOptions{
		Range: blob.HTTPRange{Offset: offset, Count: count}, AccessConditions: ifVersion(v.etag),
	})
	if err != nil {
		a.close()
		return nil, a.cause(err)
	}
	a.body = response.Body
	if response.ETag != nil && response.ContentRange != nil {
		a.etag = string(*response.ETag)
		_, size, _ := strings.Cut(*response.ContentRange, "/") // "bytes 0-99/1234" (RFC 9110, 14.4)
		if a.blobSize, err = strconv.ParseInt(size, 10, 64); err == nil {
			return a, nil
		}
	}
	a.close()
	return nil, errors.New("storage has answered a request for a range without saying which one it sends")
}

// worthRepeating is false for what storage answers every time.
func worthRepeating(err error) bool {
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return e.StatusCode >= http.StatusInternalServerError ||
			e.StatusCode == http.StatusRequestTimeout || e.StatusCode == http.StatusTooManyRequests
	}
	return !errors.Is(err, ErrBlobNotFound) && !errors.Is(err, ErrBlobChanged)
}

// answer is storage's answer about a range. Its Read fails once no byte has come for a while.
type answer struct {
	blobSize int64
	etag     string
	body     io.ReadCloser
	ctx      context.Context // of the request
	cancel   context.CancelCauseFunc
	stall    time.Duration
	timer    *time.Timer // cancels the request
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	a.timer.Reset(a.stall)
	if err != nil && !errors.Is(err, io.EOF) {
		err = a.cause(err)
	}
	return n, err
}

// cause is why the request was ended from outside, where it was, in place of the error that this has brought.
func (a *answer) cause(err error) error {
	if cause := context.Cause(a.ctx); errors.Is(cause, errStalled) {
		return cause
	}
	return err
}

// close ends the request.
func (a *answer) close() {
	a.timer.Stop()
	if a.body != nil {
		_ = a.body.Close() // all of it that is wanted was read
	}
	a.cancel(nil)
}
