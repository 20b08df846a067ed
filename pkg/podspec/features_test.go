package podspec_test

import (
	"strings"
	"testing"

	"k8s.io/component-helpers/nodedeclaredfeatures"

	"github.com/berth-scheduler/berth/pkg/podspec"
)

func TestFeaturesThatAPodNeeds(t *testing.T) {
	f := func(spec string, want ...string) {
		t.Helper()
		p, _ := compile(t, "spec: "+spec)
		names, err := nodedeclaredfeatures.DefaultFramework.Unmap(p.Features)
		if got, want := strings.Join(names, " "), strings.Join(want, " "); got != want || err != nil || p.FeaturesErr != nil {
			t.Errorf("%s needs %s (%v, %v), want %s", spec, got, err, p.FeaturesErr, want)
		}
		if again, err := podspec.RequiredFeatures(p.API); err != nil || !again.Equal(p.Features) {
			t.Errorf("%s: other features when asked about the API's pod (%v)", spec, err)
		}
		if p.Features.IsEmpty() != (len(want) == 0) {
			t.Errorf("%s: needs none: %v", spec, p.Features.IsEmpty())
		}
	}
	const restart, users, mounts = "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions"
	f(`{}`)
	f(`{containers: [{name: a}]}`)

	f(`{containers: [{name: a, restartPolicyRules: [{action: Restart}, {action: RestartAllContainers}]}]}`, restart)
	f(`{initContainers: [{name: i, restartPolicyRules: [{action: RestartAllContainers}]}]}`, restart)
	f(`{containers: [{name: a, restartPolicyRules: [{action: Restart}]}]}`)

	f(`{hostNetwork: true, hostUsers: false}`, users)
	f(`{hostNetwork: true, hostUsers: true}`)
	f(`{hostNetwork: true}`)
	f(`{hostUsers: false}`)

	f(`{containers: [{name: a, volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w, bindMountOptions: [noexec]}]}]}`, mounts)
	f(`{containers: [{name: a, volumeMounts: [{name: v, mountPath: /v, bindMountOptions: []}]}]}`)

	f(`{hostNetwork: true, hostUsers: false, containers: [{name: a, restartPolicyRules: [{action: RestartAllContainers}],
		volumeMounts: [{name: w, mountPath: /w, bindMountOptions: [noexec]}]}]}`, restart, users, mounts)
}
