package export

import (
	"mime"
	"regexp"
	"strings"
	"unicode"
)

// device matches names that Windows reserves for devices, with any extension.
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)`)

// attachment returns a Content-Disposition that lets a browser save a file under this name, as far as any system can.
// Names are stored as sent; here characters are removed that would lead to another folder or a device, or make the
// extension look different.
func attachment(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		case unicode.Is(unicode.Bidi_Control, r), unicode.IsControl(r):
			return -1
		}
		return r
	}, name)
	name = strings.TrimRight(name, ". ")
	if name == "" || device.MatchString(name) || strings.HasPrefix(name, ".") {
		name = "_" + name
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}
