package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"sheetdrop/internal/sheet/grid"
)

// writer appends a value's text.
type writer = func(dst []byte, v value) []byte

// textOf returns how a leaf's values are written as text, and whether the text is JSON as it stands.
func textOf(e *format.SchemaElement) (text writer, bare bool) {
	if text, bare = logicalText(e); text == nil {
		text, bare = convertedText(e)
	}
	if text == nil {
		text, bare = physicalText(e)
	}
	return text, bare
}

// logicalText is for a leaf with a logical type; nil if the type has no text of its own, or does not fit.
func logicalText(e *format.SchemaElement) (text writer, bare bool) {
	switch t := e.LogicalType.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		return bytesText(e, appendBytes), false
	case *format.UUIDType:
		if e.TypeLength.V == 16 {
			return bytesText(e, appendUUID), false
		}
	case *format.Float16Type:
		if e.TypeLength.V == 2 {
			return bytesText(e, appendHalf), true
		}
	case *format.DecimalType:
		return decimalText(e, t.Scale), true
	case *format.DateType:
		return integerText(e, func(dst []byte, v value) []byte { return appendDay(dst, v.n) }), false
	case *format.TimeType:
		return integerText(e, clockText(unitOf(t.Unit))), false
	case *format.TimestampType:
		return integerText(e, momentText(unitOf(t.Unit), t.IsAdjustedToUTC)), false
	case *format.IntType:
		if !t.IsSigned {
			return integerText(e, appendUnsigned), true
		}
	}
	return nil, false
}

// convertedText is for one with the older annotation.
func convertedText(e *format.SchemaElement) (text writer, bare bool) {
	if !e.ConvertedType.Valid {
		return nil, false
	}
	switch e.ConvertedType.V {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		return bytesText(e, appendBytes), false
	case deprecated.Decimal:
		return decimalText(e, e.Scale.V), true
	case deprecated.Date:
		return integerText(e, func(dst []byte, v value) []byte { return appendDay(dst, v.n) }), false
	case deprecated.TimeMillis:
		return integerText(e, clockText(time.Millisecond)), false
	case deprecated.TimeMicros:
		return integerText(e, clockText(time.Microsecond)), false
	case deprecated.TimestampMillis:
		return integerText(e, momentText(time.Millisecond, true)), false
	case deprecated.TimestampMicros:
		return integerText(e, momentText(time.Microsecond, true)), false
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return integerText(e, appendUnsigned), true
	case deprecated.Interval:
		if e.Type.V == format.FixedLenByteArray && e.TypeLength.V == 12 {
			return appendInterval, false
		}
	}
	return nil, false
}

// physicalText is for one without an annotation.
func physicalText(e *format.SchemaElement) (text writer, bare bool) {
	switch e.Type.V {
	case format.Boolean:
		return func(dst []byte, v value) []byte { return strconv.AppendBool(dst, v.n != 0) }, true
	case format.Float:
		return func(dst []byte, v value) []byte {
			return appendFloat(dst, float64(math.Float32frombits(uint32(v.n))), 32)
		}, true
	case format.Double:
		return func(dst []byte, v value) []byte { return appendFloat(dst, math.Float64frombits(uint64(v.n)), 64) }, true
	case format.Int96:
		return appendInt96, false
	case format.ByteArray:
		return appendUnknown, false
	case format.FixedLenByteArray:
		return appendHex, false
	}
	return func(dst []byte, v value) []byte { return strconv.AppendInt(dst, v.n, 10) }, true
}

func integerText(e *format.SchemaElement, w writer) writer {
	if e.Type.V != format.Int32 && e.Type.V != format.Int64 {
		return nil
	}
	if e.Type.V == format.Int32 {
		return func(dst []byte, v value) []byte { return w(dst, v.inBits32(e)) }
	}
	return w
}

// inBits32 returns an integer of 32 bits as its annotation has it: without a sign, or with one.
func (v value) inBits32(e *format.SchemaElement) value {
	if t, ok := e.LogicalType.Value.(*format.IntType); ok && !t.IsSigned {
		return value{n: int64(uint32(v.n))}
	}
	switch e.ConvertedType.V {
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32:
		return value{n: int64(uint32(v.n))}
	}
	return v
}

func bytesText(e *format.SchemaElement, w writer) writer {
	if e.Type.V != format.ByteArray && e.Type.V != format.FixedLenByteArray {
		return nil
	}
	return w
}

func appendUnsigned(dst []byte, v value) []byte { return strconv.AppendUint(dst, uint64(v.n), 10) }

func appendBytes(dst []byte, v value) []byte { return append(dst, v.bytes...) }

// appendHex writes bytes as PostgreSQL does.
func appendHex(dst []byte, v value) []byte { return hex.AppendEncode(append(dst, `\x`...), v.bytes) }

// appendUnknown writes bytes of which the file does not say what they are: as text if they are one.
func appendUnknown(dst []byte, v value) []byte {
	for b := v.bytes; len(b) > 0; {
		c, n := utf8.DecodeRune(b)
		if c == utf8.RuneError && n == 1 || unicode.IsControl(c) && c != '\t' && c != '\n' && c != '\r' {
			return appendHex(dst, v)
		}
		b = b[n:]
	}
	return append(dst, v.bytes...)
}

func appendUUID(dst []byte, v value) []byte {
	for i, c := range v.bytes {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{c})
	}
	return dst
}

// appendFloat writes the shortest text with exactly this value, without an exponent where 21 digits suffice.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 0):
		return append(dst, map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]...)
	case f == 0:
		return append(dst, '0')
	}
	layout := byte('f')
	if a := math.Abs(f); a < 1e-7 || a >= 1e21 {
		layout = 'E'
	}
	return strconv.AppendFloat(dst, f, layout, -1, bits)
}

// appendHalf writes a floating-point number of 16 bits.
func appendHalf(dst []byte, v value) []byte {
	bits := binary.LittleEndian.Uint16(v.bytes)
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	f := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 0:
		f = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction != 0:
		f = math.NaN()
	case exponent == 31:
		f = math.Inf(1)
	}
	if bits>>15 == 1 {
		f = -f
	}
	return appendFloat(dst, f, 32)
}

// The limits of decimals: those of PostgreSQL's numbers, and 256 bits and more.
const (
	maxScale        = 1000
	maxDecimalBytes = 64
)

func decimalText(e *format.SchemaElement, scale int32) writer {
	switch {
	case scale < 0 || scale > maxScale:
		return nil
	case e.Type.V == format.Int32 || e.Type.V == format.Int64:
		return func(dst []byte, v value) []byte { return appendScaled(dst, strconv.FormatInt(v.n, 10), int(scale)) }
	case e.Type.V != format.ByteArray && e.Type.V != format.FixedLenByteArray:
		return nil
	}
	return func(dst []byte, v value) []byte {
		if len(v.bytes) > maxDecimalBytes {
			return appendHex(dst, v)
		}
		n := new(big.Int).SetBytes(v.bytes)
		if len(v.bytes) > 0 && v.bytes[0] >= 0x80 { // two's complement
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v.bytes))))
		}
		return appendScaled(dst, n.String(), int(scale))
	}
}

// appendScaled writes digits, the last scale of which stand behind the point.
func appendScaled(dst []byte, digits string, scale int) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if scale == 0 {
		return append(dst, digits...)
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0', '.')
		for range -whole {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	return append(append(append(dst, digits[:whole]...), '.'), digits[whole:]...)
}

const daySeconds = 24 * 60 * 60

func appendDay(dst []byte, day int64) []byte {
	return time.Unix(day*daySeconds, 0).UTC().AppendFormat(dst, time.DateOnly)
}

func unitOf(u format.TimeUnit) time.Duration {
	if u.Value == nil {
		return time.Millisecond
	}
	return u.Value.Duration()
}

// clockText is for times of a day; a number that is none stays one.
func clockText(unit time.Duration) writer {
	return func(dst []byte, v value) []byte {
		if v.n < 0 || v.n >= int64(24*time.Hour/unit) {
			return strconv.AppendInt(dst, v.n, 10)
		}
		return time.Unix(0, v.n*int64(unit)).UTC().AppendFormat(dst, "15:04:05.999999999")
	}
}

func momentText(unit time.Duration, utc bool) writer {
	perSecond := int64(time.Second / unit)
	return func(dst []byte, v value) []byte {
		seconds, rest := v.n/perSecond, v.n%perSecond
		return appendMoment(dst, time.Unix(seconds, rest*int64(unit)), utc)
	}
}

func appendMoment(dst []byte, t time.Time, utc bool) []byte {
	dst = t.UTC().AppendFormat(dst, "2006-01-02T15:04:05.999999999")
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2_440_588

// appendInt96 writes a timestamp of older programs: nanoseconds of a Julian day.
func appendInt96(dst []byte, v value) []byte {
	nanos, day := int64(binary.LittleEndian.Uint64(v.bytes)), int64(int32(binary.LittleEndian.Uint32(v.bytes[8:])))
	return appendMoment(dst, time.Unix((day-julianEpoch)*daySeconds, nanos), false)
}

// appendInterval writes months, days and milliseconds as ISO 8601.
func appendInterval(dst []byte, v value) []byte {
	start := len(dst)
	number := binary.LittleEndian.Uint32
	months, days, millis := number(v.bytes), number(v.bytes[4:]), number(v.bytes[8:])
	part := func(n uint32, unit byte) {
		if n > 0 {
			dst = append(strconv.AppendUint(dst, uint64(n), 10), unit)
		}
	}
	dst = append(dst, 'P')
	part(months/12, 'Y')
	part(months%12, 'M')
	part(days, 'D')
	if millis == 0 && len(dst) > start+1 {
		return dst
	}
	dst = append(dst, 'T')
	part(millis/3_600_000, 'H')
	part(millis/60_000%60, 'M')
	if rest := millis % 60_000; rest > 0 || dst[len(dst)-1] == 'T' {
		dst = append(strconv.AppendFloat(dst, float64(rest)/1000, 'f', -1, 64), 'S')
	}
	return dst
}

// appendJSON writes a text as a JSON string. What is not UTF-8 stays as it is.
func appendJSON(dst, text []byte) []byte {
	dst = slices.Grow(append(dst, '"'), len(text)+1)
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < 0x20:
			dst = append(dst, `\u00`...)
			dst = hex.AppendEncode(dst, []byte{c})
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// isNumber reports whether the text of a number is one in JSON, too.
func isNumber(text []byte) bool {
	_, ok := grid.ParseNumber(text)
	return ok
}
