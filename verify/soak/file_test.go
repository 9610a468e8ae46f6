//go:build linux

package soak

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// sheetFile is a file with what must come of it.
type sheetFile struct {
	name    string
	options url.Values
	content []byte
	status  string // how its tasks end
	code    string // of a FAILED one
	sheets  []expected
}

// expected is what a sheet must hold.
type expected struct {
	rows, rejects digest
}

// digest is a checksum over numbered lines: what SQL gives as md5(string_agg(md5(row_no || chr(31) || …), ” order by row_no)).
type digest struct {
	count int
	sums  strings.Builder
}

func (d *digest) add(rowNo int, cells ...string) {
	d.count++
	fmt.Fprintf(&d.sums, "%x", md5.Sum([]byte(strconv.Itoa(rowNo)+"\x1f"+strings.Join(cells, "\x1f"))))
}

func (d *digest) String() string {
	return fmt.Sprintf("%d %x", d.count, md5.Sum([]byte(d.sums.String())))
}

// want describes the sheets as describeSheets reads them from the database.
func (f *sheetFile) want() string {
	if f.status != "COMPLETED" {
		return ""
	}
	lines := make([]string, len(f.sheets))
	for i := range f.sheets {
		lines[i] = fmt.Sprintf("%d: rows %s rejects %s", i+1, &f.sheets[i].rows, &f.sheets[i].rejects)
	}
	return strings.Join(lines, "; ")
}

// newFile makes the n-th file of a run.
func newFile(t *testing.T, seed uint64, n int) *sheetFile {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1<<32+uint64(n)))
	f := &sheetFile{name: fmt.Sprintf("%d.csv", n), status: "COMPLETED"}
	switch chance := random.IntN(1000); {
	case chance < 60:
		writeFaulty(t, f, random)
	case chance < 130:
		writeWorkbook(t, f, random)
	case chance < 140: // several blocks
		writeText(t, f, random, 60_000+random.IntN(30_000))
	case chance < 190:
		writeText(t, f, random, 2_000+random.IntN(18_000))
	default:
		writeText(t, f, random, 1+random.IntN(200))
	}
	return f
}

// script is an encoding with words that it can write.
type script struct {
	name     string // the option; "" where a byte order mark says it
	mark     string
	encoding encoding.Encoding
	words    []string
}

var (
	latin  = []string{"", "plain", "two words", `a "quoted" one`, "semi;colon", "comma, here", "a\nb", "-12.50", "007", "=1+2", "true"}
	umlaut = append([]string{"Größe", "façade", "señor"}, latin...)
	kana   = append([]string{"東京都", "テスト", "表示能力", "ソ連", "価格、税込"}, latin...)
	world  = append([]string{"Ωmega", "中文", "😀", "עברית"}, kana...)

	scripts = []script{
		{"utf-8", "", unicode.UTF8, world},
		{"", "\xef\xbb\xbf", unicode.UTF8, world},
		{"", "\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), world},
		{"", "\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), world},
		{"cp932", "", japanese.ShiftJIS, kana},
		{"euc-jp", "", japanese.EUCJP, kana},
		{"windows-1252", "", charmap.Windows1252, umlaut},
	}
)

// beginText chooses how a delimited text is written. What could be guessed wrongly of a random one is said by options, but for the columns'
// types.
func beginText(f *sheetFile, random *rand.Rand) (script, *textWriter) {
	script := scripts[random.IntN(len(scripts))]
	w := &textWriter{
		delimiter: []string{",", ";", "\t", "|"}[random.IntN(4)], newline: []string{"\n", "\r\n"}[random.IntN(2)], encoder: script.encoding.NewEncoder(),
	}
	w.text.WriteString(script.mark)
	f.options = url.Values{"delimiter": {w.delimiter}, "header": {"1"}, "skip": {"0"}, "footer": {"none"}}
	if script.name != "" {
		f.options.Set("encoding", script.name)
	}
	return script, w
}

// writeText makes a delimited text.
func writeText(t *testing.T, f *sheetFile, random *rand.Rand, rows int) {
	t.Helper()
	script, w := beginText(f, random)
	rejects := random.IntN(4) == 0
	width := 2 + random.IntN(8)
	var header []string
	for i := range width {
		header = append(header, fmt.Sprintf("column %c", 'A'+i))
	}
	w.record(header)
	var want expected
	for n := 2; n <= rows+1; n++ { // the header is the first record
		cells := make([]string, width)
		for i := range cells {
			cells[i] = script.words[random.IntN(len(script.words))]
		}
		cells[0] = fmt.Sprintf("id-%d-%d", n, random.IntN(1_000_000))
		cells[width-1] = strconv.Itoa(random.IntN(10_000))
		if rejects && random.IntN(20) == 0 {
			want.rejects.add(n, "extra_cell", w.record(slices.Concat(cells, []string{"too many"})))
			continue
		}
		w.record(cells)
		want.rows.add(n, cells...)
	}
	f.sheets = []expected{want}
	f.content = w.text.Bytes()
	if w.err != nil {
		t.Errorf("write %s: %v", script.name, w.err)
	}
}

// textWriter writes records of text, quoted where they must be.
type textWriter struct {
	delimiter, newline string
	encoder            *encoding.Encoder
	text               bytes.Buffer
	err                error // of the first text that the encoding cannot write
}

// record writes one and returns the bytes that stand there.
func (w *textWriter) record(cells []string) string {
	quoted := slices.Clone(cells)
	for i, c := range quoted {
		if strings.ContainsAny(c, w.delimiter+"\"\n") {
			quoted[i] = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
	}
	line := w.encode(strings.Join(quoted, w.delimiter))
	w.text.WriteString(line)
	w.text.WriteString(w.encode(w.newline))
	return line
}

func (w *textWriter) encode(text string) string {
	encoded, err := w.encoder.String(text)
	if w.err == nil {
		w.err = err
	}
	return encoded
}
