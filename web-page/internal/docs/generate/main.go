// Command generate writes the pages of the documentation, into web-page/docs/pages. It is run by go generate ./web-page.
package main

import (
	"log"
	"os"
	"path/filepath"

	"sheetdrop/web-page/internal/docs"
)

func main() {
	files, err := docs.Render(os.DirFS(".."))
	if err == nil {
		err = write(filepath.Join("docs", "pages"), files)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write replaces what is in the folder.
func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
