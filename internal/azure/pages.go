package azure

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/service"
)

// AllowPages lets pages of some origins put blocks into the account's blobs from a browser, and those of no other: it replaces the
// account's CORS rules. In a deployment infra/bicep/modules/data-storage.bicep has the same rule; this is for the storage of a development
// machine.
func AllowPages(ctx context.Context, s Settings, origins ...string) error {
	client, err := service.NewClientFromConnectionString(s.ConnectionString(), &service.ClientOptions{ClientOptions: blobOptions(s.newClient)})
	if err != nil {
		return withoutSecrets(err)
	}
	_, err = client.SetProperties(ctx, &service.SetPropertiesOptions{CORS: []*service.CORSRule{{
		AllowedOrigins:  new(strings.Join(origins, ",")),
		AllowedMethods:  new("PUT"),
		AllowedHeaders:  new("content-type,content-md5,x-ms-content-crc64,x-ms-version,x-ms-client-request-id"),
		ExposedHeaders:  new("content-md5,x-ms-content-crc64,x-ms-error-code,x-ms-request-id"),
		MaxAgeInSeconds: new(int32(3600)),
	}}})
	if err != nil {
		return fmt.Errorf("let pages put blocks: %w", err)
	}
	return nil
}

// Origin returns scheme, host and port of the blob service: where a page that writes blocks has to be allowed to send them.
func (b *Blobs) Origin() string {
	address, err := url.Parse(b.client.URL())
	if err != nil {
		panic(err) // the client was made from it
	}
	return address.Scheme + "://" + address.Host
}
