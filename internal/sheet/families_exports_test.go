package sheet

import (
	"slices"
	"strings"
	"testing"
)

// exported is a text, the names of its columns with bars between, and how many rows it has; none of its records is rejected.
type exported struct {
	content string
	columns string
	rows    int
}

// What programs that export tables write around and into them, and what looks like it and is data.
func TestTablesAsTheyAreExported(t *testing.T) {
	t.Parallel()
	wells := strings.Repeat("W-17,2024-06-14,275,\nW-17,2024-06-28,276,dry\nW-18,2024-07-15,274,\n", 100)
	wide := strings.Repeat("7,A-1,Ash,33.2,ok,\n8,A-2,Elm,34.1,ok,\n9,A-3,Oak,31.5,ok,late\n8,A-4,Elm,30.0,ok,\n9,A-5,Oak,undetermined,ok,\n", 3)
	short := strings.Repeat("7,B-1,Ash,33.2,ok\n8,B-2,Elm,34.1,ok\n9,B-3,Oak,31.5,ok\n8,B-4,Elm,30.0,ok\n9,B-5,Oak,undetermined,ok\n", 12)
	expectExported(t, map[string]exported{
		"types with sizes": {"id,day,name,sum\nINT,DATE,VARCHAR(80),\"DECIMAL(10,2)\"\n1,2024-01-05,Ann,1.50\n2,2024-01-06,Ben,2.25\n" +
			"3,2024-01-07,Cy,3.00\n4,2024-01-08,Dee,3.10\n", "id|day|name|sum", 4},
		"a history of wells above their levels": {"Day:,2024\n\nWell,Owner,X,Y,Depth\nW-17,Harbour,18374,37303,12.5\nW-17,Town,18374,37303,12.7\n" +
			"W-18,Town,18375,37310,9.5\n\nWell,Day,Level,Remark\n" + wells, "Well|Day|Level|Remark", 300},
		"texts for numbers, and records that end early": {"No,Well,Name,Ct,Flag,Note\n" + wide + short, "No|Well|Name|Ct|Flag|Note", 75},
		"a name for the rows below names in two rows": {",price,price,pieces\n,mean,max,sum\nshop,,,\nA,12.1,13.5,14\nB,22.5,,24\nC,32.0,33.7,34\n",
			"shop|price mean|price max|pieces sum", 3},
		"a name for days below names in two rows": {"Price,Close,Volume\nTicker,ABC,ABC\nDate,,\n2024-01-02,184.2,8248\n2024-01-03,182.9,5841\n2024-01-04,180.5,7198\n",
			"Price Ticker Date|Close ABC|Volume ABC", 3},
		"names and their units below a title": {"Run 7\nTime,Force\ns,N\n1,20.5\n2,20.7\n3,20.1\n4,20.0\n", "Time s|Force N", 4},
		"classes above, what has them below": {"Homes by size\nRooms,Rooms,Rooms,Rooms,1-3,4-6\nRegion,Town,Street,,,\nNorth,Ulm,Elm,,120,370\nNorth,Ulm,Ash,,,190\n" +
			"South,Bonn,Oak,,900,110\nSouth,Bonn,Fir,,800,130\n", "Rooms Region|Rooms Town|Rooms Street|Rooms|1-3|4-6", 4},
		"lengths that are none": {"id,hose,bend,cap\n1,hose(80),bend(40),cap(10)\n2,hose(60),bend(30),cap(10)\n3,hose(50),bend(20),cap(8)\n", "id|hose|bend|cap", 3},
		"uneven steps":          {"Probe;100;250;500;1000\nTeich;1.25;3.50;4.75;9.1\nBach;0.50;2.25;3.75;8.2\nFluss;0.75;2.00;4.25;7.9\n", "Probe|100|250|500|1000", 3},
		"steps in rows":         {"Teich;100;250;500;1000\nBach;90;210;490;950\nFluss;80;300;500;900\n", "column_1|column_2|column_3|column_4|column_5", 3},
		"a star alone among its like": {"no\tname\tsince\n#1001\tAnn\t2024-01-05\n#1002\tBen\t2024-01-06\n#1003\t\t\n#1004\tCy\t2024-01-08\n" +
			"#1005\tDee\t2024-01-09\n#1006\tEd\t2024-01-10\n", "no|name|since", 6},
		"titles with years": {"title|year|size\nNotes from the yard|1931|312 p.\nTotal war: a sketch|1961|\nCats|1987|2 vol.\nTotal of it: a novel|1990|\n" +
			"Page by page|2003|96 p.\nOn sums|2011|1 CD\n", "title|year|size", 6},
		"a total of years":       {"title|year|price\nNotes|1931|312.50\nCats|1987|20.00\nPages|2003|96.10\nSums|2011|10.40\nTotal||439.00\n", "title|year|price", 4},
		"a count in brackets":    {"place|voters|share\nBath|103749|48.4 %\nKöln|105198|34.6 %\nNice|99120|40.2 %\n(3 rows)\n", "place|voters|share", 3},
		"the end":                {"part,bin,left,size\nBolt,A-1,4,8\nNut,A-2,9,8\nRod,B-1,2,12\nEOF\n", "part|bin|left|size", 3},
		"a place that is an end": {"part,bin,left,size\nEnd,A-1,4,8\nNut,A-2,9,8\nRod,B-1,2,12\nFine,B-2,2,12\n", "part|bin|left|size", 4},
		"the number of rows":     {"part;bin;left;size\nBolt;A-1;4;8\nNut;A-2;9;8\nRod;B-1;2;12\nTRAILER;3\n", "part|bin|left|size", 3},
		"a count":                {"day;part;left;size\n2024-01-05;Bolt;4;8\n2024-01-06;Nut;9;8\n2024-01-07;Rod;2;12\nTotal records;1712\n", "day|part|left|size", 3},
		"moments with zones": {"Paid at\n2024-01-05 10:15:00 +0200\n2024-01-06 11:20:30 +0200\n2024-01-07 09:00:01 +0200\n" +
			"2024-01-08 09:00:01 +0200\n", "Paid at", 4},
		"parts named in lines alone": {"No,pe,p0\nADS\n1,2.9,97.7\n2,0.2,97.0\n3,0.5,96.7\nDES\n1,91.2,96.2\n2,88.3,96.1\n", "No|pe|p0", 5},
		"a total and a delimiter": {"\"day\",\"what\",\"sum\"\n\"2024-01-05\",\"ink\",\"$4.50\"\n\"2024-01-06\",\"pens\",\"$2.25\"\n" +
			"\"2024-01-07\",\"paper\",\"$9.10\"\n\"Total of all\",\"\",\"$15.85\",\n", "day|what|sum", 3},
		"notes of many lines and quoted blanks": {"\"\",\"North\",\"South\"\n\"2023Q1\",4120,3980\n\"2023Q2\",4300,..\n\"2023Q3\",4410,4105\n" +
			"\"About:\"\n\"Unit:\"\n\"persons, seasonally adjusted\"\n\"\"\n\"Marks:\"\n\" \"\n\".. not available\"\n\"P: Provisional\"\n\"R: Revised\"\n\"\"\n" +
			"\"Flags are not shown\"\n\"\"\n\"Changed:\"\n\"24 May 2024\"\n\"\"\n\"Phone: 0123\"\n\"Mail:a@b.example\"\n\"\"\n\"\"\n", "column_1|North|South", 3},
		"curves of unequal lengths": {"s,v,s,v\n1.5,9.25,8.25,3.5\n2.25,8.75,9.5,4.25\n3.75,8.5,10.75,5.5\n4.5,7.25,11.25,6.75\n5.25,6.5,12.5,7.25\n" +
			",,13.75,8.5\n,,14.25,9.25\n,,15.5,10.75\n", "s|v|s_2|v_2", 8},
		"sums and more without names": {"s,v,u,w\n1.5,9.25,8.25,3.5\n2.25,8.75,9.5,4.25\n3.75,8.5,10.75,5.5\n4.5,7.25,11.25,6.75\n5.25,6.5,12.5,7.25\n" +
			",,52.25,27.25\n,,10.45,5.45\n,,8.25,3.5\n", "s|v|u|w", 5},
		"blanks behind the last delimiter":              {"sec,volt\n-0.44,2.20, \n-0.43,2.25, \n-0.42,2.25, \n-0.41,2.10, \n", "sec|volt", 4},
		"blanks behind the last delimiter of all lines": {"no;town;end;   \n1;Ulm;x;   \n2;Kiel;x; \n3;Bonn;x;  \nmade: 30.03.2022\n", "no|town|end", 3},
		"levels that are numbered":                      {"Level 1,Level 2,Level 3\nWorks,,\n,Plant,\n,,Hall\n,,Yard\n,Office,\n,,Sales\n", "Level 1|Level 2|Level 3", 6},
		"quoted blanks among the rows":                  {"a;b\n1;2\n\"\"\n4;5\n6;7\n", "a|b", 3},
		"an end on the right":                           {"番号,入会年,氏名,会費\n0012,2011,阿部 太郎,済\n0015,2014,石川 緑,未\n0018,2019,上田 直,済\n,,,以上\n", "番号|入会年|氏名|会費", 3},
		"records that were selected": {"NO      NAME       PAY\n------- ---------- -------\n119686  HAAS, E.   6729.11\n181372  KWAN, S.   8416.30\n" +
			"145030  LEE, W.    5936.11\n\n  3 record(s) selected.\n", "NO|NAME|PAY", 3},
		"titles in brackets": {"科目,借方,貸方\n[現金・預金],,\n現金,900,874\n普通預金,1822,1710\n現金・預金合計,2722,2584\n[売上債権],,\n" +
			"受取手形,800,1100\n売掛金,2104,2012\n売上債権合計,2904,3112\n", "科目|借方|貸方", 4},
		"weeks named by codes below their days": {"Day,Shop,Sales\n2026-02-02,A,40\n2026-02-03,B,31\n2026-02-04,A,52\n2026-02-05,B,17\n2026-02-06,A,29\nW6,,169\n" +
			"2026-02-09,A,44\n2026-02-10,B,38\n2026-02-11,A,51\n2026-02-12,B,12\n2026-02-13,A,21\nW7,,166\n", "Day|Shop|Sales", 10},
		"a last row named by a code": {"From,to 40,to 60,to 80\n00-19,0.8,0.4,0.2\n20-39,,0.9,0.3\n40-59,,,0.6\n80-++,,,0.3\n", "From|to 40|to 60|to 80", 4},
		"quoted blanks below titles": {"\"Output by sector\"\n\"Line\",\"\",\"1929\",\"1930\"\n\"\",\"\",\"\",\"\"\n\"1\",\"Farms\",94148,81943\n\"2\",\"Mines\",81788,69834\n" +
			"\"3\",\"Works\",73575,63593\n\"Notes:\"\n\"1. Without transport.\"\n", "Line|column_2|1929|1930", 3},
		"a day that names the second column": {"Table 12-10\nPopulation: districts, day;\nPopulation (number);\n;Day\n;31.12.2024\nHarbour;41200\nHill;23050\nMill;1804\n" +
			"Quay;60230\n", "column_1|Day 31.12.2024", 4},
		"names that a bank has left no cells for": {"* Bookings 2024-01-01 - 2024-02-01 made 2024-02-02 10:11 CET\nNo,Branch,Account,Booked,Text,Amount,Left,Label,Remark,Mark\n" +
			"1,8327-9,123456789,2024-01-31,Elm shop,-120.50,1000.00\n2,8327-9,123456789,2024-01-30,Pay,25000.00,1120.50\n3,8327-9,123456789,2024-01-29,Bus,-39.00,3000.00,\n" +
			"4,8327-9,123456789,2024-01-28,Rent,-7200.00,3039.00\n", "No|Branch|Account|Booked|Text|Amount|Left|Label|Remark|Mark", 4},
		"a series that begins with gaps": {"\"Rents, all flats (Qrtly-Mar/Jun)\",\"\"\n\"\",\"Flats\"\n\"2021Q1\",\"..\"\n\"2021Q2\",\"..\"\n\"2021Q3\",1061.0\n" +
			"\"2021Q4\",1070.0\n\"2022Q1\",1090.0\n\n\"Table information:\"\n\n\"Units:\"\n\"Index, Magnitude = Units\"\n", "column_1|Flats", 5},
		"two columns with blanks below a title": {"Film 3\n\nnm, A\n800.0, 0.0010\n799.5, -0.0003\n799.0, 0.0011\n", "nm|A", 3},
		"tabs and blanks below a title":         {"Towns\n\ncode\t name\nA\t Bath\nB\t Ulm\nC\t Hof\nD\t Nice\n", "code|name", 4},
		"places of one column":                  {"Place\n52.1, 13.4\n52.2, 13.5\n52.3, 13.6\n52.5, 13.7\n", "Place", 4},
		"short rows first, below a title": {"Meters\n\nid;unit;day;min;max;sum;state\nheat;°C;2026-01-26;18.5;22.3\nheat;°C;2026-01-27;19.0;23.0\n" +
			"damp;%;2026-01-26;45;55\npower;kWh;2026-01-26;;;10.5;100\npower;kWh;2026-01-27;;;11.2;110\nwater;l;2026-01-26;;;500;1000\n",
			"id|unit|day|min|max|sum|state", 6},
		"a padded source below gaps": {"Place,Year,Pupils,Girls,Teachers,Rooms,Meals\nUlm,2000,83.7,,,,\nUlm,2005,,40.1,,,\nHof,2000,91.5,,,,\nHof,2005,,,12,,\nBath,2000,,,,7,\n" +
			"Bath,2012,92,,,,41\n,,,,,,\nSource: the harbour,,,,,,\n", "Place|Year|Pupils|Girls|Teachers|Rooms|Meals", 6},
		"a first row unlike the others": {"id,code,name,bound,prefix\ndoc_SE,SE,Bill of a service,True,B\ndoc_67,67,Bill of lading,True,\ndoc_66,66,Bill of power,True,B\n" +
			"doc_63,63,Ticket,True,T\ndoc_59,59,Bill of a shop,False,\ndoc_57,57,Note,False,\ndoc_55,55,Letter,True,\ndoc_22,22,Card,False,\ndoc_18,18,Road slip,True,\n",
			"id|code|name|bound|prefix", 9},
		"a sum named behind the last column": {"# bright\n\nPage path,Views,Users\n,48,5,Grand total\n/a,42,3\n/b,3,1\n/c,3,1\n", "Page path|Views|Users", 3},
		"units that come again": {"Data:\t\tx\tTime:\t20.0\nForce\tWay\tTime\tCount\nN\tmm\ts\tparts\n1.25\t0.5\t0.1\t1\n1.75\t0.75\t0.2\t2\n2.5\t0.9\t0.3\t3\n\n" +
			"Data:\t\tx\tTime:\t40.0\nForce\tWay\tTime\tCount\nN\tmm\ts\tparts\n1.5\t0.55\t0.4\t4\n1.25\t0.85\t0.5\t5\n2.75\t0.95\t0.6\t6\n", "Force N|Way mm|Time s|Count parts", 6},
		"a logger that starts again": {strings.Repeat("\"L5\",\"CR1\",\"CR1\",\"12\",\"CPU:a\",\"43\",\"Met\"\n\"TIME\",\"REC\",\"Batt\",\"Air\"\n\"TS\",\"RN\",\"Volts\",\"Deg C\"\n"+
			"\"\",\"\",\"Min\",\"Avg\"\n\"2024-01-01 00:00:00\",0,12.9,5.1\n\"2024-01-01 00:30:00\",1,12.8,5.0\n\"2024-01-01 01:00:00\",2,12.9,4.8\n", 2),
			"TIME TS|REC RN|Batt Volts Min|Air Deg C Avg", 6},
		"a closing balance": {"Date,Details,Debit,Credit,Balance\n13 Oct 2026,BROUGHT FORWARD,,,500.00\n14 Oct 2026,POS MILL,27.40,,472.60\n15 Oct 2026,PAY,,40.00,512.60\n" +
			"16 Oct 2026,POS MILL,9.35,,503.25\n\nClosing balance,,,,503.25\n", "Date|Details|Debit|Credit|Balance", 4},
		"two words above two": {"x y\n10 20\n11 21\n12 22\n", "x|y", 3},
	})
}

// expectExported reads each text, and compares what is read of it.
func expectExported(t *testing.T, cases map[string]exported) {
	t.Helper()
	for name, c := range cases {
		var names []string
		var rows, rejects int
		err := eachRecord(t.Context(), []byte(c.content), Options{}, DefaultLimits(), func(_ *Sheet, rec *Record) {
			switch rec.Kind {
			case Row:
				rows++
			case Reject:
				rejects++
			}
		})
		names, _ = columnsOf(t, c.content, Options{})
		if err != nil || rows != c.rows || rejects > 0 || !slices.Equal(names, strings.Split(c.columns, "|")) {
			t.Errorf("%s: %v, columns %q, %d rows and %d rejects", name, err, names, rows, rejects)
		}
	}
}

// What looks like the last two and may be a row that is broken is rejected, and so told.
func TestBrokenRowsOfExports(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"a text alone, once":      "No,pe,p0\n1,2.9,97.7\n2,0.2,97.0\n3,0.5,96.7\nDES\n1,91.2,96.2\n2,88.3,96.1\n",
		"a row and a delimiter":   "day,what,sum\n2024-01-05,ink,4.50\n2024-01-06,pens,2.25\n2024-01-07,paper,9.10\n2024-01-08,glue,1.85,\n",
		"a count that is another": "part;bin;left;size\nBolt;A-1;4;8\nNut;A-2;9;8\nRod;B-1;2;12\nCap;7\n",
	} {
		rejects := 0
		for _, record := range read(t, content, Options{}, DefaultLimits()) {
			if strings.HasPrefix(record, "reject") {
				rejects++
			}
		}
		if rejects != 1 {
			t.Errorf("%s: %d are rejected", name, rejects)
		}
	}
}
