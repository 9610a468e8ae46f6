package types

import "strconv"

// parseElapsed reads the whole of s as an elapsed time: 27:30, -1:05:10.5, or ISO 8601's PT27H30M.
func (c *clock) parseElapsed(s []byte) bool {
	c.negative = s[0] == '-'
	if c.negative {
		s = s[1:]
	}
	switch {
	case len(s) == 0:
		return false
	case s[0] == 'P':
		c.seen = isoDurationSeen
		c.fits = elapsed
		return c.readISO(s[1:])
	}
	rest, ok := c.cut(s)
	c.fits &= elapsed
	return ok && len(rest) == 0 && c.fits != 0
}

// readISO reads what follows the P of an ISO 8601 duration of days, hours, minutes and seconds. Years and months have no fixed length.
func (c *clock) readISO(s []byte) bool {
	if len(s) > 0 && s[0] != 'T' {
		days, n := cutDigits(s, 6)
		if n == 0 || n == len(s) || s[n] != 'D' {
			return false
		}
		c.seconds = int64(days) * daySeconds
		if s = s[n+1:]; len(s) == 0 {
			return true
		}
	}
	if len(s) < 2 || s[0] != 'T' {
		return false
	}
	return c.readISOTime(s[1:])
}

func (c *clock) readISOTime(s []byte) bool {
	unit := int64(3600)
	for _, sign := range []byte("HMS") {
		v, n := cutDigits(s, 9)
		if n == 0 {
			break
		}
		rest := s[n:]
		if sign == 'S' {
			rest = c.cutFraction(rest)
		}
		if len(rest) > 0 && rest[0] == sign {
			c.seconds += int64(v) * unit
			s = rest[1:]
		}
		unit /= 60
	}
	return len(s) == 0
}

// appendDuration writes an ISO 8601 duration of hours, minutes and seconds; a minus stands before it, as ISO 8601-2 has it.
func (c *clock) appendDuration(dst []byte) []byte {
	if c.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, "PT"...)
	empty := len(dst)
	if hours := c.seconds / 3600; hours > 0 {
		dst = append(strconv.AppendInt(dst, hours, 10), 'H')
	}
	if minutes := c.seconds / 60 % 60; minutes > 0 {
		dst = append(strconv.AppendInt(dst, minutes, 10), 'M')
	}
	if seconds := c.seconds % 60; seconds > 0 || c.places > 0 || len(dst) == empty {
		dst = c.appendFraction(strconv.AppendInt(dst, seconds, 10))
		dst = append(dst, 'S')
	}
	return dst
}
