package charset

// iso2022Evidence counts what tells of ISO-2022-JP.
type iso2022Evidence struct {
	designations int // escape sequences that choose a Japanese set
	foreign      int // bytes above ASCII
}

func (e *iso2022Evidence) add(b []byte) {
	for i, c := range b {
		if c >= 0x80 {
			e.foreign++
		} else if c == escape {
			if n, set := designation(b[i:], 0); n > 0 && set != latin {
				e.designations++
			}
		}
	}
}

// lead is in bits; 0 where it is not ISO-2022-JP.
func (e *iso2022Evidence) lead() int { return max(0, badBits*(e.designations-e.foreign)) }
