package main

// viewMutants are mistakes in the views of sheets.
var viewMutants = []mutant{
	{
		"a view follows a dry run, which has no rows",
		"internal/postgres/sheetview/views.go",
		`and not reading.options @> '{"dry_run": true}' `,
		"",
		"./internal/maintenance -run TestViews",
	},
	{
		"a view follows the oldest reading",
		"internal/postgres/sheetview/views.go",
		"order by reading.created_at desc, reading.id desc limit 1",
		"order by reading.created_at, reading.id limit 1",
		"./internal/maintenance -run TestViews",
	},
	{
		"a view of an older reading moves away from it",
		"internal/postgres/sheetview/stale.go",
		"case when not v.pinned then",
		"case when true then",
		"./internal/maintenance -run TestViews",
	},
	{
		"a view in use is tried again and again",
		"internal/postgres/sheetview/stale.go",
		"stale_at = now() + $2::interval, in_use_by = ",
		"stale_at = now() + $2::interval * 0.1, in_use_by = ",
		"./internal/maintenance -run TestViewInUse",
	},
	{
		"operators are told of a view in use each hour",
		"internal/postgres/sheetview/stale.go",
		"\tif reported {\n",
		"\tif false {\n",
		"./internal/maintenance -run TestViewInUse",
	},
	{
		"a reading that is completed while its view is made is never shown",
		"internal/postgres/sheetview/views.go",
		"s.id, t.source_file_id, s.number, now(), coalesce(",
		"s.id, t.source_file_id, s.number, null, coalesce(",
		"./internal/maintenance -run TestViewsFollowA",
	},
	{
		"two requests at once make two views of a sheet",
		"upload-api/make_view.go",
		"\terr := sheetview.Lock(ctx, tx, m.view.Owner)\n",
		"\tvar err error\n",
		"./upload-api -run TestViewsAtOnce",
	},
	{
		"a report's view changes its source unasked",
		"upload-api/make_view.go",
		"\tif !m.Replace {\n",
		"\tif false {\n",
		"./upload-api -run TestTakenNames",
	},
	{
		"what was built on a view is lost when its file is parsed again",
		"internal/postgres/migrations/00016_views_and_comments.sql",
		"execute format('drop view %I.%I', space, wanted.name);",
		"execute format('drop view %I.%I cascade', space, wanted.name);",
		"./upload-api -run TestReplacedView",
	},
	{
		"a view whose columns stay is dropped, with what depends on it or not at all",
		"internal/postgres/migrations/00016_views_and_comments.sql",
		"execute 'create or replace ' || body; --",
		"raise invalid_table_definition; --",
		"./upload-api -run TestReplacedView",
	},
	{
		"names of files in Japanese become names of nothing",
		"upload-api/internal/viewname/viewname.go",
		"unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)",
		"r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))",
		"./upload-api/internal/viewname",
	},
	{
		"the database of a laptop is somewhere else after each start",
		"internal/devstack/ports.go",
		"postgres.Port, err = h.keptPort(postgresPortFile)",
		"_, err = h.keptPort(postgresPortFile)",
		"./internal/devstack -run TestDatabaseKeepsItsPort",
	},
}
