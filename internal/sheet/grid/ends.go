package grid

// ends holds the end positions of strings. They are stored in chunks, because a slice that grows to some 20,000,000 of
// them would temporarily need two or three times the memory.
type ends struct {
	pieces []*[endsPiece]uint32
	count  int
}

const endsPiece = 1 << 14

func (e *ends) add(end uint32) {
	if e.count == len(e.pieces)*endsPiece {
		e.pieces = append(e.pieces, new([endsPiece]uint32))
	}
	e.pieces[e.count/endsPiece][e.count%endsPiece] = end
	e.count++
}

// of returns the end of string i; that of string -1, before the first one, is 0.
func (e *ends) of(i int) uint32 {
	if i < 0 {
		return 0
	}
	return e.pieces[i/endsPiece][i%endsPiece]
}
