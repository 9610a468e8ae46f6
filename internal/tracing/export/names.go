package export

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"regexp"

	"github.com/exaring/otelpgx"
)

// ownTable finds a table of sheetdrop's own. Those of targets have names that customers have chosen.
var ownTable = regexp.MustCompile(`\b(?:from|into|update) sheetdrop\.([a-z_]+)\b`)

// nameOfStatement returns the name of a statement's span: its operation, and the first of sheetdrop's own tables in it.
func nameOfStatement(ctx context.Context, sql string) string {
	name := otelpgx.SQLOperationName(ctx, sql)
	if table := ownTable.FindStringSubmatch(sql); table != nil {
		name += " " + table[1]
	}
	return name
}

// nameOfCall returns the name of the span of a call of storage: its method, and the part of a blob, or of the queue, that it is about.
func nameOfCall(r *http.Request) string {
	if path.Base(r.URL.Path) == "messages" {
		return r.Method + " messages"
	}
	return r.Method + " " + cmp.Or(r.URL.Query().Get("comp"), "blob")
}
