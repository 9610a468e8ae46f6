package upload

import (
	"context"
	"fmt"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/client"
)

// confirm asks whether to upload bytes again that are in this file already. Without a terminal the answer is no.
func (s *sending) confirm(ctx context.Context, same *client.SameFile) bool {
	if same == nil {
		return false
	}
	return s.console.Confirm(ctx, fmt.Sprintf(terminal.Localized("%s: %s. Upload it again?", "%s：%s。もう一度アップロードしますか？"),
		terminal.Printable(s.file.Name), whichFile(same)))
}

// whichFile says which file has the same bytes.
func whichFile(same *client.SameFile) string {
	return fmt.Sprintf(terminal.Localized("the same as %s of %s, task %s", "%s（%s、タスク %s）と同じ内容です"),
		terminal.Printable(same.Name), when(same.CreatedAt), same.TaskID)
}

// when returns a time for people: without the date if it is today.
func when(t time.Time) string {
	t = t.Local()
	if now := time.Now(); t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// notAgain says that a file was not uploaded, because its bytes are in another one.
func notAgain(same *client.SameFile) string {
	return fmt.Sprintf(terminal.Localized("%s; not uploaded again (sheetdrop upload --again does)",
		"%s。アップロードしませんでした（sheetdrop upload --again で再度アップロードできます）"), whichFile(same))
}
