package typedcopy

import (
	"fmt"

	"sheetdrop/internal/sheet/types"
)

// Fault is a cell whose value does not fit into its column.
type Fault struct {
	ColumnNo  int // of the file, from 1
	Code      types.Code
	Message   string // one English sentence
	MessageJA string
}

// TooLong is the code of a text with more characters than its column takes.
const TooLong types.Code = "cell_too_long"

// problem is why a value does not fit.
type problem uint8

const (
	fits problem = iota
	notOfType
	tooLong
	beyondInt64
	tooManyPlaces
	tooManyDigits
	tooFine
	hasOffset
	noOffset
	skippedHour
	tooEarly
	tooLate
)

func (c *column) fault(p problem) Fault {
	f := Fault{ColumnNo: c.ColumnNo, Code: types.OutOfRange}
	switch p {
	case tooLong:
		f.Code = TooLong
		f.Message = fmt.Sprintf("The text has more than %d characters, the most that the column %s takes.", c.MaxLength, c.Name)
		f.MessageJA = fmt.Sprintf("テキストが列%sの上限の%d文字を超えています。", c.Name, c.MaxLength)
	case beyondInt64:
		f.Message = "The number does not fit into 64 bits."
		f.MessageJA = "数値が64ビット整数の範囲を超えています。"
	case tooManyPlaces:
		f.Message = fmt.Sprintf("The number has more than %d decimal places, the most that the column %s takes.", c.Scale, c.Name)
		f.MessageJA = fmt.Sprintf("小数点以下の桁数が列%sの上限の%d桁を超えています。", c.Name, c.Scale)
	case tooManyDigits:
		f.Message = fmt.Sprintf("The number has more than %d digits before the point, the most that the column %s takes.", c.Digits-c.Scale, c.Name)
		f.MessageJA = fmt.Sprintf("整数部の桁数が列%sの上限の%d桁を超えています。", c.Name, c.Digits-c.Scale)
	case tooFine:
		f.Message = "The seconds have more than six decimal places."
		f.MessageJA = "秒の小数部が6桁を超えています。"
	case tooEarly:
		f.Message, f.MessageJA = fmt.Sprintf("The value is less than %s.", c.Min), fmt.Sprintf("値が %s より小さいです。", c.Min)
	case tooLate:
		f.Message, f.MessageJA = fmt.Sprintf("The value is greater than %s.", c.Max), fmt.Sprintf("値が %s より大きいです。", c.Max)
	default:
		f.Code = types.TypeMismatch
		f.Message, f.MessageJA = c.mismatch(p)
	}
	return f
}

func (c *column) mismatch(p problem) (en, ja string) {
	switch p {
	case hasOffset:
		return "The time has an offset from UTC, which a column of the type timestamp cannot keep.",
			"UTCとの時差が付いていますが、timestamp型の列には格納できません。"
	case noOffset:
		return fmt.Sprintf("The time has no offset from UTC, and the column %s has no zone.", c.Name),
			fmt.Sprintf("UTCとの時差がなく、列%sにもタイムゾーンの指定がありません。", c.Name)
	case skippedHour:
		return fmt.Sprintf("The clocks in %s never show this time: they were put forward.", c.Zone),
			fmt.Sprintf("%sでは、夏時間への切り替えのため、この時刻は存在しません。", c.Zone)
	}
	return fmt.Sprintf("The value is not of the type %s.", c.Type), fmt.Sprintf("値が型 %s に合いません。", c.Type)
}
