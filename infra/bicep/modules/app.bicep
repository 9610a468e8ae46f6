metadata description = 'The function app: plan, site, sign-in and diagnostic settings.'

import { resourceName } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Distribute the app across three availability zones.')
param zoneRedundant bool

@description('Name of the app\'s identity.')
param identityName string

@description('URL of the container that holds the package.')
param packagesUrl string

@description('Subnet for outbound connections, or none.')
param subnetId string?

@description('Memory of an instance in MiB, shared by host and handler.')
param instanceMemoryMB 512 | 2048 | 4096

@minValue(40)
@maxValue(1000)
@description('Maximum number of instances of each function.')
param maximumInstanceCount int

@description('Requests that one instance handles concurrently; the host holds their bodies in memory.')
param httpConcurrency int

@description('Always-ready instances by group: http, function:outbox-relay, function:parse-worker.')
param alwaysReady { name: string, instanceCount: int }[]

@description('Client id of the app registration that people and programs sign in to.')
param authClientId string

@description('Client ids of the programs that may call the API with their own tokens, in addition to the app registration itself.')
param callerClientIds string[]

@description('Addresses (CIDR) from which the API can be reached; empty for no restriction.')
param callerAddresses string[]

@description('Open what pages of other origins need to upload with a token: its paths are excluded from sign-in.')
param embedded bool

@description('Addresses (CIDR) from which a package can be published; empty for no restriction.')
param publisherAddresses string[]

@description('Log sign-ins.')
param signInLogs bool

@description('Id of the workspace that takes logs and metrics.')
param workspaceId string

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' existing = {
  name: identityName
}

func restrictions(addresses string[]) object[] =>
  map(addresses, (address, i) => { name: 'allowed-${i}', action: 'Allow', priority: 100 + i, ipAddress: address })

func defaultAction(addresses string[]) string => empty(addresses) ? 'Allow' : 'Deny'

resource plan 'Microsoft.Web/serverfarms@2024-11-01' = {
  name: resourceName('plan', environmentName, resourceGroup().id)
  location: location
  tags: tags
  kind: 'functionapp'
  sku: { name: 'FC1', tier: 'FlexConsumption' }
  properties: { reserved: true, zoneRedundant: zoneRedundant }
}

resource site 'Microsoft.Web/sites@2024-11-01' = {
  name: resourceName('func', environmentName, resourceGroup().id)
  location: location
  tags: tags
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identity.id}': {} }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    clientAffinityEnabled: false
    publicNetworkAccess: 'Enabled' // the API, which is protected by sign-in
    virtualNetworkSubnetId: subnetId
    #disable-next-line BCP037 // The service knows it, the published types do not: it keeps /admin from callers outside.
    functionsRuntimeAdminIsolationEnabled: true
    siteConfig: {
      minTlsVersion: '1.2'
      scmMinTlsVersion: '1.2'
      http20Enabled: true
      ipSecurityRestrictions: restrictions(callerAddresses)
      ipSecurityRestrictionsDefaultAction: defaultAction(callerAddresses)
      scmIpSecurityRestrictions: restrictions(publisherAddresses)
      scmIpSecurityRestrictionsDefaultAction: defaultAction(publisherAddresses)
      scmIpSecurityRestrictionsUseMain: false
    }
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packagesUrl
          authentication: { type: 'UserAssignedIdentity', userAssignedIdentityResourceId: identity.id }
        }
      }
      runtime: { name: 'custom', version: '1.0' }
      scaleAndConcurrency: {
        instanceMemoryMB: instanceMemoryMB
        maximumInstanceCount: maximumInstanceCount
        alwaysReady: alwaysReady
        triggers: { http: { perInstanceConcurrency: httpConcurrency } }
      }
    }
  }

  // People are redirected to sign in and return with an ID token; programs send a bearer token. Neither requires a secret here.
  resource signIn 'config' = {
    name: 'authsettingsV2'
    properties: {
      platform: { enabled: true }
      globalValidation: {
        requireAuthentication: true
        unauthenticatedClientAction: 'RedirectToLoginPage'
        redirectToProvider: 'azureactivedirectory'
        // The handler asks for an upload token below /api/embed, and takes no other sign-in there.
        excludedPaths: concat(['/api/health'], embedded ? ['/embed.js', '/api/embed/*'] : [])
      }
      identityProviders: {
        azureActiveDirectory: {
          enabled: true
          registration: {
            openIdIssuer: '${environment().authentication.loginEndpoint}${tenant().tenantId}/v2.0'
            clientId: authClientId
          }
          validation: {
            allowedAudiences: [authClientId, 'api://${authClientId}']
            defaultAuthorizationPolicy: { allowedApplications: union([authClientId], callerClientIds) }
          }
        }
      }
      login: { tokenStore: { enabled: false } }
      httpSettings: { requireHttps: true }
    }
  }

  resource ftp 'basicPublishingCredentialsPolicies' = {
    name: 'ftp'
    properties: { allow: false }
  }

  resource scm 'basicPublishingCredentialsPolicies' = {
    name: 'scm'
    properties: { allow: false }
  }
}

resource diagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: site
  properties: {
    workspaceId: workspaceId
    logs: map(
      concat(['FunctionAppLogs'], signInLogs ? ['AppServiceAuthenticationLogs'] : []),
      category => { category: category, enabled: true }
    )
    metrics: [{ category: 'AllMetrics', enabled: true }]
  }
}

output name string = site.name
output hostName string = site.properties.defaultHostName
