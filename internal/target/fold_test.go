package target_test

import (
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/target"
)

// The ways in which one header is usually written are one header.
func TestHeadersThatPeopleTakeForTheSameFoldAlike(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Net Price", "net_price", "NET-PRICE", "net.price", " Net\u3000price\n", "ｎｅｔ　ｐｒｉｃｅ", "\ufeffnetprice", "net\u200bprice"},
		{"商品コード", "商品ｺｰﾄﾞ", "商品 コード", "「商品コード」", "商品・コード", "商品ｺｰﾄ\u3099"},
		{"単価(円)", "単価（円）", "単価円"},
		{"Größe", "GRÖßE", "Gro\u0308ße"},
		{"", " ", "---", "（）", "_"},
	} {
		for _, header := range same[1:] {
			if target.Fold(header) != target.Fold(same[0]) {
				t.Errorf("%q folds to %q, %q to %q", header, target.Fold(header), same[0], target.Fold(same[0]))
			}
		}
	}
	if target.Fold("単価") == target.Fold("単位") || target.Fold("tax") == target.Fold("taxe") {
		t.Error("different words fold alike")
	}
}

// A remembered choice is stored under the folded header and has to be found under it.
func TestFoldingTwiceIsFoldingOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		header := rapid.String().Draw(t, "header")
		if once := target.Fold(header); target.Fold(once) != once {
			t.Fatalf("%q folds to %q, and that to %q", header, once, target.Fold(once))
		}
	})
}
