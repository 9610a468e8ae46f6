package help

// examples of each command. Each is a command of docs/command-line.md, where they are run as they stand.
var examples = map[string][]string{
	"": {
		"sheetdrop sniff prices.csv",
		"sheetdrop upload prices.csv stock.xlsx",
		"sheetdrop rejects orders.csv --language=ja -o rejects.xlsx",
	},
	"parse": {"sheetdrop parse prices.csv", "sheetdrop parse prices.csv --format=csv --skip=0"},
	"sniff": {"sheetdrop sniff prices.csv", "sheetdrop sniff prices.csv --save-options=prices.json"},
	"upload": {
		"sheetdrop upload prices.csv stock.xlsx", "sheetdrop upload deliveries 'more/*.csv'", "sheetdrop upload - --name=list.csv",
	},
	"status":              {"sheetdrop status", "sheetdrop status prices.csv"},
	"why":                 {"sheetdrop why prices.csv", "sheetdrop why STOPPED --json"},
	"files":               {"sheetdrop files", "sheetdrop files --name=price --status=COMPLETED"},
	"tasks":               {"sheetdrop tasks --status=FAILED", "sheetdrop tasks --json --limit=0"},
	"rows":                {"sheetdrop rows prices.csv", "sheetdrop rows orders.csv -o orders.xlsx"},
	"rejects":             {"sheetdrop rejects orders.csv --language=ja -o rejects.xlsx"},
	"reparse":             {"sheetdrop reparse prices.csv --delimiter=semicolon"},
	"cancel":              {"sheetdrop cancel WAITING"},
	"retry":               {"sheetdrop retry STOPPED"},
	"rm":                  {"sheetdrop rm list.csv --yes", "sheetdrop rm late.csv --rows --yes"},
	"open":                {"sheetdrop open prices.csv"},
	"watch":               {"sheetdrop watch inbox --once"},
	"sql":                 {"sheetdrop sql --print"},
	"outbox":              {"sheetdrop outbox --status=FAILED"},
	"dead-letters":        {"sheetdrop dead-letters --json"},
	"actions":             {"sheetdrop actions --limit=5"},
	"doctor":              {"sheetdrop doctor", "sheetdrop doctor --json"},
	"redrive":             {"sheetdrop redrive --all-failed --event=PARSE_TASK"},
	"webhooks create":     {"sheetdrop webhooks create https://hooks.example.com/sheets --description=shop"},
	"webhooks test":       {"sheetdrop webhooks test shop"},
	"webhooks deliveries": {"sheetdrop webhooks deliveries shop --status=DEAD"},
	"webhooks redeliver":  {"sheetdrop webhooks redeliver shop --all-dead"},
	"webhooks change":     {"sheetdrop webhooks change shop --disable"},
	"webhooks rotate":     {"sheetdrop webhooks rotate shop"},
	"webhooks rm":         {"sheetdrop webhooks rm shop --yes"},
	"profile add":         {"sheetdrop profile add example https://example.com --client-id=11111111-2222-3333-4444-555555555555"},
	"profile use":         {"sheetdrop profile use example"},
	"profile list":        {"sheetdrop profile list"},
	"profile rm":          {"sheetdrop profile rm example"},
	"completion":          {"sheetdrop completion bash > sheetdrop.bash"},
}

// Examples returns all of them, for tests.
func Examples() (all []string) {
	for _, list := range examples {
		all = append(all, list...)
	}
	return all
}
