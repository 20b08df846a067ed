package scheduler

import (
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/framework/runtime"
)

// logTable logs who runs at each point of a profile.
func logTable(t runtime.Table) {
	klog.V(2).InfoS("the scheduler starts to work with those plugins", "Plugins", table(t))
}

// table is a Table that prints itself as upstream's log does.
type table runtime.Table

// MarshalJSON names each point, MultiPoint among them, though it is expanded.
func (t table) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for at := range config.Points {
		list, err := json.Marshal(t[at])
		if err != nil {
			return nil, err
		}
		if at == config.PlacementGenerate {
			b.WriteString(`,"MultiPoint":{"Enabled":null,"Disabled":null}`)
		}
		fmt.Fprintf(&b, `,"%v":{"Enabled":%s,"Disabled":null}`, at, list)
	}
	b.WriteByte('}')
	text := b.Bytes()
	text[0] = '{' // the first comma
	return text, nil
}
