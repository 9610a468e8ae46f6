metadata description = 'All app settings: each deployment replaces the whole set.'

import { resourceName } from '../shared.bicep'

@description('Short name of the environment.')
param environmentName string

@description('Name of the app\'s identity.')
param identityName string

@description('Storage account of the Functions host.')
param hostAccountName string

@description('URL of the blob service that stores the files.')
param blobUrl string

@description('URL of the queue service of the parse queue.')
param queueUrl string

@description('Name of the container of uploaded files.')
param blobContainer string

@description('Name of the queue of parse messages.')
param parseQueue string

@description('Maximum size of a request body in bytes.')
param bodyLimit int

@description('Seconds between two runs of the relay\'s timer.')
param relayPeriod int

@description('Files that one instance parses concurrently.')
param parseConcurrency int

@description('Host name of the database server.')
param databaseHost string

@description('Port of the database server or its pooler.')
param databasePort int

@description('Pool size of one process.')
param databasePool int

@description('Origins of other products\' pages that may upload with a token.')
param embedOrigins string[]

@description('Additional settings of the handler by name. They cannot override the settings below.')
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

    // Turns off the host's own page at /, where the app has its page.
    AzureWebJobsDisableHomepage: 'true'

    // Files and queue, used by the host's trigger and by the handler.
    DATA_STORAGE__blobServiceUri: blobUrl
    DATA_STORAGE__queueServiceUri: queueUrl
    DATA_STORAGE__credential: 'managedidentity'
    DATA_STORAGE__clientId: identity.properties.clientId
    BLOB_CONTAINER: blobContainer
    PARSE_QUEUE: parseQueue

    // The same limit for the host and for the handler.
    FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: string(bodyLimit)
    UPLOAD_MAX_BYTES: string(bodyLimit)

    // The schedule of the timer, and the period that the relay assumes.
    RELAY_SCHEDULE: '*/${relayPeriod} * * * * *'
    RELAY_PERIOD: '${relayPeriod}s'

    // The host dispatches up to batchSize (1 in host.json) plus this threshold messages to a worker at once.
    AzureFunctionsJobHost__extensions__queues__newBatchThreshold: string(parseConcurrency - 1)
    PARSE_CONCURRENCY: string(parseConcurrency)

    PGHOST: databaseHost
    PGPORT: string(databasePort)
    PGDATABASE: 'sheetdrop'
    PGUSER: identity.name
    PGSSLMODE: 'verify-full'
    DB_MAX_CONNS: string(databasePool)

    AUTH: 'easyauth'
    CORS_ORIGINS: join(embedOrigins, ',')
    AZURE_CLIENT_ID: identity.properties.clientId
    APPLICATIONINSIGHTS_CONNECTION_STRING: component.properties.ConnectionString
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identity.properties.clientId};Authorization=AAD'
  }
}
