package oracle

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestUnitsHaveNoEnd(t *testing.T) {
	f := func(name corev1.ResourceName, text, want string) {
		t.Helper()
		if got := unitsOf(name, resource.MustParse(text)).String(); got != want {
			t.Errorf("%s of %s is %s, want %s", text, name, got, want)
		}
	}
	f("cpu", "1", "1000")
	f("cpu", "1n", "1") // rounded up
	f("cpu", "1500u", "2")
	f("cpu", "10P", "10000000000000000000")
	f("memory", "0", "0")
	f("memory", "1500m", "2")
	f("memory", "8Gi", "8589934592")
	f("memory", "50E", "50000000000000000000")
	f("memory", "-1500m", "-2")
}

func TestBeyondInt64(t *testing.T) {
	f := func(text string, times int64, want bool) {
		t.Helper()
		e := exact{}
		e.add(corev1.ResourceList{"memory": resource.MustParse(text)})
		if got := e.beyond("memory", times); got != want || e.anyBeyond(times) != want {
			t.Errorf("%d times %s is beyond: %v, want %v", times, text, got, want)
		}
	}
	f("9223372036854775807", 1, false)
	f("10E", 1, true)
	f("100Pi", 1, false)
	f("100Pi", 82, true)
	f("100Pi", 81, false)
	f("1", 1000, false)
	e := exact{}
	e.add(corev1.ResourceList{"memory": resource.MustParse("5E")})
	if e.beyond("cpu", 1) || e.beyond("memory", 1) {
		t.Error("5E is beyond")
	}
	if e.add(corev1.ResourceList{"memory": resource.MustParse("5E")}); !e.beyond("memory", 1) {
		t.Error("twice 5E is not beyond")
	}
}
