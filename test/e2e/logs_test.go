package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/berth-scheduler/berth/test/controlplane"
	"github.com/berth-scheduler/berth/test/controlplane/object"
)

// At its most talkative, and through all that it may tell of in an ordinary life, each line
// is one JSON object in which no key comes twice. kube-scheduler has lines with two keys
// "pod", of which a parser keeps either. What client-go says at this level reads what a
// request that goes on writes, as the race detector finds, which would also add lines of its
// own.
func TestJSONLogsHaveUniqueKeys(t *testing.T) {
	t.Parallel()
	c := controlplane.Start(t, controlplane.Options{})
	ctx := within(t, time.Minute)
	must(t, c.CreateNodes(ctx, object.Node("n1", object.CPU("1"))))
	p := startUnraced(t, c, "-v=10", "--logging-format=json", "--leader-elect=true")
	must(t, c.CreatePods(ctx, object.Pod("fits", object.CPU("1")), object.Pod("gated", object.Gate("example.com/g"))))
	_, err := c.WaitBound(ctx, "default", "fits")
	must(t, err)
	must(t, c.CreatePods(ctx, object.Pod("whale", object.CPU("9"))))
	_, err = c.WaitReason(ctx, "default", "whale", "Unschedulable")
	must(t, err)
	p.Signal(syscall.SIGUSR2)
	read := func() []byte {
		text, err := os.ReadFile(p.Log)
		must(t, err)
		return text
	}
	must(t, c.WaitFor(ctx, "the dump of the queue", func(context.Context) error {
		if !bytes.Contains(read(), []byte("Dump of scheduling queue")) {
			return errors.New("it is not in the log")
		}
		return nil
	}))
	p.Signal(syscall.SIGTERM)
	if how := p.Wait(); !how.Success() {
		t.Errorf("a leader that was told to end ended with %v", how)
	}

	text := read()
	for line := range bytes.Lines(text) {
		if err := uniqueKeys(line); err != nil {
			t.Errorf("%v in %s", err, line)
		}
	}
	for _, message := range []string{
		"Starting Kubernetes Scheduler", "the scheduler starts to work with those plugins", "Leading",
		"Successfully bound pod to node", "Unable to schedule pod; no fit; waiting", "Dump of cached NodeInfo", "Requested to terminate, exiting",
	} {
		if !bytes.Contains(text, []byte(`"msg":"`+message+`"`)) {
			t.Errorf("no line says %q", message)
		}
	}
}

// uniqueKeys reads one JSON value, and nothing after it.
func uniqueKeys(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if err := walk(d); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("more than a value: %w", err)
	}
	return nil
}

func walk(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if seen[key] {
				return fmt.Errorf("key %q twice", key)
			}
			seen[key] = true
		}
		if err := walk(d); err != nil {
			return err
		}
	}
	_, err = d.Token() // the end
	return err
}
