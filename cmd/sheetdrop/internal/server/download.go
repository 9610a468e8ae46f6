package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// Wanted is what is to be downloaded of a sheet, and in which form; an empty text leaves that to the server.
type Wanted struct {
	Task       uuid.UUID
	Sheet      int64  // from 1
	Format     string // csv, ndjson, json, xlsx or parquet
	Encoding   string // of CSV
	BOM        bool   // of CSV
	Unmappable string // of CSV
	Formulas   string // of CSV
	Values     string // of rows
	Layout     string // of rejects
	Language   string // of rejects
}

// DownloadRows writes all rows of a sheet. As json they are one array of objects.
func (s *Server) DownloadRows(ctx context.Context, w Wanted, to io.Writer) error {
	format := client.GetRowsParamsFormat(w.transferFormat())
	params := &client.GetRowsParams{
		Format: &format, Encoding: given[client.GetRowsParamsEncoding](w.Encoding), Formulas: given[client.GetRowsParamsFormulas](w.Formulas),
		Unmappable: given[client.GetRowsParamsUnmappable](w.Unmappable), Values: given[client.GetRowsParamsValues](w.Values), Bom: &w.BOM,
	}
	if w.Format == formatJSON {
		params.Shape = given[client.GetRowsParamsShape]("objects")
	}
	return s.orSheets(ctx, w, w.write(to)(s.client.GetRows(ctx, w.Task, w.Sheet, params)))
}

// WantedOfTarget is what is to be downloaded of a target, and in which form.
type WantedOfTarget struct {
	Wanted     // without a task and a sheet
	Filters    []string
	Columns    string // a line of CSV; "" is all of them
	Provenance bool
}

// DownloadTargetRows writes the rows of a target. As json they are one array of objects.
func (s *Server) DownloadTargetRows(ctx context.Context, target uuid.UUID, w WantedOfTarget, to io.Writer) error {
	format := client.GetTargetRowsParamsFormat(w.transferFormat())
	params := &client.GetTargetRowsParams{
		Format: &format, Encoding: given[client.GetTargetRowsParamsEncoding](w.Encoding), Bom: &w.BOM,
		Formulas: given[client.GetTargetRowsParamsFormulas](w.Formulas), Unmappable: given[client.GetTargetRowsParamsUnmappable](w.Unmappable),
		Columns: given[string](w.Columns), Provenance: &w.Provenance,
	}
	if len(w.Filters) > 0 {
		params.Filter = &w.Filters
	}
	if w.Format == formatJSON {
		params.Shape = given[client.GetTargetRowsParamsShape]("objects")
	}
	return w.write(to)(s.client.GetTargetRows(ctx, target, params))
}

// DownloadRejects writes all rejects of a sheet. As json they are one array of objects.
func (s *Server) DownloadRejects(ctx context.Context, w Wanted, to io.Writer) error {
	format := client.GetRejectsParamsFormat(w.transferFormat())
	params := &client.GetRejectsParams{
		Format: &format, Encoding: given[client.GetRejectsParamsEncoding](w.Encoding), Bom: &w.BOM,
		Formulas: given[client.GetRejectsParamsFormulas](w.Formulas), Unmappable: given[client.GetRejectsParamsUnmappable](w.Unmappable),
	}
	if w.Layout != "auto" {
		params.Layout = given[client.GetRejectsParamsLayout](w.Layout)
	}
	language := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Accept-Language", w.Language)
		return nil
	}
	return s.orSheets(ctx, w, w.write(to)(s.client.GetRejects(ctx, w.Task, w.Sheet, params, language)))
}

// noSuchSheet is an error of the command line, not of the server.
type noSuchSheet struct{ error }

// ExitCode is called by kong.
func (noSuchSheet) ExitCode() int { return 2 }

// orSheets names the sheets that there are, if the download has failed because the one that was asked for is not among them.
func (s *Server) orSheets(ctx context.Context, w Wanted, failed error) error {
	if failed == nil {
		return nil
	}
	sheets, err := s.Sheets(ctx, w.Task)
	isIt := func(sheet client.Sheet) bool { return sheet.Number == w.Sheet }
	if err != nil || len(sheets) == 0 || slices.ContainsFunc(sheets, isIt) {
		return failed
	}
	names := make([]string, len(sheets))
	for i, sheet := range sheets {
		names[i] = strings.TrimSpace(fmt.Sprintf("%d %s", sheet.Number, sheet.Name))
	}
	return noSuchSheet{words.Errorf("--sheet: there is no sheet %d; those that there are: %s", w.Sheet, strings.Join(names, ", "))}
}

const formatJSON = "json"

// transferFormat is the format of the answer: JSON is made of its lines, because an answer in JSON is one page.
func (w Wanted) transferFormat() string {
	if w.Format == formatJSON {
		return "ndjson"
	}
	return w.Format
}

// given returns a parameter, nil for an empty text.
func given[T ~string](text string) *T {
	if text == "" {
		return nil
	}
	value := T(text)
	return &value
}

// write returns a function that writes an answer, which ends with an error if it was broken off.
func (w Wanted) write(to io.Writer) func(*http.Response, error) error {
	return func(answer *http.Response, err error) error {
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return explain(client.Failure(answer))
		}
		if w.Format == formatJSON {
			err = writeArray(to, answer.Body)
		} else {
			_, err = io.Copy(to, answer.Body)
		}
		if err != nil {
			return words.Errorf("download: %w", err)
		}
		return nil
	}
}

// writeArray writes lines of JSON as one array.
func writeArray(to io.Writer, lines io.Reader) error {
	out, in := bufio.NewWriter(to), bufio.NewReader(lines)
	before := "[\n"
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			out.WriteString(before)                //nolint:errcheck // Flush reports it
			out.Write(bytes.TrimRight(line, "\n")) //nolint:errcheck // Flush reports it
			before = ",\n"
		}
		switch {
		case err == io.EOF && before == "[\n":
			out.WriteString("[]\n") //nolint:errcheck // Flush reports it
			return out.Flush()
		case err == io.EOF:
			out.WriteString("\n]\n") //nolint:errcheck // Flush reports it
			return out.Flush()
		case err != nil:
			return err
		}
	}
}
