package e2e_test

import (
	"testing"

	"sheetdrop/internal/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }
