package main

// undoMutants are mistakes in who may take a load back, and in files that go with their loads.
var undoMutants = []mutant{
	{
		"an undo ends with its file",
		"internal/postgres/tasks.go",
		"status in ('PENDING', 'PROCESSING') and kind = 'LOAD' order",
		"status in ('PENDING', 'PROCESSING') order",
		"./parse-worker -run UndoOfADeletedFiles",
	},
	{
		"whoever may load into a target undoes what others have loaded",
		"upload-api/internal/targets/loads.go",
		"case err == nil && owner != caller && !isMine:",
		"case err == nil && owner != caller && false:",
		"./upload-api -run WhoMayUndo",
	},
	{
		"a file is deleted while rows of it stay in a target",
		"internal/postgres/undo/delete_file.go",
		"if len(loads) == 0 {",
		"if len(loads) <= 1 {",
		"./parse-worker -run FileGoesWithItsLoads",
	},
	{
		"a load that was replaced returns to be taken out again",
		"internal/postgres/undo/delete_file.go",
		"order by counts, l.id desc",
		"order by counts desc, l.id desc",
		"./parse-worker -run FileGoesWithItsLoads",
	},
	{
		"the record of a deleted file is removed, and the undo that waits with it",
		"internal/postgres/purge.go",
		"source_file_id = f.id and kind = 'UNDO' and status in ('PENDING', 'PROCESSING'))\norder",
		"source_file_id = f.id and status = 'NEVER')\norder",
		"./internal/maintenance -run DeletedFile",
	},
	{
		"corrections of a load stay when it is undone",
		"internal/postgres/undo/take_back.go",
		"for _, c := range corrections {",
		"for _, c := range corrections[:0] {",
		"./internal/postgres/undo -run UndoIsAsIf",
	},
	{
		"corrections of a file stay beside it when it is parsed again",
		"internal/postgres/undo/earlier.go",
		"where o.id = coalesce(l.corrects, l.id) and o.file_id = $3",
		"where o.id = l.id and o.file_id = $3",
		"./parse-worker -run CorrectionThatWasUndone",
	},
	{
		"corrections that come while their file is parsed again are left behind",
		"internal/postgres/undo/earlier.go",
		"if err == nil && corrected {",
		"if err == nil && corrected && false {",
		"./internal/postgres/undo -run CorrectedMeanwhile",
	},
	{
		"corrections that are sent again are loaded again",
		"parse-worker/correction.go",
		"return numberOf(key), ok\n}",
		"return numberOf(key), true || ok\n}",
		"./parse-worker -run CorrectedRejectsJoin",
	},
	{
		"what was corrected in a target and undone cannot be corrected again",
		"internal/postgres/undo/take_back.go",
		"if err == nil && (found.IsCorrecting || len(taken.Corrections) > 0) {",
		"if err == nil && len(taken.Corrections) > 0 {",
		"./parse-worker -run CorrectedRejectsJoin",
	},
	{
		"corrections are loaded into a target from which their load is being taken back",
		"internal/postgres/targetload/corrected.go",
		"where id = $1 and undone_at is null for share",
		"where id = $1 for share",
		"./parse-worker -run CorrectionsAreExactlyOnce",
	},
	{
		"the rows of a partition are not known again, since a duration was written in another way",
		"internal/postgres/undo/statements.go",
		"case when scope ? 'values' then",
		"case when scope ? 'never' then",
		"./internal/postgres/undo -run PartitionsInAnyForm",
	},
	{
		"N/A is a reject in a target where a view shows no value",
		"internal/postgres/typedcopy/format.go",
		"return len(found.NullWords) > 0 &&",
		"return len(found.NullWords) > 99 &&",
		"./parse-worker -run WordsForNoValue",
	},
}

// targetRowMutants are mistakes in how the rows of targets are read over HTTP.
var targetRowMutants = []mutant{
	{
		"the last row of a page begins the next one",
		"internal/postgres/targetrows/query.go",
		"and row(%s) > row(%s)`",
		"and row(%s) >= row(%s)`",
		"./upload-api -run TargetRows|RowsOfATarget",
	},
	{
		"of rows that people have added one is shown on each page",
		"internal/postgres/targetrows/query.go",
		"return []string{\"_load\", \"_row\", \"ctid\"}",
		"return []string{\"_load\", \"_row\"}",
		"./upload-api -run RowsOfATargetWithoutAKey",
	},
	{
		"a filter is of the column whose name another one's begins with",
		"upload-api/internal/export/target_filter.go",
		"len(c.Name) > len(found.Column.Name) && ",
		"",
		"./upload-api -run FiltersOfTargetRows",
	},
	{
		"a value is rounded before rows are compared with it",
		"internal/postgres/targetrows/query.go",
		"target.Decimal: \"numeric\",",
		"target.Decimal: \"numeric(30, 2)\",",
		"./upload-api -run FiltersOfTargetRows",
	},
	{
		"moments come out in the zone of the server",
		"internal/postgres/targetrows/page.go",
		"set local timezone = 'UTC'",
		"set local timezone = 'Asia/Tokyo'",
		"./upload-api -run RowsOfATarget",
	},
}

// adoptionMutants are mistakes in how a table that is there becomes a target.
var adoptionMutants = []mutant{
	{
		"a table of which an undo would take others' rows along is adopted",
		"internal/postgres/migrations/00022_adopted_targets.sql",
		"contype = 'f' and confdeltype in ('c', 'n', 'd'))\n      then",
		"contype = 'f' and confdeltype in ('n', 'd'))\n      then",
		"./parse-worker -run TablesThatCannotBeAdopted",
	},
	{
		"a table without a key that is always there is adopted",
		"internal/postgres/migrations/00022_adopted_targets.sql",
		"bool_and(a.attnotnull and c.definition is not null) as fits",
		"bool_and(c.definition is not null) as fits",
		"./parse-worker -run TablesThatCannotBeAdopted",
	},
	{
		"somebody else's table is made a target",
		"internal/postgres/migrations/00022_adopted_targets.sql",
		"  perform sheetdrop.need_table_owner(base);\n  perform sheetdrop.check_adoptable(base);",
		"  perform sheetdrop.check_adoptable(base);",
		"./internal/house -run ApplicationRole",
	},
	{
		"a table that hides rows by now is loaded into",
		"internal/postgres/targetload/adopted.go",
		"case when c.relrowsecurity then 'it has row security' end,",
		"null,",
		"./parse-worker -run AdoptedTableThatHasChanged",
	},
	{
		"a number that is too large for the table fails the whole file",
		"internal/postgres/migrations/00022_adopted_targets.sql",
		"'{\"type\": \"integer\", \"min\": \"-32768\", \"max\": \"32767\"}'",
		"'{\"type\": \"integer\"}'",
		"./parse-worker -run AdoptedTable",
	},
}
