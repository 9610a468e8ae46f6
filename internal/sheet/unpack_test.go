package sheet

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// zipped is a text as a gzip archive.
func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A text in an archive is read as if it came alone, whatever its name is.
func TestTextInAnArchive(t *testing.T) {
	t.Parallel()
	large := string(orderLines("Customer"))
	for _, text := range []string{"a,b\n1,2\n", toCP932(t, "品名;価格\nりんご;100\nみかん;200\nぶどう;300\n"), large[:keptBytes+1<<16]} {
		want := read(t, text, Options{}, DefaultLimits())
		for name, archive := range map[string]string{
			"zip":         pack(t, map[string]string{"data/prices": text}),
			"from a Mac":  pack(t, map[string]string{"prices.csv": text, "__MACOSX/._prices.csv": "\x00\x05", ".DS_Store": "\x00", "folder/": ""}),
			"stored":      stored(t, text),
			"gzip":        zipped(t, text),
			"two members": zipped(t, text[:len(text)/2]) + zipped(t, text[len(text)/2:]),
		} {
			if len(text) > keptBytes && name != "gzip" {
				continue // one that is too large for memory is enough
			}
			if got := read(t, archive, Options{}, DefaultLimits()); !slices.Equal(got, want) {
				t.Errorf("%s: got %.200q, want %.200q", name, got, want)
			}
			book, err := Open(t.Context(), strings.NewReader(archive), Options{}, DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			if book.Format() != "csv" {
				t.Errorf("%s: the format is %s", name, book.Format())
			}
			if err := book.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func stored(t testing.TB, text string) string {
	return storedParts(t, map[string]string{"prices.csv": text})
}

func TestArchivesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	rows := "a,b\n" + strings.Repeat("1,2\n", 3000) + "x,\"y\"\n"
	whole, gz := pack(t, map[string]string{"a.csv": rows}), zipped(t, rows)
	small := DefaultLimits()
	small.UnzippedBytes = int64(len(rows)) - 1
	for name, c := range map[string]struct {
		content string
		limits  Limits
		want    Code
	}{
		"nothing in a zip":        {pack(t, map[string]string{"a.csv": ""}), DefaultLimits(), EmptyFile},
		"nothing in a gzip":       {zipped(t, ""), DefaultLimits(), EmptyFile},
		"gzip cut off":            {gz[:len(gz)-9], DefaultLimits(), DamagedFile},
		"gzip header cut off":     {gz[:5], DefaultLimits(), DamagedFile},
		"zip with a wrong sum":    {strings.Replace(stored(t, rows), "x,\"y\"", "z,\"y\"", 1), DefaultLimits(), DamagedFile},
		"zip with a password":     {encryptedEntry(t, rows), DefaultLimits(), Encrypted},
		"zip over the limit":      {whole, small, UnzippedTooLarge},
		"gzip over the limit":     {gz, small, UnzippedTooLarge},
		"zip of an unusual kind":  {withMethod(t, rows, 99), DefaultLimits(), UnsupportedFormat},
		"zip that is larger":      {lying(t, rows), DefaultLimits(), DamagedFile},
		"gzip bomb":               {zipped(t, strings.Repeat("a,b\n", 8<<20)), DefaultLimits(), UnzipRatio},
		"zip bomb":                {pack(t, map[string]string{"a.csv": strings.Repeat("a,b\n", 8<<20)}), DefaultLimits(), UnzipRatio},
		"zip of very many files":  {archive(t, strings.Split(strings.Repeat("x ", 10_001), " ")...), DefaultLimits(), TooManyParts},
		"a sheet that is not one": {"a\n1\n", DefaultLimits(), NoSuchSheet},
	} {
		t.Run(name, func(t *testing.T) {
			opt := Options{}
			if c.want == NoSuchSheet {
				opt.Sheet = "2"
			}
			if got := read(t, c.content, opt, c.limits); !slices.Equal(got, []string{"refused " + string(c.want)}) {
				t.Errorf("got %.200q, want %s", got, c.want)
			}
			_, err := Open(t.Context(), strings.NewReader(c.content), opt, c.limits)
			r, ok := errors.AsType[*Refusal](err)
			if ok && strings.Contains(r.Message, " archive ") != strings.Contains(r.MessageJA, "アーカイブ") {
				t.Errorf("%s, but %s", r.Message, r.MessageJA)
			}
		})
	}
}

// withMethod says of a stored entry that it is packed by another method.
func withMethod(t *testing.T, text string, method uint16) string {
	return rawEntry(t, text, func(h *zip.FileHeader) { h.Method = method })
}

func encryptedEntry(t *testing.T, text string) string {
	return rawEntry(t, text, func(h *zip.FileHeader) { h.Flags |= 1 })
}

// lying says of an entry that it is shorter than it is.
func lying(t *testing.T, text string) string {
	return rawEntry(t, text, func(h *zip.FileHeader) { h.UncompressedSize64 /= 2 })
}

func rawEntry(t *testing.T, text string, change func(h *zip.FileHeader)) string {
	t.Helper()
	in, err := zip.NewReader(strings.NewReader(stored(t, text)), int64(len(stored(t, text))))
	if err != nil {
		t.Fatal(err)
	}
	h := in.File[0].FileHeader
	change(&h)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	part, err := w.CreateRaw(&h)
	if err == nil {
		_, err = io.WriteString(part, text)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The temporary file is gone before anything is read of it, and its memory after Close.
func TestUnpackedFileHasNoName(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	book, err := Open(t.Context(), strings.NewReader(zipped(t, "a\n1\n")), Options{}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	packed, ok := book.workbook.(*packedFile)
	if !ok {
		t.Fatalf("a gzip archive is read as %T", book.workbook)
	}
	if left, err := os.ReadDir(dir); packed.file.remove == "" && (err != nil || len(left) > 0) {
		t.Errorf("%v are there, %v", left, err)
	}
	if err := book.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
	if _, err := packed.file.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file is still open: %v", err)
	}
}

// A broken network is no broken archive.
func TestSourceOfAnArchiveFails(t *testing.T) {
	t.Parallel()
	noise := string(orderLines("Customer"))
	for name, content := range map[string]string{"zip": stored(t, noise), "gzip": strings.Repeat(zipped(t, noise[:1<<20]), 60)} {
		for _, cause := range []error{errDisk, errNetwork} {
			src := source(content)
			src.from, src.err = src.size/2, cause
			if name == "zip" {
				src.sparing = 8 // the head, and the directory at the end
			}
			_, err := Open(t.Context(), src, Options{}, DefaultLimits())
			refused, ok := errors.AsType[*Refusal](err)
			if err == nil || ok {
				t.Errorf("%s, %v: got %v, %v", name, cause, err, refused)
			}
		}
	}
}
