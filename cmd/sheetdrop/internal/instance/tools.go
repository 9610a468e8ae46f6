package instance

import (
	"os"
	"os/exec"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// MissingTools names the programs that an instance needs and that are not on the PATH, and where they can be had.
func MissingTools(root string) (missing []string) {
	if !checkout.IsBuilt(root) && !isInstalled("go") {
		missing = append(missing, words.In("Go 1.26 or newer, which builds the handler: https://go.dev/dl"))
	}
	elsewhere := os.Getenv("DATABASE_URL") != "" && os.Getenv("DATA_STORAGE") != ""
	if !elsewhere && !(isInstalled("node") && isInstalled("npm")) {
		missing = append(missing, words.In("Node.js 20 or newer with npm, which fetches and runs PostgreSQL and Azurite: https://nodejs.org "+
			"(or name servers of your own in DATABASE_URL and DATA_STORAGE)"))
	}
	return missing
}

// requireTools returns an error that names all programs that are missing, before anything is begun.
func requireTools(root string) error {
	missing := MissingTools(root)
	if len(missing) == 0 {
		return nil
	}
	return words.Errorf("`sheetdrop local` needs programs that are not on the PATH:\n  %s\n"+
		"`sheetdrop parse` and `sniff` read files without them, and `upload` needs nothing but a server.", strings.Join(missing, "\n  "))
}

func isInstalled(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
