package why_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/internal/why"
)

var (
	noon   = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	timing = why.Timing{Period: 10 * time.Second, Lease: 30 * time.Second}
	id     = uuid.MustParse("0193c1a2-0000-7000-8000-000000000001")
	fileID = uuid.MustParse("0193c1a2-0000-7000-8000-000000000011")
)

// after returns a moment some seconds after noon.
func after(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }

func at(seconds float64) *time.Time { return new(after(seconds)) }

// pending is a task whose message was sent at noon, a minute ago.
func pending(change ...func(*why.Snapshot)) why.Snapshot {
	s := why.Snapshot{
		Now: after(60), RanAt: after(55), TaskID: id, FileID: fileID, FileOwner: "ann", AskedBy: "ann",
		Status: task.Pending, CreatedAt: noon, EnqueuedAt: noon,
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

// processing is the first attempt of a task, whose worker has renewed its lease a second ago.
func processing(change ...func(*why.Snapshot)) why.Snapshot {
	return pending(append([]func(*why.Snapshot){func(s *why.Snapshot) {
		s.Status, s.Attempt, s.ClaimedAt, s.LockedUntil = task.Processing, 1, at(1), at(89)
	}}, change...)...)
}

func ended(status task.Status, code string) func(*why.Snapshot) {
	return func(s *why.Snapshot) {
		s.Status, s.Attempt, s.ClaimedAt, s.FinishedAt, s.ErrorCode = status, 1, at(1), at(2), code
	}
}

func waits(m why.Message) func(*why.Snapshot) {
	return func(s *why.Snapshot) { s.Messages = append(s.Messages, m) }
}

func returned(reason task.Reason) func(*why.Snapshot) {
	return func(s *why.Snapshot) {
		s.Attempt, s.Past = 1, []why.Past{{Attempt: 1, BeganAt: at(1), EndedAt: after(3), Outcome: "RETURNED", Reason: string(reason), MessageID: &fileID}}
	}
}

// Whoever is woken learns what a task waits for, since when, when it goes on, and who has to do what. Each moment is that of the rule by
// which it goes on.
func TestStateSaysWhatATaskWaitsFor(t *testing.T) {
	t.Parallel()
	message := why.Message{ID: fileID, DueAt: at(50), CreatedAt: after(50)}
	for name, c := range map[string]struct {
		s    why.Snapshot
		want string // code, since, next, command; seconds from noon
	}{
		"due":                     {pending(waits(message)), "relay 50 60"},
		"due, and no timer":       {pending(waits(message), func(s *why.Snapshot) { s.RanAt = after(-600) }), "timer_stopped -600 - operator:"},
		"being sent":              {pending(waits(why.Message{DueAt: at(59), CreatedAt: after(59)})), "relay 59 69"},
		"a queue that is away":    {pending(waits(why.Message{Tried: true, DueAt: at(70), CreatedAt: noon})), "queue_unavailable 0 70"},
		"a queue that refuses":    {pending(waits(why.Message{ID: fileID, CreatedAt: noon})), "message_refused 0 300 operator:sheetdrop redrive " + fileID.String()},
		"of an earlier pause":     {pending(returned(task.ReasonStopped), waits(why.Message{ID: id, DueAt: at(70)})), "worker worker_stopped 0 300 cancel"},
		"refused before":          {pending(waits(why.Message{CreatedAt: after(-1)})), "worker 0 300 cancel"},
		"refused and renewed":     {pending(waits(why.Message{}), waits(message)), "relay 50 60"},
		"pause":                   {pending(returned(task.ReasonStopped), waits(why.Message{ID: fileID, DueAt: at(70), CreatedAt: after(70)})), "retry_pause worker_stopped 0 70 cancel"},
		"the pause is over":       {pending(returned(task.ReasonStopped), waits(message)), "relay worker_stopped 50 60"},
		"turn":                    {pending(func(s *why.Snapshot) { s.TurnsAhead = 2 }), "target_turn 0 - cancel"},
		"turn, and a message":     {pending(waits(message), func(s *why.Snapshot) { s.TurnsAhead = 2 }), "target_turn 0 - cancel"},
		"in the queue":            {pending(), "worker 0 300 cancel"},
		"in the queue again":      {pending(func(s *why.Snapshot) { s.Enqueues = 2 }), "worker 0 1200 cancel"},
		"for the twentieth time":  {pending(func(s *why.Snapshot) { s.Enqueues = 20 }), "worker 0 21600 cancel"},
		"others of its owner":     {pending(func(s *why.Snapshot) { s.FilesAhead = 3 }), "owner_share 0 - cancel"},
		"dangerous":               {pending(func(s *why.Snapshot) { s.RunsAlone, s.FilesAhead = true, 3 }), "runs_alone 0 300 cancel"},
		"read-only":               {pending(func(s *why.Snapshot) { s.ReadOnly = true }), "database_read_only 0 - operator:"},
		"read-only, running":      {processing(func(s *why.Snapshot) { s.ReadOnly = true }), "running 1 - cancel"},
		"read-only, expired":      {processing(func(s *why.Snapshot) { s.ReadOnly, s.LockedUntil = true, at(30) }), "database_read_only 30 - operator:"},
		"running":                 {processing(), "running 1 - cancel"},
		"silent":                  {processing(func(s *why.Snapshot) { s.LockedUntil = at(75) }), "heartbeat_missing 45 115"},
		"expired":                 {processing(func(s *why.Snapshot) { s.LockedUntil = at(58) }), "lease_expired 58 98"},
		"expired before a run":    {processing(func(s *why.Snapshot) { s.LockedUntil = at(50) }), "lease_expired 50 75"},
		"expired, and no timer":   {processing(func(s *why.Snapshot) { s.LockedUntil, s.RanAt = at(50), after(-600) }), "timer_stopped -600 - operator:"},
		"cancelling":              {processing(func(s *why.Snapshot) { s.CancelRequestedAt = at(60) }), "cancelling 60 129"},
		"completed":               {pending(ended(task.Completed, "")), "completed 2 -"},
		"cancelled":               {pending(ended(task.Cancelled, "")), "cancelled 2 - retry"},
		"deleted":                 {pending(ended(task.Cancelled, ""), func(s *why.Snapshot) { s.DeletedAt = at(2) }), "deleted 2 -"},
		"poison":                  {pending(ended(task.Failed, "worker_died")), "failed worker_died 2 - retry"},
		"unreadable":              {pending(ended(task.Failed, "no_table")), "failed no_table 2 - owner:sheetdrop reparse " + fileID.String() + " --help"},
		"an undo":                 {pending(ended(task.Failed, "load_used"), func(s *why.Snapshot) { s.Undo = true }), "failed load_used 2 - retry"},
		"an undo of a file, gone": {pending(func(s *why.Snapshot) { s.Undo, s.DeletedAt = true, at(0) }), "worker 0 300 cancel"},
	} {
		if got := told(why.Explain(c.s, timing, why.Viewer{Owner: "ann"}).State); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func told(s why.State) string {
	text := []string{string(s.Code)}
	if s.Reason != "" {
		text = append(text, s.Reason)
	}
	text = append(text, fmt.Sprint(s.Since.Sub(noon).Seconds()))
	if s.NextAt == nil {
		text = append(text, "-")
	} else {
		text = append(text, fmt.Sprint(s.NextAt.Sub(noon).Seconds()))
	}
	if s.Step != nil {
		step := fmt.Sprintf("%s:%s", s.Step.Who, s.Step.Command)
		step = strings.ReplaceAll(strings.ReplaceAll(step, "owner:sheetdrop cancel "+id.String(), "cancel"), "owner:sheetdrop retry "+id.String(), "retry")
		text = append(text, step)
	}
	return strings.Join(text, " ")
}

// Whoever asks why a file was not loaded is told in words what is wrong with it and what helps, and is sent to no command that cannot help.
func TestAFailureIsToldInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, message, japanese, text, step, textJA, stepJA string }{
		{"damaged_file", "The workbook is cut off.", "ブックが途中で切れています。", "FAILED. The workbook is cut off.", "Export it again, or let Excel repair and save it; then upload it.",
			"FAILED。ブックが途中で切れています。", "もう一度出力するか、Excelで開いて保存し直してから、アップロードしてください。"},
		{"missing_column", "There is no price.", "", "FAILED. There is no price.",
			"Look at the declared columns and read it again. sheetdrop reparse " + fileID.String() + " --help",
			"FAILED。There is no price.", "列の宣言を確認して読み直してください。 sheetdrop reparse " + fileID.String() + " --help"},
	} {
		s := pending(ended(task.Failed, c.code), func(s *why.Snapshot) { s.ErrorMessage, s.ErrorMessageJA = c.message, c.japanese })
		state := why.Explain(s, timing, why.Viewer{}).State
		for japanese, want := range map[bool][2]string{false: {c.text, c.step}, true: {c.textJA, c.stepJA}} {
			step := strings.TrimSpace(state.StepText(japanese) + " " + state.Step.Command)
			if got := [2]string{state.Text(japanese), step}; got != want {
				t.Errorf("%s: %q, want %q", c.code, got, want)
			}
		}
	}
}

// A life with everything in it is told in order, each attempt once.
func TestItemsTellALifeInOrder(t *testing.T) {
	t.Parallel()
	s := pending(ended(task.Completed, ""), func(s *why.Snapshot) {
		s.Attempt, s.ClaimedAt, s.FinishedAt, s.RowsLoaded = 4, at(50), at(52), 7
		s.Past = []why.Past{
			{Attempt: 1, BeganAt: at(1), EndedAt: after(3), Outcome: "RETURNED", Reason: "took_too_long", Counted: true},
			{Attempt: 1, BeganAt: at(1), EndedAt: after(4), Outcome: "CANCELLED", RetriedAt: at(5)},
			{Attempt: 2, BeganAt: at(6), EndedAt: after(40), Outcome: "EXPIRED", Reason: "worker_died"},
			{Attempt: 3, BeganAt: at(41), EndedAt: after(42), Outcome: "FAILED", Reason: "content_missing", RetriedAt: at(43)},
		}
		s.Sent = []why.SentMessage{{At: after(0.5)}}
		s.Letters = []why.Letter{{SeenAt: after(30)}}
		s.Actions = []why.Action{{At: after(5), Caller: "ann", Name: "retry_task"}, {At: after(43), Caller: "root", Name: "retry_task"}}
		s.Loads = []why.Load{{ID: 9, AppliedAt: after(51), UndoneAt: at(70)}}
		s.Webhooks = []why.Webhook{{CreatedAt: after(50.5), Attempts: 2}} // by the transaction that began then
		s.DeletedAt = at(80)
	})
	var got []string
	for _, item := range why.Explain(s, timing, why.Viewer{Owner: "ann"}).Items {
		got = append(got, strings.TrimSpace(fmt.Sprint(item.At.Sub(noon).Seconds(), " ", item.Kind, " ", item.By)))
	}
	want := "0 accepted, 0.5 message_sent, 1 started, 3 returned, 4 cancelled, 5 retried owner, 6 started, 30 dead_letter, 40 reclaimed, " +
		"41 started, 42 failed, 43 retried operator, 50 started, 51 loaded, 52 completed, 52 webhook_waiting, 70 load_undone, 80 file_deleted"
	if strings.Join(got, ", ") != want {
		t.Errorf("items: %s\nwant:  %s", strings.Join(got, ", "), want)
	}
}

// P8: nobody learns from a task of theirs who operates the service, or whose file goes before it. Operators do.
func TestOthersAreNotNamed(t *testing.T) {
	t.Parallel()
	other := uuid.MustParse("0193c1a2-0000-7000-8000-000000000099")
	s := pending(func(s *why.Snapshot) {
		s.TurnsAhead, s.TurnOf, s.TurnOwner = 1, &other, "bob"
		s.Past = []why.Past{{EndedAt: noon, Outcome: "CANCELLED", RetriedAt: at(1)}}
		s.Actions = []why.Action{{At: after(1), Caller: "root", Name: "retry_task"}}
	})
	for viewer, named := range map[why.Viewer]bool{{Owner: "ann"}: false, {Owner: "bob"}: false, {Owner: "root", Operator: true}: true} {
		e := why.Explain(s, timing, viewer)
		text := fmt.Sprint(e.Items, e.State.Text(false))
		for _, item := range e.Items {
			text += item.Text(false) + item.Text(true)
		}
		if strings.Contains(text, "root") != named {
			t.Errorf("%v is told who did it: %t\n%s", viewer, !named, text)
		}
		if waiting := e.State.WaitingFor != nil; waiting != (named || viewer.Owner == "bob") {
			t.Errorf("%v is told whose turn it is: %t", viewer, waiting)
		}
	}
}

// Each word of a program is a sentence for people, in both languages, with no gap left in it.
func TestEveryWordHasItsSentences(t *testing.T) {
	t.Parallel()
	check := func(word string, text func(japanese bool) string) {
		english, japanese := text(false), text(true)
		if english == "" || japanese == "" || english == japanese || strings.ContainsAny(english+japanese, "{}") {
			t.Errorf("%s: %q, %q", word, english, japanese)
		}
		for _, r := range english {
			if r > 0x7f {
				t.Errorf("%s: %q is not English", word, english)
				break
			}
		}
	}
	for _, kind := range why.Kinds {
		check(string(kind), why.Item{Kind: kind, Count: 3, Attempt: 2}.Text)
	}
	for _, code := range why.Codes {
		check(string(code), why.State{Code: code, Ahead: 3}.Text)
	}
	for _, reason := range task.Reasons {
		check(string(reason), why.Item{Kind: why.Returned, Reason: string(reason), Counted: true, By: why.ByOperator, Caller: "root"}.Text)
		if text := (why.State{Code: why.RetryPause, Reason: string(reason)}).Text(false); strings.Contains(text, string(reason)) {
			t.Errorf("%s has no sentence: %s", reason, text)
		}
	}
	for name, c := range map[string]why.Snapshot{
		"pause": pending(returned(task.ReasonStopped), waits(why.Message{ID: fileID, DueAt: at(70)})), "failed": pending(ended(task.Failed, "x")),
		"running": processing(), "refused": pending(waits(why.Message{CreatedAt: noon})),
	} {
		check(name, why.Explain(c, timing, why.Viewer{}).State.StepText)
	}
}
