package podspec

import (
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-scheduler/berth/pkg/intern"
)

// Columns that every cluster has. Further ones are numbered as they are seen.
const (
	CPU       int32 = iota // milli-CPU
	Memory                 // bytes
	Ephemeral              // ephemeral-storage, bytes

	firstScalar // extended resources, hugepages and other counted names
)

// Resources numbers the resource names of a cluster, and says what of a pod counts.
// Pods and nodes share one table, so an amount of a pod and a column of the cluster
// meet by number.
type Resources struct {
	PodLevelResources       bool // spec.resources counts
	PodLevelResourcesResize bool // and its values in status count as well

	names intern.Table[corev1.ResourceName]
}

// NewResources returns a table that knows the fixed columns, with every switch as it
// is by default.
func NewResources() *Resources {
	r := &Resources{PodLevelResources: true, PodLevelResourcesResize: true}
	r.names.ID(corev1.ResourceCPU)
	r.names.ID(corev1.ResourceMemory)
	r.names.ID(corev1.ResourceEphemeralStorage)
	return r
}

// Column returns the number of name; false for names that scheduling does not
// count, such as "pods" or a misspelt native resource.
func (r *Resources) Column(name corev1.ResourceName) (int32, bool) {
	if col, ok := r.names.Lookup(name); ok {
		return col, true
	}
	if !IsScalar(name) {
		return 0, false
	}
	return r.names.ID(name), true
}

// Known returns the number of a name that has one already.
func (r *Resources) Known(name corev1.ResourceName) (int32, bool) { return r.names.Lookup(name) }

// Name returns the name of a column.
func (r *Resources) Name(col int32) corev1.ResourceName { return r.names.Value(col) }

// Len returns how many columns have been numbered.
func (r *Resources) Len() int { return r.names.Len() }

// IsScalarColumn reports whether col is beyond CPU, memory and ephemeral storage.
func IsScalarColumn(col int32) bool { return col >= firstScalar }

// IsScalar reports whether a resource beyond CPU, memory and ephemeral storage
// is counted: extended resources, hugepages, attachable volumes and names
// below a kubernetes.io domain.
func IsScalar(name corev1.ResourceName) bool {
	s := string(name)
	return strings.HasPrefix(s, corev1.ResourceHugePagesPrefix) ||
		strings.HasPrefix(s, corev1.ResourceAttachableVolumesPrefix) ||
		strings.Contains(s, corev1.ResourceDefaultNamespacePrefix) ||
		IsExtended(name)
}

// IsExtended reports whether name is a resource outside the kubernetes.io
// domains that a device plugin or an administrator may add to a node.
func IsExtended(name corev1.ResourceName) bool {
	s := string(name)
	if !strings.Contains(s, "/") || strings.Contains(s, corev1.ResourceDefaultNamespacePrefix) ||
		strings.HasPrefix(s, corev1.DefaultResourceRequestsPrefix) {
		return false
	}
	return len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+s)) == 0
}

// Amount is a non-negative quantity of one resource column: milli-CPU for CPU,
// whole units for everything else.
type Amount struct {
	Col   int32
	Value int64
}

// Vector lists the non-zero amounts of a pod or node by rising column.
type Vector []Amount

// Of returns the amount of one column, 0 when absent.
func (v Vector) Of(col int32) int64 {
	for _, a := range v {
		if a.Col == col {
			return a.Value
		}
	}
	return 0
}

// Vector converts a resource list. Names that are not counted are left out, and
// a negative quantity counts as none.
func (r *Resources) Vector(list corev1.ResourceList) Vector {
	v := make(Vector, 0, len(list))
	for name, q := range list {
		col, counted := r.Column(name)
		if !counted {
			continue
		}
		if value := amountOf(col, q); value > 0 {
			v = append(v, Amount{Col: col, Value: value})
		}
	}
	sortByColumn(v)
	return v
}

func sortByColumn(v Vector) {
	for i := 1; i < len(v); i++ { // a handful of entries, nearly always in order
		for k := i; k > 0 && v[k].Col < v[k-1].Col; k-- {
			v[k], v[k-1] = v[k-1], v[k]
		}
	}
}

func amountOf(col int32, q resource.Quantity) int64 {
	if col == CPU {
		return Milli(q)
	}
	return Whole(q)
}

var (
	mostWhole = *resource.NewQuantity(math.MaxInt64, resource.DecimalSI)
	mostMilli = *resource.NewMilliQuantity(math.MaxInt64, resource.DecimalSI)
)

// Whole returns q in whole units, rounded up, in 0..MaxInt64. Quantity's own
// conversion wraps beyond int64 ("50E" becomes 0), at the negative end too.
func Whole(q resource.Quantity) int64 {
	switch {
	case q.Sign() <= 0:
		return 0
	case q.Cmp(mostWhole) >= 0:
		return math.MaxInt64
	}
	return q.Value()
}

// Milli returns q in thousandths, rounded up, in 0..MaxInt64.
func Milli(q resource.Quantity) int64 {
	switch {
	case q.Sign() <= 0:
		return 0
	case q.Cmp(mostMilli) >= 0:
		return math.MaxInt64
	}
	return q.MilliValue()
}
