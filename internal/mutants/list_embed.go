package main

// embedMutants are of what is open to other products' pages and servers.
var embedMutants = []mutant{
	{
		"an upload token can be used from another product's page",
		"upload-api/internal/embed/embed.go",
		`case found == nil || found.Origin != r.Header.Get("Origin"):`,
		"case found == nil:",
		"./upload-api -run UploadTokensThatDoNotCount",
	},
	{
		"an upload token reads all that its owner has",
		"upload-api/internal/embed/embed.go",
		"if err == nil && !own {",
		"if err == nil && !own && false {",
		"./upload-api -run UploadTokenReaches",
	},
	{
		"a page gets what its owner has uploaded with the same key",
		"upload-api/internal/embed/embed.go",
		"if token == nil || given == \"\" {",
		"if token == nil || given != \"\" {",
		"./upload-api -run UploadTokenReaches",
	},
	{
		"an upload token is good for more files than it says",
		"internal/postgres/uploadtoken/tokens.go",
		"and files + $2 <= max_files",
		"and files <= max_files",
		"./upload-api -run UploadToken",
	},
	{
		"every origin may upload",
		"upload-api/internal/embed/embed.go",
		"if len(origins) != 1 || !g.Settings.Allows(origins[0]) {",
		"if len(origins) != 1 {",
		"./upload-api -run OtherOrigins",
	},
	{
		"a file is fetched from a private network",
		"internal/outbound/address.go",
		"!ip.IsGlobalUnicast() || ip.IsPrivate() ||",
		"!ip.IsGlobalUnicast() ||",
		"./internal/outbound",
	},
	{
		"a redirect leads to any host",
		"internal/outbound/outbound.go",
		"if err := g.settings.CheckURL(r.URL); err != nil {",
		"if err := g.settings.CheckURL(r.URL); err != nil && r.Response == nil {",
		"./internal/outbound",
	},
}
