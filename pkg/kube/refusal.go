package kube

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// newsAfter is for how long a refusal goes on without a repetition until the next one is
// news. Informers try at least once a minute.
const newsAfter = 2 * time.Minute

// refusal is why the API server does not let an informer watch. It is told once, and
// again when it has changed, or has come back after it was gone.
type refusal struct {
	mu   sync.Mutex // guards what follows
	last string
	at   time.Time
}

// onError is told whenever an informer's list or watch fails. It will try again.
func (k *kind) onError(ctx context.Context, r *cache.Reflector, err error) {
	switch {
	case !isRefusal(err):
		cache.DefaultWatchErrorHandler(ctx, r, err)
	case k.refusal.isNews(err.Error(), time.Now()):
		klog.FromContext(ctx).Error(nil, "The API server refuses a watch; trying again until it does not", "resource", k.name, "err", err.Error())
	}
}

// isRefusal tells an answer that lasts until somebody changes rights, or what is served.
func isRefusal(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err)
}

func (r *refusal) isNews(text string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := text == r.last && now.Sub(r.at) < newsAfter
	r.last, r.at = text, now
	return !known
}
