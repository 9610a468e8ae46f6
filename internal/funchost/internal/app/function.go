package app

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Binding is one entry of function.json's bindings, the properties of the supported triggers together.
type Binding struct {
	Type      string `json:"type"`
	Direction string `json:"direction"`
	Name      string `json:"name"`

	Methods []string `json:"methods"` // httpTrigger
	Route   *string  `json:"route"`

	Schedule     string `json:"schedule"` // timerTrigger
	UseMonitor   *bool  `json:"useMonitor"`
	RunOnStartup bool   `json:"runOnStartup"`

	QueueName  string `json:"queueName"` // queueTrigger
	Connection string `json:"connection"`
	DataType   string `json:"dataType"`
}

// Function is one function of the app: the folder's name and its trigger.
type Function struct {
	Name    string
	Trigger Binding
}

// ReadFunctions reads <function>/function.json below the app root, all of them or those that Source.Functions names.
func ReadFunctions(c Source) ([]Function, error) {
	files, err := filepath.Glob(filepath.Join(c.Root, "*", "function.json"))
	if err != nil {
		return nil, err
	}
	var functions []Function
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if c.Functions != nil && !slices.Contains(c.Functions, name) {
			continue
		}
		f, err := readFunction(c, file, name)
		if err != nil {
			return nil, fmt.Errorf("%s/function.json: %w", name, err)
		}
		functions = append(functions, f)
	}
	for _, wanted := range c.Functions {
		if !slices.ContainsFunc(functions, func(f Function) bool { return f.Name == wanted }) {
			return nil, fmt.Errorf("there is no function %s in %s", wanted, c.Root)
		}
	}
	if len(functions) == 0 {
		return nil, fmt.Errorf("there is no <function>/function.json in %s", c.Root)
	}
	return functions, nil
}

func readFunction(c Source, path, name string) (Function, error) {
	var file struct {
		Bindings []Binding `json:"bindings"`
	}
	if err := readJSON(path, &file); err != nil {
		return Function{}, err
	}
	f := Function{Name: name}
	outputs := 0
	for _, b := range file.Bindings {
		switch {
		case strings.HasSuffix(strings.ToLower(b.Type), "trigger") && f.Trigger.Type == "":
			f.Trigger = b
		case strings.EqualFold(b.Type, "http") && b.Direction == "out":
			outputs++
		default:
			return f, fmt.Errorf("binding %q of type %q is not supported here", b.Name, b.Type)
		}
	}
	return f, f.complete(c, outputs)
}

// complete checks the trigger, fills in its defaults and resolves its app settings.
func (f *Function) complete(c Source, httpOutputs int) (err error) {
	t := &f.Trigger
	if (httpOutputs == 1) != f.Is("httpTrigger") || httpOutputs > 1 {
		return errors.New("an httpTrigger needs exactly one http output, and nothing else may have one: " +
			"only a request that can be proxied is supported here")
	}
	switch {
	case f.Is("httpTrigger"):
		t.Route = new(ValueOr(t.Route, f.Name))
	case f.Is("timerTrigger"):
		t.Schedule, err = c.Settings.resolve(t.Schedule)
	case f.Is("queueTrigger"):
		t.Connection = cmp.Or(t.Connection, "AzureWebJobsStorage")
		t.QueueName, err = c.Settings.resolve(t.QueueName)
		t.QueueName = strings.ToLower(t.QueueName)
	case t.Type == "":
		return errors.New("there is no trigger")
	default:
		return fmt.Errorf("trigger type %q is not supported here (httpTrigger, timerTrigger, queueTrigger are)", t.Type)
	}
	return err
}

// Is compares the trigger's type, which the real host reads without regard to case.
func (f Function) Is(triggerType string) bool { return strings.EqualFold(f.Trigger.Type, triggerType) }
