package podspec_test

import (
	"testing"
)

// Keys spell a selection out: equal ones are counted together, so different ones must
// not be equal.
func TestKeysTellSelectionsApart(t *testing.T) {
	seen := map[string]string{}
	for _, words := range []string{
		"near(k)", "near(k all)", "near(k app=x)", "near(k app=y)", "near(k app)", "near(k !app)", "near(k app!=x)",
		"in(other) near(k app=x)", "near(k app=x ns=a,b)", "near(k app=x ns=a nsel:all)", "near(k app=x nsel:all)", "near(k app=x nsel:team=a)",
		"near(k app=x nsel:team)", "near(k app=x) near(k app=y)", "near(k app=x tier=t)", "near(k app=x) near(k tier=t)", "near(k app=x,t)",
	} {
		p := ofWords(words)
		key := p.Affinity.Partners.Key
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s select the same: %q", words, other, key)
		}
		seen[key] = words
		if again := ofWords(words).Affinity.Partners.Key; again != key {
			t.Errorf("%s: %q and %q", words, key, again)
		}
	}
	same := func(a, b string) {
		t.Helper()
		if x, y := ofWords(a).Affinity, ofWords(b).Affinity; x.Partners.Key != y.Partners.Key {
			t.Errorf("%s: %q, %s: %q, want the same", a, x.Partners.Key, b, y.Partners.Key)
		}
	}
	same("near(k app=x ns=b,a)", "near(k app=x ns=a,b)")
	same("near(k app=x tier=t)", "near(k tier=t app=x)")
	same("near(k app=x)", "app=z near(l app=x)")
	spread := ofWords("spread(1 k app=x)").Spread.Hard[0].Pods
	if near := ofWords("near(k app=x)").Affinity.Partners; near.Key == spread.Key || spread.Terminating {
		t.Errorf("what counts those that are being deleted is what does not: %q", near.Key)
	}
}
