package main

import (
	"errors"
	"strings"
)

// server is the flag by which commands find a running sheetdrop.
type server struct {
	URL string `env:"SHEETDROP_URL" placeholder:"http://…/api" help:"Where sheetdrop is. If it is not given: the one that 'sheetdrop local' runs in this checkout."`
}

func (s *server) url() (string, error) {
	if s.URL != "" {
		url := strings.TrimRight(s.URL, "/")
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
