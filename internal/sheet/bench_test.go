package sheet

import (
	"bytes"
	stdcsv "encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sheetdrop/internal/sheet/charset"
	"sheetdrop/internal/sheet/csv"
	"sheetdrop/internal/sheet/types"
)

// BenchmarkRead reads records as the worker does: it decides encoding and dialect, splits, validates the text and finds out the types. In
// the same run it shows what the splitting alone takes, and encoding/csv, which does no more than that.
func BenchmarkRead(b *testing.B) {
	text := orderLines("Customer Name")
	b.Run("reference/encoding-csv", func(b *testing.B) { benchmarkEncodingCSV(b, text) })
	b.Run("scan", func(b *testing.B) { benchmarkScan(b, text, charset.UTF8, func(*csv.Scanner, *csv.Record) {}) })
	b.Run("scan+validate+types/utf-8", func(b *testing.B) { benchmarkTypes(b, text, "utf-8") })
	b.Run("scan+convert+types/cp932", func(b *testing.B) {
		benchmarkTypes(b, []byte(encodeText(b, "cp932", string(orderLines("株式会社高橋商店")))), "cp932")
	})
	b.Run("ascii", func(b *testing.B) { benchmarkRead(b, text) })
	b.Run("utf-8", func(b *testing.B) { benchmarkRead(b, orderLines("株式会社髙橋商店")) })
	for _, name := range []string{"cp932", "euc-jp", "iso-2022-jp", "utf-16le"} {
		b.Run(name, func(b *testing.B) {
			benchmarkRead(b, []byte(encodeText(b, name, string(orderLines("株式会社高橋商店")))))
		})
	}
	b.Run("windows-1252", func(b *testing.B) {
		benchmarkRead(b, []byte(encodeText(b, "windows-1252", string(orderLines("Größe für Françoise")))))
	})
}

// BenchmarkFormats reads 20,000 rows of ten cells in each format, from opening to the last row. The reference is the same as CSV.
func BenchmarkFormats(b *testing.B) {
	list := writtenFormats(20_000)
	csv, fods := list[0].content, list[5].content
	list = append(list, written{"zip of csv", pack(b, map[string]string{"orders.csv": csv})}, written{"gzip of csv", zipped(b, csv)},
		written{"ods", pack(b, map[string]string{"mimetype": odsType, "content.xml": strings.ReplaceAll(fods, "office:document", "office:document-content")})},
		written{"parquet", writeParquet(b, csv)})
	for _, f := range list {
		b.Run(f.name, func(b *testing.B) {
			if f.content == "" {
				b.Fatal("no content")
			}
			benchmarkRead(b, []byte(f.content))
		})
	}
}

// written is a table in some format.
type written struct{ name, content string }

// writtenFormats returns the same rows of ten cells, texts, numbers and days, in each format that is not only a way to pack another.
func writtenFormats(n int) []written {
	book := drawnBook{rows: [][]string{{"id", "day", "code", "customer", "amount", "count", "currency", "state", "note", "last"}}}
	for i := range n {
		book.rows = append(book.rows, []string{
			strconv.Itoa(i), fmt.Sprintf("=2024-%02d-%02d", i%12+1, i%28+1), fmt.Sprintf("K%06d", i*7919%1000000), fmt.Sprintf("Customer Name %d", i%977),
			fmt.Sprintf("%d.%02d", i%1000, i%100), strconv.Itoa(i % 9), "EUR", "shipped", "plain note", strconv.Itoa(i % 2),
		})
	}
	var csv, html, fixed, xml, lines strings.Builder
	html.WriteString("<html><body><table>")
	xml.WriteString(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>`)
	for r, row := range book.rows {
		object := map[string]string{}
		html.WriteString("<tr>")
		xml.WriteString("<Row>")
		for c, cell := range row {
			text, _, _, _ := drawnCell(cell)
			csv.WriteString(text + map[bool]string{true: "\n", false: ","}[c == len(row)-1])
			html.WriteString("<td>" + text + "</td>")
			fmt.Fprintf(&xml, `<Cell><Data ss:Type="String">%s</Data></Cell>`, text)
			fmt.Fprintf(&fixed, "%-20s", text)
			object[book.rows[0][c]] = text
		}
		html.WriteString("</tr>\n")
		xml.WriteString("</Row>")
		fixed.WriteString("\n")
		if r == 0 {
			fixed.WriteString(strings.Repeat(strings.Repeat("-", 18)+"  ", len(row)) + "\n")
			continue
		}
		line, err := json.Marshal(object)
		if err != nil {
			return nil
		}
		lines.Write(append(line, '\n'))
	}
	html.WriteString("</table></body></html>")
	xml.WriteString("</Table></Worksheet></Workbook>")
	return []written{
		{"csv", csv.String()},
		{"json lines", lines.String()},
		{"html", html.String()},
		{"fixed width", fixed.String()},
		{"xml 2003", xml.String()},
		{"fods", book.writeFODS()},
		{"xls", book.writeXLS()},
		{"xlsb", book.writeXLSB()},
	}
}

const odsType = "application/vnd.oasis.opendocument.spreadsheet"

// writeParquet returns the table as a Parquet file of texts with a dictionary, in Zstandard.
func writeParquet(b *testing.B, text string) string {
	rows, err := stdcsv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	group := parquet.Group{}
	for _, name := range rows[0] {
		group[name] = parquet.Compressed(parquet.Encoded(parquet.String(), &parquet.RLEDictionary), &parquet.Zstd)
	}
	var out bytes.Buffer
	w := parquet.NewGenericWriter[map[string]string](&out, parquet.NewSchema("orders", group))
	for _, row := range rows[1:] {
		values := map[string]string{}
		for c, name := range rows[0] {
			values[name] = row[c]
		}
		if _, err := w.Write([]map[string]string{values}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.String()
}

func benchmarkEncodingCSV(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := stdcsv.NewReader(bytes.NewReader(text))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// benchmarkTypes is the reading without the decisions before it and the records after it.
func benchmarkTypes(b *testing.B, text []byte, encoding string) {
	const columns = 10
	enc, _ := charset.Lookup(encoding)
	var cells [columns][]byte
	var buffer []byte
	var table *types.Table
	benchmarkScan(b, text, enc, func(s *csv.Scanner, r *csv.Record) {
		if r.Line == 1 {
			table = types.NewTable(columns)
		}
		if len(r.Fields) != columns {
			b.Fatalf("%d cells: %s", len(r.Fields), r.Raw)
		}
		direct := r.ASCII || enc.Direct(r.Raw)
		buffer = buffer[:0]
		for i, f := range r.Fields {
			cells[i] = r.Raw[f.Start:f.End]
			if f.Escaped {
				start := len(buffer)
				buffer = s.AppendText(buffer, cells[i])
				cells[i] = buffer[start:]
			}
			if !direct && !charset.IsASCII(cells[i]) {
				start := len(buffer)
				text, bad := enc.AppendText(buffer, cells[i])
				if bad >= 0 {
					b.Fatalf("no %s: %q", encoding, cells[i])
				}
				buffer, cells[i] = text, text[start:]
			}
		}
		table.Add(r.Line, cells[:])
	})
}

func benchmarkScan(b *testing.B, text []byte, enc charset.Encoding, each func(*csv.Scanner, *csv.Record)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := csv.NewScanner(enc.Reader(bytes.NewReader(text)), csv.Config{Delimiter: ",", Quote: '"', Escape: '"', RecordBytes: 2 << 20, Fields: 16384})
		for {
			r, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			each(s, r)
		}
	}
}

func benchmarkRead(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		book, err := Open(b.Context(), bytes.NewReader(text), Options{}, DefaultLimits())
		if err != nil {
			b.Fatal(err)
		}
		s, err := book.Next()
		if err != nil {
			b.Fatal(err)
		}
		for {
			if rec, err := s.Read(); errors.Is(err, io.EOF) {
				break
			} else if err != nil || rec.Kind == Reject {
				b.Fatal(err, rec)
			}
		}
		if err := book.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// orderLines is 16 MiB of rows as exports have them: ids, codes, dates, amounts, and a quoted text in every third row.
func orderLines(customer string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 16<<20; i++ {
		note := "plain note"
		if i%3 == 0 {
			note = `"deliver to ""back door"", ring twice"`
		}
		fmt.Fprintf(&b, "%d,2024-%02d-%02d,K%06d,%s %d,%d.%02d,%d,EUR,shipped,%s,%d\n",
			i, i%12+1, i%28+1, i*7919%1000000, customer, i%977, i%1000, i%100, i%9, note, i%2)
	}
	return b.Bytes()
}
