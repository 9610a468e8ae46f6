package sheet

import "testing"

// Tables of a few rows, of which no column tells much, between titles and notes, below several rows of names, and without rows.
func TestTablesOfFewRows(t *testing.T) {
	t.Parallel()
	expectExported(t, map[string]exported{
		"titles without rows":              {"Mill export;;;\nDay;Sum;Bin;Text\n", "Day|Sum|Bin|Text", 0},
		"a title without rows":             {"Open orders of the mill\nOrder,Client,Due,Sum\n", "Order|Client|Due|Sum", 0},
		"a text with commas below another": {"Remark\nkind, quick, cheap\n", "Remark", 1},
		"one row between lines": {"Sale of 9 May\nprices in pounds, without fees\n\nLot,By,Name,Least,Most\n1,Berg,\"Pears, red\",900,\"1,200\"\n\n" +
			"All results may change.\n", "Lot|By|Name|Least|Most", 1},
		"two rows below lines with colons": {"Report: open calls\nFilter: state; team\nMade by: Kim\n\nNo;Call;State;Opened;Late\n1;No ink;open;2026-05-01 08:15;no\n" +
			"2;No net;open;2026-05-02 09:20;yes\n\nCalls: 2\n", "No|Call|State|Opened|Late", 2},
		"notes below one row":       {"No,Item,Sent,Left,Boxes\n7,Cork,40,0,2\n,,,,\nReceived on:,,,,\nSigned:,,,,\n", "No|Item|Sent|Left|Boxes", 1},
		"a sentence below two rows": {"kg,Zone 1,Zone 2,Zone 3\n0.5,4.10,8.20,9.00\n1.0,4.90,9.10,9.90\nA surcharge of 12 % is added to all of these.,,,\n", "kg|Zone 1|Zone 2|Zone 3", 2},
		"groups above one row":      {"Town;2024;;2025;\n;Men;Women;Men;Women\nHof;12;14;15;16\n", "Town|2024 Men|2024 Women|2025 Men|2025 Women", 1},
		"a place above all values": {",,Oslo,Oslo,Oslo\nDay,No,High,Low,Rain\n2026-05-01,1,18.5,7.2,0.0\n2026-05-02,2,19.1,8.0,1.5\n2026-05-03,3,17.4,6.6,0.0\n",
			"Day|No|Oslo High|Oslo Low|Oslo Rain", 3},
		"a total and how many": {"名簿,,,\n銀行,口座,受取人,金額\n緑銀行,0012345,サクラ,120000\n朝信金,1234567,マツ,88000\n合計2件,,,208000\n", "銀行|口座|受取人|金額", 2},
		"balances with colons": {"Day,Text,Branch,Sum,Left\n13/10/2026,TRSF,0001,5.00 DB,35.00\n14/10/2026,CARD,0998,8.75 DB,26.25\n25/10/2026,PAY,0001,52.00 CR,78.25\n" +
			"28/10/2026,FEE,0001,1.50 DB,76.75\n\nOpening :,40.00\nDebit :,15.25\nCredit :,52.00\nClosing :,76.75\n", "Day|Text|Branch|Sum|Left", 4},
		"a form above texts": {"Patient:,Doe J.,Born:,1971-04-12\nTaken:,2026-11-20 07:45,Lab:,88120\n,,,\nTest,Result,Unit,Reference\nSodium,139,mmol/L,135-145\n" +
			"Potassium,4.1,mmol/L,3.5-5.1\nCreatinine,88,µmol/L,59-104\nCRP,<3,mg/L,0-5\n,,,\nRemark: none so far.,,,\n", "Test|Result|Unit|Reference", 4},
		"telephone numbers alone":          {"Tel\n+49 30 123456\n+49 40 998877\n+44 20 7946 0018\n", "Tel", 3},
		"telephones of two words":          {"Call back\n(030) 123456\n+49 40 998877\n", "Call back", 2},
		"accounts alone":                   {"IBAN\nDE02 1203 0000 0000 2020 51\nNL91 ABNA 0417 1643 00\n", "IBAN", 2},
		"numbers between blanks":           {"no day flow\n1 30 123456\n2 40 998877\n3 89 112233\n", "no|day|flow", 3},
		"a short balance":                  {"Name,Place,Sum\nElm,Dock,63.94\nOak,Quay,99.94\n\nClosing balance,4181.11\n", "Name|Place|Sum", 2},
		"a title that a comma has split":   {"Rainfall, monthly\nStation North quay\nMonth,mm\nJan,81.2\nFeb,60.4\nMar,44.0\nApr,39.9\n", "Month|mm", 4},
		"a long one right above the names": {"List of all visits to the harbour, by day and place\nstate,pop\nOhio,4849377\nUtah,731449\nIowa,310000\n", "state|pop", 3},
		"groups and units above two rows": {"Day;Well A;;Well B;\n;Low;High;Low;High\n;m;m;m;m\n31.05.25;1,5;2,5;1,25;2,25\n30.06.25;1,4;2,6;1,20;2,20\n",
			"Day|Well A Low m|Well A High m|Well B Low m|Well B High m", 2},
		"a delimiter behind one row":   {"Day;Shop;Sum\n2026-05-01;Elm;12,50;\n", "Day|Shop|Sum", 1},
		"a delimiter behind two rows":  {"Day,Shop,Sum\n2026-05-01,Elm,12.50,\n2026-05-02,Oak,8.00,\n", "Day|Shop|Sum", 2},
		"one row of two columns":       {"Visits of May\nby place\n\nPlace,Visits\nOld Mill,299\n", "Place|Visits", 1},
		"a source below one row":       {"Plot,Shade,Crop\nQuay,red,Oats\n\nSource: the harbour\n", "Plot|Shade|Crop", 1},
		"one payment without a header": {"07/11/2026;Rent;-1500,00;EUR\n", "column_1|column_2|column_3|column_4", 1},
		"two bookings below the account": {"Account:;12 345.67;\nBank:;Quay Bank;\nFrom:;2026-05-01;\nTo:;2026-05-31;\nFirst balance:;500.00;\nLast balance:;414.25;\nIn:;CHF;\n" +
			"Number of bookings in this time:;2;\n\nDay;Time;Debit;Credit;Left;Text1;Text2;\n2026-05-04;;-50.25;;449.75;Mill;;\n2026-05-09;08:10:20;-35.50;;414.25;Quay;;\n",
			"Day|Time|Debit|Credit|Left|Text1|Text2", 2},
		"a balance below sums": {"What,,Sum\nOpening balance as of 05/01/2026,,106.50\nTotal credits,,40.00\nTotal debits,,-12.25\nClosing balance as of 05/31/2026,,134.25\n\n" +
			"Day,What,Sum,Left\n05/01/2026,Opening balance as of 05/01/2026,,106.50\n05/04/2026,Pay,40.00,146.50\n", "Day|What|Sum|Left", 2},
		"types above one row":                 {"# made by the gauge\nplace\tno\tday\tflow\n5s\t15s\t20d\t14n\nQuay\t02177\t2026-05-04\t191\n", "place|no|day|flow", 1},
		"years that lack one, above two rows": {"Age,2018,2019,2021,2022\n0-4,61874,60556,59996,60409\n5-9,76221,73359,62481,59845\n", "Age|2018|2019|2021|2022", 2},
		"a name that no row reaches":          {"id,name,town,sum,remark\n1,Ann,Ulm,12.50\n2,Bo,Hof,8.00\n3,Cy,Jena,9.90\n", "id|name|town|sum|remark", 3},
		"tails of two lengths": {"n\tdone\tbin\tsec\tremark\n1\tadd\tA1\t2.5\tslow\n2\tadd\tB3\n3\tmove\tC2\t1.5\n4\tadd\tA1\n5\tadd\tB3\t1.0\n" +
			"6\tmove\tA1\t4.5\tjam\n7\tadd\tA2\n8\tadd\tB1\t3.5\n9\tadd\tB2\t1.0\tslow\n", "n|done|bin|sec|remark", 9},
	})
}

// A comma in a name, which the blank behind it tells, may have moved the values: the rows are rejected.
func TestNameThatACommaHasSplit(t *testing.T) {
	t.Parallel()
	for _, record := range read(t, "id,name,Sum, net,town\n1,Ann,12.50,Ulm\n2,Bo,8.00,Hof\n3,Cy,9.90,Jena\n", Options{}, DefaultLimits())[1:] {
		if record[:len("reject")] != "reject" {
			t.Errorf("%q is no reject", record)
		}
	}
}
