package funchost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/funchost"
)

// The test binary is also the handler: started with this variable set it serves as one. It decides nothing by itself
// but asks the test that started it, at the variable's address, what to do.
const backendVariable = "FUNCHOST_TEST_BACKEND"

// hostVariable makes the test binary a program that embeds a host, to be killed.
const hostVariable = "FUNCHOST_TEST_HOST"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv("FUNCTIONS_CUSTOMHANDLER_PORT") != "":
		serveAsHandler(os.Getenv(backendVariable))
	case os.Getenv(hostVariable) != "":
		embedHost(os.Getenv(hostVariable))
	default:
		os.Exit(m.Run())
	}
}

// birth is what a handler tells its test when it starts.
type birth struct {
	PID int
	Env map[string]string
	Dir string
}

// Answers to a birth, beside "exit <code>", "tunnel to <address>" and "".
const (
	staySilent = "listen to nothing"
	acceptOnly = "accept and never answer"
)

func serveAsHandler(backend string) {
	order := announce(backend)
	if code, ok := strings.CutPrefix(order, "exit "); ok {
		exit(code)
	}
	if order == staySilent {
		select {}
	}
	go endWithHost(os.Getppid())
	listener, err := net.Listen("tcp4", "127.0.0.1:"+os.Getenv("FUNCTIONS_CUSTOMHANDLER_PORT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if order == acceptOnly {
		select {}
	}
	if address, ok := strings.CutPrefix(order, tunnelTo); ok {
		tunnel(listener, address)
	}
	_ = http.Serve(listener, relay(backend))
}

// endWithHost ends the handler when it has another parent than at its start.
func endWithHost(host int) {
	for tick := range time.Tick(20 * time.Millisecond) {
		_ = tick
		if os.Getppid() != host {
			os.Exit(0)
		}
	}
}

func announce(backend string) string {
	env := map[string]string{}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	dir, _ := os.Getwd()
	body, _ := json.Marshal(birth{PID: os.Getpid(), Env: env, Dir: dir})
	answer, err := http.Post(backend+birthPath, "application/json", strings.NewReader(string(body)))
	if err != nil {
		os.Exit(1) // the test has ended
	}
	defer answer.Body.Close()
	order, _ := io.ReadAll(answer.Body)
	return string(order)
}

// Headers between test and handler: what the handler saw that a relay does not pass on, and what it shall do.
const (
	birthPath    = "/a-handler-is-born"
	seenHost     = "X-Seen-Host"
	seenEncoding = "X-Seen-Transfer-Encoding"
	exitHeader   = "X-Exit"
	stdoutHeader = "X-Stdout"
	stderrHeader = "X-Stderr"
)

// relay passes each request on to the test, byte by byte as it comes, and its answer back.
func relay(backend string) http.Handler {
	target, _ := url.Parse(backend)
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     &http.Transport{DisableCompression: true},
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host = target.Scheme, target.Host
			p.Out.URL.RawQuery = p.In.URL.RawQuery
			for name, values := range p.In.Header {
				if strings.HasPrefix(name, "X-Forwarded-") {
					p.Out.Header[name] = values
				}
			}
			p.Out.Header.Set(seenHost, p.In.Host)
			p.Out.Header.Set(seenEncoding, strings.Join(p.In.TransferEncoding, ","))
		},
		ModifyResponse: func(answer *http.Response) error {
			if text := answer.Header.Get(stdoutHeader); text != "" {
				fmt.Println(text)
			}
			if text := answer.Header.Get(stderrHeader); text != "" {
				fmt.Fprintln(os.Stderr, text)
			}
			if code := answer.Header.Get(exitHeader); code != "" {
				exit(code)
			}
			return nil
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, r)
	})
}

func exit(code string) {
	n, _ := strconv.Atoi(code)
	os.Exit(n)
}

// embedHost is a program around a host; it runs until it is killed.
func embedHost(root string) {
	executable, _ := os.Executable()
	if _, err := funchost.Start(context.Background(), funchost.Config{Root: root, Executable: executable}); err != nil {
		os.Exit(1)
	}
	select {}
}
