using 'main.bicep'

// On a private network, over several zones. What is nobody else's business comes from the environment.

param environmentName = 'prod'
param tags = { env: 'prod', product: 'sheetdrop' }

param authClientId = readEnvironmentVariable('AUTH_CLIENT_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')
param databaseAdministrator = {
  objectId: readEnvironmentVariable('DATABASE_ADMIN_ID')
  name: readEnvironmentVariable('DATABASE_ADMIN_NAME')
  type: 'Group'
}

param maximumInstanceCount = 60
param parseConcurrency = 2
param alwaysReady = [{ name: 'http', instanceCount: 2 }] // with zones, at least two of a group
param databaseSku = 'Standard_D2ds_v5'
param databaseStorageGB = 128
param databaseHighAvailability = 'ZoneRedundant'
param databaseBackupDays = 35
param databaseGeoBackup = true

// What each owner may have: docs/api.md, "Shares and quotas".
param handlerSettings = {
  QUOTA_OPEN_TASKS: '5000'
  QUOTA_DAILY_FILES: '20000'
  QUOTA_DAILY_BYTES: '21474836480' // 20 GiB
  QUOTA_DAILY_TASKS: '40000'
  QUOTA_TARGETS: '1000'
}

param privateNetwork = true
param zoneRedundant = true
param keepDeletedDays = 30
param logRetentionDays = 90
param logDailyQuotaGb = -1

param monthlyBudget = 1500
param budgetStartDate = readEnvironmentVariable('BUDGET_START_DATE')
