package crash

import (
	"encoding/json"
	"net/http"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// byViews is what happens to views of sheets. A view and its row are there together or not at all.
var byViews = map[string]scenario{
	"a view is made": {
		act:   func(t *testing.T, s *scene) { s.makeView(t, s.upload(t, sheet(5, 10), "COMPLETED")) },
		after: func(t *testing.T, s *scene) { s.wantView(t, 5) },
	},
	"a view is dropped": {
		act: func(t *testing.T, s *scene) {
			view := s.makeView(t, s.upload(t, sheet(5, 10), "COMPLETED"))
			s.insist(t, http.MethodDelete, "/api/views/"+view, nil, nil, http.StatusNotFound) // an answer that was lost
		},
		after: wantNoView,
	},
	"a file with a view is deleted": {
		act: func(t *testing.T, s *scene) {
			f := s.upload(t, sheet(5, 10), "COMPLETED")
			s.makeView(t, f)
			s.delete(t, f)
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select not exists (select from sheetdrop.sheet_view)`)
			wantNoView(t, s)
		},
	},
	"a file with a view is parsed again": {
		act: func(t *testing.T, s *scene) {
			f := s.upload(t, sheet(5, 10), "COMPLETED")
			s.makeView(t, f)
			s.command(t, "/api/files/"+f.id.String()+"/tasks", "", http.StatusConflict)
			f.again = 1
		},
		after: func(t *testing.T, s *scene) {
			s.Database.Await(t, `select v.stale_at is null and s.task_id = (select id from sheetdrop.task where status = 'COMPLETED' order by created_at desc, id desc limit 1)
from sheetdrop.sheet_view v join sheetdrop.sheet s on s.id = v.sheet_id`)
			s.wantView(t, 5)
		},
	},
}

// makeView waits until the file is read, asks for a view until there is one, and returns its id.
func (s *scene) makeView(t *testing.T, f *file) string {
	t.Helper()
	s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task where id = $1`, f.task)
	text := s.insist(t, http.MethodPost, "/api/tasks/"+f.task.String()+"/sheets/1/view", nil, nil)
	var view struct{ ID, SQL string }
	if err := json.Unmarshal(text, &view); err != nil || view.SQL != "select * from data.list" {
		t.Fatalf("the view: %v in %s", err, text)
	}
	return view.ID
}

// wantView says that there is one view, and that it shows the rows of sheet.
func (s *scene) wantView(t *testing.T, rows int) {
	t.Helper()
	if n := countViews(t, s); n != [2]int{1, 1} {
		t.Fatalf("%d rows of views and %d views, want one of each", n[0], n[1])
	}
	if sum := pgtest.Query[int](t, s.Database, `select sum(id) from data.list`); sum != rows*(rows-1)/2 {
		t.Errorf("the sum of the view is %d", sum)
	}
}

func wantNoView(t *testing.T, s *scene) {
	t.Helper()
	if n := countViews(t, s); n != [2]int{} {
		t.Errorf("%d rows of views and %d views, want none", n[0], n[1])
	}
}

func countViews(t *testing.T, s *scene) [2]int {
	t.Helper()
	return [2]int{
		pgtest.Query[int](t, s.Database, `select count(*)::int from sheetdrop.sheet_view`),
		pgtest.Query[int](t, s.Database, `select count(*)::int from pg_views where schemaname = 'data'`),
	}
}
