package receive

import (
	"mime"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sheetdrop/upload-api/internal/problem"
)

// The limits of a file's name; they are those of common file systems, with room for every script.
const (
	maxNameRunes = 255
	maxNameBytes = 1024
)

// CheckName returns a name in Unicode NFC, otherwise as it was sent. It is shown and never used as a path, so any visible text will do.
func CheckName(name string) (string, error) {
	if name == "" {
		return "", problem.New(problem.NameMissing, "The file has no name: send ?name=…, or a file name in Content-Disposition.")
	}
	if !utf8.ValidString(name) {
		return "", problem.New(problem.InvalidName,
			"The file's name is no UTF-8; percent-encode it in ?name=, or send filename*= in Content-Disposition.")
	}
	if len(name) > maxNameBytes {
		return "", nameTooLong()
	}
	name = norm.NFC.String(name)
	if len(name) > maxNameBytes || utf8.RuneCountInString(name) > maxNameRunes {
		return "", nameTooLong()
	}
	for _, r := range name {
		if unicode.IsControl(r) {
			return "", problem.New(problem.InvalidName, "The file's name has a control character, U+%04X.", r)
		}
	}
	return name, nil
}

func nameTooLong() *problem.Problem {
	return problem.New(problem.InvalidName, "The file's name is longer than %d characters or %d bytes.", maxNameRunes, maxNameBytes)
}

// dispositionName returns the file name of a Content-Disposition (RFC 6266; filename* wins over filename), and whether it has one at all,
// even an empty one.
func dispositionName(header string) (name string, ok bool, err error) {
	if header == "" {
		return "", false, nil
	}
	_, params, err := mime.ParseMediaType(header)
	if err != nil {
		return "", false, problem.New(problem.InvalidName,
			`Content-Disposition cannot be read; it should look like: attachment; filename="orders.csv"`)
	}
	name, ok = params["filename"]
	return name, ok, nil
}
