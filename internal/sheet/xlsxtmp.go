package sheet

func refuse(code Code, message string) *Refusal { return &Refusal{code, message} }
