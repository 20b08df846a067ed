// Package corpus reads the configuration files that tests share: those under testdata of
// pkg/config and pkg/scheduler. Comments in a file say what goes with it:
//
//	# flags: --emulated-version=1.36   flags that it is read with
//	# refused: extenders ...           what this version says, as it cannot do what is right
//	# want: parallelism: Invalid ...   what is wrong with it; a line for each of the message
//
// A file that is right has a second one beside it, <name>.completed.yaml, which is what
// kube-scheduler writes for it.
package corpus

import (
	"os"
	"path/filepath"
	"strings"
)

const completed = ".completed.yaml"

// File is one configuration file.
type File struct {
	Name      string // without folder and ending
	Path      string
	Text      string
	Flags     []string
	Want      string // the error; "" for a file that is right
	Refused   string // what this version says, which cannot do what is asked
	Completed string // the file's path as completed; "" for one that is not right
}

// Read returns the files of a folder, sorted by name.
func Read(dir string) ([]File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var files []File
	for _, path := range paths {
		if strings.HasSuffix(path, completed) {
			continue
		}
		f, err := read(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func read(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	f := File{Name: strings.TrimSuffix(filepath.Base(path), ".yaml"), Path: path, Text: string(text)}
	var want []string
	for line := range strings.Lines(f.Text) {
		line = strings.TrimSuffix(line, "\n")
		if flags, ok := strings.CutPrefix(line, "# flags: "); ok {
			f.Flags = strings.Fields(flags)
		}
		if why, ok := strings.CutPrefix(line, "# refused: "); ok {
			f.Refused = why
		}
		if part, ok := strings.CutPrefix(line, "# want: "); ok {
			want = append(want, part)
		}
	}
	if f.Want = strings.Join(want, "\n"); f.Want == "" {
		f.Completed = strings.TrimSuffix(path, ".yaml") + completed
	}
	return f, nil
}
