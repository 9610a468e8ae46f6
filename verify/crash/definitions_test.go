package crash

import (
	"encoding/json"
	"net/http"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// byDefinitions is what happens to targets themselves: a target and its tables are there together or not at all, and each change is made
// once.
var byDefinitions = map[string]scenario{
	"a target is created": {
		act:   func(t *testing.T, s *scene) { s.createTarget(t) },
		after: wantTarget(1, "id text 3"),
	},
	"a target is changed": {
		act: func(t *testing.T, s *scene) {
			s.sendJSON(t, http.MethodPatch, s.createTarget(t), `{"columns":[{"name":"id","type":"text","required":true},{"name":"note","type":"text"}]}`)
		},
		after: wantTarget(2, "id text, note text 3"),
	},
	"a target is shared": {
		act: func(t *testing.T, s *scene) {
			s.sendJSON(t, http.MethodPut, s.createTarget(t)+"/shares", `{"shares":[{"grantee":"somebody","may":"load"}]}`)
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "target_share", 1) },
	},
	"columns of a target are chosen": {
		act: func(t *testing.T, s *scene) {
			choices := s.createTarget(t) + "/choices"
			s.sendJSON(t, http.MethodPut, choices, `{"choices":{"Nummer":"id"}}`)
			s.insist(t, http.MethodDelete, choices, nil, nil)
		},
		after: func(t *testing.T, s *scene) { s.wantCount(t, "header_choice", 0) },
	},
	"a target is dropped": {
		act: func(t *testing.T, s *scene) {
			s.insist(t, http.MethodDelete, s.createTarget(t)+"?table=drop", nil, nil, http.StatusNotFound) // an answer that was lost
		},
		after: wantTarget(0, " 0"),
	},
}

// createTarget returns the path of a target.
func (s *scene) createTarget(t *testing.T) string {
	t.Helper()
	text := s.sendJSON(t, http.MethodPost, "/api/targets", `{"name":"list","key":["id"],"columns":[{"name":"id","type":"text","required":true}]}`)
	var made struct{ ID string }
	if err := json.Unmarshal(text, &made); err != nil || made.ID == "" {
		t.Fatalf("the target: %v in %s", err, text)
	}
	return "/api/targets/" + made.ID
}

func (s *scene) sendJSON(t *testing.T, method, path, body string) []byte {
	t.Helper()
	return s.insist(t, method, path, http.Header{"Content-Type": {"application/json"}}, []byte(body))
}

func (s *scene) wantCount(t *testing.T, table string, want int) {
	t.Helper()
	if n := pgtest.Query[int](t, s.Database, `select count(*)::int from sheetdrop.`+table); n != want {
		t.Errorf("%d rows in %s, want %d", n, table, want)
	}
}

// wantTarget compares the version of the target, 0 for none, the columns of its table, and how many tables it has.
func wantTarget(version int, shape string) func(t *testing.T, s *scene) {
	return func(t *testing.T, s *scene) {
		t.Helper()
		got := pgtest.Query[int](t, s.Database, `select coalesce(max(version), 0) from sheetdrop.target where dropped_at is null`)
		tables := pgtest.Query[string](t, s.Database, `select concat((select string_agg(attname || ' ' || atttypid::regtype, ', ' order by attnum) from pg_attribute
  where attrelid = to_regclass('data.list') and attnum > 0 and attname !~ '^_'), ' ', (select count(*) from pg_tables where schemaname = 'data'))`)
		if got != version || tables != shape {
			t.Errorf("version %d with %q, want %d with %q", got, tables, version, shape)
		}
	}
}
