package controlplane

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// RESTConfig returns how a user talks to the API server, without a limit of requests. It panics for an unknown user.
func (c *ControlPlane) RESTConfig(user string) *rest.Config {
	token, known := c.tokens[user]
	if !known {
		panic(fmt.Sprintf("BUG: user %q is not in the options of this control plane", user))
	}
	return &rest.Config{
		Host:            c.URL(),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.ca.pem},
		UserAgent:       "controlplane/" + user,
		QPS:             -1, // no limit
	}
}

// Client returns a client of a user. It speaks protobuf, which halves the work of large tests on both sides.
func (c *ControlPlane) Client(user string) kubernetes.Interface {
	config := c.RESTConfig(user)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return kubernetes.NewForConfigOrDie(config)
}

// Kubeconfig writes a kubeconfig of a user into the data folder and returns its path.
func (c *ControlPlane) Kubeconfig(user string) (string, error) {
	path := c.path(strings.ReplaceAll(user, ":", "-") + ".kubeconfig")
	return path, WriteKubeconfig(path, c.RESTConfig(user))
}

// WriteKubeconfig writes a RESTConfig to a file, say one whose Host was changed to that of a proxy.
func WriteKubeconfig(path string, config *rest.Config) error {
	const name = "berth-test"
	file := clientcmdapi.NewConfig()
	file.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	file.CurrentContext = name
	if err := clientcmd.WriteToFile(*file, path); err != nil {
		return fmt.Errorf("cannot write kubeconfig %s: %w", path, err)
	}
	return nil
}
