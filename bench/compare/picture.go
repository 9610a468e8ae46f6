package compare

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// The picture's measures, in pixels.
const (
	labelWidth, plotWidth, figureWidth = 520, 360, 190
	lineHeight, headHeight             = 22, 44
)

// widest is the margin at the right edge; its reciprocal is at the left one.
const widest = 8.0

// WritePicture draws the bars of all results as SVG: each as the median of its runs, with a line from the worst to the best one, on a
// logarithmic scale on which the limit of every bar is the line in the middle. What lies right of it is met.
func WritePicture(w io.Writer, machine string, results []*Result) error {
	var verdicts []Verdict
	for _, r := range results {
		verdicts = append(verdicts, r.Verdicts()...)
	}
	height := headHeight + lineHeight*len(verdicts) + 12
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n",
		labelWidth+plotWidth+figureWidth, height)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	text(&b, 8, 18, "start", "bars and what was measured; right of the line is met. "+machine)
	for _, margin := range []float64{1 / widest, 0.25, 0.5, 1, 2, 4, widest} {
		color := "#ddd"
		if margin == 1 {
			color = "#333"
		}
		x := place(margin)
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>`+"\n", x, headHeight-8, x, height-8, color)
		text(&b, x, headHeight-12, "middle", short(margin)+" ×")
	}
	for i, v := range verdicts {
		v.draw(&b, float64(headHeight+lineHeight*i)+lineHeight/2)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (v Verdict) draw(b *strings.Builder, y float64) {
	text(b, 8, y+4, "start", v.Comparison+": "+v.What)
	text(b, labelWidth+plotWidth+8, y+4, "start", fmt.Sprintf("%s %s  (%s %s)", short(v.Figure.Median), v.Unit, v.Kind, short(v.Limit)))
	if v.Figure.N == 0 {
		return
	}
	color := "#b00020"
	if v.Met {
		color = "#1b7f3b"
	}
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`+"\n",
		place(v.margin(v.Figure.Min)), y, place(v.margin(v.Figure.Max)), y, color)
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n", place(v.margin(v.Figure.Median)), y, color)
}

// place returns where a margin lies, at the edges where it is beyond them.
func place(margin float64) float64 {
	share := (math.Log(margin)/math.Log(widest) + 1) / 2
	return labelWidth + plotWidth*min(1, max(0, share))
}

func text(b *strings.Builder, x, y float64, anchor, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">`, x, y, anchor)
	_ = xml.EscapeText(b, []byte(s)) // a Builder takes everything
	b.WriteString("</text>\n")
}
