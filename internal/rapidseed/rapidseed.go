// Package rapidseed fixes the seed of property tests: go test then tests the same cases on every machine. Test packages import it for this
// effect alone. RAPID_SEED in the environment and the flag -rapid.seed choose another seed; 0 is a random one.
package rapidseed

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // declares the flag
)

const seed = "1"

func init() {
	if _, chosen := os.LookupEnv("RAPID_SEED"); chosen {
		return
	}
	if err := flag.Set("rapid.seed", seed); err != nil {
		panic(err)
	}
}
