package e2e_test

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// The package has all that the Functions host needs and nothing else, and the same sources make the same bytes, so that packages can be
// compared.
func TestPackageIsCompleteAndReproducible(t *testing.T) {
	t.Parallel()
	first, again := makePackage(t), makePackage(t)
	if !bytes.Equal(first, again) {
		t.Error("the same sources make two different packages")
	}
	files := map[string]fs.FileMode{
		"host.json": 0o644, "bin/handler": 0o755,
		"upload-api/function.json": 0o644, "outbox-relay/function.json": 0o644, "parse-worker/function.json": 0o644,
		"web-page/function.json": 0o644,
	}
	archive, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(archive.File))
	for i, f := range archive.File {
		names[i] = f.Name
		if want, known := files[f.Name]; !known || f.Mode() != want || f.Modified.Year() != 1980 {
			t.Errorf("%s, %s, %s; want it there: %t, %s, in 1980", f.Name, f.Mode(), f.Modified, known, want)
		}
	}
	if len(names) != len(files) || !slices.IsSorted(names) {
		t.Errorf("the package holds %q", names)
	}
	var host struct {
		CustomHandler struct {
			Description struct{ DefaultExecutablePath string }
		}
	}
	if err := json.Unmarshal(content(t, archive, "host.json"), &host); err != nil {
		t.Fatal(err)
	}
	wantStaticProgram(t, content(t, archive, host.CustomHandler.Description.DefaultExecutablePath))
}

// wantStaticProgram wants a program that runs on any Linux of the processor, and does not contain where it was built.
func wantStaticProgram(t *testing.T, program []byte) {
	t.Helper()
	file, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("the handler needs libraries of the machine that it runs on")
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]string{}
	for _, s := range info.Settings {
		built[s.Key] = s.Value
	}
	for key, want := range map[string]string{"GOOS": "linux", "GOARCH": "amd64", "GOAMD64": "v1", "CGO_ENABLED": "0", "-trimpath": "true"} {
		if built[key] != want {
			t.Errorf("%s is %q, want %q", key, built[key], want)
		}
	}
}

// makePackage returns the package, and wants nothing beside it.
func makePackage(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "made", "app.zip")
	program := exec.CommandContext(t.Context(), e2e.CommandProgram(t), "package", "--out", out)
	program.Dir = filepath.Join("..", "..")
	printed, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	for _, line := range []string{"upload-api/function.json\n", out + "  sha256 "} {
		if !strings.Contains(string(printed), line) {
			t.Errorf("package printed\n%s\nwithout %q", printed, line)
		}
	}
	left, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v beside the package", left, err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func content(t *testing.T, archive *zip.Reader, name string) []byte {
	t.Helper()
	file, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
