// Command image packs the scheduler's binaries into an OCI image, without docker and
// without a base: a file, a user, an entrypoint. Equal binaries give equal bytes.
//
//	go run . -version v1.37.2 -out image.tar amd64=path/to/binary arm64=path/to/another
//
// The archive holds an OCI layout with one image for each platform, as skopeo, podman,
// ctr and nerdctl read it.
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	binary = "usr/local/bin/kube-scheduler"
	// nobody is a user that owns nothing. A number, so that a kubelet can tell that it is
	// not root.
	nobody = "65532:65532"
)

func main() {
	version := flag.String("version", "", "of Kubernetes, as the binary tells it")
	out := flag.String("out", "", "the archive to write")
	created := flag.Int64("created", 0, "when the source was committed, in seconds since 1970")
	flag.Parse()
	if err := run(*version, *out, time.Unix(*created, 0).UTC(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func run(version, out string, created time.Time, platforms []string) error {
	if version == "" || out == "" || len(platforms) == 0 {
		return fmt.Errorf("want -version, -out and at least one arch=binary, got %q, %q and %q", version, out, platforms)
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		arch, path, ok := strings.Cut(platform, "=")
		if !ok {
			return fmt.Errorf("want arch=binary, got %q", platform)
		}
		image, err := pack(version, arch, path, created)
		if err != nil {
			return fmt.Errorf("cannot pack %s: %w", path, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "linux", Architecture: arch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": version + "-" + arch},
		}})
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "layout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := layout.Write(dir, index); err != nil {
		return fmt.Errorf("cannot write the layout: %w", err)
	}
	return archive(dir, out)
}

// pack makes the image of one platform.
func pack(version, arch, path string, created time.Time) (v1.Image, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := layerOf(content)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, configOf(image, version, arch, created))
}

func configOf(image v1.Image, version, arch string, created time.Time) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		panic("BUG: image: an image made here has no configuration: " + err.Error())
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", arch, v1.Time{Time: created}
	config.Config = v1.Config{
		User:       nobody,
		Entrypoint: []string{"/" + binary},
		Env:        []string{"PATH=/usr/local/bin"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "kube-scheduler",
			"org.opencontainers.image.version":  version,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return config
}

// layerOf is the binary as the only file of a layer.
func layerOf(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, dir := range []string{"usr/", "usr/local/", "usr/local/bin/"} {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755}); err != nil {
			return nil, err
		}
	}
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: binary, Mode: 0o755, Size: int64(len(content))}); err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// archive writes a folder as a tar, in the order of names and without times.
func archive(dir, out string) error {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	w := tar.NewWriter(file)
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	if err == nil {
		err = w.Close()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
