package words

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

var attributeNames, namesOfValues = listOf(attributes), listOf(valueNames)

// IsAttribute reports whether the cell is the name of what a single thing has.
func IsAttribute(cell []byte) bool { return attributeNames.is(cell) }

// IsNameOfValues reports whether the cell is a name for values.
func IsNameOfValues(cell []byte) bool { return namesOfValues.is(cell) }
