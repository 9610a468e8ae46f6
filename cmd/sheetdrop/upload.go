package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type uploadCommand struct {
	Files []string `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	URL   string   `env:"SHEETDROP_URL" placeholder:"http://…/api" help:"Where sheetdrop is. If it is not given: the one that 'sheetdrop local' runs in this checkout."`
}

func (u *uploadCommand) Run(ctx context.Context, c *console) error {
	url, err := u.url()
	if err != nil {
		return err
	}
	failed, err := deliver(ctx, c, api{url}, filesAt(u.Files))
	if err != nil {
		return err
	}
	return failure(failed)
}

func (u *uploadCommand) url() (string, error) {
	if u.URL != "" {
		url := strings.TrimRight(u.URL, "/")
		if !strings.HasSuffix(url, "/api") {
			url += "/api"
		}
		return url, nil
	}
	root, err := findCheckout()
	if err != nil {
		return "", errors.New("name the running sheetdrop with --url, or call this in a checkout where `sheetdrop local` runs")
	}
	running, err := readAddresses(addressFile(dataFolder(root)))
	if err != nil {
		return "", errors.New("no sheetdrop runs here: start one with `sheetdrop local`, or name another with --url")
	}
	return running.APIURL, nil
}

func failure(files int) error {
	switch files {
	case 0:
		return nil
	case 1:
		return errors.New("one file was not loaded")
	}
	return fmt.Errorf("%d files were not loaded", files)
}
