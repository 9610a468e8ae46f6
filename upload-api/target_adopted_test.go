package upload

import (
	"net/http"
	"slices"
	"testing"

	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
)

// An adopted table is its owner's: what people may do with its target leaves it as it is.
func TestAdoptedTargetKeepsItsTable(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.exec(`create table public.stock (article varchar(20) primary key, net numeric(8, 2) default 1, note text); comment on column public.stock.article is '商品コード';
insert into public.stock values ('A', 2)`)
	d.exec(`select sheetdrop.target_adopt('public.stock', 'local')`)
	var made Target
	d.query(&made.ID, `select id from sheetdrop.target`)
	d.get(pathOf(made)).into(http.StatusOK, &made)
	if made.Kind != "ADOPTED" || made.Table != (targets.TableName{Schema: "public", Name: "stock"}) || made.Definition.Columns[0].Label != "商品コード" || made.Definition.Mode != "upsert" {
		t.Errorf("%+v", made)
	}
	if got := shopsAndNumbers(d, pathOf(made)+"/rows", "?"); !slices.Equal(got, []string{"A2"}) {
		t.Errorf("its rows are %q", got)
	}
	const columns = `{"columns": [{"name": "article", "type": "text", "required": true, "max_length": 20}, `
	for change, where := range map[string]string{
		columns + `{"name": "net", "type": "decimal", "digits": 8, "scale": 2, "default": "1"}, {"name": "note", "type": "text"}, {"name": "more", "type": "text"}]}`: "/columns/3",
		columns + `{"name": "net", "type": "decimal", "digits": 9, "scale": 2, "default": "1"}, {"name": "note", "type": "text"}]}`:                                   "/columns/1",
		columns + `{"name": "net", "type": "decimal", "digits": 8, "scale": 2, "default": "2"}, {"name": "note", "type": "text"}]}`:                                   "/columns/1",
		columns + `{"name": "net", "type": "decimal", "digits": 8, "scale": 2, "default": "1"}]}`:                                                                     "/columns",
		`{"key": ["note"]}`: "/key/0",
	} {
		if p := d.sendJSON(http.MethodPatch, pathOf(made), change).problem(problem.InvalidDefinition); p.Errors[0].Location != where {
			t.Errorf("%s: %+v", change, p)
		}
	}
	d.sendJSON(http.MethodPatch, pathOf(made), columns+`{"name": "net", "type": "decimal", "digits": 8, "scale": 2, "default": "1", "min": "0", "synonyms": ["Preis"]}, {"name": "note", "type": "text"}],
"mode": "insert"}`).into(http.StatusOK, &made)
	d.send(http.MethodDelete, pathOf(made)+"?table=drop", nil).problem(problem.InvalidParameter)
	d.send(http.MethodDelete, pathOf(made), nil).noContent()
	d.exec(`select sheetdrop.target_release('public.stock')`)
	var left string
	d.query(&left, `select string_agg(s::text, ' ') from public.stock s`)
	if left != "(A,2.00,)" {
		t.Errorf("the table has %s", left)
	}
}
