package parse

import (
	"fmt"
	"reflect"

	"sheetdrop/internal/sheet"
)

// Limits are the engine's limits as settings; sheet.Limits documents each.
type Limits struct {
	RecordBytes   int   `env:"LIMIT_RECORD_BYTES" envDefault:"2097152"`
	CellBytes     int   `env:"LIMIT_CELL_BYTES" envDefault:"1048576"`
	Columns       int   `env:"LIMIT_COLUMNS" envDefault:"16384"`
	FileColumns   int   `env:"LIMIT_FILE_COLUMNS" envDefault:"131072"`
	HeaderBytes   int   `env:"LIMIT_HEADER_BYTES" envDefault:"2097152"`
	Rows          int64 `env:"LIMIT_ROWS" envDefault:"100000000"`
	Cells         int64 `env:"LIMIT_CELLS" envDefault:"1000000000"`
	Rejects       int64 `env:"LIMIT_REJECTS" envDefault:"1000000"`
	RejectBytes   int64 `env:"LIMIT_REJECT_BYTES" envDefault:"33554432"`
	OutputBytes   int64 `env:"LIMIT_OUTPUT_BYTES" envDefault:"268435456"`
	PatternWork   int64 `env:"LIMIT_PATTERN_WORK" envDefault:"536870912"`
	PackageBytes  int64 `env:"LIMIT_PACKAGE_BYTES" envDefault:"134217728"`
	UnzippedBytes int64 `env:"LIMIT_UNZIPPED_BYTES" envDefault:"536870912"`
	UnzipRatio    int64 `env:"LIMIT_UNZIP_RATIO" envDefault:"200"`
	Parts         int   `env:"LIMIT_PARTS" envDefault:"10000"`
}

// mostRecordBytes keeps a row, each of whose scanned bytes can become three, below the 1 GiB that PostgreSQL accepts at
// once.
const mostRecordBytes = 256 << 20

func (l Limits) check() error {
	values := reflect.ValueOf(l)
	for field, value := range values.Fields() {
		if value.Int() < 1 {
			return fmt.Errorf("%s is %d: it must be 1 or more", field.Tag.Get("env"), value.Int())
		}
	}
	if l.RecordBytes > mostRecordBytes {
		return fmt.Errorf("LIMIT_RECORD_BYTES is %d: it must be %d or less, for PostgreSQL to take a record", l.RecordBytes, mostRecordBytes)
	}
	if l.CellBytes > mostRecordBytes {
		return fmt.Errorf("LIMIT_CELL_BYTES is %d: it must be %d or less, for PostgreSQL to take a cell", l.CellBytes, mostRecordBytes)
	}
	return nil
}

func (l Limits) ofEngine() sheet.Limits { return sheet.Limits(l) }
