package server

import (
	"net/http"

	apifilters "k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	apiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/client-go/kubernetes/scheme"
)

// Access decides who a request is from and whether he may ask.
type Access struct {
	Authentication apiserver.AuthenticationInfo
	Authorization  apiserver.AuthorizationInfo
}

// guard lets a request through that may pass. No path is one of the API: each is a plain
// path to those who authorize.
func (a *Access) guard(pages http.Handler) http.Handler {
	info := &request.RequestInfoFactory{}
	h := apifilters.WithAuthorization(pages, a.Authorization.Authorizer, scheme.Codecs)
	h = apifilters.WithAuthentication(h, a.Authentication.Authenticator, apifilters.Unauthorized(scheme.Codecs), nil, a.Authentication.RequestHeaderConfig)
	h = apifilters.WithRequestInfo(h, info)
	h = apifilters.WithCacheControl(h)
	h = filters.WithHTTPLogging(h)
	return filters.WithPanicRecovery(h, info)
}
