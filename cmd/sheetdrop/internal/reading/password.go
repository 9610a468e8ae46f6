package reading

import (
	"io"
	"os"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// maxPassword is the largest size of a password file, in bytes; a larger one is not a password. Excel allows 255 characters.
const maxPassword = 4 << 10

// readPassword returns the content of a file without the line end; - is standard input. There is no flag for the password itself, since
// other users of the machine can read arguments.
func readPassword(path string) (string, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return "", badUsage{words.Errorf("--password-file: %w", err)}
		}
		defer file.Close()
	}
	text, err := io.ReadAll(io.LimitReader(file, maxPassword+1))
	if err != nil {
		return "", words.Errorf("--password-file: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case password == "":
		return "", badUsage{words.New("--password-file: the file is empty")}
	case len(text) > maxPassword:
		return "", badUsage{words.Errorf("--password-file: the file has more than %d bytes", maxPassword)}
	}
	return password, nil
}
