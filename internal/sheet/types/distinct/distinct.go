// Package distinct counts distinct values by their hashes: exactly while they are few, then by an estimate.
package distinct

import (
	"math"
	"math/bits"
	"slices"
)

const (
	// precision sets the estimate's standard error: 1.04/√2^precision, 2.3 %, for 2 KiB a column.
	precision = 11
	registers = 1 << precision

	firstSlots = 1 << 4 // most columns of a wide sheet have few values
	mostSlots  = 1 << 8
)

// MostExact is how many values are counted exactly.
const MostExact = 3 * mostSlots / 4

// Counter counts distinct hashes: exactly while they are few, then by a sketch. The result does not depend on their
// order.
type Counter struct {
	count  int
	exact  []uint64 // an open-addressing hash table, up to three quarters full; 0 is a free slot
	sketch *Sketch  // instead of it, once it is full
}

// Sketch is a HyperLogLog sketch (Flajolet, Fusy, Gandouet, Meunier, 2007): for each prefix of hashes, one more than
// the longest run of zeros that followed.
type Sketch [registers]uint8

// Add adds a hash.
func (s *Sketch) Add(h uint64) {
	h |= 1
	i := h >> (64 - precision)
	s[i] = max(s[i], uint8(bits.LeadingZeros64(h<<precision))+1)
}

// Sketch returns the sketch to which further hashes are added, or nil while they are counted exactly.
func (d *Counter) Sketch() *Sketch { return d.sketch }

// AddExact adds a hash while there is no sketch, and reports whether it is new.
func (d *Counter) AddExact(h uint64) bool {
	if d.exact == nil {
		d.exact = make([]uint64, firstSlots)
	}
	h |= 1 // never 0
	free := place(d.exact, h)
	if d.exact[free] == h {
		return false
	}
	d.exact[free] = h
	switch d.count++; {
	case d.count <= 3*len(d.exact)/4:
	case len(d.exact) < mostSlots:
		d.grow()
	default:
		d.turn()
	}
	return true
}

// place returns the index of the hash in the table, or that of the free slot for it.
func place(table []uint64, h uint64) int {
	last := len(table) - 1
	i := int(h >> bits.LeadingZeros64(uint64(last)))
	for table[i] != 0 && table[i] != h {
		i = (i + 1) & last
	}
	return i
}

// Has reports whether a hash was added while they are counted exactly.
func (d *Counter) Has(h uint64) bool {
	return len(d.exact) > 0 && d.exact[place(d.exact, h|1)] == h|1
}

// Clone returns a copy.
func (d *Counter) Clone() Counter {
	c := Counter{count: d.count, exact: slices.Clone(d.exact)}
	if d.sketch != nil {
		sketch := *d.sketch
		c.sketch = &sketch
	}
	return c
}

// Join adds the hashes of another Counter.
func (d *Counter) Join(other *Counter) {
	if other.sketch != nil && d.sketch == nil {
		d.turn()
	}
	switch {
	case other.sketch != nil:
		for i, rank := range other.sketch {
			d.sketch[i] = max(d.sketch[i], rank)
		}
	default:
		for _, h := range other.exact {
			switch {
			case h == 0:
			case d.sketch != nil:
				d.sketch.Add(h)
			default:
				d.AddExact(h)
			}
		}
	}
}

func (d *Counter) grow() {
	larger := make([]uint64, 4*len(d.exact))
	for _, h := range d.exact {
		if h != 0 {
			larger[place(larger, h)] = h
		}
	}
	d.exact = larger
}

// turn switches to the sketch.
func (d *Counter) turn() {
	d.sketch = new(Sketch)
	for _, h := range d.exact {
		if h != 0 {
			d.sketch.Add(h)
		}
	}
	d.exact = nil
}

// Estimate returns the exact count, or the improved raw estimate of Ertl, New cardinality estimation algorithms for
// HyperLogLog sketches, 2017 (https://arxiv.org/abs/1702.01284), algorithm 6, which is unbiased from the first value
// on. Its term for saturated registers is omitted: that would take more values than any file has. Products are rounded
// separately, so that every machine returns the same number.
func (d *Counter) Estimate() int64 {
	if d.sketch == nil {
		return int64(d.count)
	}
	var histogram [64]int
	for _, rank := range d.sketch {
		histogram[rank]++
	}
	z := 0.0
	for k := 64 - precision; k >= 1; k-- {
		z = (z + float64(histogram[k])) / 2
	}
	z += float64(registers * zeroTerm(float64(histogram[0])/registers))
	return int64(math.Round(registers * registers / (2 * math.Ln2 * z)))
}

// zeroTerm is the paper's σ: x + Σ x^(2^k)·2^(k−1), the contribution of the share x of empty registers.
func zeroTerm(x float64) float64 {
	sum, power, weight := x, x, 1.0
	for {
		power = float64(power * power)
		next := sum + float64(power*weight)
		if next == sum {
			return sum
		}
		sum = next
		weight *= 2
	}
}
