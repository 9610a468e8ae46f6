package functions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// envelopes as the host writes them, and the message that each stands for.
var queueEnvelopes = map[string]struct {
	envelope string
	want     QueueMessage
}{
	"binary": {
		`{"Data":{"message":"eyJ2IjoxfQ=="},"Metadata":{"DequeueCount":"2","ExpirationTime":"9999-12-31T23:59:59+00:00",
		  "Id":"\"4f1c\"","InsertionTime":"2026-02-01T10:00:00+00:00","PopReceipt":"\"AgAA\"","sys":{"MethodName":"parse-worker"}}}`,
		QueueMessage{Body: []byte(`{"v":1}`), ID: "4f1c", DequeueCount: 2, InsertionTime: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)},
	},
	"text, encoded twice": {
		`{"Data":{"message":"\"{\\\"id\\\":\\\"u-1\\\",\\\"n\\\":2}\""},"Metadata":{"DequeueCount":"1","Id":"\"u-1\"","n":"\"2\""}}`,
		QueueMessage{Body: []byte(`{"id":"u-1","n":2}`), ID: "u-1", DequeueCount: 1},
	},
	"text that looks like base64": {
		`{"Data":{"message":"\"abcd1234\""}}`,
		QueueMessage{Body: []byte(`abcd1234`)},
	},
	"text, encoded once, and plain metadata": {
		`{"Data":{"message":"{\"v\":1}"},"Metadata":{"DequeueCount":3,"Id":"4f1c","InsertionTime":"\"2026-02-01T10:00:00+00:00\""}}`,
		QueueMessage{Body: []byte(`{"v":1}`), ID: "4f1c", DequeueCount: 3, InsertionTime: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)},
	},
	"object": {
		`{"Data":{"message": {"v": 1}},"Metadata":{}}`,
		QueueMessage{Body: []byte(`{"v": 1}`)},
	},
	"empty message": {
		`{"Data":{"message":""},"Metadata":{}}`,
		QueueMessage{Body: []byte{}},
	},
	"metadata that the message overwrote": {
		`{"Data":{"message":"\"x\""},"Metadata":{"DequeueCount":{"a":1},"InsertionTime":"\"yesterday\"","sys":"\"\""}}`,
		QueueMessage{Body: []byte("x")},
	},
	"metadata of no use": {
		`{"Data":{"message":"\"x\""},"Metadata":"none"}`,
		QueueMessage{Body: []byte("x")},
	},
}

func TestDecodeQueueMessage(t *testing.T) {
	t.Parallel()
	for name, tc := range queueEnvelopes {
		got, err := decodeQueueMessage([]byte(tc.envelope), "message")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(got.Body, tc.want.Body) || got.ID != tc.want.ID || got.DequeueCount != tc.want.DequeueCount ||
			!got.InsertionTime.Equal(tc.want.InsertionTime) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, tc.want)
		}
	}
}

// Whatever bytes come as an envelope: an answer or an error, and a message only out of what is JSON.
func FuzzDecode(f *testing.F) {
	for _, tc := range queueEnvelopes {
		f.Add([]byte(tc.envelope))
	}
	for _, envelope := range timerEnvelopes {
		f.Add([]byte(strings.ReplaceAll(envelope, `"timer"`, `"message"`)))
	}
	f.Add([]byte(`{"Data":{"message":"\"cut"}}`))
	f.Fuzz(func(t *testing.T, envelope []byte) {
		_, queueErr := decodeQueueMessage(envelope, "message")
		_, timerErr := decodeTimerInfo(envelope, "message")
		if (queueErr == nil || timerErr == nil) && !json.Valid(envelope) {
			t.Errorf("took what is no JSON: %q", envelope)
		}
	})
}

// Whatever bytes are sent come out again, in both ways that the host has for them.
func FuzzMessageBody(f *testing.F) {
	for _, s := range []string{"", `{"v":1}`, "abcd1234", `"`, `"quoted"`, "null", "価格\r\n\x00", "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		check := func(way string, value []byte) {
			got, err := messageBody(value)
			if err != nil || !bytes.Equal(got, sent) {
				t.Errorf("%s: sent %q, got %q, %v", way, sent, got, err)
			}
		}
		check("binary", quote(base64.StdEncoding.EncodeToString(sent)))
		if utf8.Valid(sent) { // a text message has no other bytes
			check("text", quote(string(quote(string(sent)))))
		}
	})
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings marshal
	}
	return b
}
