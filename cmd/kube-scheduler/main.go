// Command kube-scheduler is Berth: it places pods on nodes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // metrics of clients, queues and leases
	_ "k8s.io/component-base/metrics/prometheus/version"  // kubernetes_build_info

	"github.com/berth-scheduler/berth/cmd/kube-scheduler/app"
)

func main() {
	dump := make(chan os.Signal, 1)
	signal.Notify(dump, syscall.SIGUSR2)
	cmd := app.NewSchedulerCommand(app.DumpOn(dump))
	cmd.SetContext(untilTold())
	os.Exit(cli.Run(cmd))
}

// untilTold returns a context that ends with the first signal to stop. The second one
// ends the process at once.
func untilTold() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	told := make(chan os.Signal, 2)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-told
		cancel()
		<-told
		os.Exit(1)
	}()
	return ctx
}
