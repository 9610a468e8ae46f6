package main

import (
	"regexp"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/profile"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

type profileCommand struct {
	Add  addProfileCommand    `cmd:"" help:"Name a server, or change the one of that name. The first one is used at once."`
	List listProfilesCommand  `cmd:"" help:"List the profiles."`
	Use  useProfileCommand    `cmd:"" help:"Have the commands call the server of a profile, unless something else names one."`
	Rm   removeProfileCommand `cmd:"" help:"Forget a profile."`
}

type addProfileCommand struct {
	Name     string `arg:"" help:"The profile's name: letters, digits, - and _."`
	URL      string `arg:"" help:"Where the server is."`
	ClientID string `placeholder:"ID" xor:"scope" help:"The application's id of a deployed server, AUTH_CLIENT_ID in its deployment: it is called with the Azure sign-in of this machine."`
	Scope    string `placeholder:"URI" xor:"scope" help:"The scope of the token, in place of api://ID/.default."`
}

var profileName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (a *addProfileCommand) Run(c *terminal.Console) error {
	if !profileName.MatchString(a.Name) {
		return words.Errorf("%s cannot be a profile's name: letters, digits, - and _ are expected", terminal.Printable(a.Name))
	}
	if _, err := server.At(a.URL, nil); err != nil {
		return err
	}
	p := profile.Profile{Name: a.Name, URL: strings.TrimRight(a.URL, "/"), Scope: a.Scope}
	if a.ClientID != "" {
		p.Scope = "api://" + a.ClientID + "/.default"
	}
	if p.Scope != "" && !strings.HasPrefix(p.URL, "https://") && !server.IsThisMachine(p.URL) {
		return words.Errorf("%s is not https: whoever is between could read the token, so it is not sent", p.URL)
	}
	config, err := profile.Read()
	if err != nil {
		return err
	}
	config.Set(p)
	if config.Current == "" {
		config.Current = p.Name
	}
	return keep(c, config, p)
}

// keep writes the profiles, and says which one is used.
func keep(c *terminal.Console, config profile.Config, shown profile.Profile) error {
	if err := config.Write(); err != nil {
		return err
	}
	if config.Current == shown.Name {
		c.Result(shown, "%s: the commands call %s now\n", shown.Name, terminal.Printable(shown.URL))
	} else {
		c.Result(shown, "%s: --profile=%s calls %s\n", shown.Name, shown.Name, terminal.Printable(shown.URL))
	}
	return nil
}

type listProfilesCommand struct{}

func (listProfilesCommand) Run(c *terminal.Console) error {
	config, err := profile.Read()
	if err != nil {
		return err
	}
	table := terminal.Table{UncutLast: true}
	table.Header("", "name", "server", "sign-in")
	for _, p := range config.Profiles {
		mark := ""
		if p.Name == config.Current {
			mark = "*"
		}
		table.Add(mark, p.Name, p.URL, p.Scope)
		c.Value(struct {
			profile.Profile
			Current bool `json:"current"`
		}{p, p.Name == config.Current})
	}
	showTable(c, &table, words.In("There are no profiles yet: `sheetdrop profile add NAME URL` makes one."))
	return nil
}

type useProfileCommand struct {
	Name string `arg:"" help:"The profile's name."`
}

func (u *useProfileCommand) Run(c *terminal.Console) error {
	config, err := profile.Read()
	if err != nil {
		return err
	}
	p, err := config.Find(u.Name)
	if err != nil {
		return err
	}
	config.Current = p.Name
	return keep(c, config, p)
}

type removeProfileCommand struct {
	Name string `arg:"" help:"The profile's name."`
}

func (r *removeProfileCommand) Run(c *terminal.Console) error {
	config, err := profile.Read()
	if err == nil {
		err = config.Remove(r.Name)
	}
	if err == nil {
		err = config.Write()
	}
	if err != nil {
		return err
	}
	c.Result(map[string]string{"removed": r.Name}, "%s is forgotten\n", r.Name)
	return nil
}
