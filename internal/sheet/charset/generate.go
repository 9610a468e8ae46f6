package charset

//go:generate sh -c "go run ./languages > languages_table.go"
