package main

// whyMutants are mistakes in what is told of a task's life.
var whyMutants = []mutant{
	{
		"nobody learns why a task was returned",
		"internal/postgres/outcome.go",
		"from ended where status = 'PENDING'`",
		"from ended where status = 'FAILED'`",
		"./internal/postgres -run HistoryTells",
	},
	{
		"an outage of weeks fills the database with the histories of tasks",
		"internal/postgres/outcome.go",
		"offset 49 limit 1",
		"offset 4900 limit 1",
		"./internal/postgres -run HistoryIsBounded",
	},
	{
		"an owner learns who operates the service",
		"internal/why/explain.go",
		`e.Items[i].Caller = ""`,
		`e.Items[i].Caller += ""`,
		"./internal/why",
	},
	{
		"the life of a task is told to everybody",
		"upload-api/internal/history/history.go",
		"!in.All && !found.IsOf(viewer.Owner)",
		`!in.All && viewer.Owner == ""`,
		"./upload-api -run HistoryIsFor|OtherOwner",
	},
	{
		"a worker that was killed is taken for one that is silent for a moment, until its lease expires",
		"internal/why/state.go",
		"s.Now.Sub(beat) > silentAfter(t)",
		"s.Now.Sub(beat) > 10*t.Lease",
		"./internal/why",
	},
	{
		"a message of an earlier pause hides that the task is in the queue",
		"internal/why/state.go",
		"m.DueAt != nil && !s.leftOver(m)",
		"m.DueAt != nil",
		"./internal/why",
	},
	{
		"asking for one task reads all dead letters there ever were",
		"internal/postgres/migrations/00028_task_history.sql",
		"create index concurrently dead_letter_by_task on sheetdrop.dead_letter (task_id)",
		"create index concurrently dead_letter_by_task on sheetdrop.dead_letter (id)",
		"./internal/postgres/taskhistory",
	},
}
