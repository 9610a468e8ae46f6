//go:build unix

package worker

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// parentScript runs its arguments as a child, says its process id on descriptor 3 and ends as it does, with 128 + n
// after signal n, in silence. Descriptor 4 is the child's alone. A Ctrl+C, which the terminal sends to all, is the child's affair.
const parentScript = `trap '' INT; "$0" "$@" 3>&- & echo $! >&3; exec 2>/dev/null 3>&- 4>&-; wait $!`

func parentOf(executable string, arguments []string) *exec.Cmd {
	return exec.Command("/bin/sh", append([]string{"-c", parentScript, executable}, arguments...)...)
}

// shareWithParent passes on the pipe for the process id and the one that the child keeps open.
func shareWithParent(parent *exec.Cmd, id, running *os.File) {
	parent.ExtraFiles = []*os.File{id, running}
}

// handlerID reads the child's process id.
func handlerID(_ *exec.Cmd, id io.Reader) (int, error) {
	line, err := bufio.NewReader(id).ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("its shell did not say its process id: %w", err)
	}
	return strconv.Atoi(strings.TrimSpace(line))
}
