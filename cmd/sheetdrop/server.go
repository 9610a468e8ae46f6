package main

import (
	"errors"
	"fmt"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
)

// serverFlags name a running sheetdrop.
type serverFlags struct {
	URL  string `env:"SHEETDROP_URL" placeholder:"http://…/api" help:"Where sheetdrop is. If it is not given: the one that 'sheetdrop local' runs in this checkout."`
	Data string `type:"path" placeholder:"DIR" help:"The data folder of a running 'sheetdrop local --data DIR', rather than --url."`
}

// server returns the sheetdrop that the flags name. Only one that is named by its URL gets the token.
func (f *serverFlags) server() (*server.Server, error) {
	if f.byURL() {
		return server.At(f.URL, os.Getenv(server.TokenVariable))
	}
	running, err := f.local()
	if err != nil {
		return nil, err
	}
	return server.At(running.APIURL, "")
}

func (f *serverFlags) byURL() bool { return f.URL != "" && f.Data == "" }

// local returns the addresses of the sheetdrop on this machine that the flags name.
func (f *serverFlags) local() (instance.Addresses, error) {
	data := f.Data
	if data == "" {
		root, err := checkout.Find()
		if err != nil {
			return instance.Addresses{}, errors.New("name the running sheetdrop with --url or --data, or call this in a checkout where `sheetdrop local` runs")
		}
		data = checkout.DataFolder(root)
	}
	running, err := instance.ReadAddresses(data)
	if err != nil {
		return running, fmt.Errorf("no sheetdrop runs on %s: start one with `sheetdrop local`, or name another with --url or --data", data)
	}
	return running, nil
}

// flags returns those that another command needs to find the same server.
func (f *serverFlags) flags() (text string) {
	if f.URL != "" && f.URL != os.Getenv("SHEETDROP_URL") {
		text += " --url " + terminal.ShellQuoted(f.URL)
	}
	if f.Data != "" {
		text += " --data " + terminal.ShellQuoted(f.Data)
	}
	return text
}
