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
	in, err := openInput(ctx, s.Reading.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	number, err := s.Reading.pick(ctx, in, false)
	if err != nil {
		return err
	}
	out := newOutput(os.Stdout)
	if s.JSON {
		return s.Reading.print(ctx, in, number, &sniffJSON{out: out})
	}
	return s.Reading.print(ctx, in, number, &sniffTable{out: out, name: in.name, options: s.Reading.options})
}
