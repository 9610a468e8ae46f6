package functionshost

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// versionTimeout is long because the first run of a new installation unpacks itself.
const versionTimeout = 20 * time.Second

// oldestFunc is the first version of Core Tools whose host, 4.1041, knows enableProxyingHttpRequest
// of host.json. An older one ignores it and answers every request of the API with 500.
var oldestFunc = []int{4, 2, 1}

// findFunc returns the path of `func`, or the reason why there is none that can be used.
func findFunc(ctx context.Context, limit time.Duration) (path, reason string) {
	path, err := exec.LookPath("func")
	if err != nil {
		return "", "`func` is not on the PATH"
	}
	version, err := funcVersion(ctx, path, limit)
	switch {
	case err != nil:
		return "", fmt.Sprintf("%s --version says no version: %v", path, err)
	case slices.Compare(version, oldestFunc) < 0:
		return "", fmt.Sprintf("the host of %s is too old: it is %s, and must be %s or newer", path, dotted(version), dotted(oldestFunc))
	}
	return path, ""
}

var versionLine = regexp.MustCompile(`(?m)^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\b`)

// funcVersion runs `func --version` and returns major, minor and patch.
func funcVersion(ctx context.Context, path string, limit time.Duration) ([]int, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	ownGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd); return nil } // `func` of npm is a script that starts the program
	cmd.WaitDelay = time.Second
	output, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, words.Errorf("no answer in %s", limit)
	}
	if err != nil {
		return nil, err
	}
	parts := versionLine.FindSubmatch(output)
	if parts == nil {
		return nil, words.Errorf("it prints %.100q", output)
	}
	version := make([]int, len(oldestFunc))
	for i := range version {
		if version[i], err = strconv.Atoi(string(parts[i+1])); err != nil {
			return nil, err
		}
	}
	return version, nil
}

func dotted(version []int) string { return fmt.Sprintf("%d.%d.%d", version[0], version[1], version[2]) }
