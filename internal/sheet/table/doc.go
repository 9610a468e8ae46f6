// Package table finds the table in a text, whose dialect package dialect detects, or in a worksheet: after which lines of prose it begins,
// under how many header rows, above which closing lines, and what among its rows is none of them.
//
// The header is decided as in G. van den Burg, A. Nazábal and C. Sutton, "Wrangling messy CSV files by detecting row and type patterns"
// (Data Mining and Knowledge Discovery 33, 2019), and T. Döhmen, H. Mühleisen and P. Boncz, "Multi-hypothesis CSV parsing" (SSDBM 2017): by
// comparing the types of the first rows with those of the columns below.
//
// # The order of the decision
//
// Samples of a text become rows, rows a Layout, and the Layout's Filter is asked about each record that is read. The result depends only on
// the samples. Of a text, Decide goes through these steps; DecideGrid does so for a worksheet, whose rows come as cells.
//
//  1. Each record becomes a row: of each cell its kind (package kind) and a hash, and of the record what its cells say (package words).
//     No later step sees the text, but for those that add numbers up: these read it once more (source).
//  2. layoutOf makes blank what stands above the main table: short tables, other sections. It finds how many columns the table has,
//     which lines are comments, where a second table begins, and which columns at both ends are empty.
//  3. findTable finds the first record that looks like those of the table, and how many rows the header has. Then it looks again at
//     what stands above (names with their values, settings) and right below (further names, hints). Columns that stand beside the
//     table are cut off, and findTable begins anew.
//  4. findEnd finds a second table with another header. Then findFilter finds which of the rows above it are none: titles of parts, their
//     sums, lines of pages.
//  5. footer walks from the last record upwards, as long as records are notes or totals.
//  6. findSums adds numbers up (package sums): a last row may be a sum without saying so, and what looked like one may be a row.
//
// The rules compare a record with the columns of the rows below it: columns.compare counts the cells that are of their column's kind, and
// those that are of another. bodyOf returns the columns of all rows below the header, and which of them nearly all rows fill: a total is
// told by the gaps that it has there. Numbers that rules need have names in thresholds.go.
//
// # Where to look
//
// What all steps use:
//   - decide.go: Decide, the Layout that it returns, and the Hints that it gets
//   - row.go, cells.go: what is kept of a record, and what rules ask of its cells
//   - rows.go, lookatcells.go: how the records of a text become rows
//   - gridrow.go: how the cells of a worksheet become rows
//   - columns.go: what is known of columns; how a record compares with them
//   - usual.go: which columns nearly all rows fill, and what a record lacks
//   - nameandnumbers.go: records that sum up by their words, or have a name and numbers as sums do
//   - thresholds.go: the numbers of all rules
//
// Step 2, the columns:
//   - layout.go: the order of the steps
//   - shorttables.go: short tables and lists above the main table
//   - sections.go: parts that have their names in brackets above them, or in each record
//   - width.go: how wide the table is
//   - lists.go, namevalues.go: lists of names with their values, which are no tables
//   - short.go: records that end before the last column, or after it
//   - few.go: too few records to tell
//   - comments.go, blanks.go: lines that are comments, blank lines, and delimiters that end lines
//   - cutcolumns.go: columns at both ends that are empty
//   - beside.go, besidelists.go: what stands beside the table
//   - tables.go, otherheader.go: where a second table begins
//   - madenames.go: names that a library has made for columns without one
//   - grid.go, gridwidth.go: DecideGrid, and how wide a worksheet's table is
//
// Step 3, the header:
//   - findtable.go: the order in which rules look for it
//   - preamble.go: the first record that looks like those of the table
//   - padded.go, pairs.go, settings.go: what stands above the header and is as wide as the table
//   - header.go: how many rows the header has
//   - groups.go, spannedgroups.go, spaced.go: names of groups above names of columns
//   - further.go, belowheader.go: lines right below the names that belong to the header, and those that do not
//   - years.go, steps.go, numberedcolumns.go: numbers that are names
//   - rownames.go: a header without a name for the first column
//   - listed.go: names that another delimiter separates
//   - gridheader.go, told.go: what a workbook says of its header
//
// Steps 4 to 6, the end of the table and what among its rows is none:
//   - tableend.go: the order in which rules look for it
//   - filter.go, drops.go: what among the rows is none, and whether a record is
//   - parttitles.go, parts.go, numberedparts.go, fullerrows.go: titles of parts, and what tells them from rows
//   - computed.go, sums.go: sums of parts that say that they are
//   - pages.go: lines that each page of a printed report has
//   - footer.go, closingblock.go: the walk upwards from the last record
//   - closes.go, closinglines.go: whether a record there is none of the table, by its words and gaps
//   - bottom.go, sumrows.go: sums that their numbers tell (package sums), and what an invoice adds
//   - lastrows.go: last rows that only look like sums
package table
