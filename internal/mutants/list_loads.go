package main

// loadMutants are mistakes in loads into named targets.
var loadMutants = []mutant{
	{
		"two files are loaded into a target at once",
		"internal/postgres/run.go",
		"o.ordered and o.status = 'PROCESSING'\n  )",
		"o.ordered and o.status = 'NEVER'\n  )",
		"./internal/postgres",
	},
	{
		"a file overtakes one that was sent before it",
		"internal/postgres/run.go",
		"o.status = 'PENDING' and (o.turn, o.id) < (t.turn, t.id)))`",
		"o.status = 'PENDING' and false))`",
		"./internal/postgres",
	},
	{
		"a load is not asked for because the one before it did not go well",
		"internal/postgres/migrations/00018_target_order.sql",
		"new.status not in ('PROCESSING', old.status)",
		"new.status = 'COMPLETED'",
		"./internal/postgres",
	},
	{
		"what somebody has changed meanwhile is kept as it was before",
		"internal/postgres/targetload/apply.go",
		" and t.ctid = c._at",
		"",
		"./parse-worker",
	},
	{
		"who uploads waits a second behind a migration",
		"internal/postgres/migrations/00017_targets.sql",
		"set local lock_timeout = '50ms';",
		"set local lock_timeout = '1s';",
		"./internal/postgres/migrate -run NobodyWaitsBehindAMigration",
	},
	{
		"a number is rounded",
		"internal/postgres/typedcopy/value.go",
		"if len(bytes.TrimRight(fraction, \"0\")) > c.Scale {",
		"if false {",
		"./internal/postgres/typedcopy",
	},
	{
		"a number's last digits are lost",
		"internal/postgres/typedcopy/value.go",
		"if value > math.MaxInt64/10 {",
		"if value > math.MaxInt64 {",
		"./internal/postgres/typedcopy",
	},
	{
		"a time is taken for one in another zone",
		"internal/postgres/typedcopy/value.go",
		"return wall - east*60*second, fits",
		"return wall, fits",
		"./internal/postgres/typedcopy",
	},
	{
		"a format is guessed",
		"internal/postgres/typedcopy/format.go",
		"case len(choices) > 0 && format != \"\":",
		"case false:",
		"./parse-worker",
	},
	{
		"a file whose headers are not understood does not show how far they were",
		"parse-worker/end.go",
		"if found.mapping != nil {",
		"if false {",
		"./parse-worker",
	},
	{
		"a refused row's record is kept nowhere",
		"parse-worker/target_refused.go",
		"if _, now := fresh.Of(rec.No); !now || rec.Kind != sheet.Reject || !isRefusal(rec) {",
		"if true {",
		"./parse-worker",
	},
}
