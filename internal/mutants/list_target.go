package main

// targetMutants are mistakes in what a target is, who may use it, and which column of a file goes into which of its own.
var targetMutants = []mutant{
	{
		"of two headers with the same name the first one is loaded",
		"internal/target/match.go",
		"if len(headers) > 1 {",
		"if len(headers) > 2 {",
		"./internal/target",
	},
	{
		"a header that two others have claimed goes on to a column below",
		"internal/target/match.go",
		"\t\tfor _, h := range headers {\n\t\t\tm.decided[h] = true\n\t\t}\n\t\tif len(headers) > 1 {",
		"\t\tif len(headers) == 1 {\n\t\t\tm.decided[headers[0]] = true\n\t\t}\n\t\tif len(headers) > 1 {",
		"./internal/target",
	},
	{
		"a choice for the only header of its name decides between two",
		"internal/target/match.go",
		"choice, ok = choices[Fold(m.headers[header])]",
		"_, ok = choices[\"\\x00\"]",
		"./internal/target",
	},
	{
		"a default stands for a row's key",
		"internal/target/match_problems.go",
		"(c.Default == nil || slices.Contains(m.def.Key, c.Name))",
		"c.Default == nil",
		"./internal/target",
	},
	{
		"a default that would be rounded is taken",
		"internal/target/validate_rules.go",
		"return number.IsInt() && ",
		"return ",
		"./internal/target",
	},
	{
		"half of what a newer version asks for is loaded",
		"internal/target/request.go",
		"\tvar request Request\n\tdecoder := json.NewDecoder(bytes.NewReader(text))\n\tdecoder.DisallowUnknownFields()\n",
		"\tvar request Request\n\tdecoder := json.NewDecoder(bytes.NewReader(text))\n",
		"./internal/target",
	},
	{
		"whoever may see a target may load into it",
		"upload-api/internal/receive/target.go",
		"case !found.May(targetstore.MayLoad):",
		"case !found.May(targetstore.MayLoad) && !found.May(targetstore.MayRead):",
		"./upload-api",
	},
	{
		"a target is shared with everybody",
		"internal/postgres/targetstore/targets.go",
		"where target_id = t.id and grantee = any($1)) s on true",
		"where target_id = t.id) s on true",
		"./internal/postgres/targetstore",
	},
}
