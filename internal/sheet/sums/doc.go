// Package sums adds up the columns of a table, to tell rows that sum up others from rows that only look so.
//
// A row's cells are read as figures (figure.go), in both ways in which the marks of a number may be meant, since a table does not say
// whether 1,234 has a thousand or decimals. Figures are added up column by column (totals.go). Then a row is compared with what stands
// above it or below:
//   - all.go: with all rows above, as far as they are known (Above): does it sum them up, whatever it is called?
//   - parts.go: with the rows since the last sum, row by row (Parts): does it sum up a part of the table?
//   - results.go: with the last sums: is it what is left of them?
//   - leading.go: with the rows below it (Leading): does it stand above the part that it sums up?
//
// names.go tells by words and kinds of cells which rows may be sums. Where they stand in a table, package table decides.
package sums
