package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-scheduler/berth/test/bench/workload"
	"github.com/berth-scheduler/berth/test/controlplane"
)

// etcdDir is where a control plane keeps its objects in its folder.
const etcdDir = "etcd"

// dataset is a folder of etcd with the objects of a workload in it.
type dataset struct {
	dir     string
	objects *workload.Objects
	live    []*corev1.Pod // not in it: the pods that a live run creates
}

// prepare makes a dataset, unless an earlier series left it whole.
func prepare(ctx context.Context, dir string, objects *workload.Objects) (*dataset, error) {
	d := &dataset{dir: dir, objects: objects}
	if _, err := os.Stat(dir); err == nil {
		return d, nil
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, err
	}
	err := controlplane.Run(ctx, controlplane.Options{DataDir: part}, d.fill)
	if err != nil {
		return nil, fmt.Errorf("cannot prepare %s: %w", dir, err)
	}
	return d, errors.Join(os.Rename(filepath.Join(part, etcdDir), dir), os.RemoveAll(part))
}

// fill creates the objects.
func (d *dataset) fill(ctx context.Context, plane *controlplane.ControlPlane) error {
	client := plane.Client(controlplane.Admin).CoreV1()
	for _, namespace := range d.objects.Namespaces {
		if _, err := client.Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for _, service := range d.objects.Services {
		if _, err := client.Services(service.Namespace).Create(ctx, service, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if err := plane.CreateNodes(ctx, d.objects.Nodes...); err != nil {
		return err
	}
	for _, pods := range [][]*corev1.Pod{d.objects.Bound, d.objects.Pending} {
		if err := plane.CreatePods(ctx, pods...); err != nil {
			return err
		}
	}
	plane.StopAPIServer(0) // etcd has everything, and ends in peace
	return nil
}

// copyTo puts a copy into the folder of a control plane to be.
func (d *dataset) copyTo(plane string) error {
	to := filepath.Join(plane, etcdDir)
	if err := os.CopyFS(to, os.DirFS(d.dir)); err != nil {
		return fmt.Errorf("cannot copy %s: %w", d.dir, err)
	}
	return os.Chmod(to, 0o700) // what etcd wants of its folder
}
