package receive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/outbound"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

// URLSettings say from where files are fetched.
type URLSettings struct {
	Hosts []string `env:"UPLOAD_URL_HOSTS"` // names, or names with a port
}

// Check refuses what is no host.
func (s URLSettings) Check() error {
	if err := outbound.CheckHosts(s.Hosts); err != nil {
		return fmt.Errorf("UPLOAD_URL_HOSTS: %w", err)
	}
	return nil
}

const (
	// fetchTime is how long fetching a file may take: less than the 230 s after which the platform's front end closes a silent
	// request.
	fetchTime = 200 * time.Second

	// fetchIdle is how long another server may be silent.
	fetchIdle = time.Minute

	maxRedirects = 3
)

// Fetcher fetches files from named hosts. With thisMachine it reaches this machine, if all of its hosts are of this machine.
func (s URLSettings) Fetcher(thisMachine bool) *http.Client {
	if len(s.Hosts) == 0 {
		return nil
	}
	return outbound.Client(outbound.Settings{
		Hosts: s.Hosts, Redirects: maxRedirects, Timeout: fetchIdle / 2, Local: thisMachine && !slices.ContainsFunc(s.Hosts, isElsewhere),
	})
}

func isElsewhere(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	ip, err := netip.ParseAddr(name)
	return err != nil || !ip.IsLoopback()
}

// byURL is what a request says instead of the file's bytes.
type byURL struct {
	URL  string `json:"url"`
	Name string `json:"name"`
}

// fetchesURL reports whether a request names a URL in place of a file. Pages of other origins cannot.
func (r *Receiver) fetchesURL(ctx context.Context, mediaType string) bool {
	return r.Fetcher != nil && embed.Of(ctx) == nil && (mediaType == typeJSON || mediaType == typeForm)
}

// neverByURL is for requests whose body is always the file.
func neverByURL(string) bool { return false }

// url fetches the file from the URL that the request names, and stores it. It returns the upload that an earlier request with the
// same key and URL has made; then nothing is fetched.
func (in *intake) url(ctx context.Context, request *http.Request, head head) (earlier []postgres.FileAndTask, err error) {
	asked, from, err := readByURL(request.Body, head)
	if err != nil {
		return nil, err
	}
	name, err := asked.fileName(from)
	if err != nil {
		return nil, err
	}
	if err := in.parseQuery(ctx, head.query); err != nil {
		return nil, err
	}
	if in.key != "" { // with the URL: what is there by now may be something else, or gone
		in.key = fmt.Sprintf("%s %x", in.key, sha256.Sum256([]byte(asked.URL)))
		if earlier, err = in.earlier(ctx, name); earlier != nil || err != nil {
			return earlier, err
		}
	}
	if err := in.r.needQuota(ctx, in.owner, in.key); err != nil {
		return nil, err
	}
	if err := in.start(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, fetchTime, errStalled)
	defer cancel()
	body, err := in.r.fetch(ctx, asked.URL)
	if err != nil {
		return nil, err
	}
	defer body.src.Close()
	return nil, in.store(ctx, name, AnyBytes, body)
}

// readByURL reads a JSON object or a form, whose other fields are options.
func readByURL(body io.Reader, head head) (asked byURL, from *url.URL, err error) {
	text, err := io.ReadAll(io.LimitReader(body, maxFieldBytes+1))
	if err != nil {
		return asked, nil, bodyProblem(err)
	}
	if len(text) > maxFieldBytes {
		return asked, nil, TooLarge(maxFieldBytes)
	}
	if head.mediaType == typeJSON {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&asked); err != nil {
			return asked, nil, problem.New(problem.InvalidBody, `The body is not like {"url":"https://…","name":"orders.csv"}.`).Because(err)
		}
	} else {
		fields, err := url.ParseQuery(string(text))
		if err != nil {
			return asked, nil, problem.New(problem.InvalidBody, "The form cannot be read.").Because(err)
		}
		asked = byURL{fields.Get("url"), fields.Get("name")}
		fields.Del("url")
		fields.Del("name")
		for option, values := range fields {
			head.query[option] = append(head.query[option], values...)
		}
	}
	if name := head.query.Get("name"); name != "" {
		asked.Name = name
	}
	head.query.Del("name")
	from, err = url.Parse(asked.URL)
	if err != nil || asked.URL == "" || from.Host == "" || isNoText(asked.URL) {
		return asked, nil, problem.New(problem.URLNotAllowed, "The body names no URL to fetch the file from.")
	}
	return asked, from, nil
}

// fileName is the name that the request gives the file, or else the last part of the URL's path.
func (b byURL) fileName(from *url.URL) (string, error) {
	if b.Name != "" {
		return CheckName(b.Name)
	}
	if base := path.Base(from.Path); base != "." && base != "/" {
		return CheckName(base)
	}
	return CheckName("")
}

// earlier returns what was uploaded under the intake's key, nil if nothing was.
func (in *intake) earlier(ctx context.Context, name string) (found []postgres.FileAndTask, err error) {
	err = in.r.DB.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		found, err = tx.UploadsByKey(ctx, in.owner, in.key)
		return err
	})
	switch {
	case err != nil || len(found) == 0:
		return nil, err
	case anyDeleted(found):
		return nil, problem.New(problem.Gone, "What was uploaded with this idempotency key has been deleted.")
	case len(found) != 1 || found[0].File.Name != name || !SameJSON(found[0].Task.Options, in.options):
		return nil, KeyReused()
	}
	return found, nil
}

// fetch begins to fetch a file. The caller closes its src.
func (r *Receiver) fetch(ctx context.Context, from string) (*fetched, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		cancel(nil)
		return nil, problem.New(problem.URLNotAllowed, "The body names no URL to fetch the file from.")
	}
	request.Header.Set("User-Agent", "sheetdrop")
	request.Header.Set("Accept-Encoding", "identity")
	response, err := r.Fetcher.Do(request)
	if err != nil {
		cancel(nil)
		return nil, fetchProblem(ctx, err)
	}
	body := &fetched{src: response.Body, ctx: ctx, cancel: cancel, limit: r.MaxBytes}
	coding := response.Header.Get("Content-Encoding")
	switch {
	case response.StatusCode != http.StatusOK:
		err = problem.New(problem.FetchFailed, "The server with the file has answered with status %d.", response.StatusCode)
	case coding != "" && coding != "identity":
		err = problem.New(problem.FetchFailed, "The server sends the file compressed (Content-Encoding: %s), and was asked not to.", coding)
	case response.ContentLength > r.MaxBytes:
		err = problem.New(problem.TooLarge, "The file has %d bytes; one that is fetched may have %d.", response.ContentLength, r.MaxBytes)
	default:
		return body, nil
	}
	_ = response.Body.Close()
	cancel(nil)
	return nil, err
}

var errStalled = errors.New("the file arrives too slowly")

// fetchProblem returns the problem of a fetch that failed. It does not say what is at an address, or why nothing is.
func fetchProblem(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, outbound.ErrRefused):
		return problem.New(problem.URLNotAllowed,
			"Files are fetched by https from the hosts in UPLOAD_URL_HOSTS alone, and from none that leads into a private network.").Because(err)
	case errors.Is(context.Cause(ctx), errStalled):
		return problem.New(problem.FetchFailed, "The server sends the file too slowly.").Because(err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return problem.New(problem.FetchFailed, "The file could not be fetched: the server with it does not answer, or not completely.").Because(err)
}

// fetched is the body of a fetched file: at most limit bytes, never idle for longer than fetchIdle, and no slower than minRate.
// Its errors other than io.EOF are problems.
type fetched struct {
	src    io.ReadCloser
	ctx    context.Context //nolint:containedctx // of the request that src is the response's body of
	cancel context.CancelCauseFunc
	limit  int64
	read   int64
	waited time.Duration
}

func (f *fetched) Read(p []byte) (int, error) {
	if room := f.limit - f.read + 1; int64(len(p)) > room {
		p = p[:room]
	}
	slow := time.AfterFunc(min(fetchIdle, fetchIdle+time.Duration(f.read)*time.Second/minRate-f.waited), func() { f.cancel(errStalled) })
	elapsed := clock.Start()
	n, err := f.src.Read(p)
	slow.Stop()
	f.waited += elapsed()
	f.read += int64(n)
	switch {
	case f.read > f.limit:
		return n - 1, problem.New(problem.TooLarge, "The file has more than the %d bytes that one may have which is fetched.", f.limit)
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	}
	return n, fetchProblem(f.ctx, err)
}
