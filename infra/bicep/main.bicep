metadata description = 'sheetdrop in one resource group: function app, storage, PostgreSQL and monitoring.'

import { mostConnections, mostPooledConnections, poolSize, reserved, userConnections } from 'connections.bicep'
import { mostBodyMemory, reservedMemory } from 'memory.bicep'
import { addressRange, administratorPrincipal } from 'modules/database.bicep'
import { resourceName } from 'shared.bicep'

@description('Short name of the environment, part of every resource\'s name.')
@minLength(2)
@maxLength(8)
param environmentName string

@description('Region of all resources; `az functionapp list-flexconsumption-locations` lists those that offer the plan.')
param location string = resourceGroup().location

@description('Tags of every resource.')
param tags object = {}

// The app

@description('Memory of an instance in MiB. 2048 comes with one core; 512 is too little for the host and a request body.')
param instanceMemoryMB 512 | 2048 | 4096 = 2048

@description('Maximum number of instances of each function.')
@minValue(40)
@maxValue(1000)
param maximumInstanceCount int = 40

@description('Requests that one instance handles concurrently.')
@minValue(1)
@maxValue(100)
param httpConcurrency int = 4

@description('Maximum size of a request body in MiB, and thus roughly of a file sent in one request.')
@minValue(1)
@maxValue(100)
param bodyLimitMiB int = 8

@description('Always-ready instances by group: http, function:outbox-relay, function:parse-worker.')
param alwaysReady { name: 'http' | 'function:outbox-relay' | 'function:parse-worker', instanceCount: int }[] = []

@description('Files that one instance parses concurrently.')
@minValue(1)
@maxValue(16)
param parseConcurrency int = 2

@description('Seconds between two runs of the relay\'s timer.')
param relayPeriod 10 | 15 | 20 | 30 = 30

@description('Client id of the app registration that people and programs sign in to.')
@minLength(36)
param authClientId string

@description('Client ids of the programs that may call the API with their own tokens.')
param callerClientIds string[] = []

@description('Addresses (CIDR) from which the API can be reached; empty for no restriction. Callers have to sign in either way.')
param callerAddresses string[] = []

@description('Addresses (CIDR) from which a package can be published; empty for no restriction. Publishers have to sign in either way.')
param publisherAddresses string[] = []

@description('Origins of other products\' pages that may embed the drop zone, such as https://app.example.com; empty for none. Paths for them are open without sign-in.')
param embedOrigins string[] = []

@description('Additional settings of the handler by name, such as FILE_RETENTION_DAYS.')
param handlerSettings { *: string } = {}

// The database

@description('SKU of the database server.')
param databaseSku 'Standard_B1ms' | 'Standard_B2s' | 'Standard_B2ms' | 'Standard_D2ds_v5' | 'Standard_D4ds_v5' | 'Standard_D8ds_v5' | 'Standard_D16ds_v5' = 'Standard_B2s'

@description('Major version of PostgreSQL.')
param databaseVersion '15' | '16' | '17' | '18' = '17'

@description('Disk size of the database in GiB. The disk grows automatically and never shrinks.')
param databaseStorageGB int = 32

@description('Standby server of the database.')
param databaseHighAvailability 'Disabled' | 'SameZone' | 'ZoneRedundant' = 'Disabled'

@description('Retention of backups in days; the database can be restored to any point within it.')
param databaseBackupDays int = 14

@description('Also keep backups in the paired region. Cannot be changed later.')
param databaseGeoBackup bool = false

@description('Use the built-in connection pooler between app and database. Not available on burstable servers.')
param databasePooler bool = false

@description('Principal that administers the database and owns its schema, usually a group.')
param databaseAdministrator administratorPrincipal

@description('Addresses from which people can reach the database, for example to run a migration.')
param databaseAddresses addressRange[] = []

// Storage

@description('Name of the container of uploaded files.')
param blobContainer string = 'files'

@description('Name of the queue of parse messages.')
@maxLength(56)
param parseQueue string = 'parse-tasks'

@description('Days after which a file is moved to the cool tier.')
param coolAfterDays int = 30

@description('Addresses, or ranges of at least four (CIDR), from which people can reach the files, in addition to the private network. Requires privateNetwork.')
param storageAddresses string[] = []

@description('Days for which a deleted file can be restored (soft delete).')
@minValue(1)
@maxValue(365)
param keepDeletedDays int = 14

// Network, monitoring and cost

@description('Make storage and the database reachable through a private network only.')
param privateNetwork bool = false

@description('Address space of the private network, /25 or larger.')
param networkAddressPrefix string = '10.40.0.0/24'

@description('Distribute app and storage across three availability zones.')
param zoneRedundant bool = false

@description('Address that alerts and the budget write to.')
param alertEmail string

@description('Create the alert rules.')
param deployAlerts bool = true

@description('Log sign-ins to the app. Turn it off if a deployment reports that the plan does not support the category AppServiceAuthenticationLogs.')
param signInLogs bool = true

@description('Retention of logs in days.')
param logRetentionDays int = 30

@description('Daily quota of logs in gigabytes; -1 for no limit.')
param logDailyQuotaGb int = 1

@description('What a month may cost, in the billing currency; 0 for no budget.')
param monthlyBudget int = 0

@description('First day of the month in which the budget starts, yyyy-MM-01. Cannot be changed later.')
param budgetStartDate string = ''

// Without a private network the addresses of the app are not known in advance, so a rule that allows only others would lock it out.
var allowedStorageAddresses = privateNetwork || empty(storageAddresses) ? storageAddresses : fail('storageAddresses needs privateNetwork')

var storageSku = zoneRedundant ? 'Standard_ZRS' : 'Standard_LRS'
var burstable = startsWith(databaseSku, 'Standard_B')

// The connection budget: a deployment that could open more connections than the server has fails here.
var available = userConnections[databaseSku] - reserved
var needed = databasePooler
  ? mostPooledConnections(maximumInstanceCount, parseConcurrency)
  : mostConnections(maximumInstanceCount, parseConcurrency)
var databasePool = needed <= available
  ? poolSize(parseConcurrency)
  : fail('${needed} connections could be wanted, ${databaseSku} has ${available} for the app: take a larger server, or lower maximumInstanceCount or parseConcurrency')
var poolerSize = !databasePooler ? 0 : burstable ? fail('the pooler does not run on ${databaseSku}') : available

// The memory budget: a deployment fails here if a few clients could make its instances run out of memory with large request bodies.
var bodyMemory = mostBodyMemory(httpConcurrency, bodyLimitMiB)
var bodyLimit = bodyMemory <= instanceMemoryMB - reservedMemory
  ? bodyLimitMiB * 1024 * 1024
  : fail('bodies could take ${bodyMemory} MiB, an instance has ${instanceMemoryMB - reservedMemory} for them: take a larger one, or lower httpConcurrency or bodyLimitMiB')

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: resourceName('id', environmentName, resourceGroup().id)
  location: location
  tags: tags
}

module monitoring 'modules/monitoring.bicep' = {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    retentionInDays: logRetentionDays
    dailyQuotaGb: logDailyQuotaGb
    alertEmail: alertEmail
    identityName: identity.name
  }
}

module hostStorage 'modules/host-storage.bicep' = {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    sku: storageSku
    privateNetwork: privateNetwork
    identityName: identity.name
    workspaceId: monitoring.outputs.workspaceId
  }
}

module dataStorage 'modules/data-storage.bicep' = {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    sku: storageSku
    privateNetwork: privateNetwork
    allowedAddresses: allowedStorageAddresses
    containerName: blobContainer
    queueName: parseQueue
    coolAfterDays: coolAfterDays
    keepDeletedDays: keepDeletedDays
    pageOrigin: 'https://${resourceName('func', environmentName, resourceGroup().id)}.azurewebsites.net'
    embedOrigins: embedOrigins
    identityName: identity.name
    workspaceId: monitoring.outputs.workspaceId
  }
}

module database 'modules/database.bicep' = {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    sku: databaseSku
    version: databaseVersion
    storageSizeGB: databaseStorageGB
    highAvailability: databaseHighAvailability
    backupRetentionDays: databaseBackupDays
    geoRedundantBackup: databaseGeoBackup
    poolerSize: poolerSize
    privateNetwork: privateNetwork
    allowedAddresses: databaseAddresses
    administrator: databaseAdministrator
    workspaceId: monitoring.outputs.workspaceId
  }
}

module network 'modules/network.bicep' = if (privateNetwork) {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    addressPrefix: networkAddressPrefix
  }
}

module privateEndpoints 'modules/private-endpoints.bicep' = if (privateNetwork) {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    networkId: network!.outputs.id
    subnetId: network!.outputs.endpointSubnetId
    targets: [
      { name: 'host-blob', id: hostStorage.outputs.id, service: 'blob' }
      { name: 'data-blob', id: dataStorage.outputs.id, service: 'blob' }
      { name: 'data-queue', id: dataStorage.outputs.id, service: 'queue' }
      { name: 'database', id: database.outputs.id, service: 'postgresqlServer' }
    ]
  }
}

module app 'modules/app.bicep' = {
  params: {
    location: location
    tags: tags
    environmentName: environmentName
    zoneRedundant: zoneRedundant
    identityName: identity.name
    packagesUrl: hostStorage.outputs.packagesUrl
    subnetId: network.?outputs.appSubnetId
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    httpConcurrency: httpConcurrency
    alwaysReady: alwaysReady
    authClientId: authClientId
    callerClientIds: callerClientIds
    embedded: !empty(embedOrigins)
    callerAddresses: callerAddresses
    publisherAddresses: publisherAddresses
    signInLogs: signInLogs
    workspaceId: monitoring.outputs.workspaceId
  }
  dependsOn: [privateEndpoints]
}

module settings 'modules/settings.bicep' = {
  params: {
    environmentName: environmentName
    identityName: identity.name
    hostAccountName: hostStorage.outputs.name
    blobUrl: dataStorage.outputs.blobUrl
    queueUrl: dataStorage.outputs.queueUrl
    blobContainer: blobContainer
    parseQueue: parseQueue
    bodyLimit: bodyLimit
    relayPeriod: relayPeriod
    parseConcurrency: parseConcurrency
    databaseHost: database.outputs.host
    databasePort: database.outputs.port
    databasePool: databasePool
    embedOrigins: embedOrigins
    handlerSettings: handlerSettings
  }
  dependsOn: [app, monitoring] // they are looked up by name, which a preview knows before they exist
}

module logAlerts 'modules/log-alerts.bicep' = if (deployAlerts) {
  params: {
    location: location
    tags: tags
    workspaceId: monitoring.outputs.workspaceId
    actionGroupId: monitoring.outputs.actionGroupId
  }
}

module metricAlerts 'modules/metric-alerts.bicep' = if (deployAlerts) {
  params: {
    tags: tags
    actionGroupId: monitoring.outputs.actionGroupId
    databaseId: database.outputs.id
    storageId: dataStorage.outputs.id
    userConnections: userConnections[databaseSku]
    burstable: burstable
  }
}

module workbook 'modules/workbook.bicep' = {
  params: {
    location: location
    tags: tags
    workspaceId: monitoring.outputs.workspaceId
  }
}

module budget 'modules/budget.bicep' = if (monthlyBudget > 0) {
  params: {
    amount: monthlyBudget
    startDate: budgetStartDate
    actionGroupId: monitoring.outputs.actionGroupId
  }
}

output appName string = app.outputs.name
output hostName string = app.outputs.hostName
output databaseHost string = database.outputs.host
output identityName string = identity.name
output identityObjectId string = identity.properties.principalId
