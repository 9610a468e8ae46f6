package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sheetdrop/internal/funchost/internal/timing"
)

// hostFile is host.json, as far as a custom handler with HTTP, timer and storage queue functions can notice it.
type hostFile struct {
	FunctionTimeout string `json:"functionTimeout"`
	CustomHandler   struct {
		Description struct {
			DefaultExecutablePath string   `json:"defaultExecutablePath"`
			Arguments             []string `json:"arguments"`
			WorkingDirectory      string   `json:"workingDirectory"`
		} `json:"description"`
		EnableForwardingHTTPRequest bool         `json:"enableForwardingHttpRequest"`
		EnableProxyingHTTPRequest   bool         `json:"enableProxyingHttpRequest"`
		InitializationTimeout       *timing.Span `json:"initializationTimeout"`
	} `json:"customHandler"`
	Extensions struct {
		HTTP struct {
			RoutePrefix *string `json:"routePrefix"`
		} `json:"http"`
		Queues struct {
			BatchSize          *int         `json:"batchSize"`
			NewBatchThreshold  *int         `json:"newBatchThreshold"`
			MaxDequeueCount    *int         `json:"maxDequeueCount"`
			VisibilityTimeout  *timing.Span `json:"visibilityTimeout"`
			MaxPollingInterval *timing.Span `json:"maxPollingInterval"`
			MessageEncoding    string       `json:"messageEncoding"`
		} `json:"queues"`
	} `json:"extensions"`
}

// Options are host.json's values with defaults and time scale applied.
type Options struct {
	Executable, WorkingDirectory string
	Arguments                    []string
	Proxying                     bool          // HTTP requests are passed on as they are, rather than in envelopes
	InitializationTimeout        time.Duration // not scaled
	FunctionTimeout              time.Duration // 0: unbounded
	RoutePrefix                  string
	MaxBody                      int64 // bytes
	Queues                       QueueOptions

	callMargin time.Duration // by which a call to the handler may outlast FunctionTimeout
}

// ErrFunctionTimeout is the cause with which an invocation ends that takes too long.
var ErrFunctionTimeout = errors.New("a function ran into functionTimeout")

const (
	defaultFunctionTimeout = 30 * time.Minute // of every plan but Consumption
	defaultMaxBody         = 104_857_600      // bytes
)

// ReadOptions reads host.json in the app root.
func ReadOptions(c Source) (Options, error) {
	var file hostFile
	if err := readJSON(filepath.Join(c.Root, "host.json"), &file); err != nil {
		return Options{}, err
	}
	o, err := file.options(c)
	if err != nil {
		return Options{}, fmt.Errorf("host.json: %w", err)
	}
	return o, nil
}

func readJSON(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (f hostFile) options(c Source) (Options, error) {
	handler := f.CustomHandler
	o := Options{
		callMargin:            c.Scale.Of(time.Minute),
		Arguments:             handler.Description.Arguments,
		WorkingDirectory:      filepath.Join(c.Root, handler.Description.WorkingDirectory),
		Proxying:              handler.EnableProxyingHTTPRequest,
		InitializationTimeout: time.Duration(ValueOr(handler.InitializationTimeout, timing.Span(30*time.Second))),
		RoutePrefix:           ValueOr(f.Extensions.HTTP.RoutePrefix, "api"),
	}
	for _, argument := range o.Arguments {
		if strings.ContainsAny(argument, " \"%") {
			return o, fmt.Errorf("argument %q: spaces, quotes and %%NAME%% are not supported here", argument)
		}
	}
	var execErr, timeoutErr, bodyErr, queueErr error
	o.Executable, execErr = f.executable(c)
	o.FunctionTimeout, timeoutErr = f.functionTimeout(c.Scale)
	o.MaxBody, bodyErr = maxBody(c)
	o.Queues, queueErr = f.queues(c.Scale)
	return o, errors.Join(execErr, timeoutErr, bodyErr, queueErr)
}

// executable finds the handler. A relative path is taken below the app root only if that file exists, else it is
// looked up on PATH.
func (f hostFile) executable(c Source) (string, error) {
	path := c.Executable
	if path == "" {
		var err error
		if path, err = c.Settings.resolve(f.CustomHandler.Description.DefaultExecutablePath); err != nil {
			return "", err
		}
		if path == "" {
			return "", errors.New("customHandler.description.defaultExecutablePath is missing")
		}
		if below := filepath.Join(c.Root, path); !filepath.IsAbs(path) && fileExists(below) {
			path = below
		}
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return "", fmt.Errorf("the handler: %w", err)
	}
	return filepath.Abs(found)
}

func (f hostFile) functionTimeout(scale timing.Scale) (time.Duration, error) {
	switch f.FunctionTimeout {
	case "":
		return scale.Of(defaultFunctionTimeout), nil
	case "-1":
		return 0, nil
	}
	d, err := timing.ParseSpan(f.FunctionTimeout)
	if err == nil && d < time.Second {
		err = fmt.Errorf("%s is below one second", f.FunctionTimeout)
	}
	if err != nil {
		return 0, fmt.Errorf("functionTimeout: %w", err)
	}
	return scale.Of(d), nil
}

// WithCallLimit bounds a call to the handler process.
func (o Options) WithCallLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.FunctionTimeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.FunctionTimeout+o.callMargin)
}

// WithFunctionTimeout bounds an invocation; its end has the cause ErrFunctionTimeout.
func (o Options) WithFunctionTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.FunctionTimeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, o.FunctionTimeout, ErrFunctionTimeout)
}

// maxBody is the limit on a request body in bytes.
func maxBody(c Source) (int64, error) {
	text, ok := c.Settings.Lookup("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT")
	if !ok {
		return defaultMaxBody, nil
	}
	limit, err := strconv.ParseInt(text, 10, 64)
	if err != nil || limit <= 0 {
		return 0, fmt.Errorf("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT %q is not a number of bytes", text)
	}
	return limit, nil
}

// ValueOr returns what p points to, or another value for nil.
func ValueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
