package sheet

import (
	"slices"
	"strings"
	"testing"
)

// What the values of the columns are held against, right below the names, is no row; a row that begins with such a word is one.
func TestLimitsBelowTheNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		limits  int // how many records below the names are none
	}{
		"above samples":          {"sample;day;lead\nGrenzwert;;10\nwell;04.03.2024;1,2\nriver;05.03.2024;0,8\ntap;06.03.2024;0,4\n", 1},
		"two of them":            {"sample,lead,zinc\nLOD,0.5,2\nLOQ,1.5,6\nA-01,1.9,310\nA-02,2.4,290\nA-03,4.1,188\n", 2},
		"points":                 {"who,no,group,test\n    Points Possible,,,20\nAda,501,red,18\nBo,502,red,15.5\nCy,503,blue,20\n", 1},
		"points and one gap":     {"who;no;test;exam\nMax. Punkte;;10;60\nAda;501;8;44\nBo;502;9,5;51\nCy;503;7;39\n", 1},
		"a plan with a gap":      {"Kennzahl;Vorjahr;Jahr\nSoll;;120\nIst;100;110\nDifferenz;5;-10\nTrend;1;2\n", 0},
		"above months":           {"month,north,south\nTarget,100,120\n2024-01,98,118\n2024-02,101,125\n2024-03,97,119\n", 1},
		"a range":                {"sample,day,pH,lead\nNormbereich,,6.5-9.5,10\nA,2024-03-04,7.4,1.2\nB,2024-03-05,7.1,0.8\nC,2024-03-06,7.9,0.4\n", 1},
		"a kind of row":          {"kind,q1,q2\nTarget,10,12\nActual,9,13\nGap,-1,1\nBefore,8,9\n", 0},
		"a kind of order":        {"type,price,pieces,stop\nLimit,10.5,100,\nMarket,,50,\nLimit,11.25,10,\nStop,,20,9.5\n", 0},
		"a name":                 {"name,state,since\nTarget,,1962\nWalmart,AR,1962\nCostco,WA,1976\nKroger,OH,1883\n", 0},
		"no value":               {"key,meaning,more\nLimit,,\nA-1,first,yes\nA-2,second,no\nA-3,third,no\n", 0},
		"further below":          {"sample,day,lead\nA,2024-03-04,1.2\nLimit,,10\nB,2024-03-05,0.8\nC,2024-03-06,0.4\n", 0},
		"above others that lack": {"part,day,price\nLimit,,10.5\nBolt,,2.5\nNut,2024-03-05,0.8\nRod,,0.4\nCap,2024-03-06,1\n", 0},
	} {
		skipped := 0
		records := read(t, c.content, Options{}, DefaultLimits())
		for _, record := range records {
			if strings.HasPrefix(record, "skip") {
				skipped++
			}
		}
		rejected := slices.ContainsFunc(records, func(record string) bool { return strings.HasPrefix(record, "reject") })
		if skipped != c.limits || rejected || len(records) != strings.Count(c.content, "\n") {
			t.Errorf("%s: %d are none, want %d: %q", name, skipped, c.limits, records)
		}
	}
}
