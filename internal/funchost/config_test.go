package funchost_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A configuration that this host does not support is an error at the start that says what is wrong.
func TestUnsupportedConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	trigger := func(properties string) func(*app) {
		return func(a *app) { a.write("odd/function.json", `{"bindings": [`+properties+`]}`) }
	}
	host := func(content string) func(*app) {
		return func(a *app) {
			a.write("host.json", `{"customHandler": {"enableProxyingHttpRequest": true}, `+content+`}`)
		}
	}
	for want, change := range map[string]func(*app){
		"host.json: only customHandler.enableProxyingHttpRequest": func(a *app) {
			a.write("host.json", `{"customHandler": {"enableForwardingHttpRequest": true}}`)
		},
		`"blobTrigger" is not supported`:               trigger(`{"type": "blobTrigger", "direction": "in"}`),
		"there is no trigger":                          trigger(``),
		`type "queue" is not supported`:                trigger(`{"type": "timerTrigger", "schedule": "00:00:01"}, {"type": "queue", "direction": "out"}`),
		"exactly one http output":                      trigger(`{"type": "httpTrigger"}`),
		`segment "{id:int}" is not supported`:          trigger(`{"type": "httpTrigger", "route": "x/{id:int}"}, {"type": "http", "direction": "out"}`),
		"names the app setting NOWHERE":                trigger(`{"type": "timerTrigger", "schedule": "%NOWHERE%"}`),
		`schedule "soon"`:                              trigger(`{"type": "timerTrigger", "schedule": "soon"}`),
		"day and day of week together":                 trigger(`{"type": "timerTrigger", "schedule": "0 0 0 13 * 5"}`),
		"app setting OtherStorage":                     trigger(`{"type": "queueTrigger", "queueName": "q", "connection": "OtherStorage"}`),
		"the timer's lock: app setting":                trigger(`{"type": "timerTrigger", "schedule": "00:10:00"}`),
		"batchSize 33":                                 host(`"extensions": {"queues": {"batchSize": 33}}`),
		"newBatchThreshold -1":                         host(`"extensions": {"queues": {"newBatchThreshold": -1}}`),
		"maxDequeueCount 0":                            host(`"extensions": {"queues": {"maxDequeueCount": 0}}`),
		"maxPollingInterval 50ms":                      host(`"extensions": {"queues": {"maxPollingInterval": "00:00:00.05"}}`),
		`messageEncoding "utf8"`:                       host(`"extensions": {"queues": {"messageEncoding": "utf8"}}`),
		`"30s" is not a time span`:                     host(`"functionTimeout": "30s"`),
		"functionTimeout: 00:00:00.5 is below":         host(`"functionTimeout": "00:00:00.5"`),
		"host.json: no such file":                      func(a *app) { a.config.Root = t.TempDir() },
		"there is no <function>/function.json":         func(a *app) { a.config.Functions = []string{} },
		"there is no function absent":                  func(a *app) { a.config.Functions = []string{"web", "absent"} },
		"not a loopback address":                       func(a *app) { a.config.Addr = "0.0.0.0:0" },
		"time scale -1 is negative":                    func(a *app) { a.config.TimeScale = -1 },
		"the handler: ":                                func(a *app) { a.config.Executable = "/no/such/handler" },
		"defaultExecutablePath is missing":             func(a *app) { a.config.Executable = "" },
		`FUNCTIONS_REQUEST_BODY_SIZE_LIMIT "1 MiB" is`: func(a *app) { a.config.Settings["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"] = "1 MiB" },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, proxying)
			a.addHTTP("web", "{*path}")
			change(a)
			h, err := a.tryStart()
			if err == nil {
				_ = h.Stop(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

// A subset of the functions can be served, as where each function has processes of its own.
func TestSubsetOfFunctionsIsServed(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("web", "in/{*path}")
	a.addHTTP("window", "out/{*path}")
	a.addQueue("unserved", "q", "binary") // has no connection, which nobody asks for
	a.config.Functions = []string{"window"}
	h := a.start()
	in, _ := get(t, h.URL()+"/api/in/x")
	out, _ := get(t, h.URL()+"/api/out/x")
	if in != 404 || out != 200 {
		t.Errorf("web %d, window %d", in, out)
	}
}

// host.json's executable is looked for below the app root, then on PATH.
func TestExecutableIsFoundBelowTheRootOrOnThePATH(t *testing.T) {
	t.Parallel()
	a := newApp(t, `{"customHandler": {"enableProxyingHttpRequest": true, "description": {"defaultExecutablePath": "%FOLDER%/handler"}}}`)
	a.addHTTP("web", "{*path}")
	a.config.Settings["FOLDER"] = "bin"
	if err := os.Mkdir(filepath.Join(a.config.Root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(a.config.Executable, filepath.Join(a.config.Root, "bin", "handler")); err != nil {
		t.Fatal(err)
	}
	a.config.Executable = ""
	if h := a.start(); h.HandlerPID() == 0 {
		t.Error("no handler")
	}
}
