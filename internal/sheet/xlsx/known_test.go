package xlsx

import (
	"slices"
	"testing"

	"sheetdrop/internal/sheet/grid"
)

// A workbook without a description of its tables has none, and one that is damaged costs no more than the knowledge.
func TestKnownOfBrokenDescriptions(t *testing.T) {
	t.Parallel()
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + officeRelations + `/table" Target="../tables/table1.xml"/>` +
		`<Relationship Id="rId2" Type="` + officeRelations + `/table" Target="../tables/gone.xml"/></Relationships>`
	rows := `<row r="1"><c t="str"><v>a</v></c></row>`
	for name, c := range map[string]struct {
		table string
		want  []grid.Table
	}{
		"whole":             {`<table ref="B2:D9"/>`, []grid.Table{{Range: grid.Range{Left: 2, Right: 4, Top: 2, Bottom: 9}, Header: 1}}},
		"without a header":  {`<table ref="A1:B2" headerRowCount="0" totalsRowCount="1"/>`, []grid.Table{{Range: grid.Range{Left: 1, Right: 2, Top: 1, Bottom: 2}, Totals: 1}}},
		"outside the sheet": {`<table ref="A1:ZZZZ99999999"/>`, nil},
		"turned around":     {`<table ref="D9:B2"/>`, nil},
		"no reference":      {`<table/>`, nil},
	} {
		file := workbookOf(rows, nil).with("xl/worksheets/_rels/sheet1.xml.rels", rels, "xl/tables/table1.xml", c.table)
		b, err := openBytes(t, file.zip(t), Options{})
		if err != nil {
			t.Fatal(err)
		}
		list, err := b.Rows(1)
		if err != nil {
			t.Fatal(err)
		}
		known, err := list.(grid.Informed).Known(true)
		if err != nil || !slices.Equal(known.Tables, c.want) || known.HeaderEnd != 0 {
			t.Errorf("%s: %+v, %v", name, known, err)
		}
	}
}

// Some programs keep a value of their own beside the text of a cell.
func TestValueBesideInlineText(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		`<c t="inlineStr"><v>1.0</v><is><t>1.</t></is></c>`: "1 A=1.",
		`<c t="inlineStr"><is><t>1.</t></is><v>1.0</v></c>`: "1 A=1.",
		`<c t="str"><v>1.0</v><v>2.0</v></c>`:               "1 A=1.0!duplicate_cell",
	} {
		got, err := read(t, workbookOf(`<row r="1">`+cell+`</row>`, nil).zip(t), Options{})
		if err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, %v; want %s", cell, got, err, want)
		}
	}
}
