package reading

import "testing"

// Every option of the engine is a flag, and says what it does.
func TestEveryOptionHasHelp(t *testing.T) {
	t.Parallel()
	for _, name := range NewOptions(true).names {
		if optionHelps[name] == "" {
			t.Errorf("%s has no help", name)
		}
	}
}
