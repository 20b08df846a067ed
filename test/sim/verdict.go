package sim

import (
	"fmt"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/framework"
)

// verdict is what a rule says of one node.
type verdict struct {
	node    string
	row     int32
	code    fwk.Code
	reasons []string // sorted
}

func (v verdict) String() string { return fmt.Sprintf("%v %q", v.code, v.reasons) }

// compare asks the plugin in every way that the chain does, as the cluster is now.
func (tr *trial) compare(rows *bitset.Set) error {
	want := tr.verdicts()
	if err := tr.compareRows(want, rows); err != nil {
		return err
	}
	if tr.skip { // the chain does not ask any further
		return nil
	}
	all := tr.live()
	if err := tr.narrow(all, want); err != nil {
		return err
	}
	for i := range want {
		one := tr.live()
		one.Clear()
		one.Add(want[i].row)
		if err := tr.narrow(one, want[i:i+1]); err != nil {
			return fmt.Errorf("with that row alone: %w", err)
		}
	}
	return nil
}

// verdicts asks the plain definition about every node.
func (tr *trial) verdicts() []verdict {
	list := make([]verdict, 0, len(tr.world.Nodes))
	for _, n := range tr.world.Nodes {
		row, _ := tr.cycle.View.Row(n.Name)
		v := verdict{node: n.Name, row: row}
		v.code, v.reasons = tr.plain(n, tr.on[n.Name], tr.cycle.Pod.API)
		slices.Sort(v.reasons)
		list = append(list, v)
	}
	return list
}

// compareRows checks what PreFilter said: a Skip when some node refuses, or rows
// without a node that takes the pod, would be wrong.
func (tr *trial) compareRows(want []verdict, rows *bitset.Set) error {
	for _, v := range want {
		if tr.skip && v.code != fwk.Success {
			return fmt.Errorf("node %s: PreFilter skips, want %v", v.node, v)
		}
		if rows != nil && v.code == fwk.Success && !rows.Has(v.row) {
			return fmt.Errorf("node %s: not among PreFilter's rows, want %v", v.node, v)
		}
	}
	return nil
}

// compareReject checks that PreFilter refused a pod that no node takes, with the code
// that each of them would give.
func (tr *trial) compareReject() error {
	for _, v := range tr.verdicts() {
		if v.code != tr.reject.Code {
			return fmt.Errorf("node %s: PreFilter rejects the pod with %v %q, want %v", v.node, tr.reject.Code, tr.reject.Reasons, v)
		}
	}
	return nil
}

// narrow narrows a mask, without and with verdicts. want speaks of the rows in it.
func (tr *trial) narrow(mask *bitset.Set, want []verdict) error {
	var fit, explained bitset.Set
	fit.CopyFrom(mask)
	if err := tr.plugin.Narrow(&tr.cycle, &fit, nil); err != nil {
		return err
	}
	var why framework.Verdicts
	why.Reset(tr.cycle.View.Rows())
	why.By(tr.plugin.Name())
	explained.CopyFrom(mask)
	if err := tr.plugin.Narrow(&tr.cycle, &explained, &why); err != nil {
		return err
	}
	fitting := mask
	for _, v := range want {
		if got := fit.Has(v.row); got != (v.code == fwk.Success) {
			return fmt.Errorf("node %s: fits: %v, want %v", v.node, got, v)
		}
		got := verdict{}
		got.code, got.reasons = why.Row(v.row)
		slices.Sort(got.reasons)
		if got.code != v.code || !slices.Equal(got.reasons, v.reasons) {
			return fmt.Errorf("node %s: %v, want %v", v.node, got, v)
		}
		if v.code != fwk.Success {
			fitting.Remove(v.row)
		}
	}
	if !fit.Equal(fitting) || !explained.Equal(fitting) {
		return fmt.Errorf("rows that fit: %v, with reasons %v, want %v", &fit, &explained, fitting)
	}
	return nil
}

func (tr *trial) live() *bitset.Set {
	var s bitset.Set
	s.CopyFrom(tr.cycle.View.Live())
	return &s
}
