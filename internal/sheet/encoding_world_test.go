package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// legacyTexts are cells in encodings of the world. Second bytes of the Chinese ones look like a backslash, a | or a letter.
var legacyTexts = map[string]struct {
	encoding encoding.Encoding
	cells    []string
}{
	"windows-1250": {charmap.Windows1250, []string{"Łódź, Piotrkowska", "zażółć gęślą jaźń", "Wrocław"}},
	"windows-1251": {charmap.Windows1251, []string{"Нижний Новгород", "оплачено, наличными", "Щукина"}},
	"windows-1253": {charmap.Windows1253, []string{"Θεσσαλονίκη", "εξόφληση, μετρητοίς", "Παπαδόπουλος"}},
	"windows-1254": {charmap.Windows1254, []string{"Işık, Şirketi", "müşteri sayısı", "Eskişehir'den gönderildi"}},
	"windows-1256": {charmap.Windows1256, []string{"القاهرة", "تم الدفع, نقدا", "محمد"}},
	"windows-1257": {charmap.Windows1257, []string{"Šiauliai, Žemaitija", "sąskaita faktūra", "ūkininkų mokėjimų"}},
	"koi8-r":       {charmap.KOI8R, []string{"Екатеринбург", "оплачено, наличными", "Новосибирск"}},
	"macintosh":    {charmap.Macintosh, []string{"Jürgen Groß, Köln", "Rückläufer geprüft", "Straße für Fußgänger"}},
	"gb18030":      {simplifiedchinese.GB18030, []string{"北京市朝阳区", "诚信,軀體镼", "已付款", "𠮷野"}},
	"big5":         {traditionalchinese.Big5, []string{"臺北市信義區", "功能,許可,蓋章", "育樂"}},
	"euc-kr":       {korean.EUCKR, []string{"서울특별시 강남구", "주문, 결제 완료", "똠방각하"}},
}

// Text of the world is read in its encoding without being told, and the place of a byte that is none of it is exact.
func TestEncodingsOfTheWorld(t *testing.T) {
	t.Parallel()
	for name, c := range legacyTexts {
		text := "id;a;b\n"
		want := []string{"header 1: id|a|b"}
		for i, cell := range c.cells {
			text += fmt.Sprint(i+1, `;"`, cell, `";`, c.cells[0], "\n")
			want = append(want, fmt.Sprintf("row %d: %d|%s|%s", i+2, i+1, cell, c.cells[0]))
		}
		source, err := c.encoding.NewEncoder().String(text)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, opt := range []Options{{}, {Encoding: name}} {
			if got := read(t, source, opt, DefaultLimits()); !slices.Equal(got, want) {
				t.Errorf("%s, %+v:\ngot  %q\nwant %q", name, opt, got, want)
			}
		}
		checkBrokenByte(t, name, source)
	}
}

// checkBrokenByte wants a reject with the offset of a byte that the encoding lacks, if there is one.
func checkBrokenByte(t *testing.T, name, source string) {
	t.Helper()
	broken := map[string]string{
		"windows-1250": "\x81", "windows-1251": "\x98", "windows-1253": "\xff", "windows-1254": "\x81", "windows-1257": "\x81",
		"gb18030": "\xff", "big5": "\xff", "euc-kr": "\xff",
	}[name]
	if broken == "" { // each byte is a character
		return
	}
	for rec := range recordsOf(t, firstSheet(t, source+"9;x"+broken+";y\n", Options{Encoding: name})) {
		if want := fmt.Sprintf("offset %d of", len(source)+3); rec.Kind == Reject && strings.Contains(rec.Errors[0].Message, want) && rec.Errors[0].ColumnNo == 2 {
			return
		}
	}
	t.Errorf("%s: the broken byte at %d is not named", name, len(source)+3)
}

// Of a text that two encodings fit nearly equally, both are named; of one that is certain nothing is said.
func TestUncertainEncodingIsSaid(t *testing.T) {
	t.Parallel()
	warned := func(source string) []Warning {
		s := firstSheet(t, source, Options{})
		for range recordsOf(t, s) {
		}
		return s.Warnings()
	}
	got := warned("id,name\n1,No\xe8\n2,plain\n") // Noč or Noè
	if len(got) != 1 || got[0].Code != UncertainEncoding || got[0].Count != 1 || !slices.Equal(got[0].Refs, []string{"B2"}) || len(got[0].Encodings) != 2 {
		t.Errorf("%+v", got)
	}
	certain, err := charmap.Windows1251.NewEncoder().String("имя,город\nИван,Москва\nПётр,Тверь\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := warned(certain); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
