package podspec_test

import (
	"strings"
	"testing"
)

func TestImagesOfEveryUse(t *testing.T) {
	f := func(spec, want string) {
		t.Helper()
		p, _ := compile(t, "spec: "+spec)
		if got := strings.Join(p.Images, " "); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
	f(`{}`, "")
	f(`{containers: [{name: a, image: "app:1"}, {name: b, image: "app:1"}]}`, "app:1 app:1") // once for each use
	f(`{containers: [{name: a, image: a}], initContainers: [{name: i, image: "i:2"}, {name: s, image: s, restartPolicy: Always}]}`,
		"i:2 s:latest a:latest")
	f(`{containers: [{name: a, image: a}], volumes: [{name: v, image: {reference: "data:3"}}, {name: e, emptyDir: {}}]}`, "a:latest data:3")
	f(`{containers: [{name: a, image: a}], volumes: [{name: v, image: {reference: data}}]}`, "a:latest data:latest")
	f(`{containers: [{name: a, image: a}], ephemeralContainers: [{name: e, image: debug}]}`, "a:latest")
}

func TestImageWithoutATagIsTheLatest(t *testing.T) {
	f := func(image, want string) {
		t.Helper()
		p, _ := compile(t, `spec: {containers: [{name: a, image: "`+image+`"}]}`)
		if got := strings.Join(p.Images, " "); got != want {
			t.Errorf("%s is %s, want %s", image, got, want)
		}
	}
	f("app", "app:latest")
	f("app:1", "app:1")
	f("app:latest", "app:latest")
	f("r.example.com/team/app", "r.example.com/team/app:latest")
	f("r.example.com/team/app:1", "r.example.com/team/app:1")
	f("h:5000/x", "h:5000/x:latest") // a colon before the last slash belongs to a port
	f("h:5000/x:1", "h:5000/x:1")
	f("h:5000/a/x", "h:5000/a/x:latest")
	const digest = "@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	f("app"+digest, "app"+digest)
	f("h:5000/x"+digest, "h:5000/x"+digest)
	f("app:1"+digest, "app:1"+digest)
	f("", ":latest")
}
