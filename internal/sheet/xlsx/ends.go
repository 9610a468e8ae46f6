package xlsx

// ends are the places where strings end. They are held in pieces, for a slice that grows to some 20,000,000 of them would be held twice
// or three times meanwhile.
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

// of returns the end of string i; before the first one, which is string -1, there are 0 bytes.
func (e *ends) of(i int) uint32 {
	if i < 0 {
		return 0
	}
	return e.pieces[i/endsPiece][i%endsPiece]
}
