package types

// Errors of spreadsheets in the languages of Excel, as lists of them in EPPlus (OfficeOpenXml.Utils.InternationalizationUtility) and
// PhpSpreadsheet (src/PhpSpreadsheet/Calculation/locale) have them: #VALUE!, #REF!, #NAME?, #NUM!, #NULL! and #N/A, in each language those
// that differ from the ones above it.
const errorWords = "#VALUE!|#REF!|#NAME?|#NUM!|#NULL!|#SPILL!|#CALC!|" +
	"#WERT!|#BEZUG!|#ZAHL!|#NV|#ÜBERLAUF!|" + // German
	"#VALEUR!|#NOM?|#NOMBRE!|#NUL!|" + // French
	"#¡VALOR!|#¡REF!|#¿NOMBRE?|#¡NUM!|#¡NULO!|" + // Spanish
	"#VALOR!|#NOME?|#NÚM!|#NULO!|#N/D|" + // Portuguese
	"#VALORE!|#RIF!|" + // Italian
	"#WAARDE!|#VERW!|#NAAM?|#GETAL!|#LEEG!|#N/B|" + // Dutch
	"#VÆRDI!|#REFERENCE!|#NAVN?|#I/T|" + // Danish
	"#VERDI!|" + // Norwegian
	"#VÄRDEFEL!|#REFERENS!|#NAMN?|#OGILTIGT!|#SKÄRNING!|#SAKNAS!|" + //nolint:misspell // Swedish
	"#ARVO!|#VIITTAUS!|#NIMI?|#LUKU!|#TYHJÄ!|#PUUTTUU!|#PUUTTUU|" + // Finnish
	"#ARG!|#ADR!|#NAZWA?|#LICZBA!|#ZERO!|#N/D!|" + // Polish
	"#HODNOTA!|#ODKAZ!|#NÁZEV?|#ČÍSLO!|#NENÍ_K_DISPOZICI|" + // Czech
	"#NÁZOV?|#NEPLATNÝ!|#NEDOSTUPNÝ|" + // Slovak
	"#ÉRTÉK!|#HIV!|#NÉV?|#SZÁM!|#NULLA!|#HIÁNYZIK|" + // Hungarian
	"#VALOARE!|#NUME?|" + // Romanian
	"#VRIJEDNOST!|#NAZIV?|#BROJ!|" + // Croatian
	"#VREDN!|#SKLIC!|#IME?|#ŠTEV!|#NIČ!|#N/V|" + // Slovene
	"#ЗНАЧ!|#ССЫЛКА!|#ИМЯ?|#ЧИСЛО!|#ПУСТО!|#Н/Д|" + // Russian
	"#ΤΙΜΗ!|#ΑΝΑΦ!|#ΟΝΟΜΑ?|#ΑΡΙΘ!|#ΚΕΝΟ!|#Δ/Υ|" + // Greek
	"#DEĞER!|#BAŞV!|#AD?|#SAYI!|#BOŞ!|#YOK" // Turkish

// divisionWords are what they write for #DIV/0!.
const divisionWords = "#DIV/0!|#DIV/0|#¡DIV/0!|#DEEL/0!|#DIVISION/0!|#JAKO/0!|#DZIEL/0!|#DĚLENÍ_NULOU!|#DELENIENULOU!|" +
	"#DELENIE NULOU!|#ZÉRÓOSZTÓ!|#DIJ/0!|#DEL/0!|#ДЕЛ/0!|#ΔΙΑΙΡ./0!|#SAYI/0!"
