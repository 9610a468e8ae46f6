package export

import (
	"mime"
	"testing"
)

// A name leads to no other folder and no device, hides no ending, and writes no header of its own.
func TestAttachment(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"orders.csv":                    "orders.csv",
		"注文 一.csv":                      "注文 一.csv",
		"../../etc/passwd":              "_.._.._etc_passwd",
		`..\..\windows\system.ini`:      `_.._.._windows_system.ini`,
		"/etc/passwd":                   "_etc_passwd",
		"C:autoexec.bat":                "C_autoexec.bat",
		"a%2f..%2fb.csv":                "a%2f..%2fb.csv",
		"invoice\u202ecsv.exe":          "invoicecsv.exe",
		"\u2066a\u2069.csv":             "a.csv",
		"می\u200cخواهم.csv":             "می\u200cخواهم.csv", // which is spelled so
		"a\r\nSet-Cookie: x=y\r\n.csv":  "aSet-Cookie_ x=y.csv",
		`a"; filename="b.exe`:           `a_; filename=_b.exe`,
		"CON":                           "_CON",
		"nul.csv":                       "_nul.csv",
		"Com1 .txt":                     "_Com1 .txt",
		"company.csv":                   "company.csv",
		"orders.exe. . ":                "orders.exe",
		".bashrc":                       "_.bashrc",
		"...":                           "_",
		"\u202e":                        "_",
		"file:///a?b=c&d|e*<script>.sh": "file____a_b=c&d_e__script_.sh",
	} {
		header := attachment(name)
		kind, params, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || params["filename"] != want {
			t.Errorf("%q: %s is read as %s %q, %v; want %q", name, header, kind, params, err, want)
		}
	}
}
