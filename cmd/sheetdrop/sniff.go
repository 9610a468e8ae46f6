package main

import (
	"context"
	"errors"
	"os"
)

type sniffCommand struct {
	Reading reading `embed:""`
	JSON    bool    `name:"json" help:"Print one JSON object, for programs."`
}

func (s *sniffCommand) Run(ctx context.Context) (err error) {
	in, err := s.Reading.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	out := newOutput(os.Stdout)
	if s.JSON {
		return s.Reading.print(ctx, in, &sniffJSON{out: out})
	}
	return s.Reading.print(ctx, in, &sniffTable{out: out, name: in.name, options: s.Reading.options})
}
