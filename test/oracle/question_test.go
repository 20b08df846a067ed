package oracle

import (
	"reflect"
	"strings"
	"testing"

	"github.com/berth-scheduler/berth/test/sim"
)

func TestAQuestionSurvivesItsFixture(t *testing.T) {
	sim.Each(t, 100, func(seed uint64) error {
		q, _ := Draw(seed)
		text, err := q.YAML()
		if err != nil {
			return err
		}
		read, err := ParseQuestion(text)
		if err != nil {
			return err
		}
		want, err := mustOracle(t).Ask(q, 1)
		if err != nil {
			return err
		}
		got, err := mustOracle(t).Ask(read, 1)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(got.Ours, want.Ours) || got.Upstream.Failure != want.Upstream.Failure {
			t.Errorf("seed %d: as a fixture it has another answer", seed)
		}
		return nil
	})
}

func TestASeedDrawsOneQuestion(t *testing.T) {
	for seed := range sim.Seeds(20) {
		a, _ := Draw(seed)
		if b, _ := Draw(seed); a.String() != b.String() || !reflect.DeepEqual(a, b) {
			t.Errorf("seed %d draws two questions", seed)
		}
	}
}

func TestWhatIsNoQuestion(t *testing.T) {
	f := func(text string) {
		t.Helper()
		if _, err := ParseQuestion([]byte(text)); err == nil {
			t.Errorf("%s is a question", text)
		}
	}
	const node = `{nodes: [{metadata: {name: n0}}], pod: {metadata: {name: p, uid: u}}`
	if _, err := ParseQuestion([]byte(node + "}")); err != nil {
		t.Error(err)
	}
	f(`{pod: {metadata: {name: p}}}`)
	f(`{nodes: [{metadata: {name: n0}}]}`)
	f(node + `, typo: 1}`)
	f(node + `, events: [{}]}`)
	f(node + `, events: [{nodeGone: m}]}`)
	f(node + `, events: [{podGone: u}]}`) // then it does not wait
	f(node + `, events: [{pod: {metadata: {name: q, uid: v}}}]}`)
}

func TestAQuestionIsDrawnAsText(t *testing.T) {
	q, err := ParseQuestion([]byte(`
profile: most
nodes: [{metadata: {name: n0}, status: {allocatable: {cpu: 4}}}]
pod: {metadata: {namespace: ns, name: p, uid: u}}
events: [{nodeGone: n0}, {node: {metadata: {name: m}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{"profile most", "node n0 {cpu:4}", "pod ns/p", "then node n0 is gone", "then node m {}", ""}, "\n")
	if got := q.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
