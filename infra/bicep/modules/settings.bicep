metadata description = 'The app settings, all of them: each deployment replaces the whole set.'

import { resourceName } from '../shared.bicep'

@description('Short name of the environment.')
param environmentName string

@description('Name of the app\'s identity.')
param identityName string

@description('Account of the Functions host.')
param hostAccountName string

@description('Url of the blob service that keeps the files.')
param blobUrl string

@description('Url of the queue service of the parse queue.')
param queueUrl string

@description('Container of uploaded files.')
param blobContainer string

@description('Queue of parse messages.')
param parseQueue string

@description('Bytes of the largest body of a request.')
param bodyLimit int

@description('Seconds between two runs of the relay\'s timer.')
param relayPeriod int

@description('Files that one instance parses at once.')
param parseConcurrency int

@description('Host name of the database server.')
param databaseHost string

@description('Port of the server or of its pooler.')
param databasePort int

@description('Connections of one process.')
param databasePool int

@description('Further settings of the handler, by name. Those below cannot be changed by it.')
param handlerSettings { *: string }

resource site 'Microsoft.Web/sites@2024-11-01' existing = {
  name: resourceName('func', environmentName, resourceGroup().id)
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: resourceName('appi', environmentName, resourceGroup().id)
}

resource appSettings 'Microsoft.Web/sites/config@2024-11-01' = {
  parent: site
  name: 'appsettings'
  properties: {
    ...handlerSettings

    // The host's own storage.
    AzureWebJobsStorage__accountName: hostAccountName
    AzureWebJobsStorage__credential: 'managedidentity'
    AzureWebJobsStorage__clientId: identity.properties.clientId

    // The host shows no page of its own at /, where the app has one.
    AzureWebJobsDisableHomepage: 'true'

    // Files and queue: for the host's trigger and for the handler.
    DATA_STORAGE__blobServiceUri: blobUrl
    DATA_STORAGE__queueServiceUri: queueUrl
    DATA_STORAGE__credential: 'managedidentity'
    DATA_STORAGE__clientId: identity.properties.clientId
    BLOB_CONTAINER: blobContainer
    PARSE_QUEUE: parseQueue

    // The host takes no larger bodies, and the handler expects none.
    FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: string(bodyLimit)
    UPLOAD_MAX_BYTES: string(bodyLimit)

    // The timer and what the relay believes of it.
    RELAY_SCHEDULE: '*/${relayPeriod} * * * * *'
    RELAY_PERIOD: '${relayPeriod}s'

    // What the host gives to a worker at once is batchSize, which host.json sets to 1, and this threshold.
    AzureFunctionsJobHost__extensions__queues__newBatchThreshold: string(parseConcurrency - 1)
    PARSE_CONCURRENCY: string(parseConcurrency)

    PGHOST: databaseHost
    PGPORT: string(databasePort)
    PGDATABASE: 'sheetdrop'
    PGUSER: identity.name
    PGSSLMODE: 'verify-full'
    DB_MAX_CONNS: string(databasePool)

    AUTH: 'easyauth'
    AZURE_CLIENT_ID: identity.properties.clientId
    APPLICATIONINSIGHTS_CONNECTION_STRING: component.properties.ConnectionString
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identity.properties.clientId};Authorization=AAD'
  }
}
