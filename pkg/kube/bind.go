package kube

import (
	"context"
	"errors"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/engine"
)

// bind posts a Binding and tells what came of it, or of an earlier one.
func (w *Writer) bind(ctx context.Context, b engine.Bind) engine.BindDone {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	done := engine.BindDone{Pod: b.Pod, Attempt: b.Attempt}
	if b.Look {
		return w.look(ctx, done, "")
	}
	err := w.client.CoreV1().Pods(b.Pod.Namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: b.Pod.Namespace, Name: b.Pod.Name, UID: b.Pod.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: b.Node},
	}, metav1.CreateOptions{})
	if err == nil {
		done.Result = engine.Bound
		return done
	}
	klog.V(2).InfoS("Cannot bind pod", "pod", klog.KRef(b.Pod.Namespace, b.Pod.Name), "node", b.Node, "err", err)
	if apierrors.IsConflict(err) {
		return w.look(ctx, done, err.Error())
	}
	done.Result, done.Message = classify(err)
	return done
}

// classify tells what an error says about a bind: only a refusal by the API server
// itself is certain.
func classify(err error) (engine.BindResult, string) {
	var status apierrors.APIStatus
	switch {
	case !errors.As(err, &status): // no answer
		return engine.Unknown, ""
	case apierrors.IsNotFound(err):
		return engine.Gone, ""
	case apierrors.IsTooManyRequests(err), apierrors.IsTimeout(err):
		return engine.Unknown, status.Status().Message
	}
	if code := status.Status().Code; code >= http.StatusBadRequest && code < http.StatusInternalServerError {
		return engine.Refused, status.Status().Message
	}
	return engine.Unknown, status.Status().Message // a server that failed may have written first
}

// look reads the pod of a bind, and tells where it is. If it is nowhere, the bind was refused
// with message.
func (w *Writer) look(ctx context.Context, done engine.BindDone, message string) engine.BindDone {
	pod, err := w.client.CoreV1().Pods(done.Pod.Namespace).Get(ctx, done.Pod.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err), err == nil && pod.UID != done.Pod.UID:
		done.Result = engine.Gone
	case err != nil:
		klog.V(2).InfoS("Cannot look a pod up", "pod", klog.KRef(done.Pod.Namespace, done.Pod.Name), "err", err)
		done.Result = engine.Unknown
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			done.Message = status.Status().Message
		}
	case pod.Spec.NodeName != "":
		done.Result, done.Node = engine.Bound, pod.Spec.NodeName
	default:
		done.Result, done.Message = engine.Refused, message
	}
	return done
}
