package house

// part is a line of the plan: a folder, with all below it but what has a line of its own.
type part struct {
	folder string
	ours   []string // what it may import of sheetdrop besides itself; "x/..." is x with all below it
	libs   []string // the libraries that it may import besides the standard library, with all below them
}

const (
	azureSDK    = "github.com/Azure/azure-sdk-for-go/sdk"
	brotli      = "github.com/andybalholm/brotli"
	browser     = "github.com/pkg/browser"
	databaseSQL = "database/sql"
	cron        = "github.com/robfig/cron/v3"
	env         = "github.com/caarlos0/env/v11"
	excelize    = "github.com/xuri/excelize/v2"
	flock       = "github.com/gofrs/flock"
	goldmark    = "github.com/yuin/goldmark"
	goose       = "github.com/pressly/goose/v3"
	huma        = "github.com/danielgtaylor/huma/v2"
	klauspost   = "github.com/klauspost/compress"
	kong        = "github.com/alecthomas/kong"
	lz4         = "github.com/pierrec/lz4/v4"
	mscfb       = "github.com/richardlehane/mscfb"
	oapiRuntime = "github.com/oapi-codegen/runtime" // of what oapi-codegen generates
	otel        = "go.opentelemetry.io/otel"        // its API
	otelHTTP    = "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	otelRuntime = "go.opentelemetry.io/contrib/instrumentation/runtime"
	otelPgx     = "github.com/exaring/otelpgx"
	otlp        = "go.opentelemetry.io/proto/otlp"
	parquet     = "github.com/parquet-go/parquet-go"
	pgx         = "github.com/jackc/pgx/v5"
	pgxUUID     = "github.com/vgarvardt/pgx-google-uuid/v5"
	prometheus  = "github.com/prometheus/client_golang/prometheus"
	protobuf    = "google.golang.org/protobuf"
	progressbar = "github.com/schollz/progressbar/v3"
	rapid       = "pgregory.net/rapid"
	river       = "github.com/riverqueue/river"
	uniseg      = "github.com/rivo/uniseg" // the width of characters in a terminal
	uuid        = "github.com/google/uuid"
	watermill   = "github.com/ThreeDotsLabs/watermill"
	millSQL     = "github.com/ThreeDotsLabs/watermill-sql/v4"
	xNet        = "golang.org/x/net/html" // the tokenizer of pages
	xSync       = "golang.org/x/sync"
	xSys        = "golang.org/x/sys"
	xTerm       = "golang.org/x/term"
	xText       = "golang.org/x/text"
)

// plan is the house: every package has its place here, every arrow between them, and every library its users.
//
// The handler opens things and hands each function what comes for it. The rooms, which are the functions,
// share PostgreSQL, blobs and the queue and nothing else, so that each can run in a process of its own: none imports
// another. The host's protocol is known to functions and the handler alone, SQL to postgres, the Azure SDK to azure,
// what their errors mean to fault, and the engine that reads files knows neither.
var plan = []part{
	{"internal/clock", nil, nil},
	{"internal/backoff", nil, nil},
	{"internal/acceptencoding", nil, nil},
	{"internal/outbound", nil, nil},
	{"functions", ours("internal/clock", "internal/fault"), nil},
	{"internal/metrics", ours("internal/clock", "internal/task"), libs(otel, otelRuntime, prometheus)}, // knows no room: they tell it what they did
	{"internal/tracing", ours("internal/task"), libs(otel)},
	{"internal/tracing/export", ours("internal/clock", "internal/tracing"), libs(otel, otelHTTP, otelPgx, pgx)},

	{"internal/fault", nil, libs(azureSDK, pgx)},
	{"internal/task", nil, libs(uuid)},
	{"internal/sheet", nil, libs(brotli, klauspost, lz4, parquet, xNet, xText)},
	{"internal/why", ours("internal/task"), libs(uuid)},
	{"internal/target", ours("internal/sheet", "internal/sheet/types"), libs(uuid, xText)},
	{"internal/sheet/sheettest", nil, libs(xText)},                                         // generators of files: nobody but tests
	{"internal/sheet/decrypt", ours("internal/sheet/xlsx/xmlscan"), libs(excelize, mscfb)}, // for who takes passwords
	{"internal/postgres/database", ours("internal/backoff", "internal/fault"), libs(pgx, pgxUUID)},
	{"internal/postgres/binarycopy", ours("internal/tracing"), libs(pgx)},
	{"internal/postgres/typedcopy", ours("internal/postgres/binarycopy", "internal/sheet/types", "internal/target"), nil},
	{"internal/postgres", ours("internal/backoff", "internal/postgres/binarycopy", "internal/postgres/database", "internal/task", "internal/tracing"), libs(pgx, uuid)},
	{"internal/postgres/audit", ours("internal/postgres", "internal/postgres/database"), libs(pgx, uuid)},
	{"internal/postgres/bulkparse", ours("internal/postgres", "internal/postgres/database", "internal/task"), libs(uuid)},
	{"internal/postgres/overview", ours("internal/postgres", "internal/postgres/database", "internal/task"), nil},
	{"internal/postgres/inspect", ours("internal/postgres/database", "internal/postgres/migrations"), libs(pgx)},
	{"internal/postgres/progress", ours("internal/postgres", "internal/postgres/database", "internal/task"), libs(uuid)},
	{"internal/postgres/redrive", ours("internal/postgres", "internal/postgres/database", "internal/task"), libs(pgx, uuid)},
	{"internal/postgres/taskhistory", ours("internal/postgres", "internal/postgres/database", "internal/why"), libs(uuid)},
	{"internal/postgres/uploadtoken", ours("internal/postgres", "internal/postgres/database"), libs(uuid)},
	{"internal/postgres/sheetview", ours("internal/postgres", "internal/postgres/database"), libs(pgx, uuid)},
	{"internal/postgres/targetstore", ours("internal/postgres", "internal/postgres/database"), libs(pgx, uuid)},
	{"internal/postgres/targetload", ours("internal/fault", "internal/postgres", "internal/postgres/binarycopy", "internal/postgres/database",
		"internal/postgres/typedcopy", "internal/sheet", "internal/target"), libs(pgx, uuid)},
	{"internal/postgres/undo", ours("internal/fault", "internal/postgres", "internal/postgres/database", "internal/postgres/targetload", "internal/target"), libs(pgx, uuid)},
	{"internal/postgres/targetrows", ours("internal/postgres", "internal/postgres/database", "internal/target"), libs(pgx, uuid)},
	{"internal/postgres/webhookstore", ours("internal/postgres", "internal/postgres/database"), libs(pgx, uuid)},
	{"internal/postgres/adopt", ours("internal/postgres/database"), libs(pgx)},
	{"internal/postgres/migrate", ours("internal/postgres/..."), libs(databaseSQL, pgx, goose)},
	{"internal/postgres/provision", nil, libs(pgx)},
	{"internal/postgres/pgtest", ours("internal/postgres/...", "internal/devstack/...", "internal/task"), libs(pgx)},
	{"internal/azure", ours("internal/backoff", "internal/clock", "internal/fault"), libs(azureSDK)},

	// What calls addresses that users give: how one may be called knows no database, when one is called no HTTP.
	{"internal/webhook", ours("internal/clock", "internal/outbound"), nil},
	{"internal/webhook/dispatch", ours("internal/backoff", "internal/clock", "internal/postgres", "internal/postgres/webhookstore",
		"internal/task", "internal/webhook"), libs(uuid)},

	{"internal/maintenance", ours("internal/clock", "internal/fault", "internal/metrics", "internal/postgres", "internal/postgres/overview", "internal/postgres/sheetview", "internal/postgres/undo", "internal/postgres/webhookstore", "internal/azure", "internal/task", "internal/tracing"), libs(uuid)},

	{"upload-api", ours("internal/acceptencoding", "internal/clock", "internal/fault", "internal/metrics", "internal/outbound", "internal/postgres", "internal/postgres/audit", "internal/postgres/bulkparse", "internal/postgres/overview", "internal/postgres/progress", "internal/postgres/redrive",
		"internal/postgres/sheetview", "internal/postgres/targetrows", "internal/postgres/targetstore", "internal/postgres/taskhistory", "internal/postgres/typedcopy", "internal/postgres/undo", "internal/postgres/uploadtoken", "internal/postgres/webhookstore", "internal/azure", "internal/task", "internal/target", "internal/tracing", "internal/why", "internal/sheet", "internal/sheet/csv", "internal/sheet/types", "internal/webhook"), libs(huma, klauspost, parquet, uuid, xText)},
	{"outbox-relay", ours("internal/backoff", "internal/clock", "internal/fault", "internal/metrics", "internal/postgres", "internal/azure", "internal/task", "internal/tracing"), libs(uuid)},
	{"parse-worker", ours("internal/backoff", "internal/clock", "internal/fault", "internal/metrics", "internal/postgres", "internal/azure", "internal/task", "internal/sheet", "internal/sheet/types",
		"internal/postgres/targetload", "internal/postgres/typedcopy", "internal/postgres/undo", "internal/target", "internal/tracing"), libs(uuid, xSync)},

	{"web-page", ours("internal/acceptencoding"), libs(klauspost)},
	{"web-page/internal/docs", nil, libs(goldmark)}, // writes the pages of the documentation, and is no part of the handler

	{"handler", ours("functions", "upload-api", "outbox-relay", "parse-worker", "web-page", "internal/maintenance", "internal/metrics", "internal/postgres", "internal/azure", "internal/tracing", "internal/tracing/export", "internal/webhook", "internal/webhook/dispatch"), libs(env)},

	{"internal/client", nil, libs(oapiRuntime)}, // knows the API by its document alone
	{"internal/client/blocks", ours("internal/backoff", "internal/clock"), libs(xSync)},

	// What stands in for Azure on a developer's machine is no part of the product: only the command line and tests use it.
	{"internal/devstack", nil, libs(flock, pgx, xSync, xSys)},
	{"internal/devstack/devtest", ours("internal/devstack", "internal/postgres/..."), libs(azureSDK, pgx)},
	{"internal/devstack/otlptest", nil, libs(otlp, protobuf)},
	{"internal/funchost", ours("internal/funchost/internal/..."), nil},
	{"internal/funchost/internal/timing", nil, nil},
	{"internal/funchost/internal/app", ours("internal/funchost/internal/timing"), nil},
	{"internal/funchost/internal/worker", ours("internal/funchost/internal/timing", "internal/funchost/internal/app"), libs(uuid)},
	{"internal/funchost/internal/proxy", ours("internal/funchost/internal/timing", "internal/funchost/internal/app",
		"internal/funchost/internal/worker"), libs(uuid)},
	{"internal/funchost/internal/trigger", ours("internal/funchost/internal/timing", "internal/funchost/internal/app",
		"internal/funchost/internal/worker"), libs(azureSDK, cron, uuid)},
	{"internal/chaos/faultproxy", ours("internal/devstack/..."), nil},
	{"internal/chaos/storageproxy", nil, nil},
	{"internal/chaos/pgproxy", nil, libs(pgx)},
	{"internal/crashpoint", nil, libs(pgx)}, // a part of the handler in tests, and nothing otherwise
	{"internal/sbom", nil, nil},             // what is in a release
	{"internal/rapidseed", nil, libs(rapid)},
	{"internal/mutants", nil, nil},
	{"internal/layouts", ours("internal/clock", "internal/devstack"), libs(klauspost, pgx)}, // how rows could be stored, measured
	{"samples", nil, libs(excelize, xText)},

	// The command line: a package for what is done without a server, one for calls of a server, one for a whole sheetdrop on this machine.
	{"cmd/sheetdrop", ours("cmd/sheetdrop/internal/...", "internal/client", "internal/postgres/...", "internal/azure", "internal/sheet", "internal/target", "internal/task"),
		libs(browser, kong, uuid)},
	{"cmd/sheetdrop/internal/words", nil, nil},
	{"cmd/sheetdrop/internal/terminal", ours("cmd/sheetdrop/internal/words"), libs(progressbar, uniseg, xTerm)},
	{"cmd/sheetdrop/internal/help", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words"), libs(kong)},
	{"cmd/sheetdrop/internal/profile", ours("cmd/sheetdrop/internal/words"), nil},
	{"cmd/sheetdrop/internal/signin", ours("cmd/sheetdrop/internal/server", "cmd/sheetdrop/internal/words", "internal/azure"), libs(azureSDK)},
	{"cmd/sheetdrop/internal/doctor", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words", "cmd/sheetdrop/internal/server",
		"cmd/sheetdrop/internal/checkout", "cmd/sheetdrop/internal/instance", "internal/client", "internal/devstack", "internal/postgres/...", "internal/azure", "internal/target"), nil},
	{"cmd/sheetdrop/internal/watch", ours("cmd/sheetdrop/internal/upload"), nil},
	{"cmd/sheetdrop/internal/report", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words"), nil},
	{"cmd/sheetdrop/internal/reading", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words", "cmd/sheetdrop/internal/report", "internal/sheet",
		"internal/sheet/csv", "internal/sheet/decrypt", "internal/task"), nil},
	{"cmd/sheetdrop/internal/server", ours("cmd/sheetdrop/internal/words", "internal/backoff", "internal/client", "internal/target"), libs(uuid)},
	{"cmd/sheetdrop/internal/upload", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words", "cmd/sheetdrop/internal/report", "cmd/sheetdrop/internal/server",
		"internal/client/...", "samples"), libs(uuid)},
	{"cmd/sheetdrop/internal/checkout", ours("cmd/sheetdrop/internal/words"), nil},
	{"cmd/sheetdrop/internal/functionshost", ours("cmd/sheetdrop/internal/words", "internal/funchost"), nil},
	{"cmd/sheetdrop/internal/instance", ours("cmd/sheetdrop/internal/terminal", "cmd/sheetdrop/internal/words", "cmd/sheetdrop/internal/server", "cmd/sheetdrop/internal/checkout",
		"cmd/sheetdrop/internal/functionshost", "internal/devstack", "internal/postgres/...", "internal/azure"), libs(flock, xSync)},

	{"internal/house", nil, nil},

	// A module of its own, which nothing of the other one can import.
	{"verify/e2e", ours("internal/client", "internal/devstack/...", "internal/funchost", "internal/postgres/...", "internal/azure", "internal/task"), libs(uuid)},
	{"verify/crash", ours("internal/crashpoint", "verify/e2e"), nil},
	{"verify/flap", ours("verify/e2e"), nil},
	{"verify/clients", ours("verify/e2e"), nil},
	{"verify/docs", ours("verify/e2e"), nil},
	{"verify/page", ours("verify/e2e"), nil},
	{"verify/runbooks", ours("verify/e2e"), nil},
	{"verify/soak", ours("verify/e2e"), nil},
	{"verify/volume", ours("verify/e2e"), nil},

	// Another one, so that what the program is compared with comes into neither.
	{"bench", ours("internal/azure", "internal/clock", "internal/devstack", "internal/funchost", "internal/maintenance", "internal/postgres/...", "internal/sheet",
		"internal/task", "outbox-relay"), libs(azureSDK, excelize, pgx, river, uuid, watermill, millSQL, xSync)},
}

// forTests are the packages that the tests of every package may import in addition; they may import any library. So no test of a service
// imports another service: how they work together is tested from outside, through the host.
var forTests = ours("internal/devstack/...", "internal/funchost/...", "internal/chaos/...", "internal/rapidseed", "samples",
	"internal/postgres/...", "internal/azure", "internal/client", "internal/sheet", "internal/sheet/decrypt", "internal/sheet/sheettest", "internal/sheet/sheettest/biff12", "internal/sheet/types",
	"internal/target", "internal/task")

func ours(folders ...string) []string { return folders }

func libs(modules ...string) []string { return modules }
