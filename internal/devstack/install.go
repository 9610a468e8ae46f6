package devstack

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"
)

// The versions that are known to work together.
const (
	postgresVersion = "18.4.0-beta.17"
	azuriteVersion  = "3.37.0"
)

// installed are the folders of the packages; empty where one is not wanted.
type installed struct {
	postgres string // holds native/bin, native/lib and native/share
	azurite  string // holds dist/src/azurite.js
}

func (in installed) names() string {
	switch {
	case in.azurite == "":
		return "PostgreSQL"
	case in.postgres == "":
		return "Azurite"
	}
	return "PostgreSQL and Azurite"
}

// cacheDir is where packages and the shared stack's state live.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the installed parts: %w", err)
	}
	dir = filepath.Join(dir, "sheetdrop")
	return dir, os.MkdirAll(dir, 0o755)
}

// install makes sure of the wanted packages. Processes that want the same at once wait for one of them to do it.
func (n node) install(ctx context.Context, cache string, postgres, azurite bool, log func(string, ...any)) (installed, error) {
	lock := flock.New(filepath.Join(cache, "install.lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return installed{}, fmt.Errorf("wait for another installation: %w", err)
	}
	defer lock.Unlock()

	var in installed
	both, ctx := errgroup.WithContext(ctx)
	if postgres {
		both.Go(func() (err error) {
			name, err := postgresPackage()
			if err == nil {
				in.postgres, err = n.installPackage(ctx, cache, "PostgreSQL", name, postgresVersion, log, n.finishPostgres)
			}
			return err
		})
	}
	if azurite {
		both.Go(func() (err error) {
			in.azurite, err = n.installPackage(ctx, cache, "Azurite", "azurite", azuriteVersion, log, nil)
			return err
		})
	}
	return in, both.Wait()
}

// postgresPackage names the npm package with the server for this machine.
func postgresPackage() (string, error) {
	system := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "windows"}[runtime.GOOS]
	processor := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if system == "" || processor == "" {
		return "", fmt.Errorf("there is no packaged PostgreSQL for %s on %s: name a server of your own in DATABASE_URL", runtime.GOOS, runtime.GOARCH)
	}
	return "@embedded-postgres/" + system + "-" + processor, nil
}

// installPackage returns the package's folder. It installs under another name and renames at the end, so that half an
// installation is never taken for a whole one.
func (n node) installPackage(ctx context.Context, cache, label, name, version string, log func(string, ...any), finish func(context.Context, string) error) (string, error) {
	dir := filepath.Join(cache, strings.ToLower(label)+"-"+version)
	module := filepath.Join("node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, module), nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errNode
	}
	log("installing %s %s (once, into %s)", label, version, dir)
	partial := dir + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return "", err
	}
	if err := os.Mkdir(partial, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", partial, "--save-exact", "--ignore-scripts",
		"--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", name+"@"+version)
	cmd.Dir = partial
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install %s %s with npm: %w\n%s", label, version, err, out)
	}
	if finish != nil {
		if err := finish(ctx, filepath.Join(partial, module)); err != nil {
			return "", fmt.Errorf("install %s %s: %w", label, version, err)
		}
	}
	if err := os.Rename(partial, dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, module), nil
}

// finishPostgres does what npm leaves out: the package's install script, which makes the libraries' symbolic links, and
// rights to read for the user that the server runs as.
func (n node) finishPostgres(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, string(n), filepath.Join("scripts", "hydrate-symlinks.js"))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("link its libraries: %w\n%s", err, out)
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		readable := info.Mode().Perm() | 0o444
		if readable&0o100 != 0 {
			readable |= 0o111
		}
		return os.Chmod(path, readable)
	})
}
