package export

import (
	"context"
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
