metadata description = 'The workspace of logs and metrics, and who is notified of alerts.'

import { resourceName, roles } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Retention of logs in days.')
param retentionInDays int

@description('Daily quota of logs in gigabytes; beyond it, the workspace accepts no logs until the next day. -1 for no limit.')
param dailyQuotaGb int

@description('Address that alerts and the budget write to.')
param alertEmail string

@description('Name of the app\'s identity, the only one that may send telemetry.')
param identityName string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' = {
  name: resourceName('log', environmentName, resourceGroup().id)
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: retentionInDays
    workspaceCapping: { dailyQuotaGb: dailyQuotaGb }
  }
}

resource component 'Microsoft.Insights/components@2020-02-02' = {
  name: resourceName('appi', environmentName, resourceGroup().id)
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    IngestionMode: 'LogAnalytics'
    DisableLocalAuth: true
  }
}

resource mayPublish 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, identity.id, roles.monitoringMetricsPublisher)
  scope: component
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.monitoringMetricsPublisher)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

resource operators 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: resourceName('ag', environmentName, resourceGroup().id)
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'sheetdrop'
    enabled: true
    emailReceivers: [{ name: 'operators', emailAddress: alertEmail, useCommonAlertSchema: true }]
  }
}

output workspaceId string = workspace.id
output actionGroupId string = operators.id
