metadata description = 'Definitions shared by several files: names of resources, built-in roles.'

@export()
@description('Resource name that is unique to the resource group: kind, product, environment and a hash of the group\'s id.')
func resourceName(kind string, environmentName string, groupId string) string =>
  '${kind}-sheetdrop-${environmentName}-${take(uniqueString(groupId), 8)}'

@export()
@description('The same for a storage account: at most 24 lower-case letters and digits.')
func accountName(use string, environmentName string, groupId string) string =>
  take('st${use}${replace(toLower(environmentName), '-', '')}${uniqueString(groupId)}', 24)

@export()
@description('Ids of built-in roles, the same in every subscription.')
var roles = {
  contributor: 'b24988ac-6180-42a0-ab88-20f7382dd24c'
  monitoringMetricsPublisher: '3913510d-42f4-4e42-8a64-420c390055eb'
  reader: 'acdd72a7-3385-48ef-bd42-f606fba81ae7'
  roleBasedAccessControlAdministrator: 'f58310d9-a9f6-439a-9e8d-f62e7b41a168'
  storageBlobDataContributor: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
  storageBlobDataOwner: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  storageBlobDelegator: 'db58b8e5-c6ad-4a2a-8342-4190687cbf4a'
  storageQueueDataContributor: '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
}
