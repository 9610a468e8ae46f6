metadata description = 'The storage account of the Functions host: its leases and keys, and the package. It has no lifecycle rules and no soft delete.'

import { accountName, roles } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Standard_LRS, or Standard_ZRS for three availability zones.')
param sku 'Standard_LRS' | 'Standard_ZRS'

@description('Reachable through private endpoints only.')
param privateNetwork bool

@description('Name of the app\'s identity.')
param identityName string

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: accountName('host', environmentName, resourceGroup().id)
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: sku }
  properties: {
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    allowBlobPublicAccess: false
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    allowCrossTenantReplication: false
    publicNetworkAccess: privateNetwork ? 'Disabled' : 'Enabled'
    networkAcls: { defaultAction: privateNetwork ? 'Deny' : 'Allow', bypass: 'None' }
  }

  resource blobs 'blobServices' = {
    name: 'default'

    resource packages 'containers' = {
      name: 'packages'
      properties: { publicAccess: 'None' }
    }
  }
}

// The whole account, because the host creates its own containers there.
resource mayOwnBlobs 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, identity.id, roles.storageBlobDataOwner)
  scope: account
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageBlobDataOwner)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// Records who changed the package. The host's leases are logged, too.
resource blobDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: account::blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
  }
}

output id string = account.id
output name string = account.name
output packagesUrl string = '${account.properties.primaryEndpoints.blob}${account::blobs::packages.name}'
