package database_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/database"
)

// Cells are read from the bytes that the server sends, so that they come out as pgx reads them, and damaged bytes are an error.
func TestTextArrays(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), devtest.EmptyDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, want := range [][][]byte{{}, {[]byte("a")}, {nil}, {{}, nil, []byte("日本"), []byte(strings.Repeat("x", 100_000)), {}}} {
		rows, err := conn.Query(t.Context(), `select $1::text[]`, want)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		array := append([]byte(nil), rows.RawValues()[0]...)
		rows.Close()
		count, err := database.TextArrayLen(array)
		if got := database.AppendTextArray([][]byte{}, array); err != nil || count != len(want) || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %q, %d elements, %v", want, got, count, err)
		}
		for cut := range min(len(array), 64) {
			if _, err := database.TextArrayLen(array[:cut]); err == nil && len(want) > 0 {
				t.Errorf("%d bytes of %q are accepted", cut, want)
			}
		}
	}
	if _, err := database.TextArrayLen([]byte("\x00\x00\x00\x02 flags type and more")); err == nil {
		t.Error("an array of two dimensions is accepted")
	}
}
