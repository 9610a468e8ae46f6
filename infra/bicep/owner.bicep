metadata description = '''
What only an owner of the resource group may do, and does by hand: the identity that deploys from GitHub, with rights that it cannot
widen itself, and locks that it cannot take off.
'''

import { accountName, resourceName, roles } from 'shared.bicep'

@description('Short name of the environment, as in main.bicep; the GitHub environment has the same.')
param environmentName string

@description('Region of the identity.')
param location string = resourceGroup().location

@description('GitHub repository, owner/name.')
param repository string

@description('Lock the database and the files against deletion. Only once main.bicep has made them.')
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

// The roles of main.bicep; no other one can be given or taken.
var grantable = join(
  [
    roles.monitoringMetricsPublisher
    roles.storageBlobDataContributor
    roles.storageBlobDataOwner
    roles.storageQueueDataContributor
  ],
  ', '
)
var write = 'Microsoft.Authorization/roleAssignments/write'
var delete = 'Microsoft.Authorization/roleAssignments/delete'
var attribute = 'Microsoft.Authorization/roleAssignments:RoleDefinitionId'

resource mayAssign 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, deployer.id, roles.roleBasedAccessControlAdministrator)
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.roleBasedAccessControlAdministrator)
    principalId: deployer.properties.principalId
    principalType: 'ServicePrincipal'
    conditionVersion: '2.0'
    condition: '((!(ActionMatches{\'${write}\'})) OR (@Request[${attribute}] ForAnyOfAnyValues:GuidEquals {${grantable}})) AND ((!(ActionMatches{\'${delete}\'})) OR (@Resource[${attribute}] ForAnyOfAnyValues:GuidEquals {${grantable}}))'
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
