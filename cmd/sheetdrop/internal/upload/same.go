package upload

import (
	"context"
	"fmt"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// confirm asks whether to upload bytes again that are in this file already. Without a terminal the answer is no.
func (s *sending) confirm(ctx context.Context, same *client.SameFile) bool {
	if same == nil {
		return false
	}
	yes, _ := s.console.Ask(ctx, fmt.Sprintf(words.Localized("%s: %s. Upload it again?", "%s：%s。もう一度アップロードしますか？"),
		terminal.Printable(s.file.Name), whichFile(same)))
	return yes
}

// whichFile says which file has the same bytes.
func whichFile(same *client.SameFile) string {
	return fmt.Sprintf(words.Localized("the same as %s of %s, task %s", "%s（%s、タスク %s）と同じ内容です"),
		terminal.Printable(same.Name), terminal.When(same.CreatedAt), same.TaskID)
}

// notAgain says that a file was not uploaded, because its bytes are in another one.
func notAgain(same *client.SameFile) string {
	return fmt.Sprintf(words.Localized("%s; not uploaded again (sheetdrop upload --again does)",
		"%s。アップロードしませんでした（sheetdrop upload --again で再度アップロードできます）"), whichFile(same))
}
