package export

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"sheetdrop/internal/sheet/types"
)

// The precision of decimals, in digits.
const (
	longDigits  = 18 // that an INT64 holds for sure
	mostDigits  = 38 // that readers take
	wideBytes   = 16 // of a decimal with more digits than an INT64 holds
	microPlaces = 6  // of a second's fraction
)

// columnFit is what a column's values need, and then the Parquet type that was chosen for them.
type columnFit struct {
	kind   types.Type // text once a value does not fit
	whole  int        // digits before the point
	places int        // digits behind it
	wide   bool       // an integer is beyond INT64

	node    parquet.Node
	decimal bool // a Parquet decimal
}

// see takes a value into account.
func (f *columnFit) see(v value) {
	if v.null || f.kind == types.Text {
		return
	}
	if v.kind != f.kind {
		f.kind = types.Text
		return
	}
	switch f.kind {
	case types.Integer, types.Decimal:
		f.seeNumber(v.text)
	case types.Boolean:
	default:
		if _, ok := v.moment(); !ok {
			f.kind = types.Text
		}
	}
}

func (f *columnFit) seeNumber(text string) {
	n, ok := parseDecimal(text)
	if !ok {
		f.kind = types.Text
		return
	}
	f.whole, f.places = max(f.whole, len(n.digits)-n.scale), max(f.places, n.scale)
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		f.wide = true
	}
	if f.whole+f.places > mostDigits {
		f.kind = types.Text
	}
}

// choose decides on the type of a column: the narrowest that holds all values, text where none does.
func (f *columnFit) choose(c tableColumn) {
	switch f.kind {
	case types.Integer, types.Decimal:
		f.node = f.number()
	case types.Boolean:
		f.node = parquet.Leaf(parquet.BooleanType)
	case types.Date:
		f.node = parquet.Date()
	case types.Time:
		f.node = parquet.TimeAdjusted(parquet.Microsecond, false)
	case types.Timestamp:
		f.node = parquet.TimestampAdjusted(parquet.Microsecond, strings.HasSuffix(c.Format, "±hh:mm"))
	default: // Parquet's readers have no durations that agree with each other
		f.kind = types.Text
		f.node = parquet.String()
	}
}

func (f *columnFit) number() parquet.Node {
	if f.kind == types.Integer && f.places == 0 && !f.wide {
		return parquet.Int(64)
	}
	f.decimal = true
	digits := max(1, f.whole+f.places)
	if digits <= longDigits {
		return parquet.Decimal(f.places, longDigits, parquet.Int64Type)
	}
	return parquet.Decimal(f.places, mostDigits, parquet.FixedLenByteArrayType(wideBytes))
}

// value returns a cell's value in the column's type; one that does not fit is an error.
func (f *columnFit) value(v value) (parquet.Value, error) {
	switch {
	case v.null:
		return parquet.NullValue(), nil
	case f.kind == types.Text:
		return parquet.ByteArrayValue([]byte(v.shown())), nil
	case v.kind != f.kind:
		return parquet.Value{}, f.misfit(v)
	}
	switch f.kind {
	case types.Boolean:
		return parquet.BooleanValue(v.truth), nil
	case types.Integer, types.Decimal:
		return f.numberValue(v)
	}
	n, ok := v.moment()
	switch {
	case !ok:
		return parquet.Value{}, f.misfit(v)
	case f.kind == types.Date:
		return parquet.Int32Value(int32(n)), nil
	}
	return parquet.Int64Value(n), nil
}

func (f *columnFit) misfit(v value) error {
	return fmt.Errorf("%q does not fit the column's type %s, which was chosen before it was there", v.text, f.kind)
}

func (f *columnFit) numberValue(v value) (parquet.Value, error) {
	if !f.decimal {
		n, err := strconv.ParseInt(v.text, 10, 64)
		return parquet.Int64Value(n), err
	}
	n, ok := parseDecimal(v.text)
	if !ok || n.scale > f.places || len(n.digits)-n.scale > f.whole {
		return parquet.Value{}, f.misfit(v)
	}
	unscaled := n.digits + strings.Repeat("0", f.places-n.scale)
	if n.negative {
		unscaled = "-" + unscaled
	}
	if f.node.Type().Kind() == parquet.Int64 {
		n, err := strconv.ParseInt(unscaled, 10, 64)
		return parquet.Int64Value(n), err
	}
	wide, _ := new(big.Int).SetString(unscaled, 10)
	if wide.Sign() < 0 { // two's complement
		wide.Add(wide, new(big.Int).Lsh(big.NewInt(1), wideBytes*8))
	}
	return parquet.FixedLenByteArrayValue(wide.FillBytes(make([]byte, wideBytes))), nil
}

// shown returns a value as text.
func (v value) shown() string {
	if v.kind == types.Boolean {
		return strconv.FormatBool(v.truth)
	}
	return v.text
}

// moment returns a date as days since 1970, a time as microseconds of its day, a timestamp as microseconds since 1970: in UTC where it has
// an offset. What has more than six digits behind the second, or is 24:00, is none.
func (v value) moment() (int64, bool) {
	layout := map[types.Type]string{types.Date: time.DateOnly, types.Time: time.TimeOnly, types.Timestamp: "2006-01-02T15:04:05"}[v.kind]
	if v.kind == types.Timestamp && len(v.text) > len(layout) && strings.ContainsAny(v.text[len(layout):], "Z+-") {
		layout = time.RFC3339
	}
	t, err := time.Parse(layout, v.text)
	if layout == "" || err != nil || t.Nanosecond()%1000 != 0 {
		return 0, false
	}
	switch v.kind {
	case types.Date:
		return t.Unix() / daySeconds, true
	case types.Time:
		return (t.Unix()-time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix())*1e6 + int64(t.Nanosecond()/1000), true
	}
	return t.UnixMicro(), true
}

// decimal is a number as digits, without leading zeros, the last scale of which stand behind the point.
type decimal struct {
	negative bool
	digits   string
	scale    int
}

// parseDecimal reads decimal digits with a point and perhaps an exponent. Numbers that are too long for any decimal are none.
func parseDecimal(text string) (n decimal, ok bool) {
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[at+1:]); err != nil {
			return n, false
		}
		mantissa = text[:at]
	}
	mantissa, n.negative = strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.scale = len(fraction) - exponent
	if exponent < -mostDigits || exponent > mostDigits || n.scale > mostDigits {
		return n, false
	}
	n.digits = whole + fraction
	if n.scale < 0 {
		n.digits, n.scale = n.digits+strings.Repeat("0", -n.scale), 0
	}
	if short := n.scale - len(n.digits); short > 0 {
		n.digits = strings.Repeat("0", short) + n.digits
	}
	for len(n.digits) > n.scale && n.digits[0] == '0' {
		n.digits = n.digits[1:]
	}
	if n.digits == "" {
		n.digits = "0"
	}
	return n, strings.Trim(n.digits, "0123456789") == ""
}
