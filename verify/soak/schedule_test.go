//go:build linux

package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// fault is one thing that goes wrong, and for how long.
type fault struct {
	at, length   time.Duration // since the beginning
	kind, target string
}

func (f fault) String() string {
	return fmt.Sprintf("%s of %s for %s", f.kind, f.target, f.length)
}

// kind is a kind of faults. Two of them that hit the same resource never overlap; others may.
type kind struct {
	name              string
	weight            int
	targets           []string
	shortest, longest time.Duration
	inject            func(t *testing.T, s *soak, f fault) error
}

var (
	handlers = []string{"a", "b", "relay"}
	links    = []string{"database", "blobs", "queue"}
)

// kinds are all the faults that there are. A freeze is longer than a lease and two timer periods, so that others take over.
var kinds = []kind{
	{"kill handler", 12, handlers, 0, 0, killHandler},
	{"kill two tasks", 6, []string{"a", "b"}, 10 * time.Second, 10 * time.Second, killTwoTasks},
	{"stop handler", 6, handlers, 0, 0, stopHandler},
	{"freeze handler", 8, handlers, 6 * time.Second, 13 * time.Second, freezeHandler},
	{"shift clock", 8, handlers, 3 * time.Second, 15 * time.Second, shiftClock},
	{"kill host", 5, handlers, 0, 3 * time.Second, killHost},
	{"stop host", 4, handlers, 0, 3 * time.Second, stopHost},
	{"stop PostgreSQL", 3, []string{"PostgreSQL"}, 0, 4 * time.Second, stopPostgres},
	{"crash PostgreSQL", 3, []string{"PostgreSQL"}, 0, 4 * time.Second, crashPostgres},
	{"read-only PostgreSQL", 3, []string{"PostgreSQL"}, time.Second, 8 * time.Second, refuseWrites},
	{"stop storage", 2, []string{"storage"}, 0, 3 * time.Second, stopStorage},
	{"cut", 8, links, 0, 5 * time.Second, cutLink},
	{"reset", 8, links, 100 * time.Millisecond, 2 * time.Second, resetLink},
	{"half-open", 8, links, time.Second, 8 * time.Second, hangLink},
	{"delay", 10, links, 3 * time.Second, 12 * time.Second, delayLink},
	{"copy message", 6, messages, 5 * time.Second, 5 * time.Second, copyMessage},
	{"drop message", 6, messages, 5 * time.Second, 5 * time.Second, dropMessage},
	{"hold message", 5, messages, 5 * time.Second, 5 * time.Second, holdMessage},
	{"garbage message", 2, messages, 0, 0, putGarbage},
}

var messages = []string{"messages"}

// resourcesOf are those that a fault takes: storage is stopped with nobody connected, as it waits for those who are.
func resourcesOf(target string) []string {
	if target == "storage" {
		return []string{"storage", "blobs", "queue"}
	}
	return []string{target}
}

// How far apart faults begin, and how long a resource is left alone when it is back.
const (
	nearest  = 1000 * time.Millisecond
	farthest = 3600 * time.Millisecond
	recovery = 2 * time.Second
)

// schedule is what goes wrong in a run: it follows from the seed and the length alone, and all is repaired when it ends.
func schedule(seed uint64, length time.Duration) []fault {
	random := rand.New(rand.NewPCG(seed, 1))
	var faults []fault
	busy := map[string]time.Duration{} // until when, by resource
	for at := nearest; at < length; at += between(random, nearest, farthest) {
		for range 20 { // a resource that is free
			k := pick(random)
			f := fault{at: at, length: between(random, k.shortest, k.longest), kind: k.name, target: k.targets[random.IntN(len(k.targets))]}
			resources := resourcesOf(f.target)
			if slices.ContainsFunc(resources, func(r string) bool { return at < busy[r] }) || at+f.length > length {
				continue
			}
			for _, r := range resources {
				busy[r] = at + f.length + recovery
			}
			faults = append(faults, f)
			break
		}
	}
	return faults
}

func pick(random *rand.Rand) kind {
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	n := random.IntN(total)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			return k
		}
	}
	panic("the weights do not add up")
}

func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return (least + time.Duration(random.Int64N(int64(most-least)+1))).Round(time.Millisecond)
}

// The same seed gives the same faults, half an hour of it has at least 500, each kind is among them, and all of them end in time.
func TestSchedule(t *testing.T) {
	t.Parallel()
	for _, f := range schedule(*seed, time.Duration(*minutes*float64(time.Minute))) {
		t.Logf("%10s %s", f.at, f) // what the same flags do in TestSoak
	}
	const length = 30 * time.Minute
	faults := schedule(1, length)
	if again := schedule(1, length); fmt.Sprint(again) != fmt.Sprint(faults) {
		t.Error("another schedule from the same seed")
	}
	if other := schedule(2, length); fmt.Sprint(other) == fmt.Sprint(faults) {
		t.Error("the same schedule from another seed")
	}
	if len(faults) < 500 {
		t.Errorf("%d faults, want 500 or more", len(faults))
	}
	met := map[string]bool{}
	for _, f := range faults {
		met[f.kind] = true
		if f.at+f.length > length {
			t.Errorf("%s at %s is not over in time", f, f.at)
		}
	}
	for _, k := range kinds {
		if !met[k.name] {
			t.Errorf("no %s", k.name)
		}
	}
}
