package house

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packaged is what is deployed, and all of it.
var packaged = []string{"bin/handler", "host.json", "outbox-relay/function.json", "parse-worker/function.json", "upload-api/function.json",
	"web-page/function.json"}

// built are files that a checkout may have besides those in git.
var built = []string{"bin/handler", "bin/sheetdrop", "local.settings.json", ".sheetdrop/local.json", "dist/app.zip"}

// Neither sources nor anybody's local settings are deployed, whichever tool packs the app; and all that the host needs is.
func TestPackage(t *testing.T) {
	t.Parallel()
	ignore, err := os.ReadFile(filepath.Join(root, ".funcignore"))
	if err != nil {
		t.Fatal(err)
	}
	files := filesOfCheckout(t)
	if got := packedByCoreTools(string(ignore), files); !slices.Equal(got, packaged) {
		t.Errorf("Core Tools would pack %q", got)
	}
	if got := packedByGitRules(t, ignore, files); !slices.Equal(got, packaged) {
		t.Errorf("by git's rules the package has %q", got)
	}
}

func filesOfCheckout(t *testing.T) []string {
	files := slices.Clone(built)
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", ".sheetdrop", "bin", "dist"}, path) {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() && path != ".git" { // which is a file in a linked worktree
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// packedByCoreTools follows the rules of Azure Functions Core Tools (GitIgnoreParser in Azure/azure-functions-core-tools), which are not
// git's: a pattern is matched from the start of a path to any end of a word, and one that lets in wins over all that keep out.
func packedByCoreTools(ignore string, files []string) []string {
	var in, out []string
	for line := range strings.Lines(ignore) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, lets := strings.CutPrefix(line, "!")
		pattern = regexp.QuoteMeta(strings.TrimPrefix(pattern, "/"))
		pattern = strings.NewReplacer(`\*\*`, `(.+)`, `\*`, `([^/]+)`).Replace(pattern)
		if lets {
			in = append(in, pattern)
		} else {
			out = append(out, pattern)
		}
	}
	matcher := func(patterns []string) *regexp.Regexp {
		return regexp.MustCompile(`^((` + strings.Join(patterns, ")|(") + `))\b`)
	}
	lets, keeps := matcher(in), matcher(out)
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool { return keeps.MatchString(file) && !lets.MatchString(file) })
}

func packedByGitRules(t *testing.T, ignore []byte, files []string) []string {
	folder := t.TempDir()
	for _, file := range files {
		path := filepath.Join(folder, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rules := filepath.Join(t.TempDir(), "rules")
	if err := os.WriteFile(rules, ignore, 0o600); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	packed := strings.Fields(git("ls-files", "--others", "--exclude-from", rules))
	slices.Sort(packed)
	return packed
}
