package app

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/cli/globalflag"
	"k8s.io/component-base/logs"
	"k8s.io/component-base/term"
	"k8s.io/component-base/version"
	"k8s.io/component-base/version/verflag"
	"k8s.io/klog/v2"
)

const name = "kube-scheduler"

const about = `The scheduler finds a node for each pod that has none. It rules out the nodes
that cannot take the pod, weighs those that can, and binds the pod to one of
the best. Pods choose a scheduler by name, so that there may be several in a
cluster.`

// NewSchedulerCommand returns the command. Its context ends a scheduler that runs.
func NewSchedulerCommand(with ...Option) *cobra.Command {
	o := newOptions()
	for _, change := range with {
		change(o)
	}
	cmd := &cobra.Command{
		Use:               name,
		Long:              about,
		Args:              noArguments,
		PersistentPreRunE: func(*cobra.Command, []string) error { return o.setGates() },
		RunE: func(cmd *cobra.Command, _ []string) error {
			verflag.PrintAndExitIfRequested()
			done, err := applyLogging(o)
			if err != nil {
				return err
			}
			defer done()
			cliflag.PrintFlags(cmd.Flags())
			return run(cmd.Context(), o)
		},
	}
	flags := o.flags()
	addVersionFlag(flags.FlagSet("global"))
	globalflag.AddGlobalFlags(flags.FlagSet("global"), name, logs.SkipLoggingConfigurationFlags())
	for _, section := range flags.Order {
		cmd.Flags().AddFlagSet(flags.FlagSets[section])
	}
	cmd.SetGlobalNormalizationFunc(cliflag.WordSepNormalizeFunc)
	o.shown = flags
	columns, _, _ := term.TerminalSize(cmd.OutOrStdout())
	cliflag.SetUsageAndHelpFunc(cmd, flags, columns)
	if err := cmd.MarkFlagFilename("config", "yaml", "yml", "json"); err != nil {
		panic("BUG: app: " + err.Error())
	}
	return cmd
}

// Option changes a command.
type Option func(*options)

// DumpOn makes the scheduler log how it stands whenever something is received. Signals
// are caught in main only, as a process may have other uses for them.
func DumpOn(c <-chan os.Signal) Option { return func(o *options) { o.dumpOn = c } }

// addVersionFlag adds a copy of the process's --version, which every command that is
// executed writes to.
func addVersionFlag(fs *pflag.FlagSet) {
	var shared pflag.FlagSet
	verflag.AddFlags(&shared)
	shared.VisitAll(func(f *pflag.Flag) {
		own := *f
		fs.AddFlag(&own)
	})
}

func noArguments(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if arg != "" {
			return fmt.Errorf("%q does not take any arguments, got %q", cmd.CommandPath(), args)
		}
	}
	return nil
}

// run starts a scheduler and returns when it has ended.
func run(ctx context.Context, o *options) error {
	s := setup{options: o}
	defer s.closePort()
	defer func() { s.informers.Release() }() // whatever has been made by then
	if err := s.start(); err != nil {
		return err
	}
	if o.writeTo != "" {
		return s.write(o.writeTo)
	}
	klog.InfoS("Starting Kubernetes Scheduler", "version", version.Get())
	klog.InfoS("Golang settings", "GOGC", os.Getenv("GOGC"), "GOMAXPROCS", os.Getenv("GOMAXPROCS"), "GOTRACEBACK", os.Getenv("GOTRACEBACK"))
	stopServing, err := s.serve(ctx)
	if err != nil {
		return err
	}
	defer stopServing()
	stopDumping := s.dump(ctx)
	defer stopDumping()
	defer s.recorder.Close()
	return ended(s.scheduler.Run(ctx))
}
