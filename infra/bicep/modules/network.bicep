metadata description = 'The private network: a subnet for the app, one for private endpoints, and a fixed outbound address.'

import { resourceName } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Address space, /25 or larger.')
param addressPrefix string

var appSubnetName = 'app'
var endpointSubnetName = 'endpoints'

resource address 'Microsoft.Network/publicIPAddresses@2025-05-01' = {
  name: resourceName('pip', environmentName, resourceGroup().id)
  location: location
  tags: tags
  sku: { name: 'Standard' }
  properties: { publicIPAllocationMethod: 'Static' }
}

// The token endpoint and Application Insights are on the internet, and subnets no longer have outbound access by default.
resource gateway 'Microsoft.Network/natGateways@2025-05-01' = {
  name: resourceName('ng', environmentName, resourceGroup().id)
  location: location
  tags: tags
  sku: { name: 'Standard' }
  properties: { publicIpAddresses: [{ id: address.id }] }
}

// The subnets are declared inside the network, because deploying the network without them would try to remove them.
resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: resourceName('vnet', environmentName, resourceGroup().id)
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: [addressPrefix] }
    subnets: [
      {
        name: appSubnetName
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 26, 0) // an app takes up to 40 addresses
          defaultOutboundAccess: false
          natGateway: { id: gateway.id }
          delegations: [{ name: 'flex-consumption', properties: { serviceName: 'Microsoft.App/environments' } }]
        }
      }
      {
        name: endpointSubnetName
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 26, 1)
          defaultOutboundAccess: false
          privateEndpointNetworkPolicies: 'Disabled'
        }
      }
    ]
  }

  resource app 'subnets' existing = {
    name: appSubnetName
  }

  resource endpoints 'subnets' existing = {
    name: endpointSubnetName
  }
}

output id string = network.id
output appSubnetId string = network::app.id
output endpointSubnetId string = network::endpoints.id
