package targetload

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/target"
)

// Correction is what a load of corrected rejects knows of the load that had them.
type Correction struct {
	Load     int64
	Replaced []json.RawMessage // scopes of later loads, which have replaced the rows with their values
}

// replacedLater reports whether rows have to wait in the stage because others have replaced such rows since.
func (l *Load) replacedLater() bool { return l.Corrects != nil && len(l.Corrects.Replaced) > 0 }

// refusedByReplacement takes the corrected rejects out of the stage that would come among rows which a later load has replaced.
func (l *Load) refusedByReplacement(ctx context.Context, limit int64) (all []Refusal, err error) {
	if !l.replacedLater() {
		return nil, nil
	}
	for _, text := range l.Corrects.Replaced {
		var s scope
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("scope of a load: %w", err)
		}
		columns := make([]string, len(s.Columns))
		for i, c := range s.Columns {
			columns[i] = quote(c)
		}
		found, err := l.takeOut(ctx, target.Replaced, fmt.Sprintf(`delete from %s s where exists (
  select from jsonb_array_elements($1::jsonb) v cross join jsonb_populate_record(null::%s, v) p where row(%s) is not distinct from row(%s)
) returning s._row, 0::bigint`, stage, l.names.table, prefixed("p", columns), prefixed("s", columns)), limit-int64(len(all)), string(s.Values))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// holdCorrected keeps the load whose rejects are corrected from being taken back until the transaction ends. One that was taken back
// meanwhile is postgres.ErrSheetChanged.
func (l *Load) holdCorrected(ctx context.Context) error {
	if l.Corrects == nil {
		return nil
	}
	var id int64
	err := l.load.SQL().QueryRow(ctx, `select id from sheetdrop.target_load where id = $1 and undone_at is null for share`, l.Corrects.Load).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return postgres.ErrSheetChanged
	}
	return l.load.Explain(err)
}
