package grid

import "testing"

func TestFormats(t *testing.T) {
	t.Parallel()
	for want, codes := range map[Format][]string{
		PlainFormat: {
			"General", "0", "0.00", "#,##0.00_);[Red](#,##0.00)", "0%", "0.00E+00", "# ?/?", "@", ";;;", `"day"0`, `0" days"`, `\d0`, "[Red]0", "[$¥-411]#,##0",
			"0.00 EUR", "#,##0 kr", `"yyyy-mm-dd"`, `[Blue]General;[Red]-General`, "_(* #,##0_);_(* (#,##0)", "0_d", "[Color10]0", "[DBNum1]General", "[>100]0;[<=10]0.0;0.00",
			`0!h`, "", "Standard", "G/標準", "G/標準\"円\"", "G/通用格式", ";yyyy", "[$-409]0.00", "[hm]0", "[]0",
		},
		DateFormat: {
			"yyyy-mm-dd", "m/d/yy", "d-mmm-yy", "mmm yyyy", "mmmm", "m", "[$-411]ggge\"年\"m\"月\"d\"日\";@", "[$-F800]dddd, mmmm dd, yyyy", "[$-409]d\\-mmm\\-yyyy",
			"yyyy年m月d日", "[Red]yyyy/m/d", "aaa", "aaaa", `ddd`, "ge.m.d", "e", "yyyy\\.mm\\.dd", "dd/mm/yyyy;@", "[=0]\"\";yyyy/mm/dd", "bb", "YYYY-MM-DD", "[DBNum1][$-804]yyyy\"年\"m\"月\"",
			"[$-en-US]d mmm", `"Date: "yyyy`, "yyyy!mm!dd",
		},
		TimeFormat: {
			"h:mm", "h:mm:ss AM/PM", "mm:ss", "mm:ss.0", "h:mm:ss.000", "[$-F400]h:mm:ss\\ AM/PM", "hh\"時\"mm\"分\"", "h A/P", "ss", "上午/下午h\"时\"mm\"分\"", "hh:mm:ss,00", "[$-409]h:mm AM/PM;@",
		},
		TimestampFormat: {"m/d/yy h:mm", "yyyy-mm-dd hh:mm:ss.000", "yyyy-mm-dd\"T\"hh:mm:ss", "[$-409]m/d/yy h:mm AM/PM;@", "d h", "mmm hh", "yyyy/m/d aaa h:mm"},
		ElapsedFormat:   {"[h]:mm:ss", "[hh]:mm", "[mm]:ss", "[m]", "[ss].00", "[s]", "[H]:MM", "[Red][h]:mm", `[h]"h "mm"m"`},
	} {
		for _, code := range codes {
			if got := FormatOf(code); got != want {
				t.Errorf("%q is %d, want %d", code, got, want)
			}
		}
	}
}

func TestBuiltinFormats(t *testing.T) {
	t.Parallel()
	for want, ids := range map[Format][]int{
		PlainFormat:      {0, 1, 4, 9, 11, 13, 23, 26, 37, 44, 48, 49, 59, 62, 67, 82, 163, -1},
		DateFormat:       {14, 15, 16, 17, 27, 31, 36, 50, 54, 57, 58, 71, 81},
		TimeFormat:       {18, 19, 20, 21, 32, 33, 45, 47, 75, 80},
		TimestampFormat:  {22, 77},
		ElapsedFormat:    {46, 79},
		DateOrTimeFormat: {34, 35, 55, 56},
	} {
		for _, id := range ids {
			if got := BuiltinFormat(id); got != want {
				t.Errorf("format %d is %d, want %d", id, got, want)
			}
		}
	}
}

// Formats that display decimals, or a share, tell that a number is none that counts.
func TestFormatsWithDecimals(t *testing.T) {
	t.Parallel()
	for want, codes := range map[Shown][]string{
		AsShare: {"0%", "0.00%", "0.0%;[Red]-0.0%", `0\ %`},
		AsDecimals: {
			"0.00", "#,##0.00_);[Red](#,##0.00)", "0.0#", "0.??", `#,##0.00 "EUR"`, "[$-409]0.00", `_-* #,##0.00\ "€"_-;-* 0`, "#.#",
			"[>100]0.0;0", "0.00 EUR",
		},
		AsNumber: {
			"General", "0", "#,##0", "0.00E+00", "# ?/?", "@", ";;;", `0". of"`, "yyyy.mm.dd", "mm:ss.0", "[h]:mm", `0\%`, "0;0.00", "",
		},
	} {
		for _, code := range codes {
			if got := ShownBy(code); got != want {
				t.Errorf("%q: %d, want %d", code, got, want)
			}
		}
	}
}
