//go:build linux

package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/pgtest"
)

// checkTargets holds each target against a model, into which the files are loaded in the order of their turns. T1 to T4.
func (s *soak) checkTargets(t *testing.T) {
	t.Helper()
	edits := s.edits(t)
	for _, target := range s.targets {
		events := s.targetEvents(t, target)
		s.checkOrder(t, target, events)
		m := newModel(target, edits)
		undone, corrected := 0, 0
		for _, e := range events {
			if e.Undo {
				undone++
				if kept := m.undo(e.Load); kept != e.Kept {
					t.Errorf("seed %d: target %s: the undo of load %d names %d rows that stay, want %d", s.seed, target.name, e.Load, e.Kept, kept)
				}
				continue
			}
			counts := m.load(modelLoad{e.file, e.Load})
			if e.file.corrects != nil {
				corrected++
			}
			if got := (loadCounts{e.Inserted, e.Updated, e.Unchanged, e.Deleted}); got != counts {
				t.Errorf("seed %d: target %s: load %d has counted %+v, want %+v", s.seed, target.name, e.Load, got, counts)
			}
		}
		m.edit(0)
		s.compareTarget(t, target, m)
		t.Logf("target %s: %d files loaded, %d of them corrections, %d undone, %d rows there in the end", target.name, len(events)-undone, corrected, undone, len(m.rows))
	}
	t.Logf("%d edits of rows of targets", len(edits))
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.task t full join sheetdrop.target_load l on l.task_id = t.id
where (t.target_id is not null and t.kind = 'LOAD' or l.id is not null) and (t.status = 'COMPLETED') is distinct from (l.id is not null)
   or t.status = 'COMPLETED' and l.id is not null and (t.summary->>'rows_loaded')::int <> l.inserted + l.updated + l.unchanged
    + (select count(*) from sheetdrop.corrected_reject c join sheetdrop.sheet s on s.id = c.target_sheet_id where s.task_id = t.id and c.loaded_row_no is not null)`); n != 0 {
		t.Errorf("seed %d: %d tasks and loads do not belong together, or have other counts", s.seed, n)
	}
}

// targetEvent is a load of a target, or an undo of one.
type targetEvent struct {
	TaskID                                uuid.UUID
	Undo                                  bool
	Load                                  int64
	Inserted, Updated, Unchanged, Deleted int
	Kept                                  int
	file                                  *targetFile
}

// targetEvents are those of COMPLETED tasks, in the order of their turns. A load without order has none once it was retried, and comes before all
// undos.
func (s *soak) targetEvents(t *testing.T, target *soakTarget) []targetEvent {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select t.id as task_id, t.kind = 'UNDO' as undo, coalesce(l.id, (t.summary->'undo'->>'load')::bigint, 0) as load,
  coalesce(inserted, 0) as inserted, coalesce(updated, 0) as updated, coalesce(unchanged, 0) as unchanged, coalesce(deleted, 0) as deleted,
  coalesce((t.summary->'undo'->>'kept')::int, 0) as kept
from sheetdrop.task t left join sheetdrop.target_load l on l.task_id = t.id
where t.target_id = $1 and t.status = 'COMPLETED' order by t.turn nulls first`, target.id)
	if err != nil {
		t.Fatal(err)
	}
	events, err := pgx.CollectRows(rows, pgx.RowToStructByName[targetEvent])
	if err != nil {
		t.Fatal(err)
	}
	byTask := map[uuid.UUID]*targetFile{}
	for _, f := range target.files {
		byTask[f.upload.task] = f
	}
	for i := range events {
		if e := &events[i]; !e.Undo {
			if e.file = byTask[e.TaskID]; e.file == nil {
				t.Fatalf("seed %d: target %s has load %d of task %s, which nobody has sent", s.seed, target.name, e.Load, e.TaskID)
			}
		}
	}
	return events
}

// checkOrder holds loads against T2: a file that was answered before another one was sent has the lower turn, and was loaded before it.
func (s *soak) checkOrder(t *testing.T, target *soakTarget, events []targetEvent) {
	t.Helper()
	if !target.keyed {
		return
	}
	answered, load := time.Duration(1<<62), int64(1<<62) // the earliest of those with higher turns
	for _, e := range slices.Backward(events) {
		if e.Undo {
			continue
		}
		if !e.file.retried && answered < e.file.sent {
			t.Errorf("seed %d: target %s: upload %d, sent after %s, has a lower turn than one that was answered after %s", s.seed, target.name, e.file.upload.number,
				e.file.sent, answered)
		}
		if e.Load > load {
			t.Errorf("seed %d: target %s: upload %d is load %d, and one with a higher turn load %d", s.seed, target.name, e.file.upload.number, e.Load, load)
		}
		load = e.Load
		if !e.file.retried {
			answered = min(answered, e.file.upload.accepted)
		}
	}
}

// compareTarget compares a target's tables with the model's.
func (s *soak) compareTarget(t *testing.T, target *soakTarget, m *modelTarget) {
	t.Helper()
	got := newHistory()
	s.readVersions(t, target.name, "0", func(row modelRow, _ int64) {
		key := row.values["id"]
		if !target.keyed && row.load > 0 {
			key = fmt.Sprint(row.load, "/", row.no)
		}
		got.rows[key] = row
	})
	s.readVersions(t, target.name+"__was", "_by", func(row modelRow, by int64) {
		got.was[fmt.Sprint(row.values["id"], " by ", by)] = row.String()
	})
	if target.keyed {
		got.seen = pgtest.Query[map[string]string](t, s.Database,
			`select coalesce(jsonb_object_agg(concat(id, ' by ', _load), _row::text), '{}') from data.`+target.name+`__seen`)
	}
	for what, pair := range map[string][2]map[string]string{
		"rows": {inWords(got.rows), inWords(m.rows)}, "displaced versions": {got.was, m.was}, "repeated rows": {got.seen, m.seen},
	} {
		if wrong := differences(pair[0], pair[1]); len(wrong) > 0 {
			t.Errorf("seed %d: target %s, %s: %d differ:%s", s.seed, target.name, what, len(wrong), strings.Join(wrong[:min(len(wrong), mostComplaints)], ""))
		}
	}
}

func inWords(rows map[string]modelRow) map[string]string {
	words := make(map[string]string, len(rows))
	for key, row := range rows {
		words[key] = row.String()
	}
	return words
}

func differences(got, want map[string]string) (wrong []string) {
	both := maps.Clone(want)
	maps.Copy(both, got)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if got[key] != want[key] {
			wrong = append(wrong, fmt.Sprintf("\n  %s is %q, want %q", key, got[key], want[key]))
		}
	}
	return wrong
}

// readVersions reads a table of a target; by is the column, or the number, that each row comes with.
func (s *soak) readVersions(t *testing.T, table, by string, each func(row modelRow, by int64)) {
	t.Helper()
	type version struct {
		Values map[string]string
		Load   int64
		No     int
		Edited bool
		By     int64
	}
	for _, v := range pgtest.Query[[]version](t, s.Database, `select coalesce(jsonb_agg(jsonb_build_object('Load', _load, 'No', _row, 'Edited', _edited, 'By', `+by+`,
  'Values', jsonb_build_object('id', id, 'part', coalesce(part, ''), 'amount', coalesce(amount::text, ''), 'day', coalesce(day::text, ''), 'remark', coalesce(remark, '')))), '[]')
from data.`+table) {
		each(modelRow{v.Values, v.Load, v.No, v.Edited}, v.By)
	}
}
