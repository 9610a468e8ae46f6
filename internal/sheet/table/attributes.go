package table

import (
	"bytes"
	"iter"
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// attributes are names of what a single thing has, as they stand before its values.
var attributes = []string{
	"name", "first name", "last name", "surname", "full name", "title", "version", "author", "date", "created", "created by", "model", "make",
	"serial", "serial number", "serial no", "firmware", "owner", "manufacturer", "vendor", "host", "hostname", "port", "user", "username",
	"password", "database", "server", "address", "street", "city", "town", "zip", "zip code", "postcode", "country", "phone", "telephone",
	"mobile", "email", "e-mail", "website", "url", "born", "date of birth", "birth date", "birthday", "sex", "gender", "nationality", "id",
	"type", "status", "description", "department", "company", "project", "location", "operator", "device", "instrument", "language",
	"license", "licence", "format", "size", "start", "end", "duration", "subject", "comment", "notes", "member since", "customer", "currency",
	"account", "iban", "bic", "software", "hardware", "contact", "position", "job title",
	"vorname", "nachname", "familienname", "titel", "datum", "erstellt", "modell", "seriennummer", "hersteller", "besitzer",
	"adresse", "anschrift", "straße", "strasse", "ort", "stadt", "plz", "land", "telefon", "mobil", "geburtsdatum", "geboren", "firma",
	"abteilung", "projekt", "gerät", "standort", "sprache", "kunde", "kundennummer", "konto", "kontonummer", "währung", "bearbeiter",
	"nom", "prénom", "auteur", "modèle", "numéro de série", "fabricant", "propriétaire", "rue", "ville", "code postal", "pays", "téléphone",
	"courriel", "né le", "société", "service", "langue", "client", "compte", "devise",
	"nombre", "apellido", "apellidos", "título", "versión", "fecha", "modelo", "fabricante", "propietario", "dirección", "calle", "ciudad",
	"código postal", "país", "teléfono", "correo", "empresa", "idioma", "cliente", "cuenta", "moneda", "nome", "cognome", "titolo",
	"versione", "autore", "data", "modello", "indirizzo", "via", "città", "cap", "paese", "telefono", "azienda", "lingua",
	"naam", "voornaam", "achternaam", "versie", "straat", "plaats", "postcode", "telefoon", "bedrijf",
	"氏名", "名前", "住所", "電話番号", "電話", "生年月日", "性別", "会社名", "部署", "担当", "担当者", "日付", "作成日", "作成者", "型番", "品名", "備考",
}

// valueNames are names of a column that has their values.
var valueNames = []string{
	"value", "values", "val", "setting", "content", "contents", "text", "info", "information", "detail", "details", "answer", "entry", "data",
	"wert", "werte", "inhalt", "angabe", "antwort", "einstellung", "valeur", "valeurs", "contenu", "réponse", "valor", "valores", "contenido",
	"respuesta", "valore", "valori", "contenuto", "waarde", "inhoud", "wartość", "hodnota", "värde", "verdi", "værdi", "arvo", "érték",
	"valoare", "değer", "значение", "значення", "値", "内容", "設定値", "設定", "回答", "值", "값",
}

var attributeNames, namesOfValues = wordsOf(attributes), wordsOf(valueNames)

// takeList takes a table of two columns, whose header ends before row start, for a list of names with their values, which has no header.
// rows are all of the file, cells those of the rows from the header on, and sign says that a colon or an equals sign separates them. It
// returns the index of the first row of the table.
func (l *Layout) takeList(rows []row, start int, cells iter.Seq[[][]byte], sign bool) int {
	above := max(0, start-1)
	if l.Columns != narrow || l.Header != 1 || l.Blanks > 0 || len(rows)-above < evidence || len(rows)-above > maxAttributes && !sign {
		return start
	}
	for _, r := range rows[:above] {
		if !r.blank && !r.isTitle() {
			return start
		}
	}
	list := rows[above:]
	if !haveValues(list) {
		return start
	}
	if attributes, header := areAttributes(cells); header || !attributes && !list[0].beginsList(list, sign) {
		return start
	}
	l.Header, l.Preamble = 0, above
	return above
}

// haveValues reports whether the records are names, none of them twice, with values of several kinds.
func haveValues(rows []row) bool {
	names := map[uint64]bool{}
	for _, r := range rows {
		if r.blank {
			continue
		}
		if r.broken || r.width != narrow || r.kinds[0] != kind.Word || names[r.texts[0]] {
			return false
		}
		names[r.texts[0]] = true
	}
	return rows[0].filled == narrow && columnKinds(rows[1:], narrow).typed() == 0
}

// beginsList reports whether the first of such records is none of names, as its second cell is a number or a day, but no year, or a colon
// or an equals sign stands behind each first cell.
//
//	max_users	100
//	cache	64MB
//	level	info
func (r row) beginsList(rows []row, sign bool) bool {
	isValue := (r.kinds[1] == kind.Number || r.kinds[1] == kind.Moment) && r.yearish == 0
	return isValue || sign || !slices.ContainsFunc(rows, func(r row) bool { return !r.blank && !r.setting })
}

// areAttributes reports whether half of the first cells are names of attributes, the first one, too; and whether the first record names
// columns, as another such name, or that of values, stands beside its name.
//
//	name,Widget
//	version,1.4
//	author,Ann
func areAttributes(records iter.Seq[[][]byte]) (are, header bool) {
	known, n, begins := 0, 0, false
	for cells := range records {
		if len(cells) == 0 || len(bytes.TrimSpace(cells[0])) == 0 {
			continue
		}
		isName := attributeNames.is(bytes.TrimSpace(cells[0]))
		if n++; isName {
			known++
		}
		if n == 1 && len(cells) > 1 {
			second := bytes.TrimSpace(cells[1])
			begins, header = isName, namesOfValues.is(second) || isName && attributeNames.is(second)
		}
	}
	return begins && share(known, n) >= attributesKnown, header
}
