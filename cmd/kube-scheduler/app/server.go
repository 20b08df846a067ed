// Package app is the kube-scheduler command: flags, and start and stop in order.
package app

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"math/rand/v2"

	"github.com/spf13/cobra"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/version"
	"k8s.io/component-base/version/verflag"
	"k8s.io/klog/v2"

	"github.com/berth-scheduler/berth/pkg/config"
	"github.com/berth-scheduler/berth/pkg/scheduler"
)

// options are what flags set.
type options struct {
	kubeconfig string
	master     string
	cfg        config.Config
}

// grace is how long a stop waits for binds that are out.
const grace = 5 * time.Second

// NewSchedulerCommand returns the command.
func NewSchedulerCommand() *cobra.Command {
	o := options{cfg: config.Default()}
	cmd := &cobra.Command{
		Use:          "kube-scheduler",
		Long:         "The Kubernetes scheduler assigns pods to nodes.",
		SilenceUsage: true,
		Args:         noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			verflag.PrintAndExitIfRequested()
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			return o.run(ctx)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "Path to the kubeconfig file with the API server's address and credentials. In a pod, none is needed.")
	f.StringVar(&o.master, "master", "", "Address of the API server. Overrides the one in the kubeconfig.")
	f.Float32Var(&o.cfg.ClientQPS, "kube-api-qps", o.cfg.ClientQPS, "Requests to the API server a second.")
	f.IntVar(&o.cfg.ClientBurst, "kube-api-burst", o.cfg.ClientBurst, "Requests to the API server in a burst.")
	verflag.AddFlags(f)
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if arg != "" {
			return fmt.Errorf("%q does not take any arguments, got %q", cmd.CommandPath(), args)
		}
	}
	return nil
}

func (o *options) run(ctx context.Context) error {
	klog.InfoS("Starting Kubernetes Scheduler", "version", version.Get())
	rest, err := clientcmd.BuildConfigFromFlags(o.master, o.kubeconfig)
	if err != nil {
		return err
	}
	rest.QPS, rest.Burst = o.cfg.ClientQPS, o.cfg.ClientBurst
	rest.ContentType = "application/vnd.kubernetes.protobuf"
	rest.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client, err := kubernetes.NewForConfig(rest)
	if err != nil {
		return err
	}
	s, err := scheduler.New(o.cfg, scheduler.Deps{
		Client:    client,
		Seed:      rand.Uint64(),
		Observers: []scheduler.Observer{scheduler.NewLog()},
		Grace:     grace,
	})
	if err != nil {
		return err
	}
	s.Run(ctx)
	klog.InfoS("Requested to terminate, exiting")
	return nil
}
