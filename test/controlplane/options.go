package controlplane

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The users that every control plane knows.
const (
	Admin     = "admin"                 // in group system:masters
	Scheduler = "system:kube-scheduler" // has the rights that Kubernetes gives a scheduler, and no more
)

// Options says how a control plane differs from the plain one.
type Options struct {
	// DataDir is kept after Stop, and a later control plane on it finds the same objects.
	// Empty means a fresh folder that Stop removes.
	DataDir string

	Users []User // besides Admin and Scheduler

	// Audit writes one line per request to audit.log, see ControlPlane.Audit.
	Audit bool

	// Fsync makes etcd durable across a crash of the machine, and slower.
	Fsync bool

	EnableAdmission  []string        // plugins to switch on, also those that are off here by default
	DisableAdmission []string        // plugins to switch off
	FeatureGates     map[string]bool // of the API server
	APIs             []string        // API groups to serve besides the default ones: "scheduling.k8s.io/v1beta1"
	APIServerArgs    []string        // more flags, given last, so they win
	Verbosity        int             // -v of the API server
}

// User is someone who may talk to the API server.
type User struct {
	Name   string
	Groups []string

	// LikeScheduler gives the user what Scheduler may do, for tests with several schedulers.
	LikeScheduler bool
}

// admissionOff lists the plugins that get in the way without controllers and kubelets: the first refuses pods
// as long as nobody makes the default service account, the second taints every new Node as not ready.
var admissionOff = []string{"ServiceAccount", "TaintNodesByCondition"}

// admissionFlags merges the default with what the options say. A plugin named by both flags is an error to
// the API server, so an enabled one leaves the other list.
func (o *Options) admissionFlags() []string {
	off := slices.Concat(admissionOff, o.DisableAdmission)
	off = slices.DeleteFunc(off, func(plugin string) bool { return slices.Contains(o.EnableAdmission, plugin) })
	var flags []string
	if len(off) > 0 {
		flags = append(flags, "--disable-admission-plugins="+strings.Join(off, ","))
	}
	if len(o.EnableAdmission) > 0 {
		flags = append(flags, "--enable-admission-plugins="+strings.Join(o.EnableAdmission, ","))
	}
	return flags
}

// featureFlags returns the flags for gates and API groups.
func (o *Options) featureFlags() []string {
	var flags []string
	for _, gate := range slices.Sorted(maps.Keys(o.FeatureGates)) {
		flags = append(flags, "--feature-gates="+gate+"="+strconv.FormatBool(o.FeatureGates[gate]))
	}
	for _, api := range o.APIs {
		flags = append(flags, "--runtime-config="+api+"=true")
	}
	return flags
}

// users returns everyone, the standard users first.
func (o *Options) users() []User {
	standard := []User{
		{Name: Admin, Groups: []string{"system:masters"}},
		{Name: Scheduler},
	}
	return slices.Concat(standard, o.Users)
}

// validate finds what would make the API server refuse to start, or a token ambiguous.
func (o *Options) validate() error {
	seen := map[string]bool{}
	for _, user := range o.users() {
		if user.Name == "" || seen[user.Name] {
			return fmt.Errorf("cannot have two users, or one without a name, called %q", user.Name)
		}
		seen[user.Name] = true
	}
	return nil
}
