// Package house checks the rules that no compiler checks: who may import whom,
// what the core may not touch, what each package owes its reader.
//
// Everything here is a test that reads the repository; there is nothing to
// import. A rule that is broken names the file and line, and what to change:
//
//	go test ./test/house
//
// The rules about imports come from hack/floors.txt. A new package gets a line
// there first.
package house
