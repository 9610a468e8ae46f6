// Package table finds the table in a text, whose dialect package dialect detects, or in a worksheet: after which lines of prose it begins,
// under how many header rows, above which closing lines, and what among its rows is none of them.
//
// The header is decided as in G. van den Burg, A. Nazábal and C. Sutton, "Wrangling messy CSV files by detecting row and type patterns"
// (Data Mining and Knowledge Discovery 33, 2019), and T. Döhmen, H. Mühleisen and P. Boncz, "Multi-hypothesis CSV parsing" (SSDBM 2017): by
// comparing the types of the first rows with those of the columns below.
//
// # Steps
//
// Samples of a text become rows, rows a Layout, and the Layout's Among is asked of each record that is read. Decide (decide.go) leaves out
// blank lines at both ends (blanks.go), asks for the dialect and goes through these, in this order:
//
//  1. The records, split by the dialect (rows.go), become rows: of each cell its kind (package kind) and a hash, and of each row what its
//     cells say (row.go, lookatcells.go, package words): that it is a sum, a note, a line between pages. Delimiters that end all
//     lines are taken off (blanks.go). No rule below sees the text itself, except for those that add numbers up (arithmetic.go,
//     columnsums.go).
//  2. The layout (layout.go), which skips short tables above the main one (shorttables.go, sections.go, markedparts.go), finds the table's
//     width (width.go, lists.go, short.go), comments (comments.go), where a second table begins (tables.go), and columns
//     at both ends that are empty (cutcolumns.go, emptycells.go).
//  3. Preamble and header (findtable.go): the first record that looks like those of the table (preamble.go), how many header
//     rows there are (header.go, groups.go), what stands above these, padded to the table's width (padded.go, forms.go,
//     pairs.go, settings.go, shorttables.go), and which lines below them are no rows (belowheader.go, numberedcolumns.go). Then columns
//     beside the table are cut off, and the steps of findTable are done once more (beside.go, block.go).
//  4. What ends the table (tableend.go): another one (tables.go, otherheader.go, lists.go), notes and totals, which are looked at from
//     the last record upwards (footer.go, closingblock.go, closes.go), and sums that only their numbers tell (sumrows.go,
//     charges.go, lastrows.go).
//  5. What among the rows is none (among.go): titles of parts (parttitles.go, and a file for each of the places where they
//     stand: parts.go, asideparts.go, numberedparts.go), their sums (computed.go), lines of pages (pages.go), comments,
//     values in columns of their own (sharedcolumns.go). It is found before the sums of step 4, which leave these rows out.
//     Among.IsNone (isnone.go) asks it of each record that is read.
//
// DecideGrid (grid.go) does steps 2 to 5 for a worksheet, whose rows come as cells, and whose workbook tells more of its
// header (gridheader.go, told.go).
//
// The rules compare a row with the columns of those below it: columns.compare (columns.go) counts the cells that are, and
// that are not, of their column's kind. Numbers that rules need have names in thresholds.go.
//
// The result depends only on the samples.
package table
