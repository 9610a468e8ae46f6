package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// tokenVariable keeps the token by which a deployed sheetdrop knows who calls. It is no flag, since flags can be seen
// by all who list processes.
const tokenVariable = "SHEETDROP_TOKEN"

// server has the flags by which commands find a running sheetdrop.
type server struct {
	URL  string `env:"SHEETDROP_URL" placeholder:"http://…/api" help:"Where sheetdrop is. If it is not given: the one that 'sheetdrop local' runs in this checkout."`
	Data string `type:"path" placeholder:"DIR" help:"The data folder of a running 'sheetdrop local --data DIR', rather than --url."`
}

// api is the sheetdrop that was found. The token goes to the one that was named, and to no other.
func (s *server) api() (api, error) {
	url, err := s.url()
	if err != nil || s.URL == "" || s.Data != "" {
		return api{url: url}, err
	}
	return api{url: url, token: os.Getenv(tokenVariable)}, nil
}

func (s *server) url() (string, error) {
	if s.URL != "" && s.Data == "" {
		url := strings.TrimRight(s.URL, "/")
		if !strings.HasSuffix(url, "/api") {
			url += "/api"
		}
		return url, nil
	}
	data := s.Data
	if data == "" {
		root, err := findCheckout()
		if err != nil {
			return "", errors.New("name the running sheetdrop with --url or --data, or call this in a checkout where `sheetdrop local` runs")
		}
		data = dataFolder(root)
	}
	running, err := readAddresses(addressFile(data))
	if err != nil {
		return "", fmt.Errorf("no sheetdrop runs on %s: start one with `sheetdrop local`, or name another with --url or --data", data)
	}
	return running.APIURL, nil
}
