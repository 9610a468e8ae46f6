package words

import "bytes"

// hintWords are what a line below the names says of how a column is to be filled in, and nothing else.
var hintWords = listOf([]string{
	"required", "mandatory", "optional", "recommended", "pflicht", "pflichtfeld", "muss", "kann", "freiwillig", "obligatoire", "facultatif",
	"obligatorio", "opcional", "obrigatório", "obbligatorio", "facoltativo", "verplicht", "optioneel", "wymagane", "opcjonalne", "povinné",
	"nepovinné", "обязательно", "необязательно", "必須", "任意", "必填", "选填", "zahl", "ganzzahl", "freitext", "nombre entier", "texte",
	"texto", "número", "liczba", "tekst", "数値", "文字列", "whole number", "free text",
})

// hintParts are parts of such hints.
var hintParts = fragmentsOf([]string{
	"required", "mandatory", "pflicht", "obligat", "optional", "e.g.", "z. b.", "z.b.", "p. ex.", "p.ex.", "p. ej.", "por ej.", "np. ",
	"characters", "zeichen", "digits", "stellig", "ziffern", "caractères", "caracteres", "znaków",
	"文字以内", "半角", "全角", "例：", "例:", "yyyy",
	"jjjj", "aaaa", "rrrr", "dd.mm", "dd/mm", "tt.mm", "mm/dd", "jj/mm", "see list", "siehe ",
	"yes / no", "yes/no", "ja / nein", "ja/nein", "oui / non", "oui/non", "sí/no", "tak/nie", "one of ", "leave empty", "leer lassen",
})

// hintLimits are such parts before a number.
var hintLimits = fragmentsOf([]string{"max. ", "max ", "up to ", "at most ", "höchstens ", "maks. ", "máx. "})

// IsHint reports whether the cell says how its column is to be filled in: required, max. 40 characters, TT.MM.JJJJ.
func IsHint(cell []byte) bool {
	return len(cell) <= longestHint &&
		(hintWords.is(cell) || hintParts.areIn(cell) || hintLimits.areIn(cell) && bytes.ContainsAny(cell, "0123456789"))
}
