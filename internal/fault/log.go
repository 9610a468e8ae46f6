package fault

import (
	"errors"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Text is an error's text for the log. A database's message about a value may quote it, and a trigger's may say anything: of these the
// SQLSTATE alone is told.
func Text(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Message != "" && quotesValues(e.Code) {
		text = strings.ReplaceAll(text, e.Message, "(not logged)")
	}
	return text
}

// quotesValues reports whether messages of this SQLSTATE may quote what users have sent: those about data and constraints, and those of
// other people's functions.
func quotesValues(code string) bool {
	for _, class := range []string{"22", "23", "44", "P0"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}

// Level is at which an error is logged that ended a call: as an error only if somebody has to act, and not where a service is away that the
// call will be repeated for.
func Level(err error) slog.Level {
	if Of(err) == Service {
		return slog.LevelWarn
	}
	return slog.LevelError
}
