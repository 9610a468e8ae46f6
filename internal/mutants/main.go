// Command mutants checks whether the tests would notice a mistake. It puts recorded mistakes into a copy of the working
// tree, one at a time, runs the tests that should fail, and reports the mistakes that no test notices:
//
//	go run ./internal/mutants                      # all of them, which takes an hour or more
//	go run ./internal/mutants -only upload-api/    # those whose file or loss contains this text
//
// It exits with 1 if a mistake is not noticed, if it no longer fits the code, or if the tests fail without one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "only mutants whose file or loss has this text")
	limit := flag.Duration("timeout", 5*time.Minute, "for the tests of one mutant")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	escaped, err := run(ctx, chosen(*only), *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || escaped > 0 {
		stop()
		os.Exit(1)
	}
}

func chosen(only string) (some []mutant) {
	for _, m := range mutants {
		if strings.Contains(m.file, only) || strings.Contains(m.loses, only) {
			some = append(some, m)
		}
	}
	return some
}

// run tries the mutants and prints the result of each. Its error lists those without a result.
func run(ctx context.Context, some []mutant, limit time.Duration) (escaped int, err error) {
	folder, err := os.MkdirTemp("", "sheetdrop-mutants-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	tree, err := os.OpenRoot(folder)
	if err != nil {
		return 0, err
	}
	defer tree.Close()
	if err := copyTree(ctx, tree); err != nil {
		return 0, fmt.Errorf("copy the working tree: %w", err)
	}
	passed := map[string]bool{} // results of tests without any mistake
	for i, m := range some {
		if !passed[m.tests] {
			if output, err := goTest(ctx, folder, m.tests, limit); err != nil {
				return escaped, fmt.Errorf("without any mistake: go test %s: %w\n%s", m.tests, err, output)
			}
			passed[m.tests] = true
		}
		verdict, problem := m.try(ctx, tree, limit)
		switch {
		case ctx.Err() != nil:
			return escaped, ctx.Err()
		case problem != nil:
			err = errors.Join(err, fmt.Errorf("%s in %s: %w", m.loses, m.file, problem))
			verdict = "not tried"
		case verdict == "":
			verdict = "ESCAPED"
			escaped++
		}
		fmt.Printf("%d/%d %s: %s: %s\n", i+1, len(some), m.file, m.loses, verdict)
	}
	fmt.Printf("%d of %d mutants escaped\n", escaped, len(some))
	return escaped, err
}

// copyTree copies the files of the current working tree that git knows or would add.
func copyTree(ctx context.Context, to *os.Root) error {
	from, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer from.Close()
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := from.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // deleted, but git does not know yet
			continue
		}
		if err != nil {
			return err
		}
		info, err := from.Stat(name)
		if err != nil {
			return err
		}
		if err := to.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return err
		}
		if err := to.WriteFile(name, text, info.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// try puts the mistake into the tree, runs the tests, and removes it again. It returns the first test that failed, or
// "" if none did.
func (m mutant) try(ctx context.Context, tree *os.Root, limit time.Duration) (noticedBy string, err error) {
	right, err := tree.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	wrong, err := m.put(string(right))
	if err != nil {
		return "", err
	}
	if err := tree.WriteFile(m.file, []byte(wrong), 0o600); err != nil {
		return "", err
	}
	output, failed := goTest(ctx, tree.Name(), m.tests, limit)
	if err := tree.WriteFile(m.file, right, 0o600); err != nil {
		return "", err
	}
	switch {
	case failed == nil:
		return "", nil
	case strings.Contains(output, "[build failed]"), strings.Contains(output, "[setup failed]"):
		return "", fmt.Errorf("it does not compile:\n%s", output)
	}
	return firstFailure(output), nil
}

// put returns the file's text with the mistake.
func (m mutant) put(text string) (string, error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", fmt.Errorf("%q stands there %d times, want once", m.old, n)
	}
	return strings.Replace(text, m.old, m.new, 1), nil
}

// firstFailure returns the first test that failed, or how else go test ended.
func firstFailure(output string) string {
	for line := range strings.Lines(output) {
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
	}
	if strings.Contains(output, "panic: test timed out") {
		return "a test that went on for too long"
	}
	return "go test, without a test that failed"
}

// goTest runs tests in the tree at a folder. Their own timeout ends them, and the processes they started. Those in verify belong to a
// module of their own.
func goTest(ctx context.Context, folder, tests string, limit time.Duration) (output string, err error) {
	module := "."
	if below, ok := strings.CutPrefix(tests, "./verify/"); ok {
		module, tests = "verify", "./"+below
	}
	arguments := append([]string{"test", "-count=1", "-timeout=" + limit.String()}, strings.Fields(tests)...)
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = filepath.Join(folder, module)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	text, err := command.CombinedOutput()
	return string(text), err
}
