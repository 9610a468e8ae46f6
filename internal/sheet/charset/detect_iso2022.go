package charset

// iso2022Evidence counts the evidence for ISO-2022-JP.
type iso2022Evidence struct {
	designations int // escape sequences that designate a Japanese set
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

// lead returns the lead in bits; 0 if the text is not ISO-2022-JP.
func (e *iso2022Evidence) lead() int { return max(0, badBits*(e.designations-e.foreign)) }
