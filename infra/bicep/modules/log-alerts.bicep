metadata description = '''
Alerts on the logs of the app and its host. The relay logs one line outbox_stats per run, and the queries read its fields. No alert depends on the
last lines of a host: a host that exits because its storage is unreachable does not send the logs of its last half minute. Each alert has a page in
docs/runbooks.
'''

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

@description('Id of the action group that is notified.')
param actionGroupId string

// The lines are in AppTraces because the host logs each line of the handler's output as a trace.
var stats = '''
AppTraces
| where Message contains '"msg":"outbox_stats"'
| extend line = parse_json(Message)
'''

// An alert evaluates the maximum of a field of that line, or another aggregation, or counts the results of its own query.
var alerts = [
  {
    name: 'outbox-failed'
    text: 'Messages were refused for good.'
    severity: 1
    field: 'failed'
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
  {
    name: 'outbox-stuck'
    text: 'A message has waited for more than five minutes: the queue refuses, or no relay gets through.'
    severity: 1
    field: 'oldest_pending_s'
    operator: 'GreaterThan'
    threshold: 300
    periods: 2
  }
  {
    name: 'relay-silent'
    text: 'The timer has not run for a quarter of an hour, or cannot reach the database.'
    severity: 1
    query: stats
    operator: 'LessThan'
    threshold: 1
    periods: 1
  }
  {
    name: 'dead-letter'
    text: 'The queue has given up a message that no worker took. Its task is revived without it.'
    severity: 2
    query: '''
AppTraces
| where Message contains '"alert":"dead_letter"'
'''
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
  {
    name: 'poison-queue'
    text: 'No run of the relay has found the poison queue empty, which loses its messages after seven days.'
    severity: 2
    field: 'poison_len'
    aggregation: 'Minimum' // counted before the same run empties the queue: messages removed at once are in one line, messages that stay are in every line
    operator: 'GreaterThan'
    threshold: 0
    periods: 2
  }
  {
    name: 'task-failed'
    text: 'A task ended for a reason that is ours and not the file\'s.'
    severity: 2
    query: '''
AppTraces
| where Message contains '"alert":"task_failed"'
'''
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
  {
    name: 'database-restored'
    text: 'The database has lost commits, as by a restore to an earlier moment. No orphan blob is deleted until an operator has decided.'
    severity: 1
    query: '''
AppTraces
| where Message contains '"alert":"database_restored"'
'''
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
  // To the host, a call of the API succeeds whatever the handler responds, and fails with 200 or 499 when the client disconnects. A call that is not
  // HTTP has the result 0.
  {
    name: 'function-failures'
    text: 'Calls of a function fail.'
    severity: 2
    query: '''
AppRequests
| where toint(ResultCode) >= 500 or (Success == false and ResultCode == '0')
'''
    operator: 'GreaterThan'
    threshold: 10
    periods: 1
  }
  {
    name: 'handler-restarts'
    text: 'The handler has ended by itself, or was killed, for its memory as a rule.'
    severity: 2
    query: '''
AppTraces
| where Message startswith 'Language Worker Process exited. Pid=' or Message contains '"msg":"handler ended"'
'''
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
  {
    name: 'host-restarts'
    text: 'An instance starts its host again and again, as it does while it cannot reach its storage.'
    severity: 2
    query: '''
AppTraces
| where Message startswith 'Host started ('
| summarize starts = count(), TimeGenerated = max(TimeGenerated) by AppRoleInstance
| where starts > 4
'''
    operator: 'GreaterThan'
    threshold: 0
    periods: 1
  }
]

resource rules 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for alert in alerts: {
    name: 'sheetdrop-${alert.name}'
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: 'sheetdrop: ${alert.name}'
      description: '${alert.text} What to do: docs/runbooks/${alert.name}.md'
      severity: alert.severity
      enabled: true
      autoMitigate: true
      scopes: [workspaceId]
      evaluationFrequency: 'PT5M'
      windowSize: 'PT15M'
      skipQueryValidation: true // a table is created with its first line
      criteria: {
        allOf: [
          union(
            {
              operator: alert.operator
              threshold: alert.threshold
              failingPeriods: { numberOfEvaluationPeriods: alert.periods == 1 ? 1 : 3, minFailingPeriodsToAlert: alert.periods }
            },
            contains(alert, 'field')
              ? {
                  query: '${stats}| project TimeGenerated, value = toint(line.${alert.?field})'
                  metricMeasureColumn: 'value'
                  timeAggregation: alert.?aggregation ?? 'Maximum'
                }
              : { query: alert.?query, timeAggregation: 'Count' }
          )
        ]
      }
      actions: { actionGroups: [actionGroupId] }
    }
  }
]
