package help

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// CompleteCommand is the hidden command by which the shells' scripts ask for completions: its arguments are the words of the command line
// after the program's name, up to the one that is being written.
const CompleteCommand = "__complete"

// Complete returns the words that may take the place of the last one. There are none where a file's name is expected. values returns the
// values of a flag that no grammar knows, by its name; nil for other flags.
func Complete(app *kong.Node, written []string, values func(flag string) []string) (found []string) {
	written = joinedAssignments(written)
	if len(written) == 0 {
		written = []string{""}
	}
	last := written[len(written)-1]
	node, expects := walk(app, written[:len(written)-1])
	flag, begun, assigned := strings.Cut(last, "=")
	switch {
	case expects != nil:
		return beginning(last, valuesOf(expects, values))
	case assigned && strings.HasPrefix(last, "--"):
		if f := flagOf(node, flag); f != nil {
			return beginning(begun, valuesOf(f, values))
		}
		return nil
	case strings.HasPrefix(last, "-"):
		return flagsOf(node, last)
	}
	for _, child := range node.Children {
		if !child.Hidden && strings.HasPrefix(child.Name, last) {
			found = append(found, child.Name)
		}
	}
	for _, argument := range node.Positional {
		if argument.Enum != "" {
			found = append(found, beginning(last, argument.EnumSlice())...)
		} else {
			found = append(found, beginning(last, values(node.Path()))...)
		}
	}
	return found
}

// joinedAssignments undoes what bash does to --flag=value, which it takes for three words.
func joinedAssignments(written []string) (joined []string) {
	for i, word := range written {
		n := len(joined)
		switch {
		case word == "=" && n > 0:
			joined[n-1] += "="
		case i > 0 && written[i-1] == "=" && n > 0:
			joined[n-1] += word
		default:
			joined = append(joined, word)
		}
	}
	return joined
}

// walk returns the command that the words lead to, and the flag that expects the next word as its value, if one does.
func walk(node *kong.Node, written []string) (command *kong.Node, expects *kong.Flag) {
	for _, word := range written {
		switch {
		case expects != nil:
			expects = nil
		case strings.HasPrefix(word, "-"):
			if f := flagOf(node, word); f != nil && !f.IsBool() && !strings.Contains(word, "=") {
				expects = f
			}
		default:
			if i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == word }); i >= 0 {
				node = node.Children[i]
			}
		}
	}
	return node, expects
}

func flagOf(node *kong.Node, word string) *kong.Flag {
	name, _, _ := strings.Cut(word, "=")
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			if name == "--"+flag.Name || flag.Short != 0 && name == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

func flagsOf(node *kong.Node, begun string) (found []string) {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			names := []string{"--" + flag.Name}
			if flag.Tag.Negatable != "" {
				names = append(names, "--no-"+flag.Name)
			}
			found = append(found, beginning(begun, names)...)
		}
	}
	return found
}

func valuesOf(flag *kong.Flag, values func(string) []string) []string {
	if flag.Enum != "" {
		return flag.EnumSlice()
	}
	return values("--" + flag.Name)
}

func beginning(begun string, list []string) (found []string) {
	for _, value := range list {
		if value != "" && strings.HasPrefix(value, begun) {
			found = append(found, value)
		}
	}
	return found
}

// Script returns the script that has a shell complete this program's command line.
func Script(shell string) string { return scripts[shell] }

// Shells are those for which there is a script.
const Shells = "bash,zsh,fish"

var scripts = map[string]string{
	"bash": `# sheetdrop completion bash > ~/.local/share/bash-completion/completions/sheetdrop
_sheetdrop() {
	local IFS=$'\n'
	COMPREPLY=($(sheetdrop __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sheetdrop sheetdrop
`,
	"zsh": `#compdef sheetdrop
# sheetdrop completion zsh > "${fpath[1]}/_sheetdrop"
_sheetdrop() {
	local -a found
	found=(${(f)"$(sheetdrop __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	if [[ "${words[CURRENT]}" == --*=* ]]; then compset -P '*='; fi
	if (( $#found )); then compadd -- $found; else _files; fi
}
if [[ "$funcstack[1]" == _sheetdrop ]]; then _sheetdrop "$@"; else compdef _sheetdrop sheetdrop; fi
`,
	"fish": `# sheetdrop completion fish > ~/.config/fish/completions/sheetdrop.fish
function __sheetdrop_complete
	set -l written (commandline -opc) (commandline -ct)
	set -l found (sheetdrop __complete $written[2..-1] 2>/dev/null)
	set -l assigned (string match -r '^--[^=]+=' -- (commandline -ct)); or set assigned ''
	if test (count $found) -gt 0
		printf '%s\n' $assigned$found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c sheetdrop -f -a '(__sheetdrop_complete)'
`,
}
