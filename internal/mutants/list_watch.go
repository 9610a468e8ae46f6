package main

// watchMutants are mistakes in what clients are told about tasks, and in how files are found.
var watchMutants = []mutant{
	{
		"anybody watches the tasks of others",
		"upload-api/internal/watch/stream.go",
		"state.ID == id && state.Owner == owner",
		"state.ID == id",
		"./upload-api -run Events",
	},
	{
		"a stream that goes on does not tell what has changed meanwhile",
		"upload-api/internal/watch/stream.go",
		"s.seen[i] != e.hash()",
		"s.seen[i] == 0 && e.hash() != 0",
		"./upload-api -run Events",
	},
	{
		"a stream never ends, and outlasts the host",
		"upload-api/internal/watch/stream.go",
		"case <-end.C:\n\t\t\treturn nil\n",
		"case <-end.C:\n",
		"./upload-api -run Events -timeout 2m",
	},
	{
		"who watches a deleted file waits for ever",
		"upload-api/internal/watch/stream.go",
		"} else if p.asked[id] {",
		"} else if false {",
		"./upload-api -run Events -timeout 2m",
	},
	{
		"a search among very many files looks at all of them",
		"internal/postgres/file_search.go",
		"const searchedFiles = 5000",
		"const searchedFiles = 5000000",
		"./upload-api -run SearchOfFiles",
	},
	{
		"the file at the end of a page of a search is lost",
		"internal/postgres/file_search.go",
		"f.id >= $3",
		"f.id > $3",
		"./upload-api -run SearchOfFiles",
	},
}
