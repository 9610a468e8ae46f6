metadata description = '''
What only an owner of the resource group may deploy, by hand: the identity that deploys from GitHub, which cannot extend its own
permissions; the read-only identity that previews what a deployment would change; and locks that neither can remove.
'''

import { accountName, resourceName, roles } from 'shared.bicep'

@description('Short name of the environment, as in main.bicep. The GitHub environment has the same name.')
param environmentName string

@description('Region of the identity.')
param location string = resourceGroup().location

@description('GitHub repository, owner/name.')
param repository string

@description('Lock the database and the files against deletion. Only possible after main.bicep has created them.')
param locks bool = false

resource deployer 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: resourceName('id-deploy', environmentName, resourceGroup().id)
  location: location
  tags: { env: environmentName, product: 'sheetdrop' }

  resource github 'federatedIdentityCredentials' = {
    name: 'github'
    properties: {
      issuer: 'https://token.actions.githubusercontent.com'
      subject: 'repo:${repository}:environment:${environmentName}'
      audiences: ['api://AzureADTokenExchange']
    }
  }
}

resource mayDeploy 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, deployer.id, roles.contributor)
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.contributor)
    principalId: deployer.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// The app's identity, declared as in main.bicep, because its object id is needed here before main.bicep is deployed.
resource app 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: resourceName('id', environmentName, resourceGroup().id)
  location: location
  tags: { env: environmentName, product: 'sheetdrop' }
}

// The roles that main.bicep assigns. The deploying identity can assign and remove only these, and only for the app.
var grantable = join(
  [
    roles.monitoringMetricsPublisher
    roles.storageBlobDataContributor
    roles.storageBlobDataOwner
    roles.storageBlobDelegator
    roles.storageQueueDataContributor
  ],
  ', '
)
var assignment = 'Microsoft.Authorization/roleAssignments'
var granting = [
  'ActionMatches{\'${assignment}/write\'}'
  '@Request[${assignment}:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${grantable}}'
  '@Request[${assignment}:PrincipalId] ForAnyOfAnyValues:GuidEquals {${app.properties.principalId}}'
]
var revoking = [
  'ActionMatches{\'${assignment}/delete\'}'
  '@Resource[${assignment}:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${grantable}}'
  '@Resource[${assignment}:PrincipalId] ForAnyOfAnyValues:GuidEquals {${app.properties.principalId}}'
]

resource mayAssign 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, deployer.id, roles.roleBasedAccessControlAdministrator)
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.roleBasedAccessControlAdministrator)
    principalId: deployer.properties.principalId
    principalType: 'ServicePrincipal'
    conditionVersion: '2.0'
    condition: '((!(${granting[0]})) OR (${granting[1]} AND ${granting[2]})) AND ((!(${revoking[0]})) OR (${revoking[1]} AND ${revoking[2]}))'
  }
}

// Any branch of the repository can act as this identity, because it runs on pull requests.
resource previewer 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: resourceName('id-what-if', environmentName, resourceGroup().id)
  location: location
  tags: { env: environmentName, product: 'sheetdrop' }

  resource github 'federatedIdentityCredentials' = {
    name: 'github'
    properties: {
      issuer: 'https://token.actions.githubusercontent.com'
      subject: 'repo:${repository}:environment:${environmentName}-what-if'
      audiences: ['api://AzureADTokenExchange']
    }
  }
}

resource mayRead 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, previewer.id, roles.reader)
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.reader)
    principalId: previewer.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

// The actions that a preview needs and Reader does not include; neither changes anything.
resource preview 'Microsoft.Authorization/roleDefinitions@2022-04-01' = {
  name: guid(resourceGroup().id, 'what-if')
  properties: {
    roleName: resourceName('what-if', environmentName, resourceGroup().id)
    description: 'Shows what a deployment would change.'
    type: 'CustomRole'
    assignableScopes: [resourceGroup().id]
    permissions: [{ actions: ['Microsoft.Resources/deployments/whatIf/action', 'Microsoft.Resources/deployments/validate/action'] }]
  }
}

resource mayPreview 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, previewer.id, preview.id)
  properties: {
    roleDefinitionId: preview.id
    principalId: previewer.properties.principalId
    principalType: 'ServicePrincipal'
  }
}

resource database 'Microsoft.DBforPostgreSQL/flexibleServers@2025-08-01' existing = if (locks) {
  name: resourceName('psql', environmentName, resourceGroup().id)
}

resource files 'Microsoft.Storage/storageAccounts@2025-01-01' existing = if (locks) {
  name: accountName('data', environmentName, resourceGroup().id)
}

resource databaseLock 'Microsoft.Authorization/locks@2020-05-01' = if (locks) {
  name: 'keep'
  scope: database
  properties: { level: 'CanNotDelete', notes: 'The rows of all files.' }
}

resource filesLock 'Microsoft.Authorization/locks@2020-05-01' = if (locks) {
  name: 'keep'
  scope: files
  properties: { level: 'CanNotDelete', notes: 'The files themselves.' }
}

output clientId string = deployer.properties.clientId
output objectId string = deployer.properties.principalId
output previewClientId string = previewer.properties.clientId
