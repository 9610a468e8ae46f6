package devstack

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// errNode tells users without a recent Node.js what to install.
var errNode = errors.New("sheetdrop needs Node.js 20 or later, with npm, to run PostgreSQL and Azurite on this machine: " +
	"install it from https://nodejs.org, or name servers of your own in DATABASE_URL and DATA_STORAGE")

// node is the path of the Node.js program.
type node string

func findNode(ctx context.Context) (node, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return "", errNode
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output() // "v20.20.2"
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	if major, _ := strconv.Atoi(version); err != nil || major < 20 {
		return "", fmt.Errorf("%w (found %s %s)", errNode, path, strings.TrimSpace(string(out)))
	}
	return node(path), nil
}
