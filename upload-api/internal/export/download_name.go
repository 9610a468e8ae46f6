package export

import (
	"mime"
	"regexp"
	"strings"
	"unicode"
)

// device is a name that Windows keeps for a device, with any extension.
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)`)

// attachment returns the Content-Disposition that lets a browser save a file under this name, as far as any system can. A name is kept as
// it was sent; here it loses what would lead to another folder or a device, or show it with another ending than it has.
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
