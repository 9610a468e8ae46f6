package runbooks

import "testing"

func rehearseHosts(*testing.T) {}

func rehearseDatabase(*testing.T) {}

func rehearseRestores(*testing.T) {}
