// Package migrations holds the schema as plain SQL files, in goose's form, embedded. Each is written so that the code before it and the
// code after it can both run with its result.
package migrations

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Files are the migrations, named <version>_<what>.sql.
//
//go:embed *.sql
var Files embed.FS

// Latest is the version that the code of this build needs.
var Latest = latest()

func latest() int64 {
	names, err := fs.Glob(Files, "*.sql")
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("no embedded migrations: %v", err))
	}
	version, err := strconv.ParseInt(strings.SplitN(names[len(names)-1], "_", 2)[0], 10, 64)
	if err != nil {
		panic(fmt.Sprintf("migration %s has no number: %v", names[len(names)-1], err))
	}
	return version
}
