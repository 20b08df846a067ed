package controlplane

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Metrics are the metric families of one read of a /metrics page, by name.
type Metrics map[string]*dto.MetricFamily

// Metrics reads a /metrics page, say of a scheduler, as a user. An https server must have a certificate of IssueCert.
func (c *ControlPlane) Metrics(ctx context.Context, url, user string) (Metrics, error) {
	body, err := c.fetch(ctx, url, user)
	if err != nil {
		return nil, fmt.Errorf("cannot read metrics from %s: %w", url, err)
	}
	defer func() { _ = body.Close() }()
	return ParseMetrics(body)
}

// fetch gets a page as a user, over a connection of its own.
func (c *ControlPlane) fetch(ctx context.Context, url, user string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.RESTConfig(user).BearerToken)
	trusted := x509.NewCertPool()
	trusted.AddCert(c.ca.cert)
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: trusted},
		DisableKeepAlives: true,
	}}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("answer is %s", response.Status)
	}
	return response.Body, nil
}

// ParseMetrics reads the text format.
func ParseMetrics(r io.Reader) (Metrics, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, fmt.Errorf("cannot parse metrics: %w", err)
	}
	return families, nil
}

// Sum adds the samples of a metric whose labels include the given pairs of name and value; of a histogram or summary
// it adds the counts. found is false when there is no such sample, which for a counter mostly means 0.
func (m Metrics) Sum(name string, labels ...string) (sum float64, found bool) {
	for _, metric := range m[name].GetMetric() {
		if hasLabels(metric, labels) {
			sum += value(metric)
			found = true
		}
	}
	return sum, found
}

func hasLabels(metric *dto.Metric, pairs []string) bool {
	has := map[string]string{}
	for _, label := range metric.GetLabel() {
		has[label.GetName()] = label.GetValue()
	}
	for i := 0; i < len(pairs); i += 2 {
		if has[pairs[i]] != pairs[i+1] {
			return false
		}
	}
	return true
}

// value returns the one number of a sample. A metric has exactly one of these kinds; the others read as 0.
func value(metric *dto.Metric) float64 {
	return metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + metric.GetUntyped().GetValue() +
		float64(metric.GetHistogram().GetSampleCount()) + float64(metric.GetSummary().GetSampleCount())
}
