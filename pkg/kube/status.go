package kube

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// tries is how often a status patch is sent: four times, from 10ms up.
var tries = wait.Backoff{Steps: 4, Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1}

// patch writes a pod's status and tells whether that worked.
func (w *Writer) patch(ctx context.Context, p engine.PatchStatus) engine.StatusDone {
	ctx, cancel := context.WithTimeout(ctx, statusTimeout)
	defer cancel()
	err := retry.OnError(tries, passing, func() error {
		_, err := w.client.CoreV1().Pods(p.Pod.Namespace).Patch(ctx, p.Pod.Name,
			types.StrategicMergePatchType, statusPatch(p), metav1.PatchOptions{}, "status")
		return err
	})
	switch {
	case err == nil, apierrors.IsNotFound(err):
	case errors.Is(err, ErrFenced), errors.Is(err, context.Canceled): // thousands, perhaps
		w.unsent.Add(1)
	default:
		klog.ErrorS(err, "Error updating the pod's status", "pod", klog.KRef(p.Pod.Namespace, p.Pod.Name))
	}
	return engine.StatusDone{Pod: p.Pod, Failed: err != nil}
}

// statusPatch is the body of a strategic merge patch. The UID makes the API server
// refuse it for another pod of the same name.
func statusPatch(p engine.PatchStatus) []byte {
	status := map[string]any{}
	if p.Condition != nil {
		status["conditions"] = []any{p.Condition}
	}
	if p.Nominate != nil {
		status["nominatedNodeName"] = *p.Nominate
		if *p.Nominate == "" {
			status["nominatedNodeName"] = nil
		}
	}
	body, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": p.Pod.UID},
		"status":   status,
	})
	if err != nil {
		panic("BUG: kube: a condition cannot be encoded: " + err.Error())
	}
	return body
}

// passing reports whether an error may be gone at the next try.
func passing(err error) bool {
	return apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) ||
		apierrors.IsServerTimeout(err) || utilnet.IsConnectionRefused(err)
}
