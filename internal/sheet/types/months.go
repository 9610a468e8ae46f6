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
	"ιανουαρίου ιαν|φεβρουαρίου φεβ|μαρτίου μαρ|απριλίου απρ|μαΐου|ιουνίου ιουν|ιουλίου ιουλ|αυγούστου αυγ|σεπτεμβρίου σεπ|οκτωβρίου οκτ|νοεμβρίου νοε|δεκεμβρίου δεκ",
	// Turkish
	"ocak oca|şubat şub|mart|nisan nis|mayıs mayis|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|kasım kasim|aralık aralik ara",
	// Finnish
	"tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta",
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
const croatian = "listopada"

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
		"月 火 水 木 金 土 日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 월 화 수 목 금 토 일 월요일 화요일 수요일 목요일 금요일 토요일 일요일") {
		all[name] = true
	}
	return all
}()
