package main

import (
	"errors"
	"os"
	"strings"
)

// tokenVariable keeps the token by which a deployed sheetdrop knows who calls. It is no flag, since flags can be seen by all who list processes.
const tokenVariable = "SHEETDROP_TOKEN"

// server is the flag by which commands find a running sheetdrop.
type server struct {
	URL string `env:"SHEETDROP_URL" placeholder:"http://…/api" help:"Where sheetdrop is. If it is not given: the one that 'sheetdrop local' runs in this checkout."`
}

// api is the sheetdrop that was found. The token goes to the one that was named, and to no other.
func (s *server) api() (api, error) {
	url, err := s.url()
	if err != nil || s.URL == "" {
		return api{url: url}, err
	}
	return api{url: url, token: os.Getenv(tokenVariable)}, nil
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
