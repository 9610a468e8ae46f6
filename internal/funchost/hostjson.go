package funchost

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
		EnableForwardingHTTPRequest bool      `json:"enableForwardingHttpRequest"`
		EnableProxyingHTTPRequest   bool      `json:"enableProxyingHttpRequest"`
		InitializationTimeout       *timeSpan `json:"initializationTimeout"`
	} `json:"customHandler"`
	Extensions struct {
		HTTP struct {
			RoutePrefix *string `json:"routePrefix"`
		} `json:"http"`
		Queues struct {
			BatchSize          *int      `json:"batchSize"`
			NewBatchThreshold  *int      `json:"newBatchThreshold"`
			MaxDequeueCount    *int      `json:"maxDequeueCount"`
			VisibilityTimeout  *timeSpan `json:"visibilityTimeout"`
			MaxPollingInterval *timeSpan `json:"maxPollingInterval"`
			MessageEncoding    string    `json:"messageEncoding"`
		} `json:"queues"`
	} `json:"extensions"`
}

// hostOptions are host.json's values with defaults and time scale applied.
type hostOptions struct {
	executable, workingDirectory string
	arguments                    []string
	proxying                     bool
	initializationTimeout        time.Duration // not scaled
	functionTimeout              time.Duration // 0: unbounded
	callMargin                   time.Duration // by how much a call to the handler may outlast functionTimeout
	routePrefix                  string
	maxBody                      int64
	queues                       queueOptions
}

const (
	defaultFunctionTimeout = 30 * time.Minute // of every plan but Consumption
	defaultMaxBody         = 104_857_600      // bytes
)

// readHostOptions reads host.json in the app root.
func readHostOptions(c Config) (hostOptions, error) {
	var file hostFile
	if err := readJSON(filepath.Join(c.Root, "host.json"), &file); err != nil {
		return hostOptions{}, err
	}
	o, err := file.options(c)
	if err != nil {
		return hostOptions{}, fmt.Errorf("host.json: %w", err)
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

func (f hostFile) options(c Config) (hostOptions, error) {
	handler := f.CustomHandler
	o := hostOptions{
		callMargin:            timeScale(c.TimeScale).of(time.Minute),
		arguments:             handler.Description.Arguments,
		workingDirectory:      filepath.Join(c.Root, handler.Description.WorkingDirectory),
		proxying:              handler.EnableProxyingHTTPRequest,
		initializationTimeout: time.Duration(valueOr(handler.InitializationTimeout, timeSpan(30*time.Second))),
		routePrefix:           valueOr(f.Extensions.HTTP.RoutePrefix, "api"),
	}
	for _, argument := range o.arguments {
		if strings.ContainsAny(argument, " \"%") {
			return o, fmt.Errorf("argument %q: spaces, quotes and %%NAME%% are not supported here", argument)
		}
	}
	var execErr, timeoutErr, bodyErr, queueErr error
	o.executable, execErr = f.executable(c)
	o.functionTimeout, timeoutErr = f.functionTimeout(timeScale(c.TimeScale))
	o.maxBody, bodyErr = maxBody(c)
	o.queues, queueErr = f.queues(timeScale(c.TimeScale))
	return o, errors.Join(execErr, timeoutErr, bodyErr, queueErr)
}

// executable finds the handler. A relative path is taken below the app root only if that file exists, else it is
// looked up on PATH.
func (f hostFile) executable(c Config) (string, error) {
	path := c.Executable
	if path == "" {
		var err error
		if path, err = c.resolve(f.CustomHandler.Description.DefaultExecutablePath); err != nil {
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

func (f hostFile) functionTimeout(scale timeScale) (time.Duration, error) {
	switch f.FunctionTimeout {
	case "":
		return scale.of(defaultFunctionTimeout), nil
	case "-1":
		return 0, nil
	}
	d, err := parseTimeSpan(f.FunctionTimeout)
	if err == nil && d < time.Second {
		err = fmt.Errorf("%s is below one second", f.FunctionTimeout)
	}
	if err != nil {
		return 0, fmt.Errorf("functionTimeout: %w", err)
	}
	return scale.of(d), nil
}

// withCallLimit bounds a call to the handler process.
func (o hostOptions) withCallLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.functionTimeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, o.functionTimeout+o.callMargin)
}

// withFunctionTimeout bounds an invocation; its end has the cause errFunctionTimeout.
func (o hostOptions) withFunctionTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.functionTimeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, o.functionTimeout, errFunctionTimeout)
}

// maxBody is the limit on a request body in bytes.
func maxBody(c Config) (int64, error) {
	text, ok := c.setting("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT")
	if !ok {
		return defaultMaxBody, nil
	}
	limit, err := strconv.ParseInt(text, 10, 64)
	if err != nil || limit <= 0 {
		return 0, fmt.Errorf("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT %q is not a number of bytes", text)
	}
	return limit, nil
}

func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
