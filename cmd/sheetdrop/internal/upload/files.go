package upload

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/samples"
)

// File is a file to upload.
type File struct {
	Name string
	Path string                                                // "" where it is not on the disk
	URL  string                                                // where the server is to fetch it; then nothing is opened
	Open func() (content io.ReadCloser, size int64, err error) // size in bytes
}

// Files returns the files at the paths.
func Files(paths []string) []File {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i] = File{Name: filepath.Base(path), Path: path, Open: func() (io.ReadCloser, int64, error) {
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

// Input returns what comes from standard input, under a name. It is copied to a temporary file when it is opened, because its size has to
// be known, and it may have to be sent twice.
func Input(name string, in *os.File) File {
	return File{Name: name, Open: func() (io.ReadCloser, int64, error) {
		kept, err := os.CreateTemp("", "sheetdrop-*")
		if err != nil {
			return nil, 0, err
		}
		size, err := io.Copy(kept, in)
		if err == nil {
			_, err = kept.Seek(0, io.SeekStart)
		}
		if err != nil {
			return nil, 0, errors.Join(err, kept.Close(), os.Remove(kept.Name()))
		}
		return removedFile{kept}, size, nil
	}}
}

// removedFile is removed when it is closed. It is no file on the disk for a direct upload, with which a later run could go on.
type removedFile struct{ file *os.File }

func (f removedFile) Read(p []byte) (int, error) { return f.file.Read(p) }

func (f removedFile) Seek(offset int64, whence int) (int64, error) {
	return f.file.Seek(offset, whence)
}

func (f removedFile) Close() error { return errors.Join(f.file.Close(), os.Remove(f.file.Name())) }

// Expand returns the paths of the files that the arguments name: files as they are, patterns as a shell would expand them, for one that
// does not, and folders with all tables below them. leftOut are the files of folders that do not look like tables, by their names.
func Expand(arguments []string) (paths, leftOut []string, err error) {
	for _, argument := range arguments {
		info, err := os.Stat(argument)
		switch {
		case err == nil && info.IsDir():
			in, out, err := tablesIn(argument)
			if err != nil {
				return nil, nil, err
			}
			paths, leftOut = append(paths, in...), append(leftOut, out...)
		case err == nil:
			paths = append(paths, argument)
		case strings.ContainsAny(argument, "*?["):
			found, badPattern := filepath.Glob(argument)
			found = slices.DeleteFunc(found, isFolder)
			if badPattern != nil || len(found) == 0 {
				return nil, nil, words.Errorf("no file matches %s", argument)
			}
			paths = append(paths, found...)
		default:
			return nil, nil, err
		}
	}
	return paths, leftOut, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tablesIn returns the files below a folder, in the order of their names. What begins with a dot is not looked at.
func tablesIn(folder string) (tables, others []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case path != folder && strings.HasPrefix(name, ".") && entry.IsDir():
			return filepath.SkipDir
		case entry.IsDir():
		case entry.Type().IsRegular() && !IsTemporary(name) && looksLikeTable(name):
			tables = append(tables, path)
		default:
			others = append(others, path)
		}
		return nil
	})
	return tables, others, err
}

// endings of files that may be tables. Only folders are searched by them: the content decides what a file is.
var endings = []string{
	".csv", ".tsv", ".tab", ".psv", ".txt", ".dat", ".asc", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".fods", ".json", ".jsonl", ".ndjson",
	".parquet", ".xml", ".html", ".zip", ".gz", ".zst", ".bz2", ".xz",
}

func looksLikeTable(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

// IsTemporary reports whether programs name files so while they write them.
func IsTemporary(name string) bool {
	lower := strings.ToLower(name)
	for _, beginning := range []string{".", "~$", "~", "#"} {
		if strings.HasPrefix(lower, beginning) {
			return true
		}
	}
	for _, ending := range []string{"~", ".tmp", ".temp", ".part", ".partial", ".filepart", ".crdownload", ".download", ".swp", ".lock"} {
		if strings.HasSuffix(lower, ending) {
			return true
		}
	}
	return false
}

// Samples returns the built-in sample files.
func Samples() ([]File, error) {
	entries, err := samples.Files.ReadDir(".")
	files := make([]File, len(entries))
	for i, entry := range entries {
		files[i] = File{Name: entry.Name(), Open: func() (io.ReadCloser, int64, error) {
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
