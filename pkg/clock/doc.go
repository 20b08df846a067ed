// Package clock is how time is passed into code that has no clock of its own.
//
// The core reads no clock. Whoever calls it says what time it is, so a tape of
// inputs replays to the same decisions and a test needs not wait. There are two
// readings because they answer two questions: Mono, how much time has passed
// (backoff, deadlines), which no correction of the wall clock can disturb; and
// Wall, what date the API should be told.
package clock
