package devstack

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
)

// manifests are what npm is to install, a folder for each program: package.json names the version, package-lock.json
// everything that it needs, with the SHA-512 of each archive, by which `npm ci` checks what it was sent.
//
//go:embed npm/*/package.json npm/*/package-lock.json
var manifests embed.FS

const lockFile = "package-lock.json"

// manifest returns a file of one of these folders.
func manifest(folder, file string) string {
	text, err := manifests.ReadFile(path.Join("npm", folder, file))
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// npmPackage is a program that npm installs.
type npmPackage struct {
	label  string // human-readable name
	folder string // of its manifest
	module string // the npm package of the program
}

const azuriteFolder, postgresFolder, duckdbFolder = "azurite", "postgresql", "duckdb"

var azuritePackage = npmPackage{"Azurite", azuriteFolder, "azurite"}

var duckdbPackage = npmPackage{"DuckDB", duckdbFolder, "@duckdb/node-api"}

// postgresPackage returns the server package for this platform.
func postgresPackage() (npmPackage, error) {
	system := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "windows"}[runtime.GOOS]
	processor := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	p := npmPackage{"PostgreSQL", postgresFolder, "@embedded-postgres/" + system + "-" + processor}
	if p.version() == "" {
		return p, fmt.Errorf(
			"there is no packaged PostgreSQL for %s on %s: name a server of your own in DATABASE_URL",
			runtime.GOOS,
			runtime.GOARCH,
		)
	}
	return p, nil
}

// version returns the version of the module; empty if the manifest does not name it.
func (p npmPackage) version() string {
	var m struct{ Dependencies, OptionalDependencies map[string]string }
	if err := json.Unmarshal([]byte(manifest(p.folder, "package.json")), &m); err != nil {
		panic(err) // it is embedded
	}
	return m.Dependencies[p.module] + m.OptionalDependencies[p.module]
}

// installedName returns the name of the installed package's folder in the cache. It changes with the lock file.
func (p npmPackage) installedName() string {
	lock := sha256.Sum256([]byte(manifest(p.folder, lockFile)))
	return fmt.Sprintf("%s-%s-%s", p.folder, p.version(), hex.EncodeToString(lock[:4]))
}

// writeManifest creates the folder dir in which npm is to install the package.
func (p npmPackage) writeManifest(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, file := range []string{"package.json", lockFile} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(manifest(p.folder, file)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
