package xlsx

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
)

// compoundFile walks through the directory of a compound file ([MS-CFB]). A library would hold all of it in memory, in
// sizes that the file claims.
type compoundFile struct {
	src    io.ReaderAt
	header [512]byte
	sector int64 // bytes
}

const (
	maxDirectory   = 4096 // sectors
	directoryEntry = 128
	difatInHeader  = 109 // positions of FAT sectors in the header
	difatOffset    = 76
)

// streams returns the names of a compound file's streams and storages; ok is false if the file is truncated or
// malformed.
func streams(src io.ReaderAt) (names map[string]bool, ok bool) {
	c := compoundFile{src: src}
	if _, err := src.ReadAt(c.header[:], 0); err != nil {
		return nil, false
	}
	shift := binary.LittleEndian.Uint16(c.header[30:])
	if shift != 9 && shift != 12 {
		return nil, false
	}
	c.sector = 1 << shift
	names = map[string]bool{}
	buf := make([]byte, c.sector)
	at := c.field(48)
	for range maxDirectory {
		if at == endOfChain {
			return names, true
		}
		if _, err := src.ReadAt(buf, c.offset(at)); err != nil {
			return nil, false
		}
		for e := buf; len(e) > 0; e = e[directoryEntry:] {
			names[entryName(e)] = true
		}
		if at, ok = c.next(at); !ok {
			return nil, false
		}
	}
	return nil, false
}

const endOfChain = 0xFFFFFFFE

func (c *compoundFile) field(at int) uint32        { return binary.LittleEndian.Uint32(c.header[at:]) }
func (c *compoundFile) offset(sector uint32) int64 { return (int64(sector) + 1) * c.sector }

// next looks up a sector's successor in the FAT.
func (c *compoundFile) next(sector uint32) (uint32, bool) {
	perSector := uint32(c.sector / 4)
	fat, ok := c.fatSector(sector / perSector)
	if !ok {
		return 0, false
	}
	return c.entry(fat, sector%perSector)
}

// fatSector returns the position of the FAT's sector n: the header lists the first ones, a chain of DIFAT sectors the
// others.
func (c *compoundFile) fatSector(n uint32) (uint32, bool) {
	if n < difatInHeader {
		return c.field(difatOffset + 4*int(n)), true
	}
	n -= difatInHeader
	perSector := uint32(c.sector/4 - 1)
	at, ok := c.field(68), true
	for ; n >= perSector && ok; n -= perSector {
		at, ok = c.entry(at, perSector)
	}
	if !ok {
		return 0, false
	}
	return c.entry(at, n)
}

func (c *compoundFile) entry(sector, index uint32) (uint32, bool) {
	var b [4]byte
	_, err := c.src.ReadAt(b[:], c.offset(sector)+4*int64(index))
	return binary.LittleEndian.Uint32(b[:]), err == nil
}

// entryName decodes the name of a directory entry: UTF-16 with a terminating zero.
func entryName(entry []byte) string {
	var name []uint16
	for i := 0; i < 62; i += 2 {
		u := binary.LittleEndian.Uint16(entry[i:])
		if u == 0 {
			break
		}
		name = append(name, u)
	}
	return string(utf16.Decode(name))
}
