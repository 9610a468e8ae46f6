package charset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// legacy are how other programs write the encodings of the world's languages.
var legacy = map[string]encoding.Encoding{
	"cp932":        japanese.ShiftJIS,
	"euc-jp":       japanese.EUCJP,
	"gb18030":      simplifiedchinese.GB18030,
	"big5":         traditionalchinese.Big5,
	"euc-kr":       korean.EUCKR,
	"windows-1250": charmap.Windows1250,
	"windows-1251": charmap.Windows1251,
	"windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253,
	"windows-1254": charmap.Windows1254,
	"windows-1256": charmap.Windows1256,
	"windows-1257": charmap.Windows1257,
	"koi8-r":       charmap.KOI8R,
	"macintosh":    charmap.Macintosh,

	"windows-874":    charmap.Windows874,
	"windows-1255":   charmap.Windows1255,
	"windows-1258":   charmap.Windows1258,
	"iso-8859-2":     charmap.ISO8859_2,
	"iso-8859-5":     charmap.ISO8859_5,
	"iso-8859-6":     charmap.ISO8859_6,
	"iso-8859-7":     charmap.ISO8859_7,
	"koi8-u":         charmap.KOI8U,
	"cp437":          charmap.CodePage437,
	"cp850":          charmap.CodePage850,
	"cp852":          charmap.CodePage852,
	"cp862":          charmap.CodePage862,
	"cp866":          charmap.CodePage866,
	"x-mac-cyrillic": charmap.MacintoshCyrillic,

	"iso-8859-4":    charmap.ISO8859_4,
	"iso-8859-15":   charmap.ISO8859_15,
	"cp855":         charmap.CodePage855,
	"cp860":         charmap.CodePage860,
	"cp863":         charmap.CodePage863,
	"cp865":         charmap.CodePage865,
	"cp737":         tableEncoding{cp737},
	"cp775":         tableEncoding{cp775},
	"cp857":         tableEncoding{cp857},
	"x-mac-ce":      tableEncoding{xMacCE},
	"x-mac-greek":   tableEncoding{xMacGreek},
	"x-mac-turkish": tableEncoding{macTurkish},
}

// worldTexts are names, places, goods and remarks in many languages. None of them was used to make the tables of letters.
var worldTexts = []struct {
	language  string
	encodings string
	cells     []string
}{
	{"Polish", "windows-1250 iso-8859-2 cp852 x-mac-ce", cells(`Wiśniewski|Małgorzata Lewandowska|Łukasz Wójcik|Zażółć gęślą jaźń|Grażyna Dąbrowska|Jarosław Kamiński|ul. Piłsudskiego 12|Białystok|Częstochowa|Toruń|Świebodzin|Bielsko-Biała|śrubokręt krzyżowy|młotek|wiertło do drewna|żarówka|pędzel|taśma klejąca|uszczelka|klucz płaski|kołek rozporowy|wkręt|zgłoszono reklamację|uwagi klienta|nie dostarczono w terminie|brak części|opłacono gotówką|do wyjaśnienia|Stanisław Błaszczyk|Agnieszka Zając`)},
	{"Czech", "windows-1250 iso-8859-2 cp852", cells(`Novák|Dvořák|Černý|Procházková|Kučera|Veselý|Jiří Horák|Božena Němcová|Tomáš Růžička|Hradec Králové|České Budějovice|Ústí nad Labem|Kroměříž|Znojmo|Příbram|Žďár nad Sázavou|šroubovák|kladivo|vrták do dřeva|žárovka|štětec|lepicí páska|těsnění|hmoždinka|reklamace přijata|poznámka zákazníka|nedodáno včas|chybí součástka|zaplaceno hotově|k vyřízení`)},
	{"Slovak", "windows-1250 iso-8859-2 cp852", cells(`Kováčová|Horváth|Ľubomír Žák|Vojtěch Ďurica|Štefan Kráľ|Banská Bystrica|Ružomberok|Považská Bystrica|Liptovský Mikuláš|Topoľčany|skrutkovač|kladivo|vŕtačka|žiarovka|štetec|lepiaca páska|tesnenie|reklamácia prijatá|poznámka zákazníka|nedodané včas|chýba súčiastka|zaplatené v hotovosti|na vybavenie|Ľudmila Šťastná`)},
	{"Hungarian", "windows-1250 iso-8859-2 cp852 x-mac-ce", cells(`Kovács István|Szőke Erzsébet|Tóth Gergő|Nagy László|Kőrösi Jenő|Fehér Zoltán|Győző utca 3.|Dunaújváros|Hódmezővásárhely|Érd|Törökbálint|Mezőkövesd|csavarhúzó|kalapács|fúrófej|izzó|ecset|ragasztószalag|tömítés|villáskulcs|reklamáció beérkezett|ügyfél megjegyzése|késve szállítva|hiányzó alkatrész|készpénzben fizetve|ellenőrzésre vár|fűrészlap|kötőelem`)},
	{"Croatian", "windows-1250 iso-8859-2 cp852", cells(`Horvat|Ivan Kovačević|Marija Babić|Željko Đurić|Branka Šarić|Nikola Vuković|Čazma|Đurđevac|Županja|Šolta|Petrinja|Ogulin|odvijač|čekić|žarulja|kist|ljepljiva traka|brtva|ključ|reklamacija zaprimljena|napomena kupca|nije isporučeno na vrijeme|nedostaje dio|plaćeno gotovinom|na čekanju|Siniša Matić`)},
	{"Romanian", "windows-1250", cells(`Ionuţ Popescu|Ştefan Ionescu|Ţepeş Vlad|Mihăilă|Drăgulescu|Călin Rădulescu|Năsăud|Mediaş|Făgăraş|Bistriţa|Oradea|şurubelniţă|ciocan|bec|pensulă|bandă adezivă|garnitură|reclamaţie primită|observaţia clientului|nelivrat la timp|lipseşte o piesă|plătit în numerar|în aşteptare|Cătălina Munteanu`)},
	{"German", "windows-1252 macintosh cp850", cells(`Jürgen Groß|Käthe Lößnitz|Björn Schröter|Hänsel & Söhne|Bürgermeister-Weiß-Straße 4|Görlitz|Fürth|Neuötting|Schraubenschlüssel|Dübel|Glühbirne|Wandfarbe weiß|Dämmstoff|Klebeband|Rückläufer|Kundenwünsche prüfen|verspätet zugestellt|Zubehör fehlt|bar bezahlt|geklärt|Übergabe|Sägeblatt|Türgriff|Fußmatte`)},
	{"French", "windows-1252 macintosh iso-8859-15", cells(`Hélène Lefèvre|Jérôme Béranger|Cécile Dupré|François Lemaître|André Gaël|12, allée des Peupliers|Orléans|Nîmes|Besançon|Sète|Châteauroux|clé à molette|marteau|mèche à bois|ampoule|étagère|ruban adhésif|réclamation reçue|livré en retard|pièce manquante|réglé en espèces|à vérifier|déjà remboursé|goûter d'été|crème fraîche|pâte feuilletée`)},
	{"Spanish", "windows-1252 macintosh cp850", cells(`Íñigo Zúñiga|Begoña Ordóñez|Óscar Cañizares|Raúl Bermúdez|Lucía Peláez|Calle Alcalá 5, 2º|Avilés|Castellón|Mérida|La Línea|destornillador|martillo|bombilla|cinta métrica|sierra eléctrica|reclamación recibida|envío retrasado|falta un artículo|pagó en efectivo|pendiente de revisión|piña en almíbar|turrón|jabón líquido|paño de cocina`)},
	{"Portuguese", "windows-1252 macintosh cp860", cells(`Sebastião Brandão|Graça Araújo|Vinícius Falcão|Luísa Simão|Rua São Bento, 8|Póvoa de Varzim|Covilhã|Niterói|Goiás|chave de fendas|martelo|lâmpada|fita métrica|máquina de lavar|reclamação recebida|atraso na expedição|peça em falta|pagamento em dinheiro|em análise|sabão em pó|pão de queijo|feijão preto|coração de alcachofra|calções`)},
	{"Italian", "windows-1252 macintosh cp850", cells(`Niccolò Dalla Libertà|Cantù|Forlì|Canicattì|caffè macinato|tè verde|bontà di mare|non è arrivato|pagherà lunedì|perché rotto|più di due pezzi|qualità scarsa|novità estate|già spedito|virtù|disponibilità`)},
	{"Swedish", "windows-1252 macintosh cp850", cells(`Åsa Håkansson|Göran Åkerlund|Märta Sjöblom|Östen Törnqvist|Hagsätra|Älvsjö|Ängelholm|skruvmejsel|hammare|glödlampa|målarfärg|tätning|sågblad|reklamation mottagen|försenad leverans|saknas en del|betalad kontant|väntar på svar|köksmöbler|äppelmust|grädde|smörgås`)},
	{"Danish", "windows-1252 macintosh cp865", cells(`Jørn Kjærgaard|Bodil Højlund|Åge Nørrelykke|Søby|Fåborg|Hjørring|Præstø|skruetrækker|hammer|glødepære|maling grøn|tætning|reklamation modtaget|forsinket levering|mangler en del|betalt kontant|afventer svar|køkkenmøbler|æblemost|fløde|smørrebrød`)},
	{"Finnish", "windows-1252 macintosh cp850", cells(`Väinö Pöyhönen|Päivi Hyvönen|Jyrki Mäenpää|Riihimäki|Nokian keskusta|Siilinjärvi|ruuvimeisseli|sähköjohto|hehkulamppu|lämpömittari|tiiviste|reklamaatio käsittelyssä|myöhästynyt lähetys|puuttuu osia|maksettu käteisellä|odottaa hyväksyntää|pöytälevy|hernekeittoämpäri|kermaviili`)},
	{"Turkish", "windows-1254 cp857 x-mac-turkish", cells(`Yılmaz Kaya|Ayşe Çelik|Mehmet Şimşek|Gülşah Doğan|Özgür Aydın|İbrahim Koç|Beşiktaş|Üsküdar|Çankaya|Tekirdağ|Niğde|Karşıyaka|tornavida|çekiç|ampul|fırça|yapıştırıcı bant|conta|anahtar takımı|şikayet alındı|müşteri notu|zamanında ulaşmadı|eksik parça|nakit ödendi|beklemede|dağıtım|sığır eti|kuşburnu çayı`)},
	{"Lithuanian", "windows-1257 cp775 iso-8859-4", cells(`Jonas Žukauskas|Rūta Petrauskienė|Šarūnas Kazlauskas|Živilė Mačiulytė|Gražina Čepaitė|Anykščiai|Biržai|Joniškis|Pakruojis|atsuktuvas|plaktukas|grąžtas|lemputė|teptukas|lipni juosta|sandariklis|veržliaraktis|skundas gautas|pirkėjo pastaba|pristatyta vėluojant|trūksta dalies|apmokėta grynaisiais|laukiama|šaldytuvas|kėlimo įranga`)},
	{"Latvian", "windows-1257 cp775 iso-8859-4", cells(`Jānis Bērziņš|Līga Kalniņa|Ģirts Ozoliņš|Ķekava|Anna Krūmiņa|Sigulda|Rūjiena|Līvāni|skrūvgriezis|āmurs|urbis|spuldze|ota|līmlente|blīve|uzgriežņu atslēga|sūdzība saņemta|pircēja piezīme|piegādāts ar kavēšanos|trūkst detaļas|samaksāts skaidrā naudā|gaida apstiprinājumu|ledusskapis|šķīvis`)},
	{"Estonian", "windows-1257 iso-8859-15", cells(`Jüri Mägi|Õnne Pärtelpoeg|Külli Tšernov|Žanna Põder|Märjamaa|Võsu|Türi|Käärdi|kruvikeeraja|vasar|lambipirn|pintsel|kleeplint|tihend|mutrivõti|kaebus vastu võetud|kliendi märkus|tarne hilines|osa puudu|makstud sularahas|ootel|külmkapp|šašlõkk|õunamahl|jäätis|tööriist`)},
	{"Russian", "windows-1251 koi8-r cp866 iso-8859-5 x-mac-cyrillic cp855", cells(`Лебедева Ольга|Соколов Михаил|Новикова Татьяна|Фёдоров Алексей|ул. Гагарина, 15|Ярославль|Хабаровск|Тюмень|Иркутск|отвёртка|молоток|сверло по дереву|лампочка|кисть|изолента|прокладка|гаечный ключ|жалоба получена|примечание клиента|не доставлено вовремя|не хватает детали|оплачено наличными|на проверке|холодильник|щётка|цемент`)},
	{"Ukrainian", "windows-1251 koi8-u", cells(`Мельник Оксана|Кравчук Ігор|Поліщук Наталія|Єфремов Андрій|вул. Грушевського, 5|Біла Церква|Кропивницький|Маріуполь|викрутка|молоток|свердло|лампочка|пензель|ізострічка|прокладка|гайковий ключ|скаргу отримано|примітка клієнта|не доставлено вчасно|бракує деталі|сплачено готівкою|перевіряється|холодильник|щітка`)},
	{"Bulgarian", "windows-1251 cp866", cells(`Стоянова Мария|Тодоров Пламен|Ангелова Силвия|ул. Раковски 7|Кърджали|Асеновград|Видин|Ловеч|отвертка|чук|свредло|крушка за лампа|четка|изолирбанд|уплътнение|гаечен ключ|получена жалба|бележка на клиента|закъсняла доставка|липсва част|платено в брой|чака проверка|хладилник`)},
	{"Serbian", "windows-1251", cells(`Милош Стојановић|Јелена Тодоровић|Љиљана Симић|Ђорђе Павловић|Пожаревац|Сремска Митровица|Бачка Паланка|одвијач|чекић|сијалица|четка|лепљива трака|заптивка|рекламација примљена|напомена купца|касни испорука|недостаје део|плаћено готовином|на чекању|фрижидер`)},
	{"Greek", "windows-1253 iso-8859-7 cp737 x-mac-greek", cells(`Κώστας Αντωνίου|Σοφία Καραγιάννη|Γιώργος Μακρής|Ευάγγελος Ζήσης|Λεωφόρος Κηφισίας 20|Καβάλα|Σέρρες|Τρίπολη|Μυτιλήνη|κατσαβίδι|σφυρί|τρυπάνι|λάμπα|πινέλο|ταινία|φλάντζα|γαλλικό κλειδί|παράπονο πελάτη|καθυστέρηση παράδοσης|λείπει εξάρτημα|εξόφληση μετρητοίς|σε έλεγχο|ψυγείο|ελαιόλαδο`)},
	{"Arabic", "windows-1256 iso-8859-6", cells(`سعيد الغامدي|نورة القحطاني|ياسر العتيبي|هدى الشمري|حي النخيل|الطائف|أسوان|الموصل|حلب|مفك براغي|مطرقة|مثقاب|مصباح|فرشاة دهان|شريط لاصق|مفتاح إنجليزي|تم استلام الشكوى|ملاحظات الزبون|تأخر التوصيل|قطعة ناقصة|تم الدفع نقدا|قيد المراجعة|ثلاجة|زيت زيتون`)},
	{"Hebrew", "windows-1255 cp862", cells(`אילנה גולדברג|רפאל דהן|גלעד שטרן|תמר אוחנה|שדרות בן גוריון 14|קריית שמונה|טבריה|נהריה|זכרון יעקב|מברג פיליפס|פטיש|מקדחה חשמלית|נורת להט|מברשת צבע|סרט דביק|אטם|מפתח שוודי|התלונה התקבלה|הערת הקונה|האספקה התעכבה|חלק חסר|שולם במזומן|ממתין לבדיקה|מקפיא|שמן זית|מגבת|צלחות קרמיקה|צעיף משי`)},
	{"Thai", "windows-874", cells(`อรุณี ศรีวิไล|ธนพล แก้วมณี|พิมพ์ชนก บุญมา|กิตติศักดิ์ พงษ์ไพร|ซอยสุขุมวิท 21|อุดรธานี|พิษณุโลก|หาดใหญ่|ลำปาง|ไขควง|ค้อน|สว่านไฟฟ้า|หลอดไฟ|แปรงทาสี|เทปกาว|ปะเก็น|ประแจ|รับเรื่องร้องเรียนแล้ว|ข้อความจากผู้ซื้อ|ส่งล่าช้า|ขาดอะไหล่|จ่ายเป็นเงินสด|รอตรวจสอบ|ตู้แช่แข็ง|น้ำมันมะกอก|ผ้าขนหนู|จานเซรามิก|ผ้าไหม`)},
	{"Vietnamese", "windows-1258", cells(`Lý Thu Thảo|Đinh Quốc Bảo|Trịnh Khánh Linh|Mai Xuân Trường|ngõ 12 Láng Hạ|Thái Nguyên|Quy Nhơn|Buôn Ma Thuột|Vĩnh Long|tua vít|búa sắt|máy khoan|bóng đèn|cọ sơn|băng keo|vòng đệm|cờ lê|đã nhận khiếu nại|lời nhắn của người mua|giao trễ hẹn|thiếu linh kiện|trả bằng tiền mặt|đang kiểm tra|tủ đông|dầu ô liu|khăn tắm|đĩa gốm|khăn lụa`)},
	{"Simplified Chinese", "gb18030", cells(`欧阳志远|钟楚红|裴文轩|柳如烟|陕西北路18号|朝阳区望京东园|嘉兴市|洛阳市|螺丝刀|锤子|电钻|灯泡|刷子|胶带|垫片|扳手|投诉已受理|买家留言|未按时送达|缺少配件|现金支付|等待核实|双门冰箱|橄榄油|笔记本支架|无线鼠标|陶瓷餐具|真丝围巾`)},
	{"Traditional Chinese", "big5", cells(`歐陽志遠|鍾楚紅|裴文軒|柳如煙|忠孝東路四段|新莊區中正路|嘉義市|彌敦道|螺絲起子|鐵鎚|電鑽|燈泡|刷子|膠帶|墊片|扳手|客訴已受理|買家留言|未準時送達|缺少配件|現金支付|等待核實|雙門冰箱|橄欖油|筆電支架|無線滑鼠|陶瓷餐具|真絲圍巾`)},
	{"Korean", "euc-kr", cells(`남궁민수|황보라|제갈윤아|독고영재|테헤란로 152|해운대구 우동|포항시|목포|드라이버|망치|전동 드릴|전구|붓|접착 테이프|와셔|렌치|불만 접수|구매자 메모|제때 도착하지 않음|부속품 누락|현금 지급|확인 중|냉장고|올리브기름|휴대폰 거치대|무선 마우스|도자기 그릇|실크 스카프`)},
	{"Japanese", "cp932 euc-jp", cells(`五十嵐さやか|長谷川哲平|御手洗凛|小鳥遊ひかり|世田谷区三軒茶屋|八王子市|ドライバー|かなづち|電動ドリル|電球|はけ|粘着テープ|座金|苦情受付済み|購入者の備考|期日に届かず|部品不足|現金払い|確認中|冷蔵庫|オリーブ油|スマホスタンド|陶器の皿|絹のスカーフ`)},
}

func cells(text string) []string { return strings.Split(text, "|") }

// worldTable makes CSV of so many rows.
func worldTable(rng *rand.Rand, cells []string, rows int) string {
	var b strings.Builder
	b.WriteString("id;name;note;amount\r\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d;%s;%s;%d,50\r\n", i+1, cells[rng.IntN(len(cells))], cells[rng.IntN(len(cells))], rng.IntN(5000))
	}
	return b.String()
}

// readsLegacy reports whether the text, as others write it in the encoding, comes back, and with which confidence.
func readsLegacy(t interface{ Fatal(args ...any) }, text, name string) (Decision, bool) {
	if name == "windows-1258" { // has the marks of tones behind their letters
		text = withTones(text)
	}
	source, err := legacy[name].NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(name, err, text)
	}
	d := Detect(Sample{source, true, true})
	want, _ := Lookup(name)
	if IsASCII(source) {
		return d, true
	}
	split := make([]byte, 0, 2*len(source))
	if conv, ok := d.Encoding.(converter); ok {
		split, _ = conv.convert(split, source, true)
	} else {
		split = append(split, source...)
	}
	got, bad := d.Encoding.AppendText(nil, split)
	return d, bad < 0 && string(got) == norm.NFC.String(text) && (d.Encoding == want || isSingle(d.Encoding) && isSingle(want))
}

// withTones writes the marks of the tones of Vietnamese behind their letters.
func withTones(text string) string {
	var spelled strings.Builder
	for _, r := range text {
		letter, tone := "", ""
		for _, part := range norm.NFD.String(string(r)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", part) {
				tone += string(part)
			} else {
				letter += string(part)
			}
		}
		spelled.WriteString(norm.NFC.String(letter) + tone)
	}
	return spelled.String()
}

func isSingle(e Encoding) bool {
	_, ok := e.(*singleByte)
	return ok
}

// A file in an encoding of the world that has some rows of people's text is read in it: no other is as likely.
func TestLanguagesOfTheWorld(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(worldTexts).Draw(t, "language")
		name := rapid.SampledFrom(strings.Fields(w.encodings)).Draw(t, "encoding")
		rows := rapid.IntRange(20, 200).Draw(t, "rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		if d, ok := readsLegacy(t, worldTable(rng, w.cells, rows), name); !ok {
			t.Errorf("%s (%.3f)", d.Encoding.Name(), d.Confidence)
		}
	})
}

// worldPins are the least shares of files with so many rows that have to be read right, in percent, for each language and encoding. A row
// has some twenty letters, of which few are beyond ASCII in Latin; one row can be ambiguous.
// Old encodings have to be likelier than those of today.
var worldPins = []struct{ rows, percent, old int }{{1, 50, 40}, {3, 95, 80}, {10, 100, 97}, {50, 100, 100}}

// TestSharesOfTheWorld counts how many files of each language, encoding and length are read right, and how many of the wrong ones are
// not said to be a guess; go test -v shows the table that docs/formats.md has.
func TestSharesOfTheWorld(t *testing.T) {
	t.Parallel()
	const trials = 100
	sureOfWrong, sureOfWrongOld := 0, 0
	for _, w := range worldTexts {
		for name := range strings.FieldsSeq(w.encodings) {
			line := fmt.Sprintf("| %s | %s |", w.language, name)
			for _, pin := range worldPins {
				right := 0
				percent, wrong := pin.percent, &sureOfWrong
				if slices.ContainsFunc(oldEncodings, func(old written) bool { return old.enc.name == name }) {
					percent, wrong = pin.old, &sureOfWrongOld
				}
				for i := range trials {
					rng := rand.New(rand.NewPCG(uint64(i), uint64(pin.rows)))
					if d, ok := readsLegacy(t, worldTable(rng, w.cells, pin.rows), name); ok {
						right++
					} else if d.Confidence >= 0.8 {
						*wrong++
					}
				}
				if right*100 < percent*trials {
					t.Errorf("%s in %s, %d rows: %d of %d", w.language, name, pin.rows, right, trials)
				}
				line += fmt.Sprintf(" %d |", right*100/trials)
			}
			t.Log(line)
		}
	}
	// of some 17,000, and of 14,000 in old encodings: one row has few letters
	if sureOfWrong > 12 || sureOfWrongOld > 40 {
		t.Errorf("%d and %d files are read in a wrong encoding with a confidence of 0.8 or more", sureOfWrong, sureOfWrongOld)
	}
	t.Log(sureOfWrong, sureOfWrongOld)
}

// Text in an encoding that is not known is a guess, and so said.
func TestUnknownEncodingsAreGuesses(t *testing.T) {
	t.Parallel()
	for _, w := range worldTexts {
		if w.language != "Latvian" {
			continue
		}
		source, err := charmap.Windows1257.NewEncoder().Bytes([]byte(worldTable(rand.New(rand.NewPCG(1, 1)), w.cells, 20)))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range source {
			if c >= utf8.RuneSelf {
				source[i] ^= 0x2D
			}
		}
		if d := Detect(Sample{source, true, true}); d.Confidence >= 0.8 {
			t.Errorf("Latvian in other places is %s, %.3f", d.Encoding.Name(), d.Confidence)
		}
	}
}

// A sign that stands in each row of a table tells no old encoding.
func TestSignsInEachRow(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"%d;12 µA\r\n", "%d;5,50 €\r\n", "%d;20 °C\r\n", "%d;£5\r\n", "%d;§ 5\r\n", "%d;±5 %%\r\n", "%d;5 m²\r\n"} {
		text := "id;value\r\n"
		for i := range 12 {
			text += fmt.Sprintf(sign, i)
		}
		if d, ok := readsLegacy(t, text, "windows-1252"); !ok {
			t.Errorf("%q is %s, %.3f", sign, d.Encoding.Name(), d.Confidence)
		}
	}
}
