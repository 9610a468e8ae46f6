package devstack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A stack with a Dir keeps the port of its PostgreSQL from one start to the next, so that addresses in other programs stay good.
func (h *home) portFile() string { return filepath.Join(h.dir, "postgres.port") }

// keptPort returns the port of the first start, 0 if there was none.
func (h *home) keptPort() (int, error) {
	if !h.durable {
		return 0, nil
	}
	text, err := os.ReadFile(h.portFile())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s has no port in it: %w", h.portFile(), err)
	}
	return port, nil
}

// choosePort has PostgreSQL listen where it did before or, if wanted is not 0, there and nowhere else.
func (p *postgresPart) choosePort(h *home, wanted int) (err error) {
	if p.Port, p.Must = wanted, wanted != 0; !p.Must {
		p.Port, err = h.keptPort()
	}
	return err
}

// keepPort notes where PostgreSQL listens. One that somebody else has taken for once is not forgotten.
func (p *postgresPart) keepPort(h *home, listens int, log func(format string, args ...any)) error {
	if p.Must && listens != p.Port {
		return fmt.Errorf("PostgreSQL runs on this data already, at port %d", listens)
	}
	if p.Port != 0 && listens != p.Port {
		log("port %d is taken by another program: PostgreSQL is at port %d this time", p.Port, listens)
		return nil
	}
	if !h.durable {
		return nil
	}
	return os.WriteFile(h.portFile(), []byte(strconv.Itoa(listens)+"\n"), 0o644)
}
