package funchost

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// binding is one entry of function.json's bindings, the properties of the supported triggers together.
type binding struct {
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

// function is one function of the app: the folder's name and its trigger.
type function struct {
	name    string
	trigger binding
}

// readFunctions reads <function>/function.json below the app root, all of them or those that Config.Functions names.
func readFunctions(c Config) ([]function, error) {
	files, err := filepath.Glob(filepath.Join(c.Root, "*", "function.json"))
	if err != nil {
		return nil, err
	}
	var functions []function
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
		if !slices.ContainsFunc(functions, func(f function) bool { return f.name == wanted }) {
			return nil, fmt.Errorf("there is no function %s in %s", wanted, c.Root)
		}
	}
	if len(functions) == 0 {
		return nil, fmt.Errorf("there is no <function>/function.json in %s", c.Root)
	}
	return functions, nil
}

func readFunction(c Config, path, name string) (function, error) {
	var file struct {
		Bindings []binding `json:"bindings"`
	}
	if err := readJSON(path, &file); err != nil {
		return function{}, err
	}
	f := function{name: name}
	outputs := 0
	for _, b := range file.Bindings {
		switch {
		case strings.HasSuffix(strings.ToLower(b.Type), "trigger") && f.trigger.Type == "":
			f.trigger = b
		case strings.EqualFold(b.Type, "http") && b.Direction == "out":
			outputs++
		default:
			return f, fmt.Errorf("binding %q of type %q is not supported here", b.Name, b.Type)
		}
	}
	return f, f.complete(c, outputs)
}

// complete checks the trigger, fills in its defaults and resolves its app settings.
func (f *function) complete(c Config, httpOutputs int) (err error) {
	t := &f.trigger
	if (httpOutputs == 1) != f.is("httpTrigger") || httpOutputs > 1 {
		return errors.New("an httpTrigger needs exactly one http output, and nothing else may have one: " +
			"only a request that can be proxied is supported here")
	}
	switch {
	case f.is("httpTrigger"):
		t.Route = new(valueOr(t.Route, f.name))
	case f.is("timerTrigger"):
		t.Schedule, err = c.resolve(t.Schedule)
	case f.is("queueTrigger"):
		t.Connection = cmp.Or(t.Connection, "AzureWebJobsStorage")
		t.QueueName, err = c.resolve(t.QueueName)
		t.QueueName = strings.ToLower(t.QueueName)
	case t.Type == "":
		return errors.New("there is no trigger")
	default:
		return fmt.Errorf("trigger type %q is not supported here (httpTrigger, timerTrigger, queueTrigger are)", t.Type)
	}
	return err
}

// is compares the trigger's type, which the real host reads without regard to case.
func (f function) is(triggerType string) bool { return strings.EqualFold(f.trigger.Type, triggerType) }
