package charset

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/japanese"
)

func cp932(t *testing.T, text string) string {
	t.Helper()
	b, err := japanese.ShiftJIS.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func whole(text string) Sample { return Sample{Bytes: []byte(text), Head: true, Tail: true} }

func TestDetect(t *testing.T) {
	t.Parallel()
	japaneseText := "受注番号,得意先名,数量\n1,㈱髙橋商店,１０\n2,ｶﾌﾞｼｷｶﾞｲｼｬ ﾐﾅﾐ,２０\n"
	for name, c := range map[string]struct {
		text  string
		want  Encoding
		found bool
	}{
		"ascii":                          {"a,b\n1,2\n", UTF8, false},
		"utf-8":                          {japaneseText, UTF8, true},
		"cp932":                          {cp932(t, japaneseText), CP932, true},
		"katakana of half width":         {cp932(t, "ﾃﾞﾓ,ﾄｳｷｮｳ\nｵｵｻｶ,ﾅｺﾞﾔ\n"), CP932, true},
		"utf-8 with a broken byte":       {strings.Repeat(japaneseText, 5) + "3,\x93x,1\n", UTF8, true},
		"cp932 with a broken byte":       {cp932(t, strings.Repeat(japaneseText, 5)) + "3,\x81 ,1\n", CP932, true},
		"utf-8 of one word, no line end": {"東京", UTF8, true},
		"cp932 of one word, no line end": {cp932(t, "東京"), CP932, true},
		"german in utf-8 and a byte":     {strings.Repeat("Schlüssel;Größe\n", 9) + "S\xe4ge\n", UTF8, true},
		"german in utf-8":                {"Schlüssel;Größe\n", UTF8, true},
	} {
		if d := Detect(whole(c.text)); d.Encoding != c.want || d.Found != c.found {
			t.Errorf("%s: %s, %+v", name, d.Encoding.Name(), d)
		}
	}
}

// Bytes like these have been taken for another encoding's.
func TestDetectOddCompany(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want Encoding
	}{
		"padded with zeros":          {strings.Repeat("ab\x00\x00,12\x00\x00\n", 20), UTF8},
		"a zero in each record":      {strings.Repeat("abc\x00,12\r\n", 20), UTF8},
		"utf-16, every byte a sign":  {utf16le("上下,不正,「一」,　\n上,」,二\n"), UTF16LE},
		"katakana with voicing":      {cp932(t, "ｶﾞｷﾞ,ﾊﾟﾋﾟ\n"), CP932},
		"kanji, as katakana without": {"\xbb\xb3\xc5\xc4\xc2\xc0\xcf\xba,\xc6\xc9\xc1\xbc\n", EUCJP},
		"no katakana to voice":       {"\xb1\xde,\xb1\xde\n", EUCKR},
		"too many accents in a row":  {"\xe9\xe8\xe4\xf6,\xe9\xe8\n", CP932},
		"letters in a row":           {"gr\xf6\xdfer,\xc5\xe5\n", Windows1252},
		"terminal's escapes":         {"a,b\n\x1b[1m1\x1b(B,2\n", UTF8},
	} {
		if d := Detect(whole(c.text)); d.Encoding != c.want {
			t.Errorf("%s: %s (%.3f)", name, d.Encoding.Name(), d.Confidence)
		}
	}
}

// UTF-16 is known by its script alone too, and text of single bytes is not taken for it.
func TestDetectUTF16OfAScript(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ありがとうございました", "カタカナノミ", "ﾔﾏﾀﾞﾀﾛｳ", "東京都千代田区丸の内", "売上は前年比で増加した。", "ИвановАннаПетровна", "서울특별시강남구역삼동김철수이영희박민수최지우",
		"محمدأحمدالقاهرة", "กรุงเทพมหานคร", "Παπαδόπουλος", "😀🎉🍣🍺", "北京市张伟上海李娜广东省深圳市中华人民共和国陈静杭州王芳"} {
		for _, name := range []string{"utf-16le", "utf-16be"} {
			if !isReadRight(t, text, name) {
				t.Errorf("%s in %s", text, name)
			}
		}
	}
	for source, want := range map[string]Encoding{
		"0A0B0C0D0E0F0a0b0c": UTF8, "ab\x01cd\x01ef\n": UTF8, "Bush hid the facts": UTF8, "\xe90\xe80\xe00\n": Windows1252,
		cp932(t, "漢字仮名交文\x01東京\x01"): CP932,
	} {
		if d := Detect(whole(source)); d.Encoding != want {
			t.Errorf("%q: %s", source, d.Encoding.Name())
		}
	}
}

// A few characters beyond ASCII in much of it tell the encoding as well as more of them.
func TestDetectLittleBeyondASCII(t *testing.T) {
	t.Parallel()
	ascii := strings.Repeat("17,report_017.pdf,ok,12.50\r\n", 40)
	for name, texts := range map[string][]string{
		"cp932":        {"報告書", "さくら", "テスト", "ﾃﾞﾓｶｲｼｬ", "髙橋様", "株式会社"},
		"euc-jp":       {"報告書", "さくら", "テスト", "山田様", "株式会社"},
		"macintosh":    {"Mäder", "Pérez", "Hélène"},
		"gb18030":      {"欧阳志远", "孟庆红", "何晓燕"},
		"big5":         {"歐陽志遠", "孟慶紅", "羅東"},
		"euc-kr":       {"남궁민", "정유라", "강원도"},
		"windows-1252": {"José", "Müller", "Straße", "Ålesund", "CAFÉ", "20 €", "“ok”"},
	} {
		for _, text := range texts {
			if !readsRight(t, ascii+"18,"+text+",ok,1\r\n"+ascii, name) {
				t.Errorf("%s in %s", text, name)
			}
		}
	}
}

// A list of customers in neighbouring countries has letters of several languages, which none of them has all.
func TestDetectSeveralLanguages(t *testing.T) {
	t.Parallel()
	for name, cells := range map[string]string{
		"windows-1250": "Kraków;Růžena Dvořáková|Győr;Szűcs Erzsébet|Łódź;Grażyna Wójcik|Plzeň;Jiří Kučera|Kőszeg;Tóth Jenő|Gdańsk;Łukasz Bąk",
		"windows-1257": "Rīga;Jānis Bērziņš|Vilnius;Rūta Žukauskienė|Võru;Tõnu Mägi|Ķekava;Līga Kļaviņa|Šiauliai;Vytautė Šimkutė|Pärnu;Õie Põld",
		"windows-1251": "Київ;Їжакевич Ганна|Москва;Щёголева Юлия|Ніш;Ђорђе Љубић|Мінск;Ўладзімір Кароткі|Львів;Єва Ґалаґан|Тверь;Объедков Пётр",
	} {
		text := strings.ReplaceAll(cells, "|", ";12.50\r\n") + ";7\r\n"
		if !readsRight(t, text, name) {
			t.Error(name)
		}
	}
}

func readsRight(t *testing.T, text, name string) bool {
	_, right := readsLegacy(t, text, name)
	return right
}

func utf16le(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// The confidence grows with the text, and bytes that cannot be read lower it.
func TestConfidence(t *testing.T) {
	t.Parallel()
	short, long := cp932(t, "ｱｲｳ,"), cp932(t, strings.Repeat("東京都,ｶﾌﾞｼｷ\n", 10))
	ascii, little, much, broken := Detect(whole("a,b\n")), Detect(whole(short)), Detect(whole(long)), Detect(whole(long+"\xff\xff,\xff\n"))
	if ascii.Confidence != 1 || ascii.Found || ascii.Sure() {
		t.Errorf("ASCII: %+v", ascii)
	}
	if little.Confidence >= much.Confidence || little.Sure() || !much.Sure() {
		t.Errorf("%.3f of little, %.3f of much", little.Confidence, much.Confidence)
	}
	if broken.Encoding != CP932 || broken.Confidence >= much.Confidence || broken.Sure() {
		t.Errorf("%.3f with broken bytes", broken.Confidence)
	}
}

// A sample from the middle of a text begins and ends anywhere.
func TestDetectAllowsForCutCharacters(t *testing.T) {
	t.Parallel()
	text := "東京都,大阪府\n"
	for enc, source := range map[Encoding]string{UTF8: text, CP932: cp932(t, text)} {
		long := strings.Repeat(source, 3)
		for i := range len(source) {
			for j := range len(source) {
				if d := Detect(Sample{Bytes: []byte(long[i : len(long)-j])}); d.Encoding != enc || !d.Found {
					t.Errorf("%s cut by %d and %d: %s", enc.Name(), i, j, d.Encoding.Name())
				}
			}
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Encoding{"utf-8": UTF8, "UTF8": UTF8, "Shift_JIS": CP932, "cp932": CP932, "UTF-16LE": UTF16LE} {
		if enc, ok := Lookup(name); !ok || enc != want {
			t.Errorf("%s: %v, %v", name, enc, ok)
		}
	}
	if enc, ok := Lookup("ebcdic"); ok {
		t.Errorf("ebcdic is %s", enc.Name())
	}
	if !slices.Contains(Names(), "cp932") {
		t.Errorf("the names are %v", Names())
	}
}

func TestUTF8TellsWhereTextEnds(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{"a\xe3\x81": 1, "\ufffd is a character": -1, "\xed\xa0\x80": 0, "é\xff": 2} {
		if _, bad := UTF8.AppendText(nil, []byte(source)); bad != want {
			t.Errorf("%q: bad at %d; want %d", source, bad, want)
		}
	}
}
