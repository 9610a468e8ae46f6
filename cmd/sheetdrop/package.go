package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

type packageCommand struct {
	Out string `type:"path" default:"dist/app.zip" placeholder:"FILE" help:"The zip to write; ${default} if it is not given."`
}

func (p *packageCommand) Run(ctx context.Context, c *console) error {
	root, err := findCheckout()
	if err != nil {
		return err
	}
	c.step("building the handler for linux/amd64")
	handler, err := buildForAzure(ctx, root)
	if err != nil {
		return err
	}
	defer os.Remove(handler)
	entries, err := deployedFiles(root, handler)
	if err != nil {
		return err
	}
	sum, err := writePackage(p.Out, entries)
	if err != nil {
		return fmt.Errorf("write the package: %w", err)
	}
	for _, entry := range entries {
		c.printf("  %s\n", entry.name)
	}
	c.printf("%s  sha256 %x\n", p.Out, sum)
	return nil
}

// buildForAzure builds the handler for Flex Consumption in a file of its own, so that the one which runs here stays. It needs nothing of
// the machine that it will run on, and the same sources and version of Go make the same program, wherever the checkout is.
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
		return "", errors.Join(fmt.Errorf("build the handler: %w\n%s", err, output), os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// packaged is a file of the package: its name there, where it is now, and what may be done with it.
type packaged struct {
	name, from string
	mode       fs.FileMode
}

// deployedFiles is all that the Functions host reads: host.json, the program that it names, and a function.json for each function.
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

// writePackage writes the zip, whole or not at all, and gives its SHA-256.
func writePackage(out string, files []packaged) (sum []byte, err error) {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return nil, err
	}
	fresh, err := os.CreateTemp(filepath.Dir(out), filepath.Base(out)+".")
	if err != nil {
		return nil, err
	}
	defer os.Remove(fresh.Name()) // which is gone by then if all went well
	defer fresh.Close()
	hash := sha256.New()
	archive := zip.NewWriter(io.MultiWriter(fresh, hash))
	for _, file := range files {
		if err := addFile(archive, file); err != nil {
			return nil, fmt.Errorf("%s: %w", file.name, err)
		}
	}
	if err := errors.Join(archive.Close(), fresh.Chmod(0o644), fresh.Close()); err != nil {
		return nil, err
	}
	return hash.Sum(nil), os.Rename(fresh.Name(), out)
}

// packagedAt is the time of every file of the package, the earliest that a zip can name: the same files make the same package.
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
