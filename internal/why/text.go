package why

import (
	"cmp"
	"strconv"
	"strings"

	"sheetdrop/internal/task"
)

// sentence is a text in both languages. {n} stands for a number, {attempt} for that of a run.
type sentence struct{ english, japanese string }

func (s sentence) in(japanese bool) string {
	if japanese {
		return s.japanese
	}
	return s.english
}

func fill(text string, n int64, attempt int) string {
	return strings.NewReplacer("{n}", strconv.FormatInt(n, 10), "{attempt}", strconv.Itoa(attempt)).Replace(text)
}

// Text says what happened, without when.
func (i Item) Text(japanese bool) string {
	text := fill(happened[i.Kind].in(japanese), i.Count, i.Attempt)
	if i.Kind == Completed && i.Count == 0 { // an undo, a dry run, or a load that changed nothing
		text = stands[IsCompleted].in(japanese)
	}
	if reason, ok := reasons[i.Reason]; ok {
		text = join(text, reason.in(japanese), japanese)
	} else if i.Reason != "" {
		text = strings.TrimRight(text, ".。") + colon(japanese) + i.Reason
	}
	if i.Counted {
		text = join(text, counted.in(japanese), japanese)
	}
	return text + i.who(japanese)
}

// who says who did it; of an operator with the name, for those who may know it.
func (i Item) who(japanese bool) string {
	name := by[i.By].in(japanese)
	switch {
	case name == "":
		return ""
	case i.By == ByOperator && i.Caller != "":
		name += " " + i.Caller
	}
	if japanese {
		return "（" + name + "）"
	}
	return " (" + name + ")"
}

// Text says where the task stands, without since when.
func (s State) Text(japanese bool) string {
	text := fill(stands[s.Code].in(japanese), s.Ahead, 0)
	if message := failed(s.Failure).in(japanese); message != "" {
		return join(text, message, japanese)
	}
	if s.Reason == "" {
		return text
	}
	if reason, ok := reasons[s.Reason]; ok {
		return join(text, reason.in(japanese), japanese)
	}
	return strings.TrimRight(text, ".。") + colon(japanese) + s.Reason
}

// failed returns why a task is FAILED, in both languages: tasks older than the translations have it in English alone.
func failed(f task.Failure) sentence { return sentence{f.Message, cmp.Or(f.MessageJA, f.Message)} }

// StepText says what somebody can do, without the command.
func (s State) StepText(japanese bool) string {
	english, translated := s.Failure.Advice()
	if said := (sentence{english, translated}).in(japanese); said != "" {
		return said
	}
	return steps[s.Code].in(japanese)
}

func join(a, b string, japanese bool) string {
	if japanese {
		return a + b
	}
	return a + " " + b
}

func colon(japanese bool) string {
	if japanese {
		return "："
	}
	return ": "
}
