package controlplane

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

const (
	auditLog    = "audit.log"
	auditPolicy = "audit-policy.yaml"
)

// AuditEvent is one answered request, in the words of the API server's audit log. Writes of schedulers carry their
// bodies; everything else, and their reads, whose answers would repeat the cluster, do not.
type AuditEvent struct {
	Verb       string      `json:"verb"` // create, update, patch, delete, get, list, watch, ...
	User       AuditUser   `json:"user"`
	UserAgent  string      `json:"userAgent"`
	RequestURI string      `json:"requestURI"`
	ObjectRef  AuditObject `json:"objectRef"` // empty for requests outside the API, like /readyz

	ResponseStatus AuditStatus     `json:"responseStatus"`
	RequestObject  json.RawMessage `json:"requestObject"`  // what a scheduler sent, say a Binding or a patch
	ResponseObject json.RawMessage `json:"responseObject"` // what it got back

	Stage    string           `json:"stage"` // ResponseComplete, ResponseStarted (of a watch) or Panic
	Received metav1.MicroTime `json:"requestReceivedTimestamp"`
	Answered metav1.MicroTime `json:"stageTimestamp"`
}

// AuditUser is who asked.
type AuditUser struct {
	Username string   `json:"username"`
	Groups   []string `json:"groups"`
}

// AuditObject is what was asked for. A bind has resource pods and subresource binding.
type AuditObject struct {
	APIGroup    string    `json:"apiGroup"`
	Resource    string    `json:"resource"`
	Subresource string    `json:"subresource"`
	Namespace   string    `json:"namespace"`
	Name        string    `json:"name"`
	UID         types.UID `json:"uid"`
}

// AuditStatus is how the request was answered.
type AuditStatus struct {
	Code    int32               `json:"code"` // HTTP status
	Reason  metav1.StatusReason `json:"reason"`
	Message string              `json:"message"`
}

// Audit returns the logged requests that keep accepts, all when it is nil, in the order of their answers. A request
// may get its line a moment after its answer, so tests wait for it. It needs Options.Audit.
func (c *ControlPlane) Audit(keep func(*AuditEvent) bool) ([]AuditEvent, error) {
	file, err := os.Open(c.path(auditLog))
	if err != nil {
		return nil, fmt.Errorf("cannot read the audit log: %w", err)
	}
	defer func() { _ = file.Close() }()
	return ReadAudit(file, keep)
}

// ReadAudit parses an audit log. A last line without its end is still being written and is left out.
func ReadAudit(r io.Reader, keep func(*AuditEvent) bool) ([]AuditEvent, error) {
	var events []AuditEvent
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the audit log: %w", err)
		}
		var event AuditEvent
		if err := json.Unmarshal(bytes.TrimSpace(line), &event); err != nil {
			return nil, fmt.Errorf("cannot parse line %d of the audit log: %w", number, err)
		}
		if keep == nil || keep(&event) {
			events = append(events, event)
		}
	}
}

// auditFlags makes the log one file with an event on disk for each answer.
func auditFlags(dir string) []string {
	return []string{
		"--audit-policy-file=" + filepath.Join(dir, auditPolicy),
		"--audit-log-path=" + filepath.Join(dir, auditLog),
		"--audit-log-mode=blocking",
		"--audit-log-maxsize=0", // no rotation
	}
}

// writeAuditPolicy says what is logged; the first rule that matches decides.
func writeAuditPolicy(dir string, schedulers []string) error {
	policy := map[string]any{
		"apiVersion": "audit.k8s.io/v1",
		"kind":       "Policy",
		"omitStages": []string{"RequestReceived"},
		"rules": []map[string]any{
			{"level": "Metadata", "verbs": []string{"get", "list", "watch"}},
			{"level": "RequestResponse", "users": schedulers},
			{"level": "Metadata"},
		},
	}
	data, err := yaml.Marshal(policy)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, auditPolicy), data, 0o600)
}
