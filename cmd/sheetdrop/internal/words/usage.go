package words

import "regexp"

// usageErrors are the errors that kong writes about a command line, with their Japanese form.
var usageErrors = []struct {
	english  *regexp.Regexp
	japanese string
}{
	{regexp.MustCompile(`^unknown flag (\S+), did you mean (.+)\?$`), "オプション${1}はありません。${2}ではありませんか？"},
	{regexp.MustCompile(`^unknown flag (\S+)$`), "オプション${1}はありません"},
	{regexp.MustCompile(`^unexpected argument (.+), did you mean (.+)\?$`), "引数${1}は使えません。${2}ではありませんか？"},
	{regexp.MustCompile(`^unexpected argument (.+)$`), "引数${1}は使えません"},
	{regexp.MustCompile(`^expected one of (.+)$`), "次のいずれかを指定してください：${1}"},
	{regexp.MustCompile(`^expected (.+)$`), "${1}を指定してください"},
	{regexp.MustCompile(`^missing flags: (.+)$`), "オプション${1}が必要です"},
	{regexp.MustCompile(`^(\S+) must be one of (.+) but got (.+)$`), "${1}は${2}のいずれかです（指定された値：${3}）"},
	{regexp.MustCompile(`^(\S+(?: and \S+)*) can't be used together$`), "${1}は同時に指定できません"},
	{regexp.MustCompile(`^(\S+): expected (.+) value but got (.+)$`), "${1}：${2}の値を指定してください（指定された値：${3}）"},
	{regexp.MustCompile(`^(\S+): missing value, expecting (.+)$`), "${1}：値を指定してください"},
}

// Usage returns an error about a command line in the user's language.
func Usage(english string) string {
	if !Japanese() {
		return english
	}
	for _, e := range usageErrors {
		if e.english.MatchString(english) {
			return e.english.ReplaceAllString(english, e.japanese)
		}
	}
	return In(english)
}
