package pollution

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// unseen are tables on which the engine was not tuned: narrow ones, small ones, and ones with hardly a number.
func unseen() []table {
	return []table{orders(), glossary(), parcels(), members()}
}

// orders are French, with amounts and dates as they are written there, and addresses of two lines.
func orders() table {
	return newTable("orders", "N° commande|Date|Client|Adresse|CP|Ville|Montant TTC|Payé|Remarque", 64,
		func(r *rand.Rand, i int) []string {
			return []string{
				fmt.Sprintf(
					"CMD-%05d",
					20417+i*3,
				), date31(r), pick(r, "Éts Lefèvre", "Dupont & Fils", "SARL L'Hôtel", "Mme Noël", `Garage "Chez Léon"`),
				pick(
					r,
					"12, rue de la Paix\nBât. B",
					"3 bis av. Foch",
					"Zone industrielle, lot 7",
					"Le Bourg",
				), fmt.Sprintf("%05d", 1000+r.IntN(94000)),
				pick(r, "Nîmes", "Besançon", "Paris", "Saint-Étienne"), fmt.Sprintf("%d,%02d", 5+r.IntN(4000), r.IntN(100)), pick(r, "oui", "non"),
				pick(r, "", "", "à livrer avant 10 h, svp", "colis n° 2 manquant"),
			}
		})
}

func date31(r *rand.Rand) string {
	return fmt.Sprintf("%02d/%02d/%d", 1+r.IntN(28), 1+r.IntN(12), 2019+r.IntN(6))
}

// glossary has only text.
func glossary() table {
	return newTable("glossary", "Term|Definition|Origin", 40,
		func(r *rand.Rand, i int) []string {
			return []string{
				pick(r, "anchor", "bight", "cleat", "dinghy", "eye splice") + " " + string(rune('a'+i%26)),
				pick(
					r,
					"a bend in a rope",
					"Holds a ship; see also chain, cable",
					`what sailors call "home"`,
					"part of a sail\nnear the mast",
					"a small boat",
				),
				pick(r, "Old English", "Dutch", "Norse", "unknown"),
			}
		})
}

// parcels are of another country's offices: codes, areas and years, with a column that is nearly empty.
func parcels() table {
	return newTable("parcels", "地番|所在|地目|地積(㎡)|取得年月日|取得価格|所有者|抵当権", 48,
		func(r *rand.Rand, i int) []string {
			return []string{
				fmt.Sprintf("%d番%d", 100+i, 1+r.IntN(9)), pick(r, "字東原", "字中島", "大字小川字前田"), pick(r, "宅地", "田", "畑", "雑種地"),
				fmt.Sprintf("%d.%02d", 30+r.IntN(2000), r.IntN(100)), fmt.Sprintf("平成%d年%d月%d日", 2+r.IntN(28), 1+r.IntN(12), 1+r.IntN(28)),
				fmt.Sprintf(
					"%d,%03d,000",
					1+r.IntN(40),
					r.IntN(1000),
				), pick(r, "山本 健", "有限会社 小川", "伊藤 さくら", "川口 能成"), pick(r, "", "", "", "", "あり、\n第2順位"),
			}
		})
}

// members is small.
func members() table {
	return newTable("members", "Mitglied|Name|Eintritt|Beitrag|E-Mail", 11,
		func(r *rand.Rand, i int) []string {
			return []string{
				fmt.Sprint(
					i + 1,
				),
				pick(
					r,
					"Groß, Sabine",
					"Özdemir, Cem",
					"Weiß, Jörg",
					"von Hagen, Ute",
				), fmt.Sprintf("%02d.%02d.%d", 1+r.IntN(28), 1+r.IntN(12), 1990+r.IntN(34)),
				strings.ReplaceAll(fmt.Sprintf("%.2f", 20+r.Float64()*60), ".", ","), fmt.Sprintf("m%d@example.org", i),
			}
		})
}
