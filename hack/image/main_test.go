package main

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// packed packs two binaries and returns the archive.
func packed(t *testing.T, dir string) []byte {
	t.Helper()
	var platforms []string
	for _, arch := range []string{"amd64", "arm64"} {
		path := filepath.Join(dir, arch)
		if err := os.WriteFile(path, []byte("binary for "+arch), 0o700); err != nil {
			t.Fatal(err)
		}
		platforms = append(platforms, arch+"="+path)
	}
	out := filepath.Join(dir, "image.tar")
	if err := run("v1.37.2", out, time.Unix(1, 0), platforms); err != nil {
		t.Fatal(err)
	}
	archive, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// unpack writes the files of an archive to a folder.
func unpack(t *testing.T, archive []byte) string {
	t.Helper()
	dir, r := t.TempDir(), tar.NewReader(bytes.NewReader(archive))
	for {
		header, err := r.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		path := filepath.Join(dir, header.Name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestImageHoldsTheBinaryOfEachPlatform(t *testing.T) {
	index, err := layout.ImageIndexFromPath(unpack(t, packed(t, t.TempDir())))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 {
		t.Fatalf("got %+v, %v, want two images", manifest, err)
	}
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		expectImage(t, image, m.Platform.Architecture)
	}
}

func expectImage(t *testing.T, image v1.Image, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; config.Architecture != arch || c.User != "65532:65532" || len(c.Entrypoint) != 1 || c.Env[0] != "PATH=/usr/local/bin" {
		t.Errorf("%s: got an image for %s, user %q, entrypoint %q, environment %q", arch, config.Architecture, c.User, c.Entrypoint, c.Env)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%s: got %d layers, %v, want one", arch, len(layers), err)
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(content); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			body, _ := io.ReadAll(r)
			files["/"+header.Name] = string(body)
		}
	}
	if len(files) != 1 || files[config.Config.Entrypoint[0]] != "binary for "+arch {
		t.Errorf("%s: got files %q, want the binary at the entrypoint alone", arch, files)
	}
}

func TestEqualBinariesGiveEqualBytes(t *testing.T) {
	if !bytes.Equal(packed(t, t.TempDir()), packed(t, t.TempDir())) {
		t.Error("two archives of the same binaries differ")
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.tar")
	for _, platforms := range [][]string{nil, {"amd64"}, {"amd64=" + filepath.Join(t.TempDir(), "none")}} {
		if err := run("v1", out, time.Time{}, platforms); err == nil {
			t.Errorf("%q is taken", platforms)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an archive was written")
	}
}
