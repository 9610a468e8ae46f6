package sheet

import (
	"strings"
	"testing"
)

// Names with their values, one to a line and nothing else, have no header: the first one is a row as all others.
func TestNamesWithValuesAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ content, first string }{
		"colons":                  {"Width: 12 mm\nKind: bolt\nMade: 2024-01-05\nBy: Ann\n", "row 1: Width|12 mm"},
		"padded colons":           {"File       : a.jpg\nSize       : 33 kB\nMade with  : Canon\n", "row 1: File       |a.jpg"},
		"colons and commas":       {"Width:,12 mm\nKind:,bolt\nMade:,2024-01-05\n", "row 1: Width|12 mm"},
		"equals signs":            {"server.port=8080\nserver.host=db1\nlog.level=info\n", "row 1: server.port|8080"},
		"equals signs and blanks": {"a = 1\nb = x y\nc =\n", "row 1: a |1"},
		"a number first":          {"max_users\t100\ncache\t64MB\nlevel\tinfo\nlog_dir\t/var/log\n", "row 1: max_users|100"},
		"below a title":           {"Data sheet\nFirma;Holz Reuter\nOrt;Kempten\nTelefon;0831 5\nSitz;D-87435\n", "row 2: Firma|Holz Reuter"},

		"a header":                 {"key,value\nport,8080\nhost,db1\nlevel,info\n", "header 1: key|value"},
		"words":                    {"country,capital\nFrance,Paris\nSpain,Madrid\nItaly,Rome\n", "header 1: country|capital"},
		"a header with colons":     {"Width:,Kind:\n12,bolt\n14,nut\n16,nail\n", "header 1: Width:|Kind:"},
		"a year":                   {"country,2020\nFrance,n.a.\nSpain,12 of 14\nItaly,A-1\n", "header 1: country|2020"},
		"formulas":                 {"name,formula\na,=B1\nb,=D1\nc,=D2\n", "header 1: name|formula"},
		"equals signs that repeat": {"a=1,b=2\na=3,b=4\na=5,b=6\n", "row 1: a=1|b=2"},
		"a name above":             {"query\nselect=1\nfrom=x\nwhere=z\n", "header 1: query"},
		"names that come twice":    {"port\t80\nhost\tdb1\nport\t81\nhost\tdb2\n", "header 1: port|80"},
	} {
		records := read(t, c.content, Options{}, DefaultLimits())
		for len(records) > 0 && strings.HasPrefix(records[0], "skip") {
			records = records[1:]
		}
		if len(records) == 0 || records[0] != c.first {
			t.Errorf("%s: want %q, got %q", name, c.first, records)
		}
	}
}
