// Package profile keeps the servers that a user works with, by names of their own, in a file that nobody else can read.
package profile

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Profile is a server under a name. It has no secret: tokens come from the sign-in of this machine.
type Profile struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Scope string `json:"scope,omitempty"` // for the Azure sign-in; "" for a server that asks for none
}

// Config is what the file has.
type Config struct {
	Current  string    `json:"current,omitempty"` // the profile that is used unless another one is named
	Profiles []Profile `json:"profiles"`
}

// Path returns the file's.
func Path() (string, error) {
	folder, err := os.UserConfigDir()
	return filepath.Join(folder, "sheetdrop", "config.json"), err
}

// Read returns what is kept; a Config without profiles if nothing is.
func Read() (c Config, err error) {
	path, err := Path()
	if err != nil {
		return c, nil //nolint:nilerr // an account without a home has no profiles
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, words.Errorf("the profiles in %s cannot be read: %w", path, err)
	}
	return c, nil
}

// Find returns the profile of a name.
func (c *Config) Find(name string) (Profile, error) {
	for _, p := range c.Profiles {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, words.Errorf("there is no profile %s; `sheetdrop profile list` shows those that are there", name)
}

// Set adds a profile, or replaces the one of its name.
func (c *Config) Set(p Profile) {
	c.drop(p.Name)
	c.Profiles = append(c.Profiles, p)
}

// Remove removes the profile of a name.
func (c *Config) Remove(name string) error {
	if _, err := c.Find(name); err != nil {
		return err
	}
	c.drop(name)
	if c.Current == name {
		c.Current = ""
	}
	return nil
}

func (c *Config) drop(name string) {
	c.Profiles = slices.DeleteFunc(c.Profiles, func(p Profile) bool { return p.Name == name })
}

// Write keeps it, whole or not at all, for this user alone.
func (c *Config) Write() error {
	path, err := Path()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	fresh, err := os.CreateTemp(filepath.Dir(path), "config-*") // with 0600
	if err != nil {
		return err
	}
	_, err = fresh.Write(append(text, '\n'))
	if err = errors.Join(err, fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err != nil {
		_ = os.Remove(fresh.Name())
	}
	return err
}
