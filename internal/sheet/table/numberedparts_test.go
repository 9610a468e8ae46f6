package table

import "testing"

// Bold rows of a day and a text are holidays where each day has one row, and titles where their days have several rows.
func TestBoldDays(t *testing.T) {
	t.Parallel()
	strong := []bool{false, true, false, true, false}
	for text, want := range map[string]titledParts{
		"2024-05-01,Paint,Abel,4\n2024-05-02,Clean,,\n2024-05-03,Paint,Born,3\n2024-05-04,Cook,,\n2024-05-05,Build,Cors,5\n": noTitles,
		"2024-05-01,Paint,Abel,4\n2024-05-02,Clean,,\n2024-05-02,Paint,Born,3\n2024-05-03,Cook,,\n2024-05-03,Build,Cors,5\n": strongTitles,
	} {
		rows := rowsOf(text)
		if got, _ := columnKinds(rows, 4).numberedTitles(rows, strong); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
