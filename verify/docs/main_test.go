package docs_test

import (
	"testing"

	"sheetdrop/verify/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }
