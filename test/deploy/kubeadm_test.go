package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/yaml"

	"github.com/berth-scheduler/berth/test/controlplane/tools"
)

// mustPod reads a pod and accepts no field that the API does not have.
func mustPod(t *testing.T, text []byte) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(text, pod); err != nil {
		t.Fatal(err)
	}
	return pod
}

// kubeadm's own static pod with our patch is the one beside the patch, flags and probes
// included.
func TestKubeadmMakesTheStaticPod(t *testing.T) {
	if testing.Short() {
		t.Skip("kubeadm has to be built")
	}
	programs, err := tools.Paths(t.Context(), "kubeadm")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := exec.Command(programs[0], "init", "phase", "control-plane", "scheduler", "--dry-run",
		"--kubernetes-version", "v1.37.2", "--patches", filepath.Join(root, "manifests", "static-pod", "patches"))
	run.Env = append(os.Environ(), "KUBEADM_INIT_DRYRUN_DIR="+dir)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("kubeadm: %v\n%s", err, out)
	}
	var made string
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "kube-scheduler.yaml" {
			made = path
		}
		return err
	})
	if err != nil || made == "" {
		t.Fatalf("kubeadm wrote no static pod: %v", err)
	}
	text, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	got, want := mustPod(t, text), mustPod(t, mustRead(t, "manifests", "static-pod", "kube-scheduler.yaml"))
	if !equality.Semantic.DeepEqual(got, want) {
		t.Errorf("kubeadm makes another static pod: -ours +kubeadm's:\n%s", cmp.Diff(want, got))
	}
}
