//go:build !race

package e2e

// raced tells whether this program looks for races; the scheduler is built alike.
const raced = false
