metadata description = 'Private endpoints in one subnet, with the DNS zones that resolve their names.'

import { resourceName } from '../shared.bicep'

@description('Region of the resources.')
param location string

@description('Tags of the resources.')
param tags object

@description('Short name of the environment.')
param environmentName string

@description('Id of the network whose names resolve to the endpoints.')
param networkId string

@description('Id of the subnet of the endpoints.')
param subnetId string

@description('Resources that get a private endpoint.')
param targets target[]

@export()
type target = {
  @description('Part of the name of the endpoint.')
  name: string
  @description('Id of the resource.')
  id: string
  @description('The service of the resource (group id).')
  service: 'blob' | 'queue' | 'postgresqlServer'
}

var zoneNames = {
  blob: 'privatelink.blob.${environment().suffixes.storage}'
  queue: 'privatelink.queue.${environment().suffixes.storage}'
  postgresqlServer: 'privatelink.postgres.database.azure.com'
}
var services = ['blob', 'queue', 'postgresqlServer']

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for service in services: {
    name: zoneNames[service]
    location: 'global'
    tags: tags
  }
]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (service, i) in services: {
    parent: zones[i]
    name: environmentName
    location: 'global'
    tags: tags
    properties: {
      registrationEnabled: false
      virtualNetwork: { id: networkId }
    }
  }
]

resource endpoints 'Microsoft.Network/privateEndpoints@2025-05-01' = [
  for (target, i) in targets: {
    name: resourceName('pe-${target.name}', environmentName, resourceGroup().id)
    location: location
    tags: tags
    properties: {
      subnet: { id: subnetId }
      privateLinkServiceConnections: [
        {
          name: target.name
          properties: { privateLinkServiceId: targets[i].id, groupIds: [target.service] }
        }
      ]
    }
  }
]

resource zoneGroups 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-05-01' = [
  for (target, i) in targets: {
    parent: endpoints[i]
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [
        { name: target.service, properties: { privateDnsZoneId: zones[indexOf(services, target.service)].id } }
      ]
    }
    dependsOn: [links]
  }
]
