// Package house has no code. Its tests hold what the compiler does not see of sheetdrop's architecture: who may import whom (the plan,
// in plan_test.go), and that the app's settings say the same in host.json, in the functions' folders and in the handler.
package house
