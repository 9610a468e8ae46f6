// Package dialect detects how a delimited text is written: its delimiter, quote and escape. Package table then finds the table in it.
//
// What the first lines declare (declared.go) is believed. Otherwise every dialect that the text allows (candidates.go) is tried on pieces
// of the samples (pieces.go) and gets a score (score.go): how regular the records are, times how many of their cells look like values
// (value.go). For example, in
//
//	name;price
//	apple;1,50
//	pear;2,25
//
// both ";" and "," split the last two records regularly, but only with ";" does the header have as many cells, and are
// 1,50 and 2,25 values, so ";" wins. At last it is asked whether the best dialect only cuts the values of a single column in two
// (single.go, groupedcodes.go). Unquote (quotedlines.go) is for texts whose lines are quoted as a whole.
//
// The first factor follows the pattern score of G. van den Burg, A. Nazábal and C. Sutton, "Wrangling messy CSV files
// by detecting row and type patterns" (Data Mining and Knowledge Discovery 33, 2019), the second their type score, and
// the side-by-side trial T. Döhmen, H. Mühleisen and P. Boncz, "Multi-hypothesis CSV parsing" (SSDBM 2017).
//
// Numbers that rules need have names in thresholds.go. The result depends only on the samples.
package dialect
