metadata description = 'PostgreSQL: the server, its administrator and its network access.'

import { resourceName } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('SKU, such as Standard_B2s.')
param sku string

@description('Major version of PostgreSQL.')
param version '15' | '16' | '17' | '18'

@minValue(32)
@description('Disk size in GiB. The disk grows automatically and never shrinks.')
param storageSizeGB int

@description('Standby server: none, in the same zone or in another zone. Doubles the price of compute.')
param highAvailability 'Disabled' | 'SameZone' | 'ZoneRedundant'

@minValue(7)
@maxValue(35)
@description('Retention of backups in days; the database can be restored to any point within it.')
param backupRetentionDays int

@description('Also keep backups in the paired region. Cannot be changed later.')
param geoRedundantBackup bool

@description('Pool size of the built-in connection pooler (port 6432); 0 for no pooler.')
param poolerSize int

@description('Make the server reachable only through a private endpoint and from allowedAddresses.')
param privateNetwork bool

@description('Additional addresses, for people who run migrations or queries.')
param allowedAddresses addressRange[]

@description('The only Entra principal that administers the server; it owns the schema. Usually a group.')
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
  @description('Display name in Entra, which is the user name at login.')
  name: string
  type: 'Group' | 'User' | 'ServicePrincipal'
}

var burstable = startsWith(sku, 'Standard_B')

var parameters = union(
  {
    ssl_min_protocol_version: 'TLSv1.2'
    idle_in_transaction_session_timeout: '600000' // ms; ends a load whose worker disappeared
    log_connections: 'on' // who logged in
    log_statement: 'ddl' // who changed tables, logins or privileges
    log_min_duration_statement: '1000' // ms
    log_parameter_max_length: '0' // bytes; the parameters of a slow statement are content of users' files
    'metrics.collector_database_activity': 'on'
  },
  poolerSize == 0 ? {} : {
    'pgbouncer.enabled': 'true'
    'pgbouncer.default_pool_size': string(poolerSize)
    'pgbouncer.max_prepared_statements': '500' // the driver uses prepared statements
  }
)

var appServices = { name: 'azure-services', first: '0.0.0.0', last: '0.0.0.0' } // Azure services of any tenant; logging in still requires a token
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

// `sheetdrop provision` creates the database itself. Created here, it would belong to a role of the platform, and no migration could run in it.

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

// The server handles one operation at a time, so its children are created one after another. Right after its creation it rejects parameters as "busy"
// and administrators as "not accessible" (github.com/Azure/azure-postgresql, issues 134 and 127), so the children that it rejects least come first.
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
