package upload

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"sheetdrop/samples"
)

// File is a file to upload.
type File struct {
	Name string
	Open func() (content io.ReadCloser, size int64, err error) // size in bytes
}

// Files returns the files at the paths.
func Files(paths []string) []File {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i] = File{filepath.Base(path), func() (io.ReadCloser, int64, error) {
			file, err := os.Open(path)
			if err != nil {
				return nil, 0, err
			}
			info, err := file.Stat()
			if err != nil {
				return nil, 0, errors.Join(err, file.Close())
			}
			return file, info.Size(), nil
		}}
	}
	return files
}

// Samples returns the built-in sample files.
func Samples() ([]File, error) {
	entries, err := samples.Files.ReadDir(".")
	files := make([]File, len(entries))
	for i, entry := range entries {
		files[i] = File{entry.Name(), func() (io.ReadCloser, int64, error) {
			file, err := samples.Files.Open(entry.Name())
			if err != nil {
				return nil, 0, err
			}
			info, err := entry.Info()
			return file, info.Size(), err
		}}
	}
	return files, err
}
