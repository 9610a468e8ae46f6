// Package samples holds spreadsheets as people send them, for a first look and for tests. README.md says what is in each.
package samples

import "embed"

// Files are orders.csv, prices.csv and stock.xlsx.
//
//go:embed orders.csv prices.csv stock.xlsx
var Files embed.FS

//go:generate go run ./generate
