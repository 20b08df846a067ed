package cluster

// grown returns a column with n places at least, the new ones zero.
func grown[T any](column []T, n int) []T {
	if missing := n - len(column); missing > 0 {
		column = append(column, make([]T, missing)...)
	}
	return column
}
