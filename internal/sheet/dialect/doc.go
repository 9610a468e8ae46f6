// Package dialect detects how a delimited text is written: delimiter, quote and escape, and where in it the table is:
// after which lines of prose, under how many header rows, above which closing lines.
//
// Every dialect that the text allows is tried on samples of it and gets a score: how regular the records are, times how
// many of their cells look like values. For example, in
//
//	name;price
//	apple;1,50
//	pear;2,25
//
// both ";" and "," split the last two records regularly, but only with ";" does the header have as many cells, and are
// 1,50 and 2,25 values, so ";" wins.
//
// The first factor follows the pattern score of G. van den Burg, A. Nazábal and C. Sutton, "Wrangling messy CSV files
// by detecting row and type patterns" (Data Mining and Knowledge Discovery 33, 2019), the second their type score, and
// the side-by-side trial T. Döhmen, H. Mühleisen and P. Boncz, "Multi-hypothesis CSV parsing" (SSDBM 2017). The header
// is decided as in both: by comparing the types of the first rows with those of the columns below.
//
// # Steps
//
// Decide goes through these, in this order:
//
//  1. The dialect: what the first line declares (declared.go), which dialects the text allows (candidates.go), the score
//     of each on pieces of the samples (pieces.go, score.go, value.go), and whether the best one only cuts the values of a
//     single column in two (single.go). Unquote (quotedlines.go) is for texts whose lines are quoted as a whole.
//  2. The records, split by it (rows.go), become rows: of each cell its kind (kind.go) and a hash, and of each row what its
//     cells say (row.go, lookatcells.go): that it is a sum, a note, a line between pages. No rule below sees the text
//     itself, except for those that add numbers up (arithmetic.go).
//  3. The layout (layout.go), which skips short tables above the main one (shorttables.go, sections.go), finds the table's
//     width (width.go, lists.go, short.go), comments (comments.go), where a second table begins (twotables.go), and columns
//     at both ends that are empty (cutcolumns.go, emptycells.go).
//  4. Preamble and header (findtable.go): the first record that looks like those of the table (preamble.go), how many header
//     rows there are (header.go, groups.go), and what stands above these, padded to the table's width (padded.go, forms.go,
//     pairs.go, settings.go, shortparts.go). Then columns beside the table are cut off, and the steps of findTable are done
//     once more (beside.go, block.go).
//  5. What ends the table (tableend.go): another one (tables.go, otherheader.go), notes and totals, which are looked at from
//     the last record upwards (footer.go, closingblock.go, closes.go), and sums that only their numbers tell (sumrows.go,
//     charges.go, lastrows.go).
//  6. What among the rows is none (among.go): titles of parts (parttitles.go, and a file for each of the places where they
//     stand: parts.go, asideparts.go, numberedparts.go), their sums (computed.go), lines of pages (pages.go), comments. It is
//     found before the sums of step 5, which leave these rows out. Among.IsNone (isnone.go) asks it of each record that is
//     read.
//
// DecideGrid (grid.go) does steps 3 to 6 for a worksheet, whose rows come as cells, and whose workbook tells more of its
// header (gridheader.go, told.go).
//
// The rules compare a row with the columns of those below it: columns.compare (columns.go) counts the cells that are, and
// that are not, of their column's kind. Numbers that rules need have names in thresholds.go.
//
// The result depends only on the samples.
package dialect
