package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Store is a folder of results.
type Store struct{ Dir string }

// Load returns the result of a cell, and false when there is none yet.
func (s Store) Load(c Cell) (Result, bool, error) {
	data, err := os.ReadFile(s.path(c))
	if errors.Is(err, os.ErrNotExist) {
		return Result{}, false, nil
	}
	if err != nil {
		return Result{}, false, err
	}
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return Result{}, false, fmt.Errorf("cannot parse %s, remove it to run the cell again: %w", s.path(c), err)
	}
	return r, true, nil
}

// Save keeps a result. The file is whole or not there.
func (s Store) Save(r Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	part := s.path(r.Cell) + ".part"
	if err := os.WriteFile(part, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(part, s.path(r.Cell))
}

func (s Store) path(c Cell) string { return filepath.Join(s.Dir, c.String()+".json") }
