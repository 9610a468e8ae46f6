package problem

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/text/language"
)

var matcher = language.NewMatcher([]language.Tag{language.English, language.Japanese})

// Japanese reports whether an Accept-Language prefers Japanese to English.
func Japanese(acceptLanguage string) bool {
	_, chosen := language.MatchStrings(matcher, acceptLanguage)
	return chosen == 1
}

// Localize is a transformer of huma: it writes the texts of problems in the language that the caller prefers.
func Localize(ctx huma.Context, _ string, v any) (any, error) {
	p, ok := v.(*Problem)
	if !ok {
		return v, nil
	}
	ctx.AppendHeader("Vary", "Accept-Language")
	japanese := Japanese(ctx.Header("Accept-Language"))
	ctx.SetHeader("Content-Language", LanguageTag(japanese))
	return p.in(japanese), nil
}

// LanguageTag returns the value of Content-Language.
func LanguageTag(japanese bool) string {
	if japanese {
		return "ja"
	}
	return "en"
}

// in returns the problem in Japanese, or as it is. A sentence without a translation stays English.
func (p *Problem) in(japanese bool) *Problem {
	if !japanese {
		return p
	}
	shown := *p
	shown.Title = explanations[p.Code].titleJA
	shown.Detail = clip(translate(p.Detail))
	shown.Errors = slices.Clone(p.Errors)
	for i, f := range shown.Errors {
		if f.MessageJA != "" {
			shown.Errors[i].Message = f.MessageJA
		} else {
			shown.Errors[i].Message = clip(translate(f.Message))
		}
	}
	if len(p.Errors) > 0 && p.Errors[0].MessageJA != "" && strings.HasSuffix(p.Detail, ": "+p.Errors[0].Message) {
		shown.Detail = strings.TrimSuffix(p.Detail, p.Errors[0].Message) + p.Errors[0].MessageJA
	}
	return &shown
}

// phrase is a translated sentence. As in gettext the English one is the key, a format of package fmt.
type phrase struct {
	english *regexp.Regexp
	texts   []string // of the translation, between the values
	values  []value
}

// value is one that stands in a sentence: the index of the English format's verb, from 1.
type value struct {
	index      int
	translated bool // it is itself a sentence or a word of the catalogue, and none of the caller's
}

// verb matches what stands for a value in a format.
var verb = regexp.MustCompile(`%(?:[+#]?[0-9]*(?:\.[0-9]+)?[a-zA-Z])`)

// placeholder matches what stands for the value N in a translation; {N!} is translated too.
var placeholder = regexp.MustCompile(`\{([1-9])(!?)\}`)

var phrases = sync.OnceValue(func() []phrase { return compile(japanese) })

func compile(sentences [][2]string) []phrase {
	compiled := make([]phrase, len(sentences))
	for i, sentence := range sentences {
		compiled[i] = compilePhrase(sentence[0], sentence[1])
	}
	return compiled
}

func compilePhrase(english, translation string) phrase {
	pattern, last := `(?s)\A`, 0
	for _, at := range verb.FindAllStringIndex(english, -1) {
		pattern += literal(english[last:at[0]])
		if english[at[0]:at[1]] == "%d" {
			pattern += `(-?[0-9]+)`
		} else {
			pattern += `(.*?)`
		}
		last = at[1]
	}
	p := phrase{english: regexp.MustCompile(pattern + literal(english[last:]) + `\z`), texts: placeholder.Split(translation, -1)}
	for _, found := range placeholder.FindAllStringSubmatch(translation, -1) {
		index, _ := strconv.Atoi(found[1])
		p.values = append(p.values, value{index, found[2] != ""})
	}
	return p
}

func literal(format string) string { return regexp.QuoteMeta(strings.ReplaceAll(format, "%%", "%")) }

// translate returns a sentence in Japanese, or as it is if the catalogue does not have it.
func translate(english string) string {
	if translation, found := find(phrases(), english); found {
		return translation
	}
	if location, message, ok := strings.Cut(english, ": "); ok && !strings.Contains(location, " ") {
		return location + ": " + translate(message) // of a parameter or an option
	}
	return english
}

// find returns what a catalogue has for a text, or the text.
func find(catalogue []phrase, text string) (translation string, found bool) {
	for _, p := range catalogue {
		if values := p.english.FindStringSubmatch(text); values != nil {
			return p.fill(values), true
		}
	}
	return text, false
}

func (p phrase) fill(values []string) string {
	var text strings.Builder
	text.WriteString(p.texts[0])
	for i, v := range p.values {
		put := values[v.index]
		if v.translated {
			put = translate(put)
		}
		text.WriteString(put + p.texts[i+1])
	}
	return text.String()
}
