metadata description = 'The storage account of uploaded files and of the parse queue.'

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

@description('Addresses (CIDR) from which people can reach the files, in addition to the private network.')
param allowedAddresses string[]

@description('Name of the container of uploaded files.')
param containerName string

@description('Name of the queue of parse messages. Its poison queue is in the same account.')
param queueName string

@description('Days after which a file is moved to the cool tier.')
param coolAfterDays int

@description('Days for which a deleted file can be restored (soft delete).')
param keepDeletedDays int

@description('Origin of the pages that may upload blocks of files from a browser: the app\'s own.')
param pageOrigin string

@description('Origins of other products\' pages that may do so, too.')
param embedOrigins string[]

@description('Name of the app\'s identity.')
param identityName string

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

var ipRules = map(allowedAddresses, address => { value: address, action: 'Allow' })

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: accountName('data', environmentName, resourceGroup().id)
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
    publicNetworkAccess: privateNetwork && empty(allowedAddresses) ? 'Disabled' : 'Enabled'
    networkAcls: { defaultAction: privateNetwork ? 'Deny' : 'Allow', bypass: 'None', ipRules: ipRules }
  }

  resource blobs 'blobServices' = {
    name: 'default'
    properties: {
      deleteRetentionPolicy: { enabled: true, days: keepDeletedDays }
      containerDeleteRetentionPolicy: { enabled: true, days: keepDeletedDays }
      cors: {
        corsRules: [
          {
            allowedOrigins: concat([pageOrigin], embedOrigins)
            allowedMethods: ['PUT']
            allowedHeaders: ['content-type', 'content-md5', 'x-ms-content-crc64', 'x-ms-version', 'x-ms-client-request-id']
            exposedHeaders: ['content-md5', 'x-ms-content-crc64', 'x-ms-error-code', 'x-ms-request-id']
            maxAgeInSeconds: 3600
          }
        ]
      }
    }

    resource files 'containers' = {
      name: containerName
      properties: { publicAccess: 'None' }
    }
  }

  resource queues 'queueServices' = {
    name: 'default'

    resource parse 'queues' = {
      name: queueName
    }

    // Created here, because a host that fails to create it while moving a message there shuts down.
    resource poison 'queues' = {
      name: '${queueName}-poison'
    }
  }
}

// Only the app deletes files, because it knows which rows belong to them. No rule here deletes them by age.
resource lifecycle 'Microsoft.Storage/storageAccounts/managementPolicies@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'cool-old-files'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: { blobTypes: ['blockBlob'], prefixMatch: ['${containerName}/'] }
            actions: { baseBlob: { tierToCool: { daysAfterModificationGreaterThan: coolAfterDays } } }
          }
        }
      ]
    }
  }
}

resource mayUseFiles 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account::blobs::files.id, identity.id, roles.storageBlobDataContributor)
  scope: account::blobs::files
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageBlobDataContributor)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// For the user delegation keys that sign the URLs for uploading blocks of large files. They are scoped to the account, and the role allows nothing else.
resource maySignAddresses 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, identity.id, roles.storageBlobDelegator)
  scope: account
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageBlobDelegator)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// Contributor, because the host extends the visibility timeout of a message that takes long to parse. Neither Sender nor Processor allows that.
resource mayUseQueue 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account::queues::parse.id, identity.id, roles.storageQueueDataContributor)
  scope: account::queues::parse
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageQueueDataContributor)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

resource mayUsePoisonQueue 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account::queues::poison.id, identity.id, roles.storageQueueDataContributor)
  scope: account::queues::poison
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageQueueDataContributor)
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

resource blobDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: account::blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      { category: 'StorageRead', enabled: true }
      { category: 'StorageWrite', enabled: true }
      { category: 'StorageDelete', enabled: true }
    ]
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

// Only metrics, no logs: the host polls for messages every second.
resource queueDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: account::queues
  properties: {
    workspaceId: workspaceId
    metrics: [{ category: 'Transaction', enabled: true }]
  }
}

output id string = account.id
output name string = account.name
output blobUrl string = account.properties.primaryEndpoints.blob
output queueUrl string = account.properties.primaryEndpoints.queue
