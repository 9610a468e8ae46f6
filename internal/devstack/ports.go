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

// A stack with a Dir keeps its ports from one start to the next, so that addresses in other programs stay good. Each has a file in Dir.
const (
	postgresPortFile = "postgres.port"
	blobPortFile     = "blob.port"
	queuePortFile    = "queue.port"
)

// keptPort returns the port of the first start, 0 if there was none.
func (h *home) keptPort(file string) (int, error) {
	if !h.durable {
		return 0, nil
	}
	path := filepath.Join(h.dir, file)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s has no port in it: %w", path, err)
	}
	return port, nil
}

// keepPort notes where a service listens. A port that somebody else has taken for once is not forgotten, and that is said.
func (h *home) keepPort(file, service string, wanted, listens int, log func(format string, args ...any)) error {
	if wanted != 0 && listens != wanted {
		log("port %d is taken by another program: %s is at port %d this time", wanted, service, listens)
		return nil
	}
	if !h.durable {
		return nil
	}
	return os.WriteFile(filepath.Join(h.dir, file), []byte(strconv.Itoa(listens)+"\n"), 0o644)
}

// choosePorts has the services listen where they did before or, if database is not 0, PostgreSQL there and nowhere else.
func (p *parts) choosePorts(h *home, database int) (err error) {
	if postgres := p.postgres; postgres != nil {
		if postgres.Port, postgres.Must = database, database != 0; !postgres.Must {
			if postgres.Port, err = h.keptPort(postgresPortFile); err != nil {
				return err
			}
		}
	}
	if p.azurite != nil {
		if p.azurite.Blob, err = h.keptPort(blobPortFile); err == nil {
			p.azurite.Queue, err = h.keptPort(queuePortFile)
		}
	}
	return err
}

// keepPorts notes where the services listen.
func (p *parts) keepPorts(h *home, s *Stack, log func(format string, args ...any)) error {
	var errs []error
	if postgres := p.postgres; postgres != nil {
		if postgres.Must && s.databasePort != postgres.Port {
			return fmt.Errorf("PostgreSQL runs on this data already, at port %d", s.databasePort)
		}
		errs = append(errs, h.keepPort(postgresPortFile, "PostgreSQL", postgres.Port, s.databasePort, log))
	}
	if azurite := p.azurite; azurite != nil {
		errs = append(errs, h.keepPort(blobPortFile, "Azurite (blobs)", azurite.Blob, s.storagePorts.Blob, log),
			h.keepPort(queuePortFile, "Azurite (queues)", azurite.Queue, s.storagePorts.Queue, log))
	}
	return errors.Join(errs...)
}
