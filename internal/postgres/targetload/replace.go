package targetload

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// scope is which rows a load has replaced: all, or those with the values in the columns.
type scope struct {
	Columns []string        `json:"columns"`
	Values  json.RawMessage `json:"values,omitempty"` // objects
}

func (l *Load) readScope(ctx context.Context) (*scope, error) {
	found := &scope{Columns: append([]string{}, l.Target.Definition.Partition...)}
	if len(found.Columns) == 0 {
		return found, nil
	}
	err := l.load.SQL().QueryRow(ctx, fmt.Sprintf(`select coalesce(jsonb_agg(to_jsonb(p)), '[]') from (select distinct %s from %s s) p`,
		prefixed("s", l.names.partition), stage), pgx.QueryExecModeExec).Scan(&found.Values)
	return found, l.load.Explain(err)
}

// othersSQL are the target's rows t that the file replaces and does not have.
func (l *Load) othersSQL() string {
	condition := `true`
	if len(l.names.key) > 0 {
		condition = fmt.Sprintf(`not exists (select from %s s where (%s) = (%s))`, stage, prefixed("s", l.names.key), prefixed("t", l.names.key))
	}
	if len(l.names.partition) > 0 {
		condition += fmt.Sprintf(` and exists (select from (select distinct %s from %s s) p where row(%s) is not distinct from row(%s))`,
			prefixed("s", l.names.partition), stage, prefixed("p", l.names.partition), prefixed("t", l.names.partition))
	}
	return l.names.table + ` t where ` + condition
}

// deleteOthers deletes them, and keeps what they were.
func (l *Load) deleteOthers(ctx context.Context) (int64, error) {
	columns := strings.Join(append(slices.Clone(l.names.own), "_load", "_row", "_edited"), ", ")
	n, err := l.affect(ctx, fmt.Sprintf(`with gone as (delete from %s returning t.*) insert into %s (%s, _by, _deleted) select %s, %d, true from gone`,
		l.othersSQL(), l.names.was, columns, columns, l.LoadID))
	if what, ofData := isOfData(err); ofData {
		return 0, &RefusedError{what}
	}
	return n, err
}
