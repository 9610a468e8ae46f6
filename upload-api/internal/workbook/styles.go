package workbook

import (
	"fmt"
	"strings"
)

// Style is how cells look.
type Style struct {
	Format string // a number format, such as #,##0.00 or @ for text; empty for the default
	Fill   string // the background's colour as RRGGBB; empty for none
	Bold   bool
	Wrap   bool // lines are broken at the column's width
}

// TextFormat keeps what somebody types into a cell as the text that it is.
const TextFormat = "@"

// The number formats have ids of their own from 164 on; fonts are the plain one and the bold one, the first two fills are Excel's.
const (
	firstFormat = 164
	firstFill   = 2
)

// stylesXML returns the part with the styles, after the default one.
func stylesXML(styles []Style) string {
	var formats, fills, cells strings.Builder
	formatIDs, fillIDs := map[string]int{"": 0, TextFormat: 49}, map[string]int{"": 0}
	for _, s := range styles {
		if _, known := formatIDs[s.Format]; !known {
			id := firstFormat + len(formatIDs) - 2
			formatIDs[s.Format] = id
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, id, attribute(s.Format))
		}
		if _, known := fillIDs[s.Fill]; !known {
			fillIDs[s.Fill] = firstFill + len(fillIDs) - 1
			fmt.Fprintf(&fills, `<fill><patternFill patternType="solid"><fgColor rgb="FF%s"/></patternFill></fill>`, s.Fill)
		}
		font, wrap := 0, ""
		if s.Bold {
			font = 1
		}
		if s.Wrap {
			wrap = ` wrapText="1"`
		}
		fmt.Fprintf(&cells, `<xf numFmtId="%d" fontId="%d" fillId="%d" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" `+
			`applyAlignment="1"><alignment vertical="top"%s/></xf>`, formatIDs[s.Format], font, fillIDs[s.Fill], wrap)
	}
	var numFmts string
	if n := len(formatIDs) - 2; n > 0 {
		numFmts = fmt.Sprintf(`<numFmts count="%d">%s</numFmts>`, n, formats.String())
	}
	const font = `<font>%s<sz val="11"/><name val="Calibri"/><family val="2"/></font>`
	return `<styleSheet xmlns="` + mainSpace + `">` + numFmts + `<fonts count="2">` + fmt.Sprintf(font, "") + fmt.Sprintf(font, "<b/>") +
		fmt.Sprintf(`</fonts><fills count="%d"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>`,
			firstFill+len(fillIDs)-1) + fills.String() + `</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		fmt.Sprintf(`<cellXfs count="%d"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`, len(styles)+1) + cells.String() +
		`</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}
