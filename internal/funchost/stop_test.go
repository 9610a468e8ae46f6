package funchost_test

func embedHost(string) {}
