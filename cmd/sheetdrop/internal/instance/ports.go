package instance

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sheetdrop/internal/devstack"
)

// TakenPorts lists the ports of the last start on a data folder at which another program listens now. No instance may run on it.
func TakenPorts(ctx context.Context, data string) (taken []string) {
	ports, _ := devstack.KeptPorts(data) // a file that cannot be read is told at the next start
	if api := keptPort(data); api != 0 {
		ports = append(ports, api)
	}
	for _, port := range ports {
		if conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			conn.Close()
			taken = append(taken, strconv.Itoa(port))
		}
	}
	return taken
}

func portFile(data string) string { return filepath.Join(data, "api.port") }

// keptPort returns the port of the API of earlier starts, 0 if there was none.
func keptPort(data string) int {
	text, err := os.ReadFile(portFile(data))
	if err != nil {
		return 0
	}
	port, _ := strconv.Atoi(strings.TrimSpace(string(text))) // 0 for what is no port
	return port
}

// keepPort notes the port of the API of the first start, and one that was chosen. One that somebody else has taken for once is not
// forgotten.
func keepPort(o Options, address string) error {
	if _, err := os.Stat(portFile(o.Data)); o.Port == 0 && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	return os.WriteFile(portFile(o.Data), []byte(port+"\n"), 0o644)
}
