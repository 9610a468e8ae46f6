package metrics

import (
	"errors"
	"fmt"
)

// Settings say who gets the metrics: nobody by default. Where they are pushed to, and how often, is said by the other standard variables of
// OpenTelemetry, OTEL_EXPORTER_OTLP_ENDPOINT and its like, which its libraries read themselves.
type Settings struct {
	Port int `env:"METRICS_PORT" envDefault:"0"` // where Prometheus, on this machine, gets them; 0 means nowhere

	Exporter        string `env:"OTEL_METRICS_EXPORTER" envDefault:"none"` // otlp or none
	Protocol        string `env:"OTEL_EXPORTER_OTLP_PROTOCOL" envDefault:"http/protobuf"`
	MetricsProtocol string `env:"OTEL_EXPORTER_OTLP_METRICS_PROTOCOL"` // in place of Protocol; "" is that
	Disabled        bool   `env:"OTEL_SDK_DISABLED"`
}

// Values of OTEL_METRICS_EXPORTER.
const (
	exportOTLP = "otlp"
	exportNone = "none"
)

// overHTTP is the one protocol of OTLP that is linked in.
const overHTTP = "http/protobuf"

// Check refuses what is not there.
func (s Settings) Check() error {
	if s.Port < 0 || s.Port > 65535 {
		return fmt.Errorf("METRICS_PORT is %d; it must be a port, or 0 for none", s.Port)
	}
	if s.Exporter == "prometheus" {
		return errors.New("OTEL_METRICS_EXPORTER is prometheus; set METRICS_PORT instead, which Prometheus reads on this machine")
	}
	if s.Exporter != "" && s.Exporter != exportOTLP && s.Exporter != exportNone {
		return fmt.Errorf("OTEL_METRICS_EXPORTER is %q; it must be %s or %s", s.Exporter, exportOTLP, exportNone)
	}
	if s.pushes() && s.protocol() != overHTTP {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q for metrics; it must be %s", s.protocol(), overHTTP)
	}
	return nil
}

func (s Settings) protocol() string {
	if s.MetricsProtocol != "" {
		return s.MetricsProtocol
	}
	return s.Protocol
}

func (s Settings) pushes() bool { return s.Exporter == exportOTLP && !s.Disabled }

func (s Settings) scraped() bool { return s.Port > 0 && !s.Disabled }
