package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// room is the folder of one run. It is locked while the run lasts, so that several can go on side by side, and its
// log stays afterwards.
type room struct {
	dir  string
	lock *os.File
}

func (r *room) scheduler() string  { return filepath.Join(r.dir, "kube-scheduler") }
func (r *room) log() string        { return filepath.Join(r.dir, "kube-scheduler.log") }
func (r *room) kubeconfig() string { return filepath.Join(r.dir, "kubeconfig") }

// openRoom takes the first folder under out that no other run uses: run, run-2, run-3 ...
func openRoom(out string) (*room, error) {
	if _, err := os.Stat(filepath.Join("hack", "tools.sh")); err != nil {
		return nil, errors.New("cannot find hack/tools.sh: start at the top of the checkout, best by make run")
	}
	dir := filepath.Join(out, "run")
	for n := 2; ; n++ {
		r, err := tryRoom(dir)
		if r != nil || err != nil {
			return r, err
		}
		dir = filepath.Join(out, fmt.Sprintf("run-%d", n))
	}
}

// tryRoom returns nil when the folder is in use.
func tryRoom(dir string) (*room, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	switch err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return nil, lock.Close()
	case err != nil:
		return nil, errors.Join(fmt.Errorf("cannot lock %s: %w", dir, err), lock.Close())
	}
	r := &room{dir: dir, lock: lock}
	return r, r.removeOld(r.log(), r.kubeconfig())
}

// close removes what is of no use without a control plane. The lock ends with the file.
func (r *room) close() error {
	return errors.Join(r.removeOld(r.kubeconfig()), r.lock.Close())
}

func (r *room) removeOld(files ...string) error {
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
