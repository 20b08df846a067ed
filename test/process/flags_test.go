package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/berth-scheduler/berth/test/controlplane"
)

const (
	header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

	kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x
`
)

// inputs are files that command lines may name, as DIR/<name>.
var inputs = map[string]string{
	"kubeconfig":  kubeconfig,
	"empty":       "",
	"broken":      "root:x:0:0\n",
	"plain.yaml":  header,
	"lease.yaml":  header + "leaderElection: {leaseDuration: 40s, resourceName: mine}\n",
	"client.yaml": header + "clientConnection: {qps: 7, burst: 8}\nenableProfiling: false\n",
	"gang.yaml":   header + "profiles: [{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}]\n",
	"metrics":     "m,l: a,b\n",
}

// fill writes the inputs and puts their folder in the place of DIR.
func fill(t *testing.T, args []string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range inputs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = strings.ReplaceAll(arg, "DIR", dir)
	}
	return out
}

// compare runs command lines, one to a line, through both programs. The port is off
// unless they say otherwise, and a scheduler that would start writes its configuration.
func compare(t *testing.T, lines string, common ...string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			args := fill(t, append(append([]string{"--secure-port=0", "--write-config-to=FILE"}, common...), split(line)...))
			diff := cmp.Diff(ask(t, ours, args...), ask(t, upstream, args...))
			if diff != "" {
				t.Errorf("ours (-), upstream's (+):\n%s", diff)
			}
			note("command lines", line, diff == "")
		})
	}
}

// split cuts a line at its spaces; ␣ stands for one within a word.
func split(line string) []string {
	words := strings.Fields(line)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "␣", " ")
	}
	return words
}

func TestFlagsAreReadAlike(t *testing.T) {
	compare(t, `
		--foo
		-foo
		--logtostderr
		--kube_api_qps=3
		foo bar
		--secure-port=x
		--bind-address=foo
		--leader-elect-lease-duration=5
		--leader-elect=maybe
		--kube-api-qps=x
		--kube-api-burst=99999999999
		-v=x
		-v=-1
		-v=99999999999
		--vmodule=a
		--allow-metric-labels=foo
		--version
		--version=raw
		--version=x
		--version=v1.36.0
		--version=v1.37.2-custom
		--version=false
		--version --feature-gates=Nope=true
		--version --secure-port=99999
		--help
	`, nowhere)
}

func TestGatesAndVersionsWorkAlike(t *testing.T) {
	compare(t, `
		--feature-gates=
		--feature-gates=Nope=true
		--feature-gates=Nope=true --secure-port=99999
		--feature-gates=GenericWorkload
		--feature-gates=GenericWorkload=maybe
		--feature-gates=DynamicResourceAllocation=false
		--feature-gates=CustomResourceFieldSelectors=false
		--feature-gates=CompositePodGroup=true
		--feature-gates=InPlacePodLevelResourcesVerticalScaling=true,PodLevelResources=false,PodLevelResourcesFixDefaulting=false,PodLevelResourcesFixKubeletQOSClass=false
		--feature-gates=kube:StorageCapacityScoring=false
		--feature-gates=foo:StorageCapacityScoring=false
		--feature-gates=kube:StorageCapacityScoring=false --feature-gates=WatchListClient=false
		--feature-gates=StorageCapacityScoring=false --feature-gates=WatchListClient=false
		--feature-gates=AllBeta=false
		--feature-gates=AllAlpha=false,AllBeta=false
		--feature-gates=SchedulerAsyncAPICalls=true,SchedulerAsyncPreemption=false,SchedulerPopFromBackoffQ=false
		--feature-gates=OpportunisticBatching=false,NominatedNodeNameForExpectation=false
		--feature-gates=TaintTolerationComparisonOperators=true,InterPodAffinityHostnameFastPath=true
		--emulated-version=1.34
		--emulated-version=1.35
		--emulated-version=kube=1.36
		--emulated-version=1.37
		--emulated-version=1.30
		--emulated-version=1.38
		--emulated-version=1.30 --secure-port=99999
		--emulated-version=1.37.2
		--emulated-version=foo=1.36
		--emulated-version=x
		--emulated-version=1.36,1.37
		--emulated-version=1.34 --feature-gates=GenericWorkload=true
		--emulated-version=1.35 --min-compatibility-version=1.36
		--min-compatibility-version=1.33
		--min-compatibility-version=1.36.1
		--min-compatibility-version=1.37
	`, nowhere, "-v=2")
}

func TestServingMetricsAndLogsAreCheckedAlike(t *testing.T) {
	compare(t, `
		--secure-port=99999
		--secure-port=-1
		--secure-port=0 --tls-cert-file=/nope --tls-private-key-file=/nope
		--requestheader-username-headers=
		--requestheader-client-ca-file=DIR/empty
		--http2-max-streams-per-connection=-1
		--show-hidden-metrics-for-version=1.30
		--show-hidden-metrics-for-version=x
		--show-hidden-metrics-for-version=1.36
		--disabled-metrics=a␣b[
		--disabled-metrics=scheduler_pending_pods
		--allow-metric-labels=foo=bar
		--allow-metric-labels=m,l=a
		--allow-metric-labels-manifest=/nope
		--allow-metric-labels-manifest=DIR/metrics
		--allow-metric-labels-manifest=/nope --allow-metric-labels=m,l=a
		--logging-format=xml
		--logging-format=json
		--logging-format=json --feature-gates=LoggingBetaOptions=false
		--logging-format=json --vmodule=a=3
		--logging-format=json --log-json-split-stream
		--log-flush-frequency=0
		--log-text-split-stream
		--log-text-split-stream --feature-gates=LoggingAlphaOptions=true
		--log-text-info-buffer-size=4k
	`, nowhere)
}

// Here the port is on, so that what belongs to it is read. It is shared, as two of
// them may run at once.
func TestServingFilesAreReadAlike(t *testing.T) {
	compare(t, `
		--tls-cert-file=/nope --tls-private-key-file=/nope
		--tls-cert-file=DIR/empty --tls-private-key-file=DIR/empty
		--tls-cert-file=/nope
		--tls-sni-cert-key=/nope,/nope
		--tls-sni-cert-key=/nope
		--tls-cipher-suites=Foo
		--tls-min-version=Foo
		--tls-curve-preferences=99999
		--cert-dir=DIR/empty
		--client-ca-file=/nope
		--client-ca-file=DIR/empty
		--requestheader-client-ca-file=/nope
		--authentication-kubeconfig=/nope
		--authentication-kubeconfig=DIR/broken
		--authentication-kubeconfig=DIR/empty
		--authentication-kubeconfig=DIR/kubeconfig
		--authentication-kubeconfig=DIR/kubeconfig --authentication-skip-lookup
		--authentication-kubeconfig=DIR/kubeconfig --authentication-tolerate-lookup-failure=false
		--authorization-kubeconfig=/nope
		--authorization-kubeconfig=DIR/broken
		--authorization-kubeconfig=DIR/kubeconfig
		--authorization-always-allow-paths=a*b
	`, nowhere, "--bind-address=127.0.0.1", "--permit-port-sharing", "--secure-port="+controlplane.HoldPort(t))
}

// Case B65: a file without a kubeconfig, and files that are missing. TestWhereWeDiffer has
// what differs with --kubeconfig beside a file.
func TestAddressOfTheAPIServerIsFoundAlike(t *testing.T) {
	compare(t, `
		--kubeconfig=DIR/kubeconfig
		--kubeconfig=/nope
		--kubeconfig=DIR/broken
		--kubeconfig=DIR/empty
		--kubeconfig=DIR
		--master=https://127.0.0.1:2
		--master=::
		--kubeconfig=DIR/kubeconfig --master=https://127.0.0.1:2
		--config=DIR/plain.yaml
		--config=DIR/plain.yaml --master=https://127.0.0.1:2
		--config=/nope
		--config=DIR
		--profiling=false
	`)
}

func TestDeprecatedFlagsStandInForAFileAlike(t *testing.T) {
	compare(t, `
		--profiling=false
		--contention-profiling=false
		--profiling=true
		--kube-api-content-type=application/json
		--kube-api-content-type=
		--kube-api-qps=7
		--kube-api-qps=0
		--kube-api-qps=-1
		--kube-api-burst=7
		--kube-api-burst=0
		--pod-max-in-unschedulable-pods-duration=1h
		--pod-max-in-unschedulable-pods-duration=-1h
		--config=DIR/client.yaml --kube-api-qps=3 --kube-api-burst=4 --profiling=true --contention-profiling=true --kube-api-content-type=x
	`, nowhere)
}

func TestLeaderElectionFlagsGoBeforeTheFileAlike(t *testing.T) {
	compare(t, `
		--leader-elect=false
		--leader-elect-lease-duration=30s --leader-elect-renew-deadline=20s --leader-elect-retry-period=5s
		--leader-elect-resource-name=a --leader-elect-resource-namespace=b
		--leader-elect=false --leader-elect-resource-lock=endpoints
		--config=DIR/lease.yaml
		--config=DIR/lease.yaml --leader-elect=false --leader-elect-lease-duration=1m --leader-elect-resource-lock=x
		--config=DIR/lease.yaml --leader-elect-resource-namespace=b
		--config=DIR/lease.yaml --leader-elect-resource-lock=x
		--config=DIR/lease.yaml --leader-elect-lease-duration=1s --leader-elect-resource-name=
		--config=DIR/lease.yaml --leader-elect-renew-deadline=0s
	`, nowhere)
}

func TestFileToWriteToMustBeWritable(t *testing.T) {
	compare(t, "--write-config-to=/nope/x", nowhere)
}
