package devstack

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"
)

// installed are the folders of the packages; empty for those that are not wanted.
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

// cacheDir returns the folder of packages and of the shared stack's state.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the installed parts: %w", err)
	}
	dir = filepath.Join(dir, "sheetdrop")
	return dir, os.MkdirAll(dir, 0o755)
}

// install installs the wanted packages unless they are installed. Of several processes one installs them while the
// others wait.
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
			p, err := postgresPackage()
			if err == nil {
				in.postgres, err = n.installPackage(ctx, cache, p, log, n.finishPostgres)
			}
			return err
		})
	}
	if azurite {
		both.Go(func() (err error) {
			in.azurite, err = n.installPackage(ctx, cache, azuritePackage, log, nil)
			return err
		})
	}
	return in, both.Wait()
}

// installPackage returns the package's folder. It installs under another name and renames at the end, so that an
// incomplete installation is never used.
func (n node) installPackage(
	ctx context.Context,
	cache string,
	p npmPackage,
	log func(string, ...any),
	finish func(context.Context, string) error,
) (string, error) {
	dir := filepath.Join(cache, p.installedName())
	module := filepath.Join("node_modules", filepath.FromSlash(p.module))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, module), nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", errNode
	}
	log("installing %s %s (once, into %s)", p.label, p.version(), dir)
	defer reportGrowth(p.label, dir+".partial", log)()
	partial := dir + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return "", err
	}
	if err := p.writeManifest(partial); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = partial
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("install %s %s with npm: %w\n%s", p.label, p.version(), err, out)
	}
	if _, err := os.Stat(filepath.Join(partial, module)); err != nil { // npm silently ignores an optional package that it cannot install
		return "", fmt.Errorf("install %s %s: npm has left it out, since its archive did not come or is not the locked one; "+
			"`npm ci --loglevel=verbose` in %s shows why: %w", p.label, p.version(), partial, err)
	}
	if finish != nil {
		if err := finish(ctx, filepath.Join(partial, module)); err != nil {
			return "", fmt.Errorf("install %s %s: %w", p.label, p.version(), err)
		}
	}
	if err := os.Rename(partial, dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, module), nil
}

// reportEvery is how often the progress of an installation is told.
const reportEvery = 5 * time.Second

// reportGrowth tells how much of a package is there until stop is called: npm says nothing itself.
func reportGrowth(label, dir string, log func(string, ...any)) (stop func()) {
	done := make(chan struct{})
	go func() {
		begun := time.Now()
		for ticker := time.NewTicker(reportEvery); ; {
			select {
			case <-done:
				ticker.Stop()
				return
			case <-ticker.C:
				log("installing %s: %d MB after %d s", label, sizeOf(dir)>>20, int(time.Since(begun).Seconds()))
			}
		}
	}()
	return func() { close(done) }
}

// sizeOf returns the bytes of all files in a folder, as far as they can be seen while it changes.
func sizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it has just gone
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// finishPostgres does what npm does not: it runs the package's install script, which creates the libraries' symbolic
// links, and makes the files readable for the user that the server runs as.
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
