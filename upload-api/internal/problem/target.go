package problem

import "sheetdrop/internal/target"

// Definition returns the problem of a target's definition.
func Definition(problems []target.Problem) *Problem {
	return ofTarget(InvalidDefinition, "definition", problems)
}

// Mapping returns the problem of what a request asks of a target.
func Mapping(problems []target.Problem) *Problem {
	return ofTarget(InvalidMapping, "request", problems)
}

func ofTarget(code Code, what string, problems []target.Problem) *Problem {
	first := problems[0]
	faults := make([]Fault, len(problems))
	for i, wrong := range problems {
		faults[i] = Fault{wrong.Pointer, wrong.Message, wrong.MessageJA}
	}
	p := New(code, "%s %s: %s", what, first.Pointer, first.Message).At(faults...)
	if len(problems) > maxFaults {
		p.Errors = append(p.Errors[:maxFaults], Fault{Message: "There are more.", MessageJA: "ほかにもあります。"})
	}
	return p
}
