// Command generate writes the samples into the current folder. The same bytes come of it every time.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	for name, generate := range map[string]func() ([]byte, error){
		"orders.csv": orders,
		"prices.csv": prices,
		"stock.xlsx": stock,
	} {
		content, err := generate()
		if err == nil {
			err = os.WriteFile(name, content, 0o644) //nolint:gosec // for everybody to read
		}
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
	}
}

// pick walks through a list, a different way for each stride.
func pick[T any](list []T, i, stride int) T { return list[i*stride%len(list)] }
