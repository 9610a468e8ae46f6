package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// In a Japanese locale people learn in Japanese why a record was rejected.
func TestRejectsAreExplainedInJapanese(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "parse", "-")
	cmd.Stdin = strings.NewReader("受注日,数量,備考\n2024/04/01,\"1,200\",至急\n2024/04/02\n")
	cmd.Env = []string{"LC_ALL=ja_JP.UTF-8"}
	p := startCommand(t, cmd, "")
	if status := p.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), `  受注日      数量     備考
  date        integer  text
  2024/04/01  1,200    至急
  エラー行：
  場所   列    コード        内容
  3行目  数量  missing_cell  2個のセルがありません。このレコードのセルは1個、見出しは3個です。
`)
}
