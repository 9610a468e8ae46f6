// Package words has what the command line says in the language of its user: English, and Japanese in a Japanese locale. A text is known by
// its English form, and has its Japanese one in the catalogue; a test makes sure that none is missing there.
package words

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
)

// Japanese reports whether the locale is Japanese. The locale is that of POSIX: the first of these variables that is set.
var Japanese = sync.OnceValue(func() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	return locale == "ja" || strings.HasPrefix(locale, "ja_") || strings.HasPrefix(locale, "ja.")
})

// In returns a text in the user's language. A text that the catalogue does not have stays as it is.
func In(english string) string {
	if !Japanese() {
		return english
	}
	return cmp.Or(messages[english], helps[english], findings[english], english)
}

// Localized returns the Japanese text if the locale is Japanese and there is one, else the English text.
func Localized(english, japanese string) string {
	if japanese != "" && Japanese() {
		return japanese
	}
	return english
}

// Sprintf formats a text in the user's language. A Japanese format may leave arguments out, by naming those that it has.
func Sprintf(format string, args ...any) string { return fmt.Sprintf(In(format), args...) }

// Errorf returns an error in the user's language, as fmt.Errorf does.
func Errorf(format string, args ...any) error { return fmt.Errorf(In(format), args...) }

// New returns an error in the user's language.
func New(english string) error { return errors.New(In(english)) }

// Texts returns all English texts of the catalogue with their Japanese ones, for tests.
func Texts() map[string]string {
	all := maps.Clone(messages)
	maps.Copy(all, helps)
	maps.Copy(all, findings)
	return all
}
