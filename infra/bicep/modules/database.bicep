metadata description = 'PostgreSQL: the server, who administers it and who reaches it.'

import { resourceName } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Product, such as Standard_B2s.')
param sku string

@description('Major version of PostgreSQL.')
param version '15' | '16' | '17' | '18'

@minValue(32)
@description('Disk in GiB. It grows by itself and never shrinks.')
param storageSizeGB int

@description('Standby server: none, in the same zone or in another one. Doubles the price of the computer.')
param highAvailability 'Disabled' | 'SameZone' | 'ZoneRedundant'

@minValue(7)
@maxValue(35)
@description('Days to which the database can be set back.')
param backupRetentionDays int

@description('Keep backups in the paired region, too. Cannot be changed later.')
param geoRedundantBackup bool

@description('Run the built-in pooler (port 6432) with this many connections; 0 for none.')
param poolerSize int

@description('Reachable through a private endpoint only, but for the addresses of allowedAddresses.')
param privateNetwork bool

@description('Addresses besides the app\'s own way, for people who migrate or look.')
param allowedAddresses addressRange[]

@description('The one Entra principal that administers the server and owns the schema: a group, as a rule.')
param administrator administratorPrincipal

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

@export()
type addressRange = {
  @description('Name of the firewall rule.')
  name: string
  first: string
  last: string
}

@export()
type administratorPrincipal = {
  objectId: string
  @description('Its name as Entra shows it; it is the user name at login.')
  name: string
  type: 'Group' | 'User' | 'ServicePrincipal'
}

var burstable = startsWith(sku, 'Standard_B')

var parameters = union(
  {
    ssl_min_protocol_version: 'TLSv1.2'
    idle_in_transaction_session_timeout: '600000' // ms; a load whose worker went away without a word
    log_connections: 'on' // who was there
    log_statement: 'ddl' // and changed tables, logins or rights
    log_min_duration_statement: '1000' // ms
    log_parameter_max_length: '0' // bytes; a slow statement's parameters are what stands in people's files
    'metrics.collector_database_activity': 'on'
  },
  poolerSize == 0 ? {} : {
    'pgbouncer.enabled': 'true'
    'pgbouncer.default_pool_size': string(poolerSize)
    'pgbouncer.max_prepared_statements': '500' // the driver keeps its statements prepared
  }
)

var appServices = { name: 'azure-services', first: '0.0.0.0', last: '0.0.0.0' } // of any tenant; who logs in still needs a token
var openings = concat(privateNetwork ? [] : [appServices], allowedAddresses)

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2025-08-01' = {
  name: resourceName('psql', environmentName, resourceGroup().id)
  location: location
  tags: tags
  sku: { name: sku, tier: burstable ? 'Burstable' : 'GeneralPurpose' }
  properties: {
    version: version
    storage: { storageSizeGB: storageSizeGB, autoGrow: 'Enabled' }
    backup: { backupRetentionDays: backupRetentionDays, geoRedundantBackup: geoRedundantBackup ? 'Enabled' : 'Disabled' }
    highAvailability: { mode: highAvailability }
    authConfig: { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled', tenantId: tenant().tenantId }
    network: { publicNetworkAccess: empty(openings) ? 'Disabled' : 'Enabled' }
    maintenanceWindow: { customWindow: 'Enabled', dayOfWeek: 0, startHour: 18, startMinute: 0 }
  }
}

// The database itself is made by `sheetdrop provision`: made here it would belong to a role of the platform, and no migration could run in it.

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: server
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'PostgreSQLLogs', enabled: true }
      { category: 'PostgreSQLFlexSessions', enabled: true }
    ]
    metrics: [{ category: 'AllMetrics', enabled: true }]
  }
}

// The server does one thing at a time, so its children are made one after another. Right after it was made it refuses parameters as "busy" and
// administrators as "not accessible" (github.com/Azure/azure-postgresql, issues 134 and 127): what it refuses least comes first.
@batchSize(1)
resource firewall 'Microsoft.DBforPostgreSQL/flexibleServers/firewallRules@2025-08-01' = [
  for range in openings: {
    parent: server
    name: range.name
    properties: { startIpAddress: range.first, endIpAddress: range.last }
    dependsOn: [diagnostics]
  }
]

@batchSize(1)
resource settings 'Microsoft.DBforPostgreSQL/flexibleServers/configurations@2025-08-01' = [
  for parameter in items(parameters): {
    parent: server
    name: parameter.key
    properties: { value: parameter.value, source: 'user-override' }
    dependsOn: [diagnostics, firewall]
  }
]

resource entraAdministrator 'Microsoft.DBforPostgreSQL/flexibleServers/administrators@2025-08-01' = {
  parent: server
  name: administrator.objectId
  properties: {
    principalName: administrator.name
    principalType: administrator.type
    tenantId: tenant().tenantId
  }
  dependsOn: [settings]
}

output id string = server.id
output name string = server.name
output host string = server.properties.fullyQualifiedDomainName
output port int = poolerSize == 0 ? 5432 : 6432
