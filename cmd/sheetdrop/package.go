package main

import (
	"context"
	"encoding/hex"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
)

type packageCommand struct {
	Out string `type:"path" default:"dist/app.zip" placeholder:"FILE" help:"The zip to write; ${default} if it is not given."`
}

func (p *packageCommand) Run(ctx context.Context, c *terminal.Console) error {
	root, err := checkout.Find()
	if err != nil {
		return err
	}
	c.Step("building the handler for linux/amd64")
	names, sum, err := checkout.Package(ctx, root, p.Out)
	if err != nil {
		return err
	}
	for _, name := range names {
		c.Printf("  %s\n", name)
	}
	c.Result(map[string]any{"path": p.Out, "sha256": hex.EncodeToString(sum), "files": names}, "%s  sha256 %x\n", p.Out, sum)
	return nil
}
