// Package compound reads streams of compound files ([MS-CFB]), as Excel 97–2003 and encrypted workbooks are. It holds
// little in memory, whatever sizes the file claims: sectors are looked up as they are read.
package compound

import (
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
)

// File is an open compound file.
type File struct {
	src     io.ReaderAt
	size    int64
	header  [512]byte
	sector  int64             // bytes
	entries map[string]stream // by name
	root    stream            // the mini stream, which has the streams that are short
	table   []byte            // the sector of the allocation table that was used last
	tableAt uint32            // its number, from 0; valid if table is
}

// stream is a stream's place.
type stream struct {
	start uint32
	size  int64
}

const (
	maxDirectory   = 4096 // sectors
	directoryEntry = 128
	difatInHeader  = 109 // positions of FAT sectors in the header
	difatOffset    = 76
	endOfChain     = 0xFFFFFFFE
	miniSector     = 64
	miniCutoff     = 4096 // bytes; shorter streams are in the mini stream
	maxDifat       = 1 << 16
)

// Open reads the directory of a compound file; ok is false if the file is truncated or malformed.
func Open(src io.ReaderAt, size int64) (c *File, ok bool) {
	c = &File{src: src, size: size, entries: map[string]stream{}}
	if _, err := src.ReadAt(c.header[:], 0); err != nil {
		return nil, false
	}
	shift := binary.LittleEndian.Uint16(c.header[30:])
	if shift != 9 && shift != 12 {
		return nil, false
	}
	c.sector = 1 << shift
	buf := make([]byte, c.sector)
	at := c.field(48)
	for range maxDirectory {
		if at == endOfChain {
			return c, true
		}
		if _, err := src.ReadAt(buf, c.offset(at)); err != nil {
			return nil, false
		}
		for e := buf; len(e) > 0; e = e[directoryEntry:] {
			c.addEntry(e)
		}
		if at, ok = c.next(at); !ok {
			return nil, false
		}
	}
	return nil, false
}

// addEntry adds a directory entry. Names are unique in a folder; of streams of one name in several, that which comes first
// is meant.
func (c *File) addEntry(e []byte) {
	const rootKind = 5
	s := stream{binary.LittleEndian.Uint32(e[116:]), int64(binary.LittleEndian.Uint32(e[120:]))}
	name := strings.ToLower(entryName(e))
	if _, known := c.entries[name]; !known {
		c.entries[name] = s
	}
	if e[66] == rootKind {
		c.root = s
	}
}

// Has reports whether there is a stream or a storage with that name, in any case.
func (c *File) Has(name string) bool {
	_, ok := c.entries[strings.ToLower(name)]
	return ok
}

func (c *File) field(at int) uint32        { return binary.LittleEndian.Uint32(c.header[at:]) }
func (c *File) offset(sector uint32) int64 { return (int64(sector) + 1) * c.sector }

// next looks up a sector's successor in the allocation table.
func (c *File) next(sector uint32) (uint32, bool) {
	perSector := uint32(c.sector / 4)
	n := sector / perSector
	if c.table == nil || c.tableAt != n {
		at, ok := c.tableSector(n)
		if !ok {
			return 0, false
		}
		if c.table == nil {
			c.table = make([]byte, c.sector)
		}
		if _, err := c.src.ReadAt(c.table, c.offset(at)); err != nil {
			c.table = nil
			return 0, false
		}
		c.tableAt = n
	}
	return binary.LittleEndian.Uint32(c.table[4*(sector%perSector):]), true
}

// tableSector returns the position of the allocation table's sector n: the header lists the first ones, a chain of DIFAT
// sectors the others.
func (c *File) tableSector(n uint32) (uint32, bool) {
	if n < difatInHeader {
		return c.field(difatOffset + 4*int(n)), true
	}
	n -= difatInHeader
	perSector := uint32(c.sector/4 - 1)
	if n/perSector > maxDifat {
		return 0, false
	}
	at, ok := c.field(68), true
	for ; n >= perSector && ok; n -= perSector {
		at, ok = c.entry(at, perSector)
	}
	if !ok {
		return 0, false
	}
	return c.entry(at, n)
}

func (c *File) entry(sector, index uint32) (uint32, bool) {
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
