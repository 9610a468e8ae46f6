package types

import "strings"

// monthsOf are the names of the months as dates have them, from January on, with their usual abbreviations. A name that means different
// months in two languages of Europe is not among them, but for listopada: see croatian.
var monthsOf = []string{
	// English
	"january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov|december dec",
	// German
	"januar jänner jan jän|februar feber feb|märz mär mrz|april apr|mai|juni jun|juli jul|august aug|september sept sep|oktober okt|november nov|dezember dez",
	// French
	"janvier janv|février févr fév|mars|avril avr|mai|juin|juillet juil|août aoû|septembre sept|octobre oct|novembre nov|décembre déc",
	// Spanish
	"enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre setiembre sept sep|octubre oct|noviembre nov|diciembre dic",
	// Portuguese
	"janeiro jan|fevereiro fev|março mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez",
	// Italian
	"gennaio gen|febbraio feb|marzo mar|aprile apr|maggio mag|giugno giu|luglio lug|agosto ago|settembre set|ottobre ott|novembre nov|dicembre dic",
	// Dutch
	"januari jan|februari feb|maart mrt|april apr|mei|juni jun|juli jul|augustus aug|september sep|oktober okt|november nov|december dec",
	// Swedish, Danish and Norwegian
	"januari januar|februari februar|mars marts|april|maj mai|juni|juli|augusti august|september|oktober|november|december desember des",
	// Polish
	"stycznia sty|lutego lut|marca|kwietnia kwi|maja|czerwca cze|lipca lip|sierpnia sie|września wrz|października paź|listopada|grudnia gru",
	// Czech
	"ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince",
	// Russian
	"января янв|февраля фев февр|марта мар|апреля апр|мая|июня июн|июля июл|августа авг|сентября сен сент|октября окт|ноября ноя нояб|декабря дек",
	// Slovak
	"januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra",
	// Hungarian
	"január|február febr|március márc|április ápr|május|június jún|július júl|augusztus|szeptember szept|október|november|december",
	// Romanian
	"ianuarie ian|februarie|martie|aprilie|mai|iunie iun|iulie iul|august|septembrie|octombrie|noiembrie|decembrie",
	// Ukrainian
	"січня січ|лютого лют|березня бер|квітня кві|травня тра|червня чер|липня лип|серпня сер|вересня вер|жовтня жов|листопада лис|грудня гру",
	// Bulgarian
	"януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември",
	// Greek
	"ιανουαρίου ιαν|φεβρουαρίου φεβ|μαρτίου μαρ|απριλίου απρ|μαΐου μαΐ μάι|ιουνίου ιουν|ιουλίου ιουλ|αυγούστου αυγ|σεπτεμβρίου σεπ|οκτωβρίου οκτ|νοεμβρίου νοε|δεκεμβρίου δεκ",
	// Turkish
	"ocak oca|şubat şub|mart|nisan nis|mayıs mayis|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|kasım kasim|aralık aralik ara",
	// Finnish
	"tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta",
	// Croatian, but for October
	"siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna||studenoga studenog|prosinca",
	// Slovene
	"januar|februar|marec marca|april aprila|maj maja|junij junija|julij julija|avgust avgusta|september|oktober oktobra|november|december",
	// Serbian
	"јануар јануара|фебруар фебруара|март марта|април априла|мај маја|јун јуна|јул јула|август августа|септембар септембра|октобар октобра|новембар новембра|децембар децембра",
	"januar januara|februar februara|mart marta|april aprila|maj|jun juna|jul jula|avgust avgusta|septembar septembra|oktobar oktobra|novembar novembra|decembar decembra",
	// Lithuanian
	"sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio",
	// Latvian
	"janvāris janvārī|februāris februārī|marts martā|aprīlis aprīlī|maijs maijā|jūnijs jūnijā|jūlijs jūlijā|augusts augustā|septembris|oktobris|novembris|decembris",
	// Estonian
	"jaanuar jaan|veebruar veebr|märts|aprill|mai|juuni|juuli|august|september|oktoober okt|november|detsember dets",
	// Icelandic
	"janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst|september|október|nóvember|desember",
	// Catalan
	"gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre",
	// Malay
	"januari|februari|mac|april|mei|jun|julai|ogos|september|oktober|november|disember dis",
	// Arabic and Hebrew
	"يناير|فبراير|مارس|أبريل ابريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
	"ינואר בינואר|פברואר בפברואר|מרץ במרץ|אפריל באפריל|מאי במאי|יוני ביוני|יולי ביולי|אוגוסט באוגוסט|ספטמבר בספטמבר|אוקטובר באוקטובר|נובמבר בנובמבר|דצמבר בדצמבר",
	// Indonesian
	"januari|februari|maret|april|mei|juni|juli|agustus agu|september|oktober|november|desember",
}

// months are the numbers of the months by their names.
var months = func() map[string]int {
	all := map[string]int{}
	for _, language := range monthsOf {
		for i, names := range strings.Split(language, "|") {
			for name := range strings.FieldsSeq(names) {
				all[name] = i + 1
			}
		}
	}
	return all
}()

// croatian is November in Polish, and October in Croatian, where a point stands behind the day.
const (
	croatian      = "listopada"
	croatianMonth = 10
)

// weekdays are the names of the days of the week. Those that are names of months as well, such as mar, are not among them.
var weekdays = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq("" +
		"monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun " +
		"montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa sonntag so " +
		"lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim " +
		"lunes martes miércoles mié jueves jue viernes vie sábado sáb domingo dom segunda terça quarta quinta sexta " +
		"lunedì martedì mercoledì giovedì gio venerdì sabato sab domenica " +
		"maandag ma dinsdag woensdag wo donderdag vrijdag vr zaterdag za zondag zo " +
		"måndag mån tisdag tis onsdag ons torsdag tors fredag fre lördag lör söndag sön mandag man tirsdag tir lørdag lør søndag søn " +
		"poniedziałek pon wtorek wt środa śr czwartek czw piątek pt sobota niedziela niedz " +
		"pondělí po úterý út středa st čtvrtek čt pátek pá neděle ne " +
		"понедельник пн вторник вт среда ср четверг чт пятница пт суббота сб воскресенье вс " +
		"luni marți marţi miercuri joi vineri sâmbătă duminică ponedjeljak utorak srijeda četvrtak petak subota nedjelja ponedeljek torek sreda četrtek nedelja " +
		"hétfő kedd szerda csütörtök péntek szombat vasárnap pazartesi salı çarşamba perşembe cuma cumartesi pazar pzt sal çar per cum cmt paz " +
		"maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina " +
		"ti ke to pe la su senin selasa rabu kamis jumat sabtu minggu seg ter qua qui sex " +
		"понеділок вівторок середа четвер п'ятниця субота неділя понеделник вторник сряда четвъртък петък събота неделя " +
		"δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή δευ τρι τετ πεμ παρ σαβ κυρ " +
		"星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 周一 周二 周三 周四 周五 周六 周日 週一 週二 週三 週四 週五 週六 週日 " +
		"月 火 水 木 金 土 日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 월 화 수 목 금 토 일 월요일 화요일 수요일 목요일 금요일 토요일 일요일") {
		all[name] = true
	}
	return all
}()
