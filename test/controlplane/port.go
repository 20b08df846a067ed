package controlplane

import (
	"fmt"
	"net"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// port is a loopback TCP port that nobody else gets while we hold it.
//
// The kernel chooses it for a socket that is bound and never listens. The program that is to serve it binds the same
// port with SO_REUSEPORT (both etcd and kube-apiserver have a flag for that). The kernel gives a bound port to no one
// who asks for a free one, and connects clients only to sockets that listen. So there is no moment between "this port
// is free" and "we serve it" in which it can be taken, nor while the program is down.
type port struct {
	number int
	socket int
}

// holdPort reserves a free port.
func holdPort() (*port, error) {
	syscall.ForkLock.RLock() // no child may inherit the socket
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("cannot make a socket: %w", err)
	}
	p := &port{socket: socket}
	if err := p.bind(); err != nil {
		p.release()
		return nil, fmt.Errorf("cannot reserve a port: %w", err)
	}
	return p, nil
}

func (p *port) bind() error {
	if err := unix.SetsockoptInt(p.socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return err
	}
	if err := unix.Bind(p.socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return err
	}
	address, err := unix.Getsockname(p.socket)
	if err != nil {
		return err
	}
	p.number = address.(*unix.SockaddrInet4).Port
	return nil
}

// url returns where the port is served.
func (p *port) url(scheme string) string {
	return scheme + "://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(p.number))
}

// release gives the port back. A second release does nothing.
func (p *port) release() {
	if p.socket >= 0 {
		_ = unix.Close(p.socket)
	}
	p.socket = -1
}
