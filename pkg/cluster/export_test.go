package cluster

// Note sets how many tallies count a pod at once, and how many moves are noted for others.
func (c *Cluster) Note(few, most int) {
	c.topology.moves.few, c.topology.moves.most = few, most
}
