package main

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/text/encoding/japanese"
)

var (
	customers = []struct{ code, name, address string }{
		{"000123", "㈱髙橋商店", "東京都千代田区丸の内１－２－３"},
		{"000207", "山﨑電機株式会社", "静岡県焼津市本町２丁目１６番３２号"},
		{"000318", "有限会社はしご屋", "大阪府大阪市北区梅田３－１－１　第２ビル４Ｆ"},
		{"001004", "Ｋ＆Ｍトレーディング", "神奈川県横浜市西区みなとみらい２－２－１"},
		{"001155", `株式会社"ひかり"`, "北海道札幌市中央区北１条西２"},
		{"002030", "ｶﾌﾞｼｷｶﾞｲｼｬ ﾐﾅﾐ", "福岡県福岡市博多区博多駅前１－１"},
		{"009999", "諸口", ""},
	}
	goods = []struct {
		code, name string
		price      int
	}{
		{"A-001", "ボールペン（黒）０．５ｍｍ", 120},
		{"A-002", "ノート Ａ４　罫線①", 280},
		{"B-010", "複写機用紙 Ａ３, 500枚", 1980},
		{"B-011", "インクカートリッジ　Ⅲ型", 4320},
		{"C-100", `モニター 27"`, 32800},
		{"C-205", "机上灯　Ｌ－２０", 7650},
	}
	remarks = []string{
		"",
		"午前中希望",
		"請求書は別送\r\n（経理部あて）",
		"9:00～12:00 に配達",
		`担当："佐藤"様`,
		"分納可、\r\n残りは　翌週\r\n以上",
	}
	fullWidth = strings.NewReplacer(
		"0", "０", "1", "１", "2", "２", "3", "３", "4", "４", "5", "５", "6", "６", "7", "７", "8", "８", "9", "９")
)

// orders is an order export of an old system: CP932, CRLF, quantities in full-width digits, and four records that it spoilt.
func orders() ([]byte, error) {
	var b strings.Builder
	b.WriteString("受注番号,受注日,得意先コード,得意先名,納品先住所,商品コード,商品名,数量,単価,金額,備考\r\n")
	day := time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)
	for i := range 60 {
		customer, item, quantity := pick(customers, i, 3), pick(goods, i, 5), i*7%40+1
		cells := []string{
			fmt.Sprintf("%08d", 20240001+i), day.AddDate(0, 0, i/2).Format("2006/01/02"), customer.code, customer.name, customer.address,
			item.code, item.name, fullWidth.Replace(fmt.Sprint(quantity)), fmt.Sprint(item.price),
			amount(quantity * item.price), pick(remarks, i, 1),
		}
		for j, cell := range cells {
			cells[j] = quote(cell)
		}
		b.WriteString(strings.Join(cells, ",") + "\r\n")
		b.WriteString(spoiltOrders[i])
	}
	return japanese.ShiftJIS.NewEncoder().Bytes([]byte(b.String()))
}

// spoiltOrders stand behind the order of that number.
var spoiltOrders = map[int]string{
	11: "20249001,2024/04/06,000123,㈱髙橋商店\r\n",
	23: "20249002,2024/04/12,000207,山﨑電機株式会社,静岡県焼津市本町,A-001,ボールペン,黒,１０,120,\"1,200\",\r\n",
	37: "20249003,2024/04/19,001004,\"Ｋ＆Ｍトレーディング,神奈川県横浜市,A-002,ノート,５,280,\"1,400\",\r\n",
	48: "\r\n",
	52: "20249004,2024/04/27,009999,諸口\x00,,A-001,ボールペン,１,120,120,\r\n",
}

// amount writes 1234567 as 1,234,567.
func amount(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// quote puts quotes around a cell that needs them.
func quote(cell string) string {
	if !strings.ContainsAny(cell, "\",\r\n") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}
