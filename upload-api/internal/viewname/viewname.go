// Package viewname makes names for views that SQL can use: letters of any script, digits and underscores, in lower case, as PostgreSQL
// reads a name without quotes, and at most 63 bytes of UTF-8, which are 21 kanji.
package viewname

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxBytes = 63 // NAMEDATALEN - 1; PostgreSQL cuts longer names, and two of them could become one

// unnamed is the name for a file whose own has no letter and no digit.
const unnamed = "sheet"

// dataFormats are endings that say how a file is written and not what is in it.
var dataFormats = []string{".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls", ".zip", ".gz"}

// Of returns the name for a sheet of a file; sheet is its name in a workbook that has several, else "".
func Of(file, sheet string) string {
	for {
		ending := path.Ext(file)
		if !slices.Contains(dataFormats, strings.ToLower(ending)) {
			break
		}
		file = strings.TrimSuffix(file, ending)
	}
	name := fold(file + "_" + sheet)
	if name == "" {
		name = unnamed
	}
	if r, _ := utf8.DecodeRuneInString(name); !startsName(r) {
		name = "_" + name
	}
	return cut(name, maxBytes)
}

// Numbered returns the name for the nth sheet that would have the same one: of 1 the name itself, of 2 the name with _2.
func Numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	suffix := "_" + strconv.Itoa(n)
	return cut(name, maxBytes-len(suffix)) + suffix
}

// Check returns a name that somebody has chosen as SQL reads it without quotes: in lower case. The error says what else it must be.
func Check(name string) (string, error) {
	folded := lower(name)
	first, _ := utf8.DecodeRuneInString(folded)
	switch {
	case !utf8.ValidString(name):
		return "", errors.New("expected UTF-8")
	case !startsName(first) || strings.ContainsFunc(folded, func(r rune) bool { return !inName(r) && r != '_' }):
		return "", fmt.Errorf("expected letters, digits and _, and no digit at the beginning, such as %s", Of(name, ""))
	case len(folded) > maxBytes:
		return "", fmt.Errorf("it has %d bytes in UTF-8, and may have %d, which are 21 kanji", len(folded), maxBytes)
	}
	for _, ending := range reserved {
		if strings.HasSuffix(folded, ending) {
			return "", fmt.Errorf("names that end in %s are reserved", ending)
		}
	}
	return folded, nil
}

// reserved are the endings of tables that belong to another one of the same schema.
var reserved = []string{"__was", "__seen", "__map"}

// fold puts one underscore in the place of everything that is no letter and no digit, and none at the ends.
func fold(text string) string {
	words := strings.FieldsFunc(lower(text), func(r rune) bool { return !inName(r) })
	return strings.Join(words, "_")
}

// lower composes again what lower case has taken apart.
func lower(text string) string { return norm.NFKC.String(strings.ToLower(norm.NFKC.String(text))) }

func inName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

func startsName(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// cut returns the beginning of a name, of at most so many bytes, that ends with a whole character and no underscore.
func cut(name string, bytes int) string {
	if len(name) <= bytes {
		return name
	}
	for !utf8.RuneStart(name[bytes]) {
		bytes--
	}
	return strings.TrimRight(name[:bytes], "_")
}
