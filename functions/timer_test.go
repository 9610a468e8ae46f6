package functions

import "testing"

var timerEnvelopes = map[bool]string{ // by IsPastDue
	true: `{"Data":{"timer":{"Schedule":{"AdjustForDST":true},"ScheduleStatus":{"Last":"0001-01-01T00:00:00",
	        "Next":"2026-02-01T10:05:00+00:00","LastUpdated":"0001-01-01T00:00:00"},"IsPastDue":true}},
	        "Metadata":{"sys":{"MethodName":"outbox-relay","UtcNow":"2026-02-01T10:05:00.0102030Z"}}}`,
	false: `{"Data":{"timer":"{\"Schedule\":{\"AdjustForDST\":true},\"ScheduleStatus\":null,\"IsPastDue\":false}"},"Metadata":{}}`,
}

func TestDecodeTimerInfo(t *testing.T) {
	t.Parallel()
	for isPastDue, envelope := range timerEnvelopes {
		got, err := decodeTimerInfo([]byte(envelope), "timer")
		if err != nil || got.IsPastDue != isPastDue {
			t.Errorf("%+v, %v; want IsPastDue %v", got, err, isPastDue)
		}
	}
	if _, err := decodeTimerInfo([]byte(`{"Data":{"timer":"soon"}}`), "timer"); err == nil {
		t.Error("a value that is no timer's was taken")
	}
}
