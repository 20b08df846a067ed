package e2e

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// interceptor stands between the scheduler and its API server. A nil field does nothing.
type interceptor struct {
	next http.RoundTripper

	beforeBind func(path string)      // runs before a bind is forwarded
	dropAnswer func(path string) bool // forwards a bind and loses its answer
	podLag     time.Duration          // how late the watch on pods is
}

func (i *interceptor) wrap(rc *rest.Config) {
	rc.Wrap(func(next http.RoundTripper) http.RoundTripper {
		i.next = next
		return i
	})
}

var errLost = errors.New("connection reset while waiting for the answer")

func (i *interceptor) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/binding"):
		return i.bind(r)
	case r.URL.Path == "/api/v1/pods" && r.URL.Query().Get("watch") != "" && i.podLag > 0:
		answer, err := i.next.RoundTrip(r)
		if err == nil {
			answer.Body = delayed(answer.Body, i.podLag)
		}
		return answer, err
	}
	return i.next.RoundTrip(r)
}

func (i *interceptor) bind(r *http.Request) (*http.Response, error) {
	if i.beforeBind != nil {
		i.beforeBind(r.URL.Path)
	}
	answer, err := i.next.RoundTrip(r)
	if err == nil && i.dropAnswer != nil && i.dropAnswer(r.URL.Path) {
		_ = answer.Body.Close()
		return nil, errLost
	}
	return answer, err
}

// delayed returns a body whose bytes arrive lag later than body's.
func delayed(body io.ReadCloser, lag time.Duration) io.ReadCloser {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 1<<16)
	out, in := io.Pipe()
	go func() { // ends with body, which the reader of out closes
		defer close(pieces)
		for {
			buf := make([]byte, 64<<10)
			n, err := body.Read(buf)
			pieces <- piece{buf[:n], time.Now().Add(lag)}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		for p := range pieces {
			<-time.After(time.Until(p.due))
			if _, err := in.Write(p.data); err != nil {
				continue // nobody reads any more; let the other goroutine end
			}
		}
		_ = in.Close()
	}()
	return struct {
		io.Reader
		io.Closer
	}{out, closers{out, body}}
}

type closers []io.Closer

func (c closers) Close() error {
	var err error
	for _, one := range c {
		err = errors.Join(err, one.Close())
	}
	return err
}
