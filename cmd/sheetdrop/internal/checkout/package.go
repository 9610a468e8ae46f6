package checkout

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Package writes the zip that is deployed to Azure, whole or not at all. It returns the names of its files and its SHA-256.
func Package(ctx context.Context, root, out string) (names []string, sum []byte, err error) {
	handler, err := buildForAzure(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(handler)
	entries, err := deployedFiles(root, handler)
	if err != nil {
		return nil, nil, err
	}
	if sum, err = writePackage(out, entries); err != nil {
		return nil, nil, words.Errorf("write the package: %w", err)
	}
	for _, entry := range entries {
		names = append(names, entry.name)
	}
	return names, sum, nil
}

// buildForAzure builds the handler for Flex Consumption in a file of its own, beside one that may be running here. The program is static,
// and reproducible: the same sources and version of Go make the same bytes wherever the checkout is.
func buildForAzure(ctx context.Context, root string) (path string, err error) {
	file, err := os.CreateTemp("", "sheetdrop-handler-")
	if err != nil {
		return "", err
	}
	file.Close()
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s", "-o", file.Name(), "./handler")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOAMD64=v1")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", errors.Join(words.Errorf("build the handler: %w\n%s", err, output), os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// packaged is a file of the package: its name there, where it is now, and its permissions.
type packaged struct {
	name, from string
	mode       fs.FileMode
}

// deployedFiles returns all that the Functions host reads: host.json, the program that it names, and a function.json for each function.
func deployedFiles(root, handler string) ([]packaged, error) {
	files := []packaged{
		{"bin/handler", handler, 0o755},
		{"host.json", filepath.Join(root, "host.json"), 0o644},
	}
	functions, err := fs.Glob(os.DirFS(root), "*/function.json")
	for _, name := range slices.Sorted(slices.Values(functions)) {
		files = append(files, packaged{name, filepath.Join(root, filepath.FromSlash(name)), 0o644})
	}
	return files, err
}

// writePackage writes the zip, whole or not at all, and returns its SHA-256.
func writePackage(out string, files []packaged) (sum []byte, err error) {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	fresh, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".")
	if err != nil {
		return nil, err
	}
	defer os.Remove(fresh.Name()) // not there any more if all went well
	defer fresh.Close()
	hash := sha256.New()
	archive := zip.NewWriter(io.MultiWriter(fresh, hash))
	for _, file := range files {
		if err := addFile(archive, file); err != nil {
			return nil, words.Errorf("%s: %w", file.name, err)
		}
	}
	if err := errors.Join(archive.Close(), fresh.Chmod(0o644), fresh.Close()); err != nil {
		return nil, err
	}
	return hash.Sum(nil), os.Rename(fresh.Name(), out)
}

// packagedAt is the modification time of all files in the package, so that the same files make the same bytes: the earliest time that a zip
// can have.
var packagedAt = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

func addFile(archive *zip.Writer, file packaged) error {
	header := &zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: packagedAt}
	header.SetMode(file.mode)
	to, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	from, err := os.Open(file.from)
	if err != nil {
		return err
	}
	defer from.Close()
	_, err = io.Copy(to, from)
	return err
}
