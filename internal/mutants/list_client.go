package main

// clientMutants are of what uploads large files.
var clientMutants = []mutant{
	{
		"a block that is damaged on its way is stored",
		"internal/client/blocks/sender.go",
		`	r.Header.Set("Content-MD5", base64.StdEncoding.EncodeToString(sum.Sum(nil)))` + "\n",
		"\t_ = base64.StdEncoding.EncodeToString(sum.Sum(nil))\n",
		"./internal/client/blocks -run Arrives|Again",
	},
	{
		"an upload that was broken off is sent again from its beginning",
		"internal/client/blocks/blocks.go",
		"len(stored) > 0 && stored[0].First <= number",
		"false",
		"./internal/client/blocks -run Missing",
	},
	{
		"the signature of an address is printed",
		"internal/client/blocks/sender.go",
		"return of.Err",
		"return of",
		"./internal/client/blocks -run Secrets",
	},
	{
		"an upload ends when its address does",
		"internal/client/blocks/sender.go",
		"forbidden > mostForbidden",
		"forbidden > 0",
		"./internal/client/blocks -run Renewed|Again",
	},
	{
		"a connection that stands still holds an upload for ever",
		"internal/client/blocks/sender.go",
		"func() { stop(errStalled) }",
		"func() {}",
		"./internal/client/blocks -run Again -timeout 60s",
	},
	{
		"what is resumed is a second upload",
		"cmd/sheetdrop/internal/upload/direct.go",
		"\t\td.state = earlier\n",
		"",
		"./cmd/sheetdrop -run LargeUpload",
	},
	{
		"a file that is written while it is sent becomes a mixture of both",
		"cmd/sheetdrop/internal/upload/direct.go",
		"\treturn d.checkUnchanged()\n",
		"\treturn nil\n",
		"./cmd/sheetdrop -run LargeUpload",
	},
	{
		"a file that is still written to is uploaded from a watched folder",
		"cmd/sheetdrop/internal/watch/watch.go",
		"time.Since(now.since) >= f.Settle && ",
		"",
		"./cmd/sheetdrop -run DroppedFiles",
	},
	{
		"the token of a deployed server is sent in the clear",
		"cmd/sheetdrop/internal/server/server.go",
		`r.URL.Scheme != "https" && `,
		"false && ",
		"./cmd/sheetdrop -run NotSentInTheClear",
	},
}
