package main

import (
	"cmp"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/profile"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/signin"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// urlVariable names a server where no flag does.
const urlVariable = "SHEETDROP_URL"

// serverFlags name a running sheetdrop.
type serverFlags struct {
	URL     string `placeholder:"https://HOST" xor:"server" help:"Where sheetdrop is ($$SHEETDROP_URL). If nothing names it: the one that 'sheetdrop local' runs in this checkout."`
	Profile string `placeholder:"NAME" env:"SHEETDROP_PROFILE" help:"The server of a profile; see 'sheetdrop profile'."`
	Data    string `type:"path" placeholder:"DIR" xor:"server" help:"The data folder of a running 'sheetdrop local --data DIR', rather than --url."`
}

// server returns the sheetdrop that the flags name, or else the environment, the profile in use, or this checkout. One that runs on this
// machine gets no token.
func (f *serverFlags) server() (*server.Server, error) {
	if f.Data == "" && f.address() != "" {
		return server.At(f.address(), server.Fixed(os.Getenv(server.TokenVariable)))
	}
	p, err := f.profile()
	if err != nil {
		return nil, err
	}
	if p.URL != "" {
		return server.At(p.URL, tokenOf(p))
	}
	running, err := f.local()
	if err != nil {
		return nil, err
	}
	return server.At(running.APIURL, nil)
}

// address returns the URL that the flag or the environment names, "" if a profile that is named comes first.
func (f *serverFlags) address() string {
	if f.URL == "" && f.Profile != "" {
		return ""
	}
	return cmp.Or(f.URL, os.Getenv(urlVariable))
}

// profile returns the profile that is named or, where nothing is, the one in use; its zero value if there is none.
func (f *serverFlags) profile() (p profile.Profile, err error) {
	if f.Data != "" {
		return p, nil
	}
	config, err := profile.Read()
	name := cmp.Or(f.Profile, config.Current)
	if err != nil || name == "" {
		return p, err
	}
	return config.Find(name)
}

// tokenOf returns the token for the server of a profile.
func tokenOf(p profile.Profile) server.Token {
	if text := os.Getenv(server.TokenVariable); text != "" {
		return server.Fixed(text)
	}
	if p.Scope == "" {
		return nil
	}
	return signin.Azure(p.Scope)
}

// isElsewhere reports whether the server may not be a 'sheetdrop local' of this machine, whose files are at hand.
func (f *serverFlags) isElsewhere() bool {
	if f.Data != "" {
		return false
	}
	p, err := f.profile()
	return f.address() != "" || err != nil || p.URL != ""
}

// local returns the addresses of the sheetdrop on this machine that the flags name.
func (f *serverFlags) local() (instance.Addresses, error) {
	data := f.Data
	if data == "" {
		root, err := checkout.Find()
		if err != nil {
			return instance.Addresses{}, words.New("which sheetdrop? Name the running one with --url, --data or --profile, or call this in a checkout where `sheetdrop local` runs")
		}
		data = checkout.DataFolder(root)
	}
	running, err := instance.ReadAddresses(data)
	if taken, _ := instance.IsTaken(data); err != nil && taken {
		return running, words.Errorf("a sheetdrop is starting or ending on %s: wait until `sheetdrop local` says that it is running", data)
	}
	if err != nil {
		return running, words.Errorf("no sheetdrop runs on %s: start one with `sheetdrop local`, or name another with --url, --data or --profile", data)
	}
	return running, nil
}

// flags returns those that another command needs to find the same server.
func (f *serverFlags) flags() (text string) {
	if f.URL != "" && f.URL != os.Getenv(urlVariable) {
		text += " --url " + terminal.ShellQuoted(f.URL)
	}
	if f.Profile != "" && f.Profile != os.Getenv("SHEETDROP_PROFILE") {
		text += " --profile " + terminal.ShellQuoted(f.Profile)
	}
	if f.Data != "" {
		text += " --data " + terminal.ShellQuoted(f.Data)
	}
	return text
}
