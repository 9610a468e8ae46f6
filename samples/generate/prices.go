package main

import (
	"fmt"
	"strings"
)

// prices is a price list as a German Excel saves it: UTF-8 with a byte order mark, semicolons, decimal commas, and three bad records.
func prices() ([]byte, error) {
	articles := []string{
		"Schlüssel",
		"Rohrzange",
		"Säge, fein",
		"Bügel",
		`Rohr 1/2" verzinkt`,
		"Dübel; Beutel à 50 Stück",
		"Türgriff",
		"Größenlehre",
	}
	makers := []string{"Müller & Söhne", "Weiß GmbH", "Ångström AB", "Señal S. A."}
	var b strings.Builder
	b.WriteString("\ufeffArtikelnummer;Bezeichnung;Hersteller;Nettopreis;MwSt;Gültig ab;Lagernd\n")
	for i := range 40 {
		name := fmt.Sprintf("%s %d mm", pick(articles, i, 3), 5+i*5%60)
		if strings.ContainsAny(name, `;"`) {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		cents := 199 + i*i*737%250000
		net := strings.ReplaceAll(amount(cents/100), ",", ".") + fmt.Sprintf(",%02d", cents%100)
		fmt.Fprintf(&b, "%05d;%s;%s;%s;%s;01.%02d.2024;%s\n", 100+i, name, pick(makers, i, 1), net,
			pick([]string{"19 %", "7 %"}, i, 1), i%12+1, pick([]string{"ja", "nein", ""}, i, 1))
		switch i {
		case 9:
			b.WriteString("00901;Türgriff Messing;Weiß GmbH;12,90\n")
		case 20:
			b.WriteString("\n")
		case 25:
			b.WriteString("00902;Dübel; Beutel à 20 Stück;Müller & Söhne;3,49;19 %;01.03.2024;ja\n")
		case 33:
			b.WriteString("00903;S\xe4ge grob;Weiß GmbH;24,90;19 %;01.05.2024;ja\n")
		}
	}
	return []byte(b.String()), nil
}
