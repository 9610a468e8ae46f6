metadata description = '''
A workbook for operators: how the outbox, the queue, tasks and calls have fared. It reads what the handler and its host log, as the log alerts do,
so it needs neither metrics nor anything else to be switched on.
'''

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

// The lines are in AppTraces because the host logs each line of the handler's output as a trace.
var panels = [
  {
    title: 'Outbox: messages that are not sent'
    shape: 'timechart'
    query: '''
AppTraces
| where Message contains '"msg":"outbox_stats"'
| extend line = parse_json(Message)
| project TimeGenerated, pending = toint(line.pending), delayed = toint(line.delayed), failed = toint(line.failed)
| summarize pending = max(pending), delayed = max(delayed), failed = max(failed) by bin(TimeGenerated, 5m)
'''
  }
  {
    title: 'Outbox: seconds that the oldest message has waited'
    shape: 'timechart'
    query: '''
AppTraces
| where Message contains '"msg":"outbox_stats"'
| extend line = parse_json(Message)
| project TimeGenerated, due = toint(line.oldest_due_s), oldest = toint(line.oldest_pending_s)
| summarize due = max(due), oldest = max(oldest) by bin(TimeGenerated, 5m)
'''
  }
  {
    title: 'Queue, and poison queue'
    shape: 'timechart'
    query: '''
AppTraces
| where Message contains '"msg":"outbox_stats"'
| extend line = parse_json(Message)
| project TimeGenerated, messages = toint(line.queue_len), poison = toint(line.poison_len)
| summarize messages = max(messages), poison = max(poison) by bin(TimeGenerated, 5m)
'''
  }
  {
    title: 'Sends that failed, by what they were'
    shape: 'table'
    query: '''
AppTraces
| where Message contains '"msg":"outbox message not sent"'
| extend line = parse_json(Message)
| project TimeGenerated, message = tostring(line.event_type), rejected = tostring(line.rejected)
| summarize failed = count(), last = max(TimeGenerated) by message, rejected
| order by failed desc
'''
  }
  {
    title: 'Completed tasks, and their rows'
    shape: 'timechart'
    query: '''
AppTraces
| where Message contains '"msg":"task completed"'
| extend line = parse_json(Message)
| project TimeGenerated, loaded = tolong(line.rows_loaded), rejected = tolong(line.rows_rejected)
| summarize tasks = count(), loaded = sum(loaded), rejected = sum(rejected) by bin(TimeGenerated, 5m)
'''
  }
  {
    title: 'Runs that did not complete their task, by how they ended'
    shape: 'table'
    query: '''
AppTraces
| where Message contains '"msg":"run ended"'
| extend line = parse_json(Message)
| project TimeGenerated, outcome = tostring(line.outcome), task = tostring(line.status)
| summarize runs = count(), last = max(TimeGenerated) by outcome, task
| order by runs desc
'''
  }
  {
    title: 'Workers that died'
    shape: 'timechart'
    query: '''
AppTraces
| where Message contains '"msg":"worker died"'
| summarize leases = count() by bin(TimeGenerated, 5m)
'''
  }
  {
    title: 'What somebody has to look at: the newest alerts of the handler'
    shape: 'table'
    query: '''
AppTraces
| where Message contains '"alert":"'
| extend line = parse_json(Message)
| project TimeGenerated, alert = tostring(line.alert), code = tostring(line.code), task = tostring(line.task_id), text = tostring(line.msg)
| order by TimeGenerated desc
| take 50
'''
  }
  {
    title: 'Error lines, by what they say'
    shape: 'table'
    query: '''
AppTraces
| where Message contains '"level":"ERROR"'
| extend line = parse_json(Message)
| project TimeGenerated, text = tostring(line.msg)
| summarize lines = count(), last = max(TimeGenerated) by text
| order by lines desc
'''
  }
  {
    title: 'Calls of the functions'
    shape: 'table'
    query: '''
AppRequests
| summarize calls = count(), last = max(TimeGenerated) by Name, ResultCode
| order by calls desc
'''
  }
  {
    title: 'Starts of hosts, by instance'
    shape: 'table'
    query: '''
AppTraces
| where Message startswith 'Host started ('
| summarize starts = count(), last = max(TimeGenerated) by AppRoleInstance
| order by starts desc
'''
  }
]

var range = {
  type: 9
  name: 'range'
  content: {
    version: 'KqlParameterItem/1.0'
    parameters: [
      {
        id: guid(workspaceId, 'range')
        version: 'KqlParameterItem/1.0'
        name: 'TimeRange'
        label: 'Time'
        type: 4
        isRequired: true
        value: { durationMs: 14400000 } // four hours
        typeSettings: {
          selectableValues: [{ durationMs: 3600000 }, { durationMs: 14400000 }, { durationMs: 86400000 }, { durationMs: 604800000 }]
          allowCustom: true
        }
      }
    ]
    style: 'pills'
    queryType: 0
    resourceType: 'microsoft.operationalinsights/workspaces'
  }
}

var queries = [
  for (panel, i) in panels: {
    type: 3
    name: 'panel-${i}'
    customWidth: panel.shape == 'table' ? '100' : '50'
    content: {
      version: 'KqlItem/1.0'
      title: panel.title
      query: panel.query
      size: 0
      timeContextFromParameter: 'TimeRange'
      queryType: 0
      resourceType: 'microsoft.operationalinsights/workspaces'
      crossComponentResources: [workspaceId]
      visualization: panel.shape
    }
  }
]

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, 'sheetdrop')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'sheetdrop'
    category: 'workbook'
    sourceId: workspaceId
    version: 'Notebook/1.0'
    serializedData: string({ version: 'Notebook/1.0', items: concat([range], queries), fallbackResourceIds: [workspaceId] })
  }
}
