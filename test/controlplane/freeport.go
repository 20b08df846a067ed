package controlplane

import "net"

// FreePort returns a port of loopback that nobody listens on. Another may take it before
// it is used; programs that can be given a listener are better given one.
func FreePort(t interface {
	Helper()
	Fatal(args ...any)
}) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
