package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	apiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/configz"
	"k8s.io/klog/v2"
)

// Server serves pages on a port.
type Server struct {
	Port   *apiserver.SecureServingInfo
	Access Access
	Pages  Pages
	Config runtime.Object // for /configz
	Grace  time.Duration  // how long requests may go on when the server is stopped
}

// Start serves until stop is called, which returns when the port is free.
func (s *Server) Start() (stop func(), err error) {
	forget, err := publishConfig(s.Config)
	if err != nil {
		return nil, err
	}
	requests, cut := context.WithCancel(context.Background())
	told := make(chan struct{})
	drained, closed, err := s.Port.Serve(endWith(requests, s.Access.guard(s.Pages.handler())), s.Grace, told)
	if err != nil {
		close(told) // what watches certificates
		cut()
		forget()
		return nil, fmt.Errorf("failed to start secure server: %w", err)
	}
	return func() {
		close(told)
		<-closed
		<-drained
		cut()
		forget()
	}, nil
}

// endWith ends requests with a context: a profile that is being taken would go on for as
// long as was asked for.
func endWith(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, cancel := context.WithCancel(r.Context())
		defer cancel()
		stop := context.AfterFunc(ctx, cancel)
		defer stop()
		next.ServeHTTP(w, r.WithContext(request))
	})
}

// configName is under which the configuration is found.
const configName = "componentconfig"

// publishConfig puts the configuration where /configz looks, which is one place for the
// process. Another component that came first keeps its own there.
func publishConfig(c runtime.Object) (forget func(), err error) {
	z, err := configz.New(configName)
	if err != nil {
		klog.InfoS("Another component of this process shows its configuration on /configz, ours is not there", "name", configName)
		return func() {}, nil
	}
	forget = func() { configz.Delete(configName) }
	if err := z.Set(c); err != nil {
		forget()
		return nil, fmt.Errorf("unable to register configz: %w", err)
	}
	return forget, nil
}
