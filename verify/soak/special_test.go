//go:build linux

package soak

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"
)

// writeWorkbook makes a workbook of one to three sheets.
func writeWorkbook(t *testing.T, f *sheetFile, random *rand.Rand) {
	t.Helper()
	f.name = strings.TrimSuffix(f.name, ".csv") + ".xlsx"
	f.options = url.Values{"header": {"1"}, "skip": {"0"}, "footer": {"none"}}
	book := excelize.NewFile()
	defer book.Close()
	for n := range 1 + random.IntN(3) {
		name := fmt.Sprintf("Sheet%d", n+1)
		if _, err := book.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		f.sheets = append(f.sheets, fillSheet(t, book, name, random))
	}
	f.content = saved(t, book, excelize.Options{})
}

func fillSheet(t *testing.T, book *excelize.File, name string, random *rand.Rand) (want expected) {
	t.Helper()
	stream, err := book.NewStreamWriter(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.SetRow("A1", []any{"id", "text", "amount"}); err != nil {
		t.Fatal(err)
	}
	for n := 2; n < 4+random.IntN(300); n++ {
		text, amount := kana[1+random.IntN(4)], random.IntN(10_000)
		id := fmt.Sprintf("id-%d", n)
		if err := stream.SetRow("A"+strconv.Itoa(n), []any{id, text, amount}); err != nil {
			t.Fatal(err)
		}
		want.rows.add(n, id, text, strconv.Itoa(amount))
	}
	if err := stream.Flush(); err != nil {
		t.Fatal(err)
	}
	return want
}

func saved(t *testing.T, book *excelize.File, o excelize.Options) []byte {
	t.Helper()
	var content bytes.Buffer
	if err := book.Write(&content, o); err != nil {
		t.Fatal(err)
	}
	return content.Bytes()
}

// faults are what can be wrong with a file itself, by the code that says so.
var faults = []struct {
	code, name string
	content    func(t *testing.T) []byte
	options    url.Values
}{
	{"unsupported_format", "picture.png", func(*testing.T) []byte { return []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00") }, nil},
	{"encrypted", "secret.xlsx", encrypted, nil},
	{"empty_file", "blank.csv", func(*testing.T) []byte { return []byte("\n\n\n") }, nil},
	{"too_many_columns", "wide.csv", func(*testing.T) []byte {
		return []byte(strings.Repeat("a,", 60) + "a\n" + strings.Repeat("1,", 60) + "1\n")
	}, nil},
	{"row_rejected", "strict.csv", func(*testing.T) []byte { return []byte("a,b\n1,2\n3,4\n5,6,7\n8,9\n") }, url.Values{"policy": {"fail"}}},
}

// writeFaulty makes a file that must be FAILED by its own fault.
func writeFaulty(t *testing.T, f *sheetFile, random *rand.Rand) {
	t.Helper()
	fault := faults[random.IntN(len(faults))]
	f.name, f.options, f.content, f.status, f.code = fault.name, fault.options, fault.content(t), "FAILED", fault.code
}

// secret is the encrypted workbook, made once since that takes a while.
var secret struct {
	once    sync.Once
	content []byte
}

func encrypted(t *testing.T) []byte {
	t.Helper()
	secret.once.Do(func() {
		book := excelize.NewFile()
		defer book.Close()
		secret.content = saved(t, book, excelize.Options{Password: "password"})
	})
	return secret.content
}
