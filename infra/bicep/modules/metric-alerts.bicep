metadata description = 'Alerts on the metrics of the services. Each has a page in docs/runbooks.'

@description('Tags of the resources.')
param tags object

@description('Id of the action group that is notified.')
param actionGroupId string

@description('Id of the database server.')
param databaseId string

@description('Id of the storage account of files and messages.')
param storageId string

@description('Connections that users can open to the database.')
param userConnections int

@description('The database server is burstable, so its CPU credits can run out.')
param burstable bool

var server = 'Microsoft.DBforPostgreSQL/flexibleServers'
var account = 'Microsoft.Storage/storageAccounts'

var alerts = concat(
  [
    {
      name: 'database-down'
      severity: 1
      of: { id: databaseId, namespace: server, metric: 'is_db_alive', by: 'Maximum' }
      when: { operator: 'LessThan', threshold: 1 }
    }
    {
      name: 'database-disk' // at 95 % the server accepts no more writes
      severity: 1
      of: { id: databaseId, namespace: server, metric: 'storage_percent', by: 'Maximum' }
      when: { operator: 'GreaterThan', threshold: 80 }
    }
    {
      name: 'database-cpu'
      severity: 2
      of: { id: databaseId, namespace: server, metric: 'cpu_percent', by: 'Average' }
      when: { operator: 'GreaterThan', threshold: 80 }
    }
    {
      name: 'database-connections'
      severity: 2
      of: { id: databaseId, namespace: server, metric: 'active_connections', by: 'Maximum' }
      when: { operator: 'GreaterThan', threshold: userConnections * 8 / 10 }
    }
    {
      name: 'database-refusals'
      severity: 2
      of: { id: databaseId, namespace: server, metric: 'connections_failed', by: 'Total' }
      when: { operator: 'GreaterThan', threshold: 20 }
    }
    {
      name: 'database-long-transaction' // longer than the longest load
      severity: 3
      of: { id: databaseId, namespace: server, metric: 'longest_transaction_time_sec', by: 'Maximum' }
      when: { operator: 'GreaterThan', threshold: 1800 }
    }
    {
      name: 'storage-availability'
      severity: 3
      of: { id: storageId, namespace: account, metric: 'Availability', by: 'Average' }
      when: { operator: 'LessThan', threshold: 99 }
    }
    {
      name: 'storage-throttling'
      severity: 3
      of: {
        id: storageId
        namespace: account
        metric: 'Transactions'
        by: 'Total'
        dimensions: [
          { name: 'ResponseType', operator: 'Include', values: ['ServerBusyError', 'ClientThrottlingError'] }
        ]
      }
      when: { operator: 'GreaterThan', threshold: 100 }
    }
  ],
  burstable
    ? [
        {
          name: 'database-credits'
          severity: 3
          of: { id: databaseId, namespace: server, metric: 'cpu_credits_remaining', by: 'Average' }
          when: { operator: 'LessThan', threshold: 30 }
        }
      ]
    : []
)

resource rules 'Microsoft.Insights/metricAlerts@2018-03-01' = [
  for alert in alerts: {
    name: 'sheetdrop-${alert.name}'
    location: 'global'
    tags: tags
    properties: {
      description: 'What to do: docs/runbooks/${alert.name}.md'
      severity: alert.severity
      enabled: true
      autoMitigate: true
      scopes: [alert.of.id]
      evaluationFrequency: 'PT5M'
      windowSize: 'PT15M'
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
        allOf: [
          {
            criterionType: 'StaticThresholdCriterion'
            name: alert.name
            metricNamespace: alert.of.namespace
            metricName: alert.of.metric
            timeAggregation: alert.of.by
            dimensions: alert.of.?dimensions ?? []
            operator: alert.when.operator
            threshold: alert.when.threshold
          }
        ]
      }
      actions: [{ actionGroupId: actionGroupId }]
    }
  }
]
