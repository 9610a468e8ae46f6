package charset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// others are how other programs write the encodings that can be decided.
var others = map[string]encoding.Encoding{
	"utf-8":        encoding.Nop,
	"cp932":        japanese.ShiftJIS,
	"euc-jp":       japanese.EUCJP,
	"iso-2022-jp":  japanese.ISO2022JP,
	"windows-1252": charmap.Windows1252,
	"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

// A family is a kind of text, as cells. Words in them that no list of common kanji helps with are there on purpose.
type family struct {
	name  string
	cells []string
	in    []string // the encodings that can hold it
}

var (
	inJapanese = []string{"utf-8", "cp932", "euc-jp", "iso-2022-jp", "utf-16le", "utf-16be"}
	inHalf     = []string{"utf-8", "cp932", "euc-jp", "utf-16le", "utf-16be"} // many writers of ISO-2022-JP widen it
	inWestern  = []string{"utf-8", "windows-1252", "utf-16le", "utf-16be"}
	inUnicode  = []string{"utf-8", "utf-16le", "utf-16be"}
)

var families = []family{
	{"hiragana", strings.Fields("さくら ひなた こんにちは ありがとうございます おにぎり とうきょう やまだたろう すずきはなこ ゆうびんばんごう みかんとりんご"), inJapanese},
	{"katakana", strings.Fields("ポスト ソフトウェア データベース コンピューター ミネラルウォーター スズキ ヤマダ ハナコ トウキョウト シナガワク ボールペン"), inJapanese},
	{"half katakana", strings.Fields("ﾔﾏﾀﾞ ﾀﾛｳ ｽｽﾞｷ ﾊﾅｺ ﾄｳｷｮｳﾄ ｼﾅｶﾞﾜｸ ｶﾌﾞｼｷｶﾞｲｼｬ ﾎﾞｰﾙﾍﾟﾝ ｵｵｻｶ ﾅｺﾞﾔ ﾐﾅﾐ ｻﾄｳ ﾋｶﾞｼ ﾌｸｵｶ ｺﾝﾋﾟｭｰﾀ"), inHalf},
	{"kanji names", strings.Fields("山田太郎 鈴木花子 佐藤健一 高橋美咲 田中翔太 伊藤結衣 渡辺直樹 山本舞 中村拓海 小林陽菜 加藤大輔 吉田未来 斎藤蓮 榊原颯 薮内櫻 轟龍之介 鷲尾潤"), inJapanese},
	{"addresses", strings.Fields("東京都千代田区丸の内１－２－３ 大阪府大阪市北区梅田2-4-9 北海道札幌市中央区北一条西2丁目 福岡県福岡市博多区博多駅前3-2-1 沖縄県那覇市泉崎1-2-2 〒100-0005 京都市下京区烏丸通塩小路下る"), inJapanese},
	{"mixed Japanese", strings.Fields("株式会社山田商店 売上は前年比で増加 2024年3月31日 ご注文ありがとうございます。 USBケーブル(2m) 送料：無料 担当者：佐々木 備考「至急」 税込￥1,980 A棟3階 テスト"), inJapanese},
	{"rare kanji", strings.Fields("櫛橋 籠谷 鑓水 鰐淵 蕗谷 蓼科 躑躅 麒麟 驫木 齧歯類 檸檬 薔薇 葡萄 蒟蒻 饂飩 蛤 鰯 鯖"), inJapanese},
	{"German", strings.Fields("Müller Größe Straße München Köln Äpfel Öl Übergröße Weiß schön für Grüße Käse Schlüssel Fußgänger Jäger Süß"), inWestern},
	{"French", strings.Fields("Françoise été Crème brûlée Hôtel garçon où déjà Noël élève Château préféré Bénéfice à forêt œuvre naïve €uro l’été"), inWestern},
	{"Spanish", strings.Fields("José Muñoz niño España año corazón ¿Cómo? Peña María Ibáñez público información número Ávila dirección Ñandú"), inWestern},
	{"Nordic", strings.Fields("Ålesund Göteborg Malmö Tromsø København Jyväskylä Hämeenlinna smörgåsbord Åse Bjørn Sørensen Ærø Öland räksmörgås Århus Pääsky"), inWestern},
	{"Portuguese", strings.Fields("São João ações coração Conceição não três avó você pão Guimarães Fundação Lisboa café órgão índice"), inWestern},
	{"Western capitals", strings.Fields("MÜNCHEN KÖLN ÉTÉ SEÑOR GÖTEBORG ØSTERÅS ÇA FRANÇAIS STRASSE ÄPFEL ÖSTERREICH NOËL MÁLAGA SÃO AÇÕES"), inWestern},
	{"Western, little of it", strings.Fields("Smith London price note Zürich paid ltd street café total 20° €5 “ok” – 50% ½"), inWestern},
	{"Cyrillic", strings.Fields("Москва Иванов Россия цена товар Київ Україна заказ Пётр"), inUnicode},
	{"Greek", strings.Fields("Αθήνα Παπαδόπουλος Ελλάδα τιμή προϊόν Θεσσαλονίκη"), inUnicode},
	{"Korean", strings.Fields("서울특별시 김철수 이영희 대한민국 주문번호 부산광역시"), inUnicode},
	{"Chinese", strings.Fields("北京市 张伟 上海 订单号码 中华人民共和国 广东省深圳市 臺北市 李娜"), inUnicode},
	{"emoji", strings.Fields("😀 👍🏽 ok🎉 👨‍👩‍👧 🇯🇵 ❤️ 🍣🍺"), inUnicode},
	{"ASCII", strings.Fields("Smith London order price 1024 note paid ltd street ok"), []string{"utf-8", "utf-16le", "utf-16be"}},
}

// lines makes CSV of the family's cells with at least the number of characters that are not ASCII (or are, in ASCII's own family).
func (f family) lines(rng *rand.Rand, characters int) string {
	var b strings.Builder
	for n, i := 0, 1; n < characters; i++ {
		cell, other := f.cells[rng.IntN(len(f.cells))], f.cells[rng.IntN(len(f.cells))]
		switch rng.IntN(3) {
		case 0:
			fmt.Fprintf(&b, "%d,%s,%s\r\n", i, cell, other)
		case 1:
			fmt.Fprintf(&b, "%s,\"%s\",%d.50\r\n", cell, other, i)
		case 2:
			fmt.Fprintf(&b, "%s,%s,A-%03d,ok\r\n", cell, other, i)
		}
		n += len([]rune(cell)) + len([]rune(other))
	}
	return b.String()
}

// corpusPins are the least shares of texts of so many characters that have to be read right, in percent, for each family and encoding.
// Shorter ones can be ambiguous: four katakana of half width are two kanji in EUC-JP, and rare kanji of CP932 are accented letters.
// Rare kanji of EUC-JP, which few files have, may as well be Chinese.
var corpusPins = []struct{ characters, percent, rareInEUCJP int }{{3, 90, 80}, {10, 100, 93}, {20, 100, 93}, {200, 100, 100}}

// TestCorpus counts how many texts of each family, encoding and length are read right; go test -v shows the table.
func TestCorpus(t *testing.T) {
	t.Parallel()
	const trials = 100
	for _, f := range families {
		for _, name := range f.in {
			line := fmt.Sprintf("%-22s %-12s", f.name, name)
			for _, pin := range corpusPins {
				rng := rand.New(rand.NewPCG(1, uint64(pin.characters)))
				right := 0
				for range trials {
					if text := f.lines(rng, pin.characters); isReadRight(t, text, name) {
						right++
					}
				}
				least := pin.percent
				if f.name == "rare kanji" && name == "euc-jp" {
					least = pin.rareInEUCJP
				}
				if right*100 < least*trials {
					t.Errorf("%s in %s, %d characters: %d of %d", f.name, name, pin.characters, right, trials)
				}
				line += fmt.Sprintf(" %5.1f%%", 100*float64(right)/trials)
			}
			t.Log(line)
		}
	}
}

// isReadRight reports whether the text, as others write it in the encoding, comes back.
func isReadRight(t *testing.T, text, name string) bool {
	t.Helper()
	source, err := others[name].NewEncoder().String(text)
	if err != nil {
		t.Fatal(name, err)
	}
	d := Detect(whole(source))
	got, bad := decode(t, d.Encoding, source)
	return bad < 0 && string(got) == text
}

// P6: samples are judged the same in any order, and whatever they are, the answer is an encoding and a confidence.
func FuzzDetect(f *testing.F) {
	for name, enc := range others {
		source, err := enc.NewEncoder().String("abc\r\n")
		if err != nil {
			f.Fatal(name, err)
		}
		f.Add(source, "\x1b$B$\"\x1b(B,\xa4\xa2\x82\xa0\n", true)
	}
	f.Fuzz(func(t *testing.T, one, two string, head bool) {
		a, b := Sample{Bytes: []byte(one), Head: head}, Sample{Bytes: []byte(two), Tail: head}
		d := Detect(a, b)
		if d != Detect(b, a) || d.Encoding == nil || d.Confidence < 0.5 || d.Confidence > 1 {
			t.Fatalf("%+v and in the other order %+v", d, Detect(b, a))
		}
		if d.Found == (IsASCII([]byte(one+two)) && d.Encoding == UTF8) {
			t.Fatalf("%+v", d)
		}
	})
}
