package child

import (
	"bytes"
	"fmt"
	"os"
)

// lastWords is how many lines of its log an error tells.
const lastWords = 20

// LostError says that a child ended although nobody had asked it to.
type LostError struct {
	Name  string // of the program
	How   string // it ended: "exit status 3"
	Words string // the last lines of its log
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s ended by itself: %s; its last log lines:\n%s", e.Name, e.How, e.Words)
}

// Tail returns the last lines of the child's log, or why it cannot.
func (p *Process) Tail(lines int) string { return tail(p.Log, lines) }

func tail(path string, lines int) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	all := bytes.SplitAfter(bytes.TrimRight(data, "\n"), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], nil))
}
