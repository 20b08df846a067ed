package config

import (
	"bytes"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
)

var (
	scheme = runtime.NewScheme()
	codecs = newCodecs()
)

func newCodecs() serializer.CodecFactory {
	utilruntime.Must(configv1.AddToScheme(scheme))
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict)
}

// decode reads YAML or JSON, with the arguments of in-tree plugins. What it does not
// know is an error, and so is a key that is there twice.
func decode(text []byte) (*configv1.KubeSchedulerConfiguration, error) {
	obj, kind, err := codecs.UniversalDecoder(configv1.SchemeGroupVersion).Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	c, ok := obj.(*configv1.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("couldn't decode as KubeSchedulerConfiguration, got %s: ", kind)
	}
	return c, nil
}

// Encode prints the configuration's file as YAML, as --write-config-to writes it.
func (c *Config) Encode() ([]byte, error) {
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	if !ok {
		return nil, fmt.Errorf("BUG: config: no serializer for %s", runtime.ContentTypeYAML)
	}
	var text bytes.Buffer
	err := codecs.EncoderForVersion(info.Serializer, configv1.SchemeGroupVersion).Encode(&c.KubeSchedulerConfiguration, &text)
	return text.Bytes(), err
}
