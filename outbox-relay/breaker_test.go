package outbox

import "testing"

// Five failures in a row open the breaker; failures between successes do not, however many they are.
func TestBreakerCountsFailuresInARow(t *testing.T) {
	t.Parallel()
	b := new(breaker)
	for range 3 {
		for range 4 {
			b.failure()
		}
		if b.open() {
			t.Error("open before the fifth failure in a row")
		}
		b.success()
	}
	for range 5 {
		b.failure()
	}
	if !b.open() {
		t.Error("not open after five failures in a row")
	}
}
