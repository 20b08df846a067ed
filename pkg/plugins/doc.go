// Package plugins lists the in-tree plugins by name. Each is a folder below; adding
// one takes that folder and a line in registry.go.
package plugins
