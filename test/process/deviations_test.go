package process

import (
	"bufio"
	"cmp"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// Where we differ on purpose. wantOurs is our message, "" when we start; so is wantTheirs.
func TestWhereWeDiffer(t *testing.T) {
	f := func(line, wantOurs, wantTheirs string) {
		t.Helper()
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			args := fill(t, append([]string{"--secure-port=0", "--write-config-to=FILE"}, split(line)...))
			for _, program := range []struct{ path, want string }{{ours, wantOurs}, {upstream, wantTheirs}} {
				got := ask(t, program.path, args...)
				if program.path == ours {
					differs("command lines", line, cmp.Or(program.want, "starts"))
				}
				if got.Message != program.want || (got.Code == 0) != (program.want == "") || (got.File == "") != (program.want != "") {
					t.Errorf("%s: code %d, message %q, want %q", program.path, got.Code, got.Message, program.want)
				}
			}
		})
	}
	// A file that names no kubeconfig takes the flag's.
	f("--config=DIR/plain.yaml --kubeconfig=DIR/kubeconfig", "",
		"invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable")
	// Flags of leader election are checked without a file as well.
	f(nowhere+" --leader-elect-resource-lock=endpoints", `leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"`,
		"couldn't create resource lock: endpoints lock is removed, migrate to leases")
	f(nowhere+" --leader-elect-lease-duration=1s", "leaderElection.leaseDuration: Invalid value: \"10s\": must be greater than `RenewDeadline`", "")
	f(nowhere+" --leader-elect-resource-name=", "leaderElection.resourceName: Required value", "")
	f(nowhere+" --kube-api-burst=-1", "clientConnection.burst: Invalid value: -1: must be non-negative",
		"burst is required to be greater than 0 when RateLimiter is not set and QPS is set to greater than 0")
	// A gate of ours.
	f(nowhere+" --feature-gates=ScoreAllNodes=false", "", "unrecognized feature gate: ScoreAllNodes")
	// What is not built refuses the start.
	f(nowhere+" --feature-gates=GenericWorkload=true", "feature gate GenericWorkload cannot be turned on: this version does not have pod groups", "")
	f(nowhere+" --config=DIR/gang.yaml", "initializing profiles: creating profile for scheduler name default-scheduler: "+
		`plugin "GangScheduling" is enabled, which this version does not have`, "")
}

var (
	section   = regexp.MustCompile(`^(\w[\w ]* flags):$`)
	flagLine  = regexp.MustCompile(`^ +(-\w, )?(--[\w-]+)( [\w=.,\[\]]+)? `)
	byDefault = regexp.MustCompile(`\(default .*\)$`)
	gateLine  = regexp.MustCompile(`kube:\w+=true.*`)
)

// flagsOf reads section, name, type and default of each flag, and all gates, from the
// help.
func flagsOf(t *testing.T, program string) (list []string) {
	t.Helper()
	out, err := exec.Command(program, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	at := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if m := section.FindStringSubmatch(line); m != nil {
			at = m[1]
		} else if m := flagLine.FindStringSubmatch(line); m != nil {
			list = append(list, at+m[1]+m[2]+m[3]+byDefault.FindString(line))
		}
		if gate := gateLine.FindString(line); gate != "" && !strings.HasPrefix(gate, "kube:ScoreAllNodes=") {
			list = append(list, gate)
		}
	}
	return list
}

func TestHelpListsTheSameFlagsAndGates(t *testing.T) {
	got, want := flagsOf(t, ours), flagsOf(t, upstream)
	for _, item := range want {
		note("flags and gates", item, slices.Contains(got, item))
	}
	if diff := gocmp.Diff(got, want); diff != "" || len(want) < 200 {
		t.Errorf("%d flags and gates, want %d: ours (-), upstream's (+):\n%s", len(got), len(want), diff)
	}
}

// A stop that was asked for is no failure, whether a leader is elected or not.
func TestSignalEndsWithoutAFailure(t *testing.T) {
	cmd := exec.Command(ours, nowhere, "--secure-port=0", "--leader-elect=false")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "Starting Kubernetes Scheduler") {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), "Requested to terminate, exiting") {
		t.Errorf("ended with %v:\n%s", err, said.String())
	}
}
