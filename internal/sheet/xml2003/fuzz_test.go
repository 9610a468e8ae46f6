package xml2003

import (
	"bytes"
	"os"
	"testing"

	"sheetdrop/internal/sheet/grid/gridtest"
)

// FuzzOpen reads any bytes as a workbook. It must not panic, and all that is wrong is the file's fault.
func FuzzOpen(f *testing.F) {
	orders, err := os.ReadFile("../testdata/formats/orders.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(orders)
	f.Add(orders[:len(orders)/2])
	f.Fuzz(func(t *testing.T, file []byte) {
		l := gridtest.SmallLimits()
		b, err := Open(bytes.NewReader(file), int64(len(file)), Options{Limits: l, FillDown: true})
		gridtest.CheckBook(t, b, err, l)
	})
}
