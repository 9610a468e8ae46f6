package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/target"
)

// Settings are what the app is started with. No finding has a value of them.
type Settings struct {
	From    string // where they come from, for people
	Values  map[string]string
	Own     []string // the names that somebody has chosen; the others come from the program itself
	Handler string   // the path of the handler's program, "" if there is none
}

// ReadSettings reads a file of settings: local.settings.json, or what `az functionapp config appsettings list` prints.
func ReadSettings(path string) (*Settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Settings{From: path, Values: map[string]string{}}
	var local struct{ Values map[string]string }
	var listed []struct{ Name, Value string }
	if json.Unmarshal(text, &listed) == nil {
		for _, setting := range listed {
			s.Values[setting.Name] = setting.Value
		}
	} else if json.Unmarshal(text, &local) == nil {
		s.Values = local.Values
	}
	if len(s.Values) == 0 {
		return nil, words.Errorf("%s has no settings: local.settings.json is expected, or what `az functionapp config appsettings list` prints", path)
	}
	s.Own = slices.Sorted(maps.Keys(s.Values))
	return s, nil
}

// HandlerHere returns the path of the handler that was built in this checkout, or lies beside this program; "" if there is none.
func HandlerHere() string {
	root, err := checkout.Find()
	if err != nil {
		return ""
	}
	path := checkout.Handler(root)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// handlerAnswer is what the handler says of its settings; handler/check.go writes it.
type handlerAnswer struct {
	Settings     []string `json:"settings"`
	Error        string   `json:"error"`
	NeededSchema int64    `json:"needed_schema"`
}

// handlerTime is how long the handler may take; one that does not know what is asked would serve for ever.
const handlerTime = 20 * time.Second

// askHandler has the handler check the settings.
func askHandler(ctx context.Context, s *Settings) (*handlerAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, handlerTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Handler, "--check")
	cmd.Env = []string{"FUNCTIONS_CUSTOMHANDLER_PORT=1"} // which comes from the host
	if s.Values["AUTH"] == "easyauth" {
		cmd.Env = append(cmd.Env, "WEBSITE_AUTH_ENABLED=True", "WEBSITE_SITE_NAME=app") // and these from the platform
	}
	for _, name := range []string{"PATH", "HOME", "SystemRoot", "GOCOVERDIR"} {
		cmd.Env = append(cmd.Env, name+"="+os.Getenv(name))
	}
	for name, value := range s.Values {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.Output()
	answer := &handlerAnswer{}
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(out)).Decode(answer)
	}
	return answer, err
}

func (e *examination) handlerSettings(ctx context.Context) Finding {
	if e.Settings == nil {
		return noSettings()
	}
	if e.Settings.Handler == "" {
		return skipped(words.In("there is no handler here that could check them: in a checkout, `go build -o bin/handler ./handler` builds it"))
	}
	answer, err := askHandler(ctx, e.Settings)
	if err != nil {
		return skipped(words.Sprintf("the handler %s does not check settings, it is older than this program: in a checkout, `go build -o bin/handler ./handler` builds it anew",
			e.Settings.Handler))
	}
	e.handler = answer
	if answer.Error != "" {
		return problem(words.Sprintf("The handler refuses the settings of %s: %s", e.Settings.From, answer.Error),
			words.In("It ends as soon as it is started, so nothing answers."),
			words.Sprintf("Correct the setting in %s.", e.Settings.From))
	}
	return fine(words.Sprintf("The handler accepts the settings of %s.", e.Settings.From))
}

func noSettings() Finding {
	return skipped(words.In("the settings are not known: give --settings=FILE, with local.settings.json or what `az functionapp config appsettings list --name APP --resource-group GROUP` prints"))
}

// hostSettings looks for what host.json and the function.json files take from the settings.
func (e *examination) hostSettings(context.Context) Finding {
	if e.Settings == nil {
		return noSettings()
	}
	var missing []string
	for _, name := range []string{"AzureWebJobsStorage", "DATA_STORAGE", "PARSE_QUEUE", "RELAY_SCHEDULE"} {
		has := func(given string) bool {
			return (given == name || strings.HasPrefix(given, name+"__")) && e.Settings.Values[given] != ""
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(e.Settings.Values)), has) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return problem(words.Sprintf("The Functions host lacks %s.", strings.Join(missing, ", ")),
			words.In("It cannot start the functions that need it: the timer, or the worker."),
			words.Sprintf("Set it in %s; local.settings.json.example shows what it looks like.", e.Settings.From))
	}
	return fine(words.In("The host has all that the functions name."))
}

// agreeing are pairs of settings of which the host reads one and the handler the other, with what they must have in common.
var agreeing = []struct {
	host, handler string
	common        func(host string) string
}{
	{"RELAY_SCHEDULE", "RELAY_PERIOD", secondsOfSchedule},
	{"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT", "UPLOAD_MAX_BYTES", func(host string) string { return host }},
	{"AzureFunctionsJobHost__extensions__queues__newBatchThreshold", "PARSE_CONCURRENCY", oneMore},
	{"DATA_STORAGE__clientId", "AZURE_CLIENT_ID", func(host string) string { return host }},
}

// secondsOfSchedule returns the period of a schedule such as */30 * * * * *, as a duration; "" for other schedules.
func secondsOfSchedule(schedule string) string {
	seconds, rest, _ := strings.Cut(strings.TrimPrefix(schedule, "*/"), " ")
	if _, err := strconv.Atoi(seconds); err != nil || rest != "* * * * *" || !strings.HasPrefix(schedule, "*/") {
		return ""
	}
	return seconds + "s"
}

func oneMore(number string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	return strconv.Itoa(n + 1)
}

func (e *examination) agreeingSettings(context.Context) Finding {
	if e.Settings == nil {
		return noSettings()
	}
	for _, pair := range agreeing {
		host, handler := e.Settings.Values[pair.host], e.Settings.Values[pair.handler]
		if host == "" || handler == "" {
			continue
		}
		if want := pair.common(host); want != "" && want != handler {
			return warning(words.Sprintf("%s and %s contradict each other: by the first one the second is %s.", pair.host, pair.handler, want),
				words.In("The host goes by the one, and the handler by the other."),
				words.Sprintf("Set %s to %s in %s, or change %s.", pair.handler, want, e.Settings.From, pair.host))
		}
	}
	return fine(words.In("No two settings contradict each other."))
}

// likeName is how short a name may be that is taken for a misspelled one.
const likeName = 6

func (e *examination) settingNames(context.Context) Finding {
	if e.Settings == nil {
		return noSettings()
	}
	if e.handler == nil {
		return skipped(words.In("what the handler reads is not known"))
	}
	known := append(slices.Clone(e.handler.Settings), "AzureWebJobsStorage", "RELAY_SCHEDULE", "AzureWebJobsDisableHomepage",
		"PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD", "PGSSLMODE", "PGSSLROOTCERT", "PGPASSFILE", "PGSERVICE", "PGSERVICEFILE")
	for _, name := range e.Settings.Own {
		if like := resembled(name, known); like != "" {
			return warning(words.Sprintf("Nobody reads %s; there is a setting %s.", name, like),
				words.Sprintf("If that was meant, it has its default: %s.", like),
				words.Sprintf("Rename it in %s, or take it out.", e.Settings.From))
		}
	}
	return fine(words.In("No name resembles one that is read."))
}

// resembled returns the name that another one was probably meant to be, "" if it is known itself or like none.
func resembled(name string, known []string) string {
	if len(name) < likeName || slices.Contains(known, name) {
		return ""
	}
	nearest, least := "", 3
	for _, other := range known {
		edits := target.Distance([]rune(strings.ToUpper(name)), []rune(strings.ToUpper(other)))
		if 4*edits < len(other) && edits < least {
			nearest, least = other, edits
		}
	}
	return nearest
}
