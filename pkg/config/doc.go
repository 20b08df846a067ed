// Package config holds what a scheduler is told: profiles, their plugins and how
// they are weighed.
//
// Default is the configuration of a scheduler that was told nothing. Its plugin
// list, order and weights are those of kube-scheduler, as they are visible in every
// placement.
package config
