package cluster

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/berth-scheduler/berth/pkg/bitset"
	"github.com/berth-scheduler/berth/pkg/podspec"
)

// ports is which host ports are taken on which rows. Users are counted, so that a port
// is free when the last of its pods has left.
type ports struct {
	taken map[portKey][]*portUse
}

type portKey struct {
	protocol corev1.Protocol
	port     int32
}

// portUse is the rows on which one address of a port is taken.
type portUse struct {
	ip    string
	users map[int32]int // by row; rows without are not in it
	rows  bitset.Set
}

func newPorts() *ports { return &ports{taken: map[portKey][]*portUse{}} }

func (c *ports) add(row int32, p *podspec.Pod) {
	for _, hp := range p.HostPorts {
		use := c.use(hp)
		use.users[row]++
		if int(row) >= use.rows.Len() {
			use.rows.Resize(int(row) + 1)
		}
		use.rows.Add(row)
	}
}

func (c *ports) remove(row int32, p *podspec.Pod) {
	for _, hp := range p.HostPorts {
		use := c.use(hp)
		if use.users[row]--; use.users[row] > 0 {
			continue
		}
		delete(use.users, row)
		use.rows.Remove(row)
		if len(use.users) == 0 {
			c.drop(hp, use)
		}
	}
}

// drop forgets an address of a port that nobody has taken any more.
func (c *ports) drop(hp podspec.HostPort, use *portUse) {
	key := portKey{hp.Protocol, hp.Port}
	if c.taken[key] = without(c.taken[key], use); len(c.taken[key]) == 0 {
		delete(c.taken, key)
	}
}

func (c *ports) use(hp podspec.HostPort) *portUse {
	key := portKey{hp.Protocol, hp.Port}
	for _, use := range c.taken[key] {
		if use.ip == hp.IP {
			return use
		}
	}
	use := &portUse{ip: hp.IP, users: map[int32]int{}}
	c.taken[key] = append(c.taken[key], use)
	return use
}

// ClearTaken removes from rows those on which a host port conflicts with one that is
// taken: same port and protocol, and the same address or one that stands for all.
func (v *View) ClearTaken(rows *bitset.Set, hp podspec.HostPort) {
	for _, use := range v.ports.taken[portKey{hp.Protocol, hp.Port}] {
		if use.ip == hp.IP || use.ip == podspec.AnyIP || hp.IP == podspec.AnyIP {
			use.rows.Resize(v.Rows())
			rows.AndNot(&use.rows)
		}
	}
}
