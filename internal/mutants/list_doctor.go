package main

// doctorMutants are mistakes in what `sheetdrop doctor` says.
var doctorMutants = []mutant{
	{
		"the consequences of an outage are told besides it",
		"cmd/sheetdrop/internal/doctor/doctor.go",
		"case before.State == Problem:",
		"case before.State == Problem && need == \"\":",
		"./cmd/sheetdrop/internal/doctor -run ConsequencesAreSkipped",
	},
	{
		"an inspection may write",
		"internal/postgres/inspect/inspect.go",
		"AccessMode: pgx.ReadOnly",
		"AccessMode: pgx.ReadWrite",
		"./internal/postgres/inspect",
	},
	{
		"a read-only database is well",
		"cmd/sheetdrop/internal/doctor/database.go",
		"case e.server.ReadOnly:",
		"case e.server.ReadOnly && e.server.Standby:",
		"./cmd/sheetdrop/internal/doctor -run CulpritIsNamedFirst/a_read-only_database",
	},
	{
		"constraints that the migrations leave open are told on a new database",
		"internal/postgres/inspect/schema.go",
		"and k.conname <> all($1::text[])",
		"and k.conname <> all($1::text[] || array['']) or not k.convalidated and n.nspname = 'sheetdrop'",
		"./cmd/sheetdrop/internal/doctor -run NothingIsSaid",
	},
	{
		"a user whose own clock is wrong is told to set the others",
		"cmd/sheetdrop/internal/doctor/clocks.go",
		"apart > 1 && apart == len(e.clocks)",
		"apart > len(e.clocks)",
		"./cmd/sheetdrop/internal/doctor -run ThisMachinesClock",
	},
	{
		"what was not checked is called well",
		"cmd/sheetdrop/internal/doctor/report.go",
		"case wrong == 0 && left == 0:",
		"case wrong == 0:",
		"./cmd/sheetdrop -run DoctorOfThisMachine",
	},
}
