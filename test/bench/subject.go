package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// subjects are the schedulers that can be measured.
var subjects = []string{"null", "upstream", "upstream-all", "berth"}

// command returns how to start a scheduler. All may send as much as they like.
func (p *programs) command(name, kubeconfig, dir string) ([]string, error) {
	switch name {
	case "null":
		return []string{p.null, "--kubeconfig=" + kubeconfig}, nil
	case "upstream", "upstream-all":
		config := filepath.Join(dir, "upstream.yaml")
		text := fmt.Sprintf(upstreamConfig, kubeconfig)
		if name == "upstream-all" {
			text += "percentageOfNodesToScore: 100\n"
		}
		return []string{p.upstream, "--config=" + config, "--secure-port=0"}, os.WriteFile(config, []byte(text), 0o600)
	case "berth":
		args := []string{p.berth, "--kubeconfig=" + kubeconfig, "--kube-api-qps=10000", "--kube-api-burst=10000"}
		return append(args, p.known("--leader-elect=false", "--secure-port=0")...), nil
	}
	return nil, fmt.Errorf("there is no scheduler %q", name)
}

const upstreamConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %q, qps: 10000, burst: 10000}
`

// known returns the flags that Berth has.
func (p *programs) known(flags ...string) []string {
	var has []string
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		if strings.Contains(p.berthHelp, name+" ") {
			has = append(has, flag)
		}
	}
	return has
}
