// Command kube-scheduler is Berth: it places pods on nodes.
package main

import (
	"os"

	"k8s.io/component-base/cli"

	"github.com/berth-scheduler/berth/cmd/kube-scheduler/app"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand()))
}
