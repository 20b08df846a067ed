package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/berth-scheduler/berth/pkg/clock"
)

// Moment is one input and when it came. A tape is a sequence of them; replayed into an
// engine of the same configuration it gives the same outputs.
type Moment struct {
	Now clock.Now
	In  Input
}

// record is a Moment on the tape, one JSON object a line.
type record struct {
	Mono time.Duration   `json:"mono"`
	Wall time.Time       `json:"wall"`
	Kind string          `json:"kind"`
	In   json.RawMessage `json:"in"`
}

// kinds are the inputs by the name they have on a tape.
var kinds = func() map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, in := range []Input{
		NodeSeen{}, NodeGone{}, PodSeen{}, PodGone{}, NamespaceSeen{}, NamespaceGone{},
		ServiceSeen{}, ServiceGone{}, ControllerSeen{}, ControllerGone{}, BindDone{}, StatusDone{},
		Answered{}, Allow{}, Deny{}, Tick{}, Decide{},
	} {
		t := reflect.TypeOf(in)
		m[t.Name()] = t
	}
	return m
}()

// WriteMoment appends one moment to a tape.
func WriteMoment(w io.Writer, m Moment) error {
	body, err := json.Marshal(m.In)
	if err != nil {
		return fmt.Errorf("cannot write %T to the tape: %w", m.In, err)
	}
	line, err := json.Marshal(record{Mono: m.Now.Mono, Wall: m.Now.Wall, Kind: reflect.TypeOf(m.In).Name(), In: body})
	if err != nil {
		return fmt.Errorf("cannot write %T to the tape: %w", m.In, err)
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// ReadTape calls play with each moment of a tape.
func ReadTape(r io.Reader, play func(Moment)) error {
	lines := json.NewDecoder(bufio.NewReader(r))
	for n := 1; ; n++ {
		var rec record
		if err := lines.Decode(&rec); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("tape record %d: %w", n, err)
		}
		kind, known := kinds[rec.Kind]
		if !known {
			return fmt.Errorf("tape record %d: unknown input %q", n, rec.Kind)
		}
		in := reflect.New(kind)
		if err := json.Unmarshal(rec.In, in.Interface()); err != nil {
			return fmt.Errorf("tape record %d: %w", n, err)
		}
		play(Moment{Now: clock.Now{Mono: rec.Mono, Wall: rec.Wall}, In: in.Elem().Interface().(Input)})
	}
}

// WriteOutput writes what a step handed out, one JSON object a line, effects by kind.
// Equal outputs give equal bytes.
func WriteOutput(w io.Writer, out Output) error {
	lines := json.NewEncoder(w)
	for i := range out.Decisions {
		if err := lines.Encode(map[string]any{"decision": out.Decisions[i]}); err != nil {
			return err
		}
	}
	for _, effect := range out.Effects {
		if err := lines.Encode(map[string]any{reflect.TypeOf(effect).Name(): effect}); err != nil {
			return err
		}
	}
	for i := range out.Settled {
		if err := lines.Encode(map[string]any{"settled": out.Settled[i]}); err != nil {
			return err
		}
	}
	return nil
}
