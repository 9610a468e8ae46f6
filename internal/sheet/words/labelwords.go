package words

import "slices"

// totals are words for a sum, which stand alone in their cell.
var totals = []string{
	"total", "totals", "grand total", "sum", "sum of all", "合計", "総計", "計", "総数", "total général", "total general", "total geral",
	"totale generale",
	"summe", "gesamt", "gesamtsumme", "gesamtergebnis", "somme", "totale", "suma", "celkem", "razem", "totaal", "итого", "всего", "yekûn",
	"общо", "укупно", "ukupno", "skupaj", "spolu", "kopā", "iš viso", "kokku", "σύνολο", "tổng cộng", "jumlah",
	"totali", "totales", "totaux", "totais", "totalen", "summen",
	"zusammen", "ensemble", "σύνολα", "المجموع الكلي", "รวมทั้งสิ้น", "Σ", "σ", "∑",
	"toplam", "genel toplam", "összesen", "mindösszesen", "végösszeg", "ogółem", "razem ogółem", "suma końcowa", "eindtotaal",
	"totaal generaal", "gesamtbetrag", "rechnungsbetrag", "endsumme", "endbetrag", "total ht", "total ttc", "totale complessivo",
	"totale fattura",
	"gesamtkosten", "gesamtpreis", "total cost", "total costs", "total amount", "coût total", "coste total", "costo totale", "custo total",
	"insgesamt", "součet", "totalsumma", "المجموع", "الإجمالي", "الاجمالي", "جمع", "סה\"כ", "סה\"\"כ", "סה״כ", "סך הכל",
	"รวม", "总和", "共计", "總和", "共計",
	"importe total", "suma total", "celkem k úhradě", "всего к оплате", "итого к оплате", "общий итог", "総合計", "총합계",
	"yhteensä", "summa", "totalt", "i alt", "总计", "合计", "总计金额", "合计金额", "合計金額", "總計", "합계", "총계",
}

// subtotals are words for the sum of a part, or for what is carried to the next page. They may have more words behind them.
var subtotals = slices.Concat(carriedOver, []string{
	"subtotal", "sub-total", "sub total", "zwischensumme", "teilsumme", "sous-total", "subtotale", "subtotaal", "mezisoučet",
	"suma częściowa", "подытог", "промежуточный итог", "小計", "中計", "累計", "月計", "小计", "累计", "소계", "*", "**", "***",
})

// extras are words in the names of what is added to a sum, or taken from it, and is no row: Sales tax, Versand.
var extras = []string{
	"tax", "taxes", "vat", "gst", "mwst", "ust", "mehrwertsteuer", "umsatzsteuer", "tva", "iva", "btw", "moms", "dph", "áfa", "ндс", "kdv",
	"discount", "rabatt", "skonto", "remise", "descuento", "sconto", "desconto", "korting", "rabat", "sleva", "скидка",
	"shipping", "delivery", "freight", "postage", "handling", "versand", "versandkosten", "porto", "fracht", "livraison", "port", "envío",
	"spedizione", "frete", "verzendkosten", "frakt", "doprava", "доставка", "tip", "rounding", "rundung", "deposit", "advance", "anzahlung",
	"acompte", "anticipo", "消費税", "税", "税額", "送料", "値引", "税额", "运费", "세금", "surcharge", "zuschlag", "recargo", "toeslag",
}

// countings are words for a number of records, which stand below a sum.
var countings = []string{
	"count", "record count", "row count", "total records", "total rows", "number of records", "number of rows", "anzahl datensätze",
	"anzahl", "nombre", "recuento", "conteggio", "contagem", "aantal", "liczba", "počet", "antal", "количество",
	"件数", "個数", "个数", "건수",
}

var totalWords, subtotalWords, partWords, extraWords = listOf(totals), listOf(subtotals), listOf(partTotals), listOf(extras)

var meanWords, extremeWords, countWords = listOf(means), listOf(extremes), listOf(countings)
