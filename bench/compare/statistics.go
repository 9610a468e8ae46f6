package compare

import (
	"math"
	"slices"
	"strconv"
)

// Spread is the median, the least and the greatest of some values.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	N      int     `json:"n"`
}

// spreadOf returns the spread of values; its N is 0 where there are none.
func spreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	return Spread{Quantile(values, 0.5), slices.Min(values), slices.Max(values), len(values)}
}

// Quantile returns the value below which the share q of the values lies: between two of them where it falls there. It is NaN where there
// are none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	place := q * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(place-float64(low))
}

// short writes a number with three significant digits, and never with an exponent.
func short(v float64) string {
	size := math.Abs(v)
	switch {
	case size == 0, size >= 100:
		return thousands(strconv.FormatFloat(v, 'f', 0, 64))
	case size >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case size >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'f', 4, 64)
	}
}

func thousands(digits string) string {
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	grouped := ""
	for len(digits) > 3 {
		grouped = "," + digits[len(digits)-3:] + grouped
		digits = digits[:len(digits)-3]
	}
	return sign + digits + grouped
}
