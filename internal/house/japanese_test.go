package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// catalogues have what people read in Japanese.
var catalogues = []string{
	"cmd/sheetdrop/internal/words/*.go", "internal/sheet/messages.go", "internal/task/advice.go", "internal/target/*.go", "internal/why/words.go",
	"parse-worker/failure.go", "upload-api/internal/problem/*.go", "web-page/assets/words*.js", "web-page/embed/embed.js",
}

// said are texts in which a word stands for something else.
var said = strings.NewReplacer("の登録を解除", "", "登録を解除", "", "列を改めて登録し直して", "")

// Whoever goes from the page to the command line, or to the log of an answer, meets the same words: no catalogue has one that CONTRIBUTING.md
// replaces by another.
func TestOneJapaneseWordForOneThing(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(read(t, "CONTRIBUTING.md"), "\nJapanese has one word")
	var unwanted []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\p{Han}|\p{Hiragana}|\p{Katakana}).* \| (.+) \|$`).FindAllStringSubmatch(table, -1) {
		unwanted = append(unwanted, strings.Split(row[2], ", ")...)
	}
	if !found || len(unwanted) < 10 {
		t.Fatalf("the table has only %q", unwanted)
	}
	for _, pattern := range catalogues {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %q, %v", pattern, names, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range unwanted {
				if strings.Contains(said.Replace(string(text)), word) {
					t.Errorf("%s says %s", name, word)
				}
			}
		}
	}
}
