// Package export sends the spans of sheetdrop to a collector, and instruments the libraries that sheetdrop calls. Nothing is
// exported unless OTEL_TRACES_EXPORTER says so.
package export

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// Settings are those of OpenTelemetry's standard variables that decide what happens here. The exporter reads further ones by
// itself, of the same standard: OTEL_EXPORTER_OTLP_… (headers, timeout, certificates, compression), OTEL_BSP_… (the batches),
// OTEL_RESOURCE_ATTRIBUTES and OTEL_SPAN_…_LIMIT.
type Settings struct {
	Exporter       string `env:"OTEL_TRACES_EXPORTER" envDefault:"none"` // none, otlp, or console: the standard output
	Disabled       bool   `env:"OTEL_SDK_DISABLED" envDefault:"false"`   // as if the exporter were none
	Service        string `env:"OTEL_SERVICE_NAME" envDefault:"sheetdrop"`
	Sampler        string `env:"OTEL_TRACES_SAMPLER" envDefault:"parentbased_always_on"`
	SamplerArg     string `env:"OTEL_TRACES_SAMPLER_ARG"` // the share of traces, 0 to 1, of the samplers with traceidratio in their names
	Endpoint       string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	TracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	Protocol       string `env:"OTEL_EXPORTER_OTLP_PROTOCOL"` // http/protobuf or http/json
	TracesProtocol string `env:"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"`
	Headers        string `env:"OTEL_EXPORTER_OTLP_HEADERS" json:"-"` // a collector's key, often; the exporter reads it
}

// off reports whether nothing is to be exported.
func (s Settings) off() bool { return s.Disabled || s.Exporter == "" || s.Exporter == "none" }

// check returns an error that names the setting. It says nothing of a value that may be a secret.
func (s Settings) check() error {
	switch s.Exporter {
	case "", "none", "otlp", "console":
	default:
		return fmt.Errorf("OTEL_TRACES_EXPORTER is %q; it must be none, otlp or console", s.Exporter)
	}
	switch protocol := cmp.Or(s.TracesProtocol, s.Protocol); protocol {
	case "", "http/protobuf", "http/json":
	default:
		return fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q; it must be http/protobuf or http/json", protocol)
	}
	if endpoint := cmp.Or(s.TracesEndpoint, s.Endpoint); endpoint != "" {
		at, err := url.Parse(endpoint)
		if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
			return errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address")
		}
	}
	_, err := s.sampler()
	return err
}

// sampler returns the sampler. One that goes by its parent asks its root, instead of dropping the trace, where a caller has not
// sampled it: the Functions host sends a traceparent with each call, and never says of one that it was sampled. A share goes by
// the trace's id, so what another process of sheetdrop has decided is decided again.
func (s Settings) sampler() (sdk.Sampler, error) {
	root, followsParent := sdk.Sampler(nil), false
	switch s.Sampler {
	case "always_on":
		root = sdk.AlwaysSample()
	case "always_off":
		root = sdk.NeverSample()
	case "traceidratio":
	case "", "parentbased_always_on":
		root, followsParent = sdk.AlwaysSample(), true
	case "parentbased_always_off":
		root, followsParent = sdk.NeverSample(), true
	case "parentbased_traceidratio":
		followsParent = true
	default:
		const wanted = "always_on, always_off, traceidratio, or one of these behind parentbased_"
		return nil, fmt.Errorf("OTEL_TRACES_SAMPLER is %q; it must be %s", s.Sampler, wanted)
	}
	if root == nil {
		share, err := strconv.ParseFloat(cmp.Or(s.SamplerArg, "1"), 64)
		if err != nil || share < 0 || share > 1 {
			return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is %q; it must be a number from 0 to 1", s.SamplerArg)
		}
		root = sdk.TraceIDRatioBased(share)
	}
	if !followsParent {
		return root, nil
	}
	return sdk.ParentBased(root, sdk.WithRemoteParentNotSampled(root)), nil
}
