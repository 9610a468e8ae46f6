package why

// Explanation is the life of a task.
type Explanation struct {
	Items []Item // oldest first
	State State
}

// Viewer is who asks.
type Viewer struct {
	Owner    string
	Operator bool // asks as one, and sees who did what
}

// Explain returns the life of a task, as far as the viewer may see it: nobody but operators learns of other owners.
func Explain(s Snapshot, t Timing, v Viewer) Explanation {
	e := Explanation{itemsOf(s), stateOf(s, t)}
	if v.Operator {
		return e
	}
	for i := range e.Items {
		e.Items[i].Caller = ""
	}
	if s.TurnOwner != v.Owner {
		e.State.WaitingFor = nil
	}
	return e
}
