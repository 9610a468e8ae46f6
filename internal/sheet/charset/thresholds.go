package charset

// The thresholds of all evidence, with their reasons. Each is followed by what determines it: the lowest value with
// which all files of the corpus (internal/sheet/testdata/corpus) are read correctly, with a file that is misread below
// it, and the highest value likewise; "free" means that there is no such file. Then come the tests of this package that
// fail with half the value and with twice as much, or "none". A decision depends on sums of many of these bits, so few
// of them are determined closely by themselves.

// Surprise in bits: about the binary logarithm of how rare a character is. Decisions compare the sums.
const (
	// a byte that is no text: more than any character
	badBits = 20 // 10 cp932-three-characters-in-ascii .. free; TestBorderOfBrokenUTF8, none
	// a character of ASCII; an encoding that takes one for its own needs these less
	asciiBits = 5 // free; TestCorpus, none
	// a character in company that it hardly ever has
	strangeBits = 6 // 1 bank-german-with-balance-lines .. free; TestCorpus, none
	// a character of UTF-8, of any script
	utf8Bits = 3 // free; TestBorderOfBrokenUTF8, none
	// each of its bytes
	utf8ByteBits = 2 // free .. 7 utf-8-cut-in-a-character; TestBorderOfBrokenUTF8, none
	// hiragana, some 80 signs
	hiraganaBits = 6 // free; none
	// katakana
	katakanaBits = 7 // free; none
	// katakana of half width, as in files of Japanese banks
	halfKatakanaBits = 6 // 3 euc-jp-three-characters-in-ascii .. 8 cp932-half-width-katakana; TestBorderOfBrokenUTF8, TestCorpus
	// punctuation and Latin of full width
	fullWidthBits = 8 // free; none
	// one of some 1,300 kanji that make up most of texts and names
	commonKanjiBits = 10 // free .. 16 cp932-three-characters-in-ascii; TestCorpus, TestBorderOfBrokenUTF8
	// any other kanji: what text in another encoding looks like
	kanjiBits = 14 // 7 cp932-half-width-katakana .. free; TestCorpus
	// user-defined characters: hardly less than no text
	userDefinedBits = 19 // free; TestCorpus, none
	// other signs: Greek, Cyrillic, boxes
	otherJapaneseBits = 13 // free; none
	// is taken off for a voicing mark behind a katakana that has one
	voicedBits = 2 // free; TestCorpus, none
	// punctuation and ｦ of half width, besides
	markBits = 3 // free; none
	// kanji in a row: names and addresses have fewer; katakana of half width read as EUC-JP go on so
	longKanji = 10 // free; TestKanjiInARow
	// one of some 900 characters that make up most of Chinese text, names and tables
	commonHanziBits = 9 // free; none
	// one of the 3,755 or 5,401 that the standards have first
	hanziBits = 14 // free; none
	// any other
	rareHanziBits = 16 // free; none
	// one of some 500 syllables that make up most of Korean
	commonHangulBits = 8 // free; none
	// one of the 2,350 of the standard
	hangulBits = 13 // free; none
	// any other, and Chinese characters in Korean
	rareHangulBits = 16 // free; none
	// other signs in Chinese and Korean
	otherCJKBits = 14 // free; none
	// a letter of another language than the one that a text of single bytes is in
	foreignBits = 10 // free; none
	// a text in several languages of its encoding
	mixedBits = 20 // free; none
	// each of its pairs of letters, in quarters of a bit
	mixedQuarters = 6 // free; TestDetectSeveralLanguages, none
	// an encoding that few files have: UTF-8, windows-1252 and the Japanese ones are more likely
	rareEncodingBits = 5 // free; none
	// one of another script, whose texts have so much beyond ASCII that they can do without a few bits
	otherScriptBits = 16 // free; none
	// Chinese and Korean, which much that is Japanese looks like
	otherCJKEncodingBits = 5 // free; TestDetectLittleBeyondASCII
	// one that hardly any program writes today
	rarestEncodingBits = 6 // free; none
	// one that programs wrote before Windows, or instead of it
	oldEncodingBits = 10 // free; none
	// a letter of single bytes, on average: those of a language in its own encoding surprise by 6 or less
	strangeLetterBits = 7 // free; none
	// letters that such an average is made of
	fewLetters = 5 // free; none
	// different signs, such as µ, ° and ®, that are no old encoding's letters
	fewSigns = 3 // free; none
	// an accented letter of lower case in Western Europe
	accentBits = 7 // free .. 19 bank-german-savings; TestCorpus, none
	// one that few languages have
	rareAccentBits = 11 // free; none
	// an accented capital
	capitalBits = 9 // free .. 17 bank-german-with-balance-lines; TestCorpus
	// a typographic sign, a currency, a unit
	symbolBits = 8 // free .. 19 windows-1252-typographic; none, TestCorpus
	// how much less an apostrophe is between two letters, as English is full of them
	apostropheBits = 4 // free; none
	// how much less a blank that does not break is, where no letter is beside it
	noBreakBits = 4 // free; none
	// any other sign of windows-1252
	rareSymbolBits = 13 // free; TestCorpus, none
	// another character beyond ASCII before it
	besideBits = 4 // free; none, TestCorpus
	// and yet another
	besideTwoBits = 2 // free; none
)

// Shares, as units or characters for each that may be wrong.
const (
	// characters of UTF-8 for each broken byte: another encoding read as UTF-8 breaks more often
	goodPerBad = 10 // 1 access-export .. free; TestShareOfBrokenBytes
	// bytes by which UTF-8 is longer than its characters, where all of a sample is UTF-8: a few may be one by chance
	evidentUTF8 = 40 // free; none
	// characters of ASCII that a delimiter or line end in UTF-16 counts for
	separatorWeight = 4 // free; TestThresholdsOfUTF16, none
	// bytes without a zero byte, which each line of UTF-16 ends with
	longLine = 8 << 10 // 17 TestDetectUTF16OfAScript .. free
	// bytes that look like delimiters for each that is one: kanji hold them too
	separatorsPerUnit = 3 // free; TestThresholdsOfUTF16
	// letters for each that is a word for itself: fewer are rather signs of another encoding
	lettersPerLone = 2 // free; none
	// units of UTF-16 for each that text hardly has
	unitsPerBad = 50 // free; TestThresholdsOfUTF16
	// units for each that is ASCII, where no delimiter stands
	unitsPerASCII = 4 // free; TestThresholdsOfUTF16
	// bits that a unit in one order of bytes leads over the other
	unitBits = 5 // free; none
	// units for each that is of no greater script
	unitsPerUnknown = 20 // 2 delimiter-control-a-many .. free; TestThresholdsOfScripts
	// kanji for each that is common: pairs of ASCII letters look like rare ones
	kanjiPerCommon = 4 // free; TestThresholdsOfScripts
	// units for each that is neither kana nor common kanji, in Japanese
	unitsPerOther = 5 // free; TestThresholdsOfScripts
	// units for each byte that text of single bytes lacks
	unitsPerStrange = 25 // free; TestThresholdsOfScripts
	// control characters: one may be a slip
	evidentControls = 2 // free; TestThresholdsOfScripts
	// units: fewer may look Japanese by chance
	evidentUnits = 4 // free; TestThresholdsOfScripts
	// units for each of an emoji
	unitsPerPicture = 2 // free; TestThresholdsOfScripts
)

// How sure a decision is, of 1.
const (
	// no more samples are looked at
	sureConfidence = 0.999 // free; TestConfidenceOfALead
	// text that is hardly of any language in the best encoding: it may be in one that is not known
	strangeConfidence = 0.75 // free; none
	// a guess between two
	leastConfidence = 0.5 // free; none
	// bits that are worth one, for what is counted of neighbours is not independent
	dependence = 4.0 // free; TestConfidenceOfALead
)
