package podspec_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-scheduler/berth/pkg/podspec"
	"github.com/berth-scheduler/berth/test/sim"
)

func TestQuantitiesSaturate(t *testing.T) {
	const most = math.MaxInt64
	f := func(text string, whole, milli int64) {
		t.Helper()
		q := resource.MustParse(text)
		if got := podspec.Whole(q); got != whole {
			t.Errorf("%s is %d, want %d", text, got, whole)
		}
		if got := podspec.Milli(q); got != milli {
			t.Errorf("%s is %d thousandths, want %d", text, got, milli)
		}
	}
	f("0", 0, 0)
	f("1n", 1, 1) // rounded up
	f("1500m", 2, 1500)
	f("1500001u", 2, 1501)
	f("9223372036854775807", most, most)
	f("9223372036854775806", most-1, most)
	f("9223372036854775807m", 9223372036854776, most)
	f("9223372036854775806m", 9223372036854776, most-1)
	f("9E", 9e18, most)
	f("50E", most, most) // as int64 it would wrap to 0
	f("16Ei", most, most)
	f("10P", 10e15, most)
	f("9223372036854775807k", most, most)
}

func TestQuantitiesSaturateLikeBigNumbers(t *testing.T) {
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	for seed := range sim.Seeds(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		number := strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		q := resource.MustParse(number + suffixes[r.IntN(len(suffixes))])
		if r.IntN(3) == 0 { // a sum is kept in another form than what was parsed
			q.Add(q.DeepCopy())
		}
		if got, want := podspec.Whole(q), bigUnits(q, 1); got != want {
			t.Fatalf("seed %d: %s is %d, want %d", seed, q.String(), got, want)
		}
		if got, want := podspec.Milli(q), bigUnits(q, 1000); got != want {
			t.Fatalf("seed %d: %s is %d thousandths, want %d", seed, q.String(), got, want)
		}
	}
}

// bigUnits counts q in parts of one, rounded up, at most the largest int64.
func bigUnits(q resource.Quantity, parts int64) int64 {
	q = q.DeepCopy()
	dec := q.AsDec()
	unscaled := new(big.Int).Mul(dec.UnscaledBig(), big.NewInt(parts))
	ten := func(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }
	if scale := int64(dec.Scale()); scale <= 0 {
		unscaled.Mul(unscaled, ten(-scale))
	} else {
		unit := ten(scale)
		unscaled.Add(unscaled, unit).Sub(unscaled, big.NewInt(1)).Quo(unscaled, unit)
	}
	if !unscaled.IsInt64() {
		return math.MaxInt64
	}
	return unscaled.Int64()
}

func TestNegativeQuantitiesCountAsNone(t *testing.T) {
	r := podspec.NewResources()
	for _, text := range []string{"-1", "-1m", "-9E", "-50E", "-10P", "-16Ei", "-9223372036854775807"} {
		q := resource.MustParse(text)
		if v := r.Vector(corev1.ResourceList{corev1.ResourceCPU: q, corev1.ResourceMemory: q}); len(v) != 0 {
			t.Errorf("%s is %v, want nothing", text, v)
		}
	}
}

func TestNamesThatCount(t *testing.T) {
	f := func(name corev1.ResourceName, scalar, extended bool) {
		t.Helper()
		if got := podspec.IsScalar(name); got != scalar {
			t.Errorf("%s is a scalar: %v, want %v", name, got, scalar)
		}
		if got := podspec.IsExtended(name); got != extended {
			t.Errorf("%s is extended: %v, want %v", name, got, extended)
		}
		fixed := name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage
		if _, got := podspec.NewResources().Column(name); got != (scalar || fixed) {
			t.Errorf("%s has a column: %v, want %v", name, got, scalar || fixed)
		}
	}
	f("cpu", false, false)
	f("memory", false, false)
	f("ephemeral-storage", false, false)
	f("pods", false, false)
	f("storage", false, false)
	f("gpu", false, false)
	f("", false, false)
	f("example.com/gpu", true, true)
	f("nvidia.com/mig-1g.5gb", true, true)
	f("hugepages-2Mi", true, false)
	f("hugepages-", true, false)
	f("attachable-volumes-csi-disk.example.com", true, false)
	f("kubernetes.io/batch-cpu", true, false)
	f("sub.kubernetes.io/x", true, false)
	f("deviceclass.resource.kubernetes.io/gpu", true, false)
	f("requests.example.com/gpu", false, false) // a quota's name
	f("example.com/", false, false)
	f("example.com/a/b", false, false)
	f("exa mple.com/gpu", false, false)
	f("/gpu", false, false)
	f(corev1.ResourceName("example.com/"+longName(63)), true, true)
	f(corev1.ResourceName("example.com/"+longName(64)), false, false)
}

func longName(n int) string { return strings.Repeat("a", n) }

func TestVectorsAreSortedByColumn(t *testing.T) {
	r := podspec.NewResources()
	for seed := range sim.Seeds(300) {
		for _, n := range sim.New(seed).World().Nodes {
			v := r.Vector(n.Status.Allocatable)
			if !slices.IsSortedFunc(v, func(a, b podspec.Amount) int { return int(a.Col - b.Col) }) {
				t.Fatalf("seed %d: %v is not sorted", seed, v)
			}
			for _, a := range v {
				if want := bigUnits(n.Status.Allocatable[r.Name(a.Col)], parts(a.Col)); a.Value != want || v.Of(a.Col) != want || want == 0 {
					t.Fatalf("seed %d: %s is %d and %d, want %d", seed, r.Name(a.Col), a.Value, v.Of(a.Col), want)
				}
			}
		}
	}
	if r.Vector(nil).Of(podspec.CPU) != 0 {
		t.Error("an empty vector has CPU")
	}
}

func parts(col int32) int64 {
	if col == podspec.CPU {
		return 1000
	}
	return 1
}
