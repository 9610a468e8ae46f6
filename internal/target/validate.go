package target

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sheetdrop/internal/sheet/types"
)

// The limits of definitions.
const (
	MaxName     = 57 // bytes of a target's name: its other tables' names are six bytes longer, and PostgreSQL has 63
	MaxColumns  = 1000
	maxColumn   = 63 // bytes of a column's name
	maxKey      = 32 // columns of a PostgreSQL index
	maxText     = 1000
	maxSynonyms = 100
	// maxInstructions limits the compiled patterns of all columns together: some megabytes.
	maxInstructions = 50 * types.MaxPatternInstructions
)

// The problems of names, of lists of columns, and of choices from a closed list.
var (
	noName         = sentence{"The name is missing.", "名前がありません。"}
	longName       = sentence{"The name has %d bytes; the limit is %d.", "名前が%dバイトあります。上限は%dバイトです。"}
	badText        = sentence{"The text is not valid UTF-8 or has control characters.", "テキストが正しいUTF-8でないか、制御文字を含んでいます。"}
	longText       = sentence{"The text has %d bytes; the limit is %d.", "テキストが%dバイトあります。上限は%dバイトです。"}
	underscoreName = sentence{"Names that begin with _ are those of sheetdrop's own columns.", "「_」で始まる名前はsheetdropの列のものです。"}
	spacedName     = sentence{"The name begins or ends with white space.", "名前の先頭か末尾に空白があります。"}
	ownTable       = sentence{"Names that end with %s are those of sheetdrop's own tables.", "「%s」で終わる名前はsheetdropの表のものです。"}
	dotName        = sentence{"The name %q cannot stand in a path.", "名前「%s」はパスに使えません。"}
	systemColumn   = sentence{"PostgreSQL has a column %q of its own in each table.", "PostgreSQLのどの表にも列「%s」がすでにあります。"}
	repeatedName   = sentence{"Another column has the name %q.", "列の名前「%s」が重複しています。"}
	noColumns      = sentence{"A target needs at least one column.", "取り込み先には列が一つ以上必要です。"}
	manyColumns    = sentence{"The target has %d columns; the limit is %d.", "列が%d個あります。上限は%d個です。"}
	notAColumn     = sentence{"The target has no column %q.", "列「%s」がありません。"}
	listedTwice    = sentence{"The column %q is listed twice.", "列「%s」が二度挙げられています。"}
	keyNotRequired = sentence{"The column %q is part of the key, and has to be required.", "キーの列「%s」は必須にしてください。"}
	longKey        = sentence{"The key has %d columns; the limit is %d.", "キーの列が%d個あります。上限は%d個です。"}
	keyNeeded      = sentence{"The mode upsert needs a key.", "モードupsertにはキーが必要です。"}
	manyPatterns   = sentence{"The patterns of all columns together are too complex.", "すべての列のパターンを合わせると複雑すぎます。"}
	notOneOf       = sentence{"%q is none of %s.", "「%s」は%sのいずれでもありません。"}
)

// Validate returns everything that is wrong with a definition; nothing if a target can have it.
func (d Definition) Validate() []Problem {
	all := validateName("/name", d.Name, MaxName)
	for _, suffix := range []string{"__was", "__seen"} {
		if strings.HasSuffix(d.Name, suffix) {
			all = append(all, ownTable.at("/name", suffix))
		}
	}
	if d.Name == "." || d.Name == ".." {
		all = append(all, dotName.at("/name", d.Name))
	}
	all = append(all, d.validateColumns()...)
	all = append(all, d.validateKey()...)
	all = append(all, d.validateList("/partition", d.Partition)...)
	all = append(all, oneOf("/mode", d.Mode, Insert, Upsert, Replace)...)
	all = append(all, oneOf("/duplicates", d.Duplicates, FirstOfDuplicates, LastOfDuplicates)...)
	all = append(all, oneOf("/missing", d.Missing, KeepMissing, DefaultMissing)...)
	return append(all, oneOf("/extra", d.Extra, LeaveOutExtra, RefuseExtra)...)
}

func (d Definition) validateColumns() (all []Problem) {
	switch n := len(d.Columns); {
	case n == 0:
		return []Problem{noColumns.at("/columns")}
	case n > MaxColumns:
		return []Problem{manyColumns.at("/columns", n, MaxColumns)}
	}
	seen, instructions := make(map[string]bool, len(d.Columns)), 0
	for i, c := range d.Columns {
		at := fmt.Sprintf("/columns/%d", i)
		all = append(all, c.validate(at)...)
		instructions += c.instructions()
		if name := norm.NFC.String(c.Name); seen[name] {
			all = append(all, repeatedName.at(at+"/name", c.Name))
		} else {
			seen[name] = true
		}
	}
	if instructions > maxInstructions {
		all = append(all, manyPatterns.at("/columns"))
	}
	return all
}

func (d Definition) validateKey() []Problem {
	all := d.validateList("/key", d.Key)
	for i, name := range d.Key {
		if c, ok := d.Column(name); ok && !c.Required {
			all = append(all, keyNotRequired.at(fmt.Sprintf("/key/%d", i), name))
		}
	}
	if len(d.Key) > maxKey {
		all = append(all, longKey.at("/key", len(d.Key), maxKey))
	}
	if d.Mode == Upsert && len(d.Key) == 0 {
		all = append(all, keyNeeded.at("/key"))
	}
	return all
}

// validateList checks a list of columns' names.
func (d Definition) validateList(pointer string, names []string) (all []Problem) {
	for i, name := range names {
		at := fmt.Sprintf("%s/%d", pointer, i)
		if _, ok := d.Column(name); !ok {
			all = append(all, notAColumn.at(at, name))
		} else if slices.Contains(names[:i], name) {
			all = append(all, listedTwice.at(at, name))
		}
		if i >= MaxColumns {
			break
		}
	}
	return all
}

// Column returns the column with a name.
func (d Definition) Column(name string) (Column, bool) {
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return d.Columns[i], true
}

// validateName checks a name that becomes one of PostgreSQL. Quotes and semicolons are letters like others.
func validateName(pointer, name string, limit int) []Problem {
	switch {
	case name == "":
		return []Problem{noName.at(pointer)}
	case len(name) > limit:
		return []Problem{longName.at(pointer, len(name), limit)}
	case !isPlainText(name):
		return []Problem{badText.at(pointer)}
	case strings.TrimSpace(name) != name:
		return []Problem{spacedName.at(pointer)}
	case name[0] == '_':
		return []Problem{underscoreName.at(pointer)}
	}
	return nil
}

// validateText checks a text that is shown to people.
func validateText(pointer, text string) []Problem {
	switch {
	case len(text) > maxText:
		return []Problem{longText.at(pointer, len(text), maxText)}
	case !isPlainText(text):
		return []Problem{badText.at(pointer)}
	}
	return nil
}

func isPlainText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// oneOf checks a choice; "" is the default.
func oneOf[T ~string](pointer string, got T, known ...T) []Problem {
	if got == "" || slices.Contains(known, got) {
		return nil
	}
	words := make([]string, len(known))
	for i, word := range known {
		words[i] = string(word)
	}
	return []Problem{notOneOf.at(pointer, got, strings.Join(words, ", "))}
}
