package controlplane

import (
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestHeldPortGoesOnlyToItsProgram(t *testing.T) {
	p, err := holdPort()
	if err != nil {
		t.Fatal(err)
	}
	defer p.release()
	address := strings.TrimPrefix(p.url("tcp"), "tcp://")
	if listener, err := net.Listen("tcp", address); err == nil {
		_ = listener.Close()
		t.Error("a stranger could listen on a held port")
	}
	for range 2 { // also a second time, as after a restart
		sharing := net.ListenConfig{Control: reusePort}
		listener, err := sharing.Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if conn, err := net.Dial("tcp", address); err != nil {
			t.Error(err)
		} else {
			_ = conn.Close()
		}
		_ = listener.Close()
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			t.Error("got a connection to a held port that nobody serves")
		}
	}
}

// reusePort is what --permit-port-sharing and --socket-reuse-port do.
func reusePort(_, _ string, conn syscall.RawConn) error {
	var failed error
	err := conn.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
	})
	return errors.Join(err, failed)
}
