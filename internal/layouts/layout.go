package main

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// blockRows is how many rows of a sheet a block has.
const blockRows = 256

// layout is one way to store sheets; the statements are for sheet 1. In its statements $1 is the row number after which a page begins, $2
// how many rows it has.
type layout struct {
	name   string
	create string
	table  string
	fields string // of COPY
	rows   int    // of the sheet in one record
	encode func(*record, piece)
	// source is a query for row_no and c1 to c10, on which typed views stand; "" where SQL cannot read the cells.
	source string
	page   string
	decode func(pgx.Rows) (rows, bytes int, err error)
	purge  string // deletes the rows after $1 up to $2; "" where the table is dropped
}

// layouts are what is compared; the first is the product's.
func layouts() []layout {
	const cells = `create table ground.%s (sheet_id %[2]s not null, row_no %[2]s not null, line %[2]s, cells text[] not null%[3]s) with (autovacuum_enabled = off)`
	row := func(name, table, number, key string, encode func(*record, piece)) layout {
		return layout{
			name: name, table: table, rows: 1, encode: encode, fields: `sheet_id, row_no, line, cells`,
			create: fmt.Sprintf(cells, table, number, key),
			source: `select row_no, ` + numbered(`cells[%d] as c%[1]d`) + ` from ground.` + table + ` where sheet_id = 1`,
			page:   `select row_no, line, cells from ground.` + table + ` where sheet_id = 1 and row_no > $1 order by row_no limit $2`,
			decode: decodeRows,
			purge:  `delete from ground.` + table + ` where sheet_id = 1 and row_no > $1 and row_no <= $2`,
		}
	}
	const key = `, primary key (sheet_id, row_no)`
	withoutKey := row("row with BRIN", "row_brin", "bigint", "", encodeRow)
	withoutKey.create += `; create index on ground.row_brin using brin (sheet_id, row_no) with (pages_per_range = 16)`
	// Without an order in the index a page has to be cut out by its bounds.
	withoutKey.page = strings.Replace(withoutKey.page, ` order by`, ` and row_no <= $1::bigint + $2 order by`, 1)
	joined := row("row of one text", "row_joined", "bigint", key, encodeJoinedRow)
	joined.create = strings.Replace(joined.create, "text[]", "text", 1)
	joined.source = `select row_no, ` + numbered(`split_part(cells, E'\x1f', %d) as c%[1]d`) + ` from ground.row_joined where sheet_id = 1`
	joined.decode = decodeJoinedRows
	byHand := row("row decoded by hand", "row_by_hand", "bigint", key, encodeRow)
	byHand.decode = decodeRowsByHand
	return []layout{
		row("row", "row", "bigint", key, encodeRow),
		byHand,
		joined,
		row("row with int key", "row_int", "int", key, encodeNarrowRow),
		withoutKey,
		table(),
		block("block of text[]", "block_text", "text[]", encodeTextBlock,
			`select unnest(row_nos) as row_no, `+numbered(`unnest(cells[%d * cardinality(row_nos) + 1 : %[1]d * cardinality(row_nos) + cardinality(row_nos)]) as c%[2]d`)),
		block("block of jsonb", "block_json", "jsonb", encodeJSONBlock,
			`select row_nos[n] as row_no, `+numbered(`r->>%[1]d as c%[2]d`)),
		block("block of zstd", "block_zstd", "bytea", encodeCompressedBlock, ""),
	}
}

// table is a table for each sheet, with a column for each of its columns.
func table() layout {
	return layout{
		name: "table a sheet", table: "sheet_1", rows: 1, encode: encodeTableRow, fields: `row_no, line, ` + numbered(`c%d`),
		create: `create table ground.sheet_1 (row_no bigint primary key, line bigint, ` + numbered(`c%d text`) + `) with (autovacuum_enabled = off)`,
		source: `select row_no, ` + numbered(`c%d`) + ` from ground.sheet_1`,
		page:   `select row_no, line, ` + numbered(`c%d`) + ` from ground.sheet_1 where row_no > $1 order by row_no limit $2`,
		decode: decodeColumns,
	}
}

// block is a layout of blockRows rows a record. The blocks of a page are found by the last row that can be in them.
func block(name, table, kind string, encode func(*record, piece), source string) layout {
	from := ` from ground.` + table
	if kind == "jsonb" {
		from += `, jsonb_array_elements(cells) with ordinality as e (r, n)`
	}
	if source != "" {
		source += from + ` where sheet_id = 1`
	}
	return layout{
		name: name, table: table, rows: blockRows, encode: encode, fields: `sheet_id, first_row, row_nos, lines, cells`, source: source,
		create: `create table ground.` + table + ` (sheet_id bigint not null, first_row bigint not null, row_nos bigint[] not null, lines bigint[] not null, ` +
			`cells ` + kind + ` not null, primary key (sheet_id, first_row)) with (autovacuum_enabled = off)`,
		page: fmt.Sprintf(`select row_nos, lines, cells from ground.%s where sheet_id = 1 and first_row > $1::bigint - %d and first_row <= $1::bigint + $2 order by first_row`,
			table, blockRows-1),
		decode: map[string]func(pgx.Rows) (int, int, error){"text[]": decodeBlocks, "jsonb": decodeJSON, "bytea": decodeCompressed}[kind],
		purge:  `delete from ground.` + table + ` where sheet_id = 1 and first_row > $1 and first_row <= $2`,
	}
}

// numbered writes a pattern once for each column, with its index from 0 or, where the pattern has no %[2], its number from 1.
func numbered(pattern string) string {
	parts := make([]string, columns)
	for i := range parts {
		if strings.Contains(pattern, "%[2]") {
			parts[i] = fmt.Sprintf(pattern, i, i+1)
		} else {
			parts[i] = fmt.Sprintf(pattern, i+1)
		}
	}
	return strings.Join(parts, ", ")
}
