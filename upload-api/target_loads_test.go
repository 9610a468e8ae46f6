package upload

import (
	"net/http"
	"testing"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
)

// loaded has a target into which a file was loaded as number 7.
func loaded(d *testAPI, headers ...string) (made Target, taken FileAndTask) {
	d.t.Helper()
	made = d.target(pricesTarget, headers...)
	taken = d.upload("a.csv&target=prices", "article,net\n1,2\n", headers...)
	d.addLoad(made, taken)
	return made, taken
}

// addLoad has a file be loaded as number 7.
func (d *testAPI) addLoad(into Target, taken FileAndTask) {
	d.t.Helper()
	d.exec(`update sheetdrop.task set status = 'COMPLETED', summary = '{}', attempt = 1, started_at = now(), finished_at = now() where id = $1`, taken.Task.ID)
	d.exec(`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, inserted)
values (7, $1, $2, $3, 'a.csv', 1, 1, 'upsert', '{article,net}', '{}', 1)`, into.ID, taken.Task.ID, taken.File.ID)
}

// Who has loaded a file sees that, and has it undone by a task that waits for its turn like a load. Its file's options stay what they were.
func TestLoadIsUndone(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made, taken := loaded(d)
	var loads export.List[targets.TargetLoad]
	d.get(pathOf(made)+"/loads?file_name=a.csv").into(http.StatusOK, &loads)
	if len(loads.Items) != 1 || loads.Items[0].ID != 7 || loads.Items[0].Inserted != 1 || loads.Items[0].FileID != taken.File.ID {
		t.Errorf("loads are %+v", loads.Items)
	}
	d.get(pathOf(made)+"/loads?file_name=b.csv").into(http.StatusOK, &loads)
	if len(loads.Items) != 0 {
		t.Errorf("loads of another file are %+v", loads.Items)
	}

	d.exec(`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, undone_at)
select 7 + n, $1, $1, $1, 'b.csv', 1, 1, 'upsert', '{}', '{}', case when n = 2 then now() end from generate_series(1, 3) n`, made.ID)
	d.get(pathOf(made)+"/loads").into(http.StatusOK, &loads)
	for i, newer := range []int64{0, 1, 1, 2} {
		if loads.Items[i].Newer != newer {
			t.Errorf("load %d has %d newer ones, want %d", loads.Items[i].ID, loads.Items[i].Newer, newer)
		}
	}
	d.exec(`delete from sheetdrop.target_load where id > 7`)

	var undo Task
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).into(http.StatusAccepted, &undo)
	var got bool
	d.query(&got, `select kind = 'UNDO' and ordered and turn = 2 and target_id = $2 and exists (select from sheetdrop.outbox_message where task_id = t.id)
from sheetdrop.task t where id = $1`, undo.ID, made.ID)
	if !got || undo.FileID != taken.File.ID {
		t.Errorf("the task is %+v", undo)
	}
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).problem(problem.AlreadyRunning)
	d.exec(`update sheetdrop.task set status = 'COMPLETED', summary = '{}', attempt = 1, started_at = now(), finished_at = now() where id = $1`, undo.ID)
	d.exec(`update sheetdrop.target_load set settled_at = now()`)
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).problem(problem.UndoExpired)
	d.exec(`update sheetdrop.target_load set settled_at = null, undone_at = now()`)
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).problem(problem.AlreadyUndone)
	d.send(http.MethodPost, pathOf(made)+"/loads/8/undo", nil).problem(problem.NotFound)

	var file FileDetail
	d.get("/api/files/"+taken.File.ID.String()).into(http.StatusOK, &file)
	if file.Task.ID != taken.Task.ID {
		t.Errorf("the file's newest reading is %s, want %s", file.Task.ID, taken.Task.ID)
	}
	var again Task
	d.send(http.MethodPost, "/api/files/"+taken.File.ID.String()+"/tasks", nil).into(http.StatusAccepted, &again)
	if !equalJSON(again.Options, taken.Task.Options) {
		t.Errorf("parsed again with %s, want %s", again.Options, taken.Task.Options)
	}
}

// A load is undone by who has made it, while they may load, and by the target's owner; by nobody else who may load into the target.
func TestWhoMayUndoALoad(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob, eve := signedIn("ann"), signedIn("bob", "shop"), signedIn("eve", "shop")
	made := d.target(pricesTarget, ann)
	undo := pathOf(made) + "/loads/7/undo"
	share := func(shares string) {
		d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": [`+shares+`]}`, ann).into(http.StatusOK, &targets.TargetShares{})
	}
	share(`{"grantee": "role:shop", "may": "load"}`)
	taken := d.upload("a.csv&target="+made.ID.String(), "article,net\n1,2\n", bob)
	d.addLoad(made, taken)

	d.send(http.MethodPost, undo, nil, eve).problem(problem.NotPermitted)
	share("")
	d.send(http.MethodPost, undo, nil, bob).problem(problem.NotFound)
	var task Task
	d.send(http.MethodPost, undo, nil, ann).into(http.StatusAccepted, &task)
	path := "/api/tasks/" + task.ID.String()
	d.get(path, bob).into(http.StatusOK, &task) // it is of a file of theirs
	d.get(path, eve).problem(problem.NotFound)
	var recorded bool
	if d.query(&recorded, `select a.caller = t.owner and a.action = 'undo_load' and a.target = t.id
from sheetdrop.operator_action a, sheetdrop.target t where a.id = $1`, task.ID); !recorded {
		t.Error("it is not recorded who has asked for the undo")
	}
	d.send(http.MethodPost, path+"/cancel", nil, ann).into(http.StatusOK, &task)
	d.send(http.MethodPost, path+"/retry", nil, ann).into(http.StatusOK, &task)
	d.send(http.MethodPost, path+"/cancel", nil, eve).problem(problem.NotFound)
}

// A file that is deleted takes no undo away: who has loaded it, and the target's owner, can have its load undone later, even when no record of
// the file is left; and an undo that was asked for before goes on.
func TestLoadOfADeletedFileIsUndone(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", "shop")
	made := d.target(pricesTarget, ann)
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": [{"grantee": "role:shop", "may": "load"}]}`, ann).
		into(http.StatusOK, &targets.TargetShares{})
	taken := d.upload("a.csv&target="+made.ID.String(), "article,net\n1,2\n", bob)
	d.addLoad(made, taken)
	undo := pathOf(made) + "/loads/7/undo"

	var task Task
	d.send(http.MethodPost, undo, nil, bob).into(http.StatusAccepted, &task)
	d.send(http.MethodDelete, "/api/files/"+taken.File.ID.String(), nil, bob).noContent()
	path := "/api/tasks/" + task.ID.String()
	if d.get(path, bob).into(http.StatusOK, &task); task.Status != "PENDING" {
		t.Errorf("the undo is %s once its file is deleted, want PENDING", task.Status)
	}
	d.send(http.MethodPost, path+"/cancel", nil, bob).into(http.StatusOK, &task)
	d.send(http.MethodPost, undo, nil, bob).into(http.StatusAccepted, &task)
	d.send(http.MethodPost, "/api/tasks/"+task.ID.String()+"/cancel", nil, bob).into(http.StatusOK, &task)

	d.exec(`delete from sheetdrop.task`)
	d.exec(`delete from sheetdrop.source_file`)
	d.send(http.MethodPost, undo, nil, bob).problem(problem.Gone)
	d.send(http.MethodPost, undo, nil, ann).into(http.StatusAccepted, &task)
	d.send(http.MethodPost, undo, nil, ann).problem(problem.AlreadyRunning)
	d.get("/api/tasks/"+task.ID.String(), ann).into(http.StatusOK, &task)
	d.get("/api/files/"+taken.File.ID.String(), ann).problem(problem.NotFound)
	var files export.List[FileDetail]
	if d.get("/api/files", ann).into(http.StatusOK, &files); len(files.Items) > 0 {
		t.Errorf("files are %+v, want none", files.Items)
	}
}

// The newest load of a series counts, so they take turns, also in a target whose loads run at once otherwise. One whose place another has
// taken says so, and can still be undone.
func TestLoadsOfASeries(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.target(`{"name": "log", "columns": [{"name": "line", "type": "text"}]}`)
	for query, want := range map[string]bool{"": false, "&series=tokyo": true} {
		sent := d.upload("a.csv&target=log"+query, "line\na\n")
		var ordered bool
		if d.query(&ordered, `select ordered from sheetdrop.task where id = $1`, sent.Task.ID); ordered != want {
			t.Errorf("with %q the load waits for its turn: %t, want %t", query, ordered, want)
		}
	}

	made, _ := loaded(d)
	d.exec(`update sheetdrop.target_load set series = 'tokyo', undone_at = now(), superseded_by = 8`)
	var loads export.List[targets.TargetLoad]
	d.get(pathOf(made)+"/loads").into(http.StatusOK, &loads)
	if l := loads.Items[0]; l.Series != "tokyo" || l.SupersededBy == nil || *l.SupersededBy != 8 {
		t.Errorf("the load is %+v", l)
	}
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).into(http.StatusAccepted, &Task{})
}

// A file is deleted with its loads: a task undoes the first of them, to which a repetition leads, too; and nothing is asked of targets that the
// caller may not load into any more. Without a load the file goes at once.
func TestFileIsDeletedWithItsLoads(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made, taken := loaded(d)
	path := "/api/files/" + taken.File.ID.String()
	again := d.send(http.MethodPost, path+"/tasks?target=prices", nil)
	again.into(http.StatusAccepted, &Task{})
	var first, second Task
	d.send(http.MethodDelete, path+"?loads=undo", nil).into(http.StatusAccepted, &first)
	d.send(http.MethodDelete, path+"?loads=undo", nil).into(http.StatusAccepted, &second)
	var state string
	d.query(&state, `select string_agg(concat_ws(' ', kind, status, options->'target'->>'undo', options->'target'->>'delete_file'), ', ' order by turn)
from sheetdrop.task where source_file_id = $1`, taken.File.ID)
	if want := "LOAD COMPLETED, LOAD CANCELLED, UNDO PENDING 7 true"; state != want || first.ID != second.ID {
		t.Errorf("the file's tasks are %s, want %s; the repetition led to another: %t", state, want, first.ID != second.ID)
	}
	d.get(path).into(http.StatusOK, &FileDetail{})

	d.send(http.MethodPost, "/api/tasks/"+first.ID.String()+"/cancel", nil).into(http.StatusOK, &first)
	d.send(http.MethodPost, pathOf(made)+"/loads/7/undo", nil).into(http.StatusAccepted, &first)
	d.send(http.MethodDelete, path+"?loads=undo", nil).problem(problem.AlreadyRunning)
	d.send(http.MethodPost, "/api/tasks/"+first.ID.String()+"/cancel", nil).into(http.StatusOK, &first)
	d.exec(`update sheetdrop.target set owner = 'another'`)
	if p := d.send(http.MethodDelete, path+"?loads=undo", nil).problem(problem.HasLoads); len(p.Errors) != 1 {
		t.Errorf("the loads are %+v", p.Errors)
	}
	d.exec(`update sheetdrop.target_load set undone_at = now()`)
	d.send(http.MethodDelete, path+"?loads=undo", nil).noContent()
	d.get(path).problem(problem.NotFound)
}

// Who deletes a file can be told first of what it has loaded, while that can still be undone; afterwards its rows stay.
func TestFileWithLoadsIsDeleted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made, taken := loaded(d)
	path := "/api/files/" + taken.File.ID.String()
	p := d.send(http.MethodDelete, path+"?loads=refuse", nil).problem(problem.HasLoads)
	if len(p.Errors) != 1 || p.Errors[0].Location != pathOf(made)+"/loads/7" {
		t.Errorf("the loads are %+v", p.Errors)
	}
	d.get(path).into(http.StatusOK, &FileDetail{})
	d.exec(`update sheetdrop.target_load set undone_at = now()`)
	d.send(http.MethodDelete, path+"?loads=refuse", nil).noContent()
	d.get(path).problem(problem.NotFound)
}
