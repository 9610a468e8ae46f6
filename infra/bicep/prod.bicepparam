using 'main.bicep'

// On a private network, in several availability zones. Values that do not belong in the repository come from the environment.

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
param alwaysReady = [{ name: 'http', instanceCount: 2 }] // zone redundancy requires at least two per group
param databaseSku = 'Standard_D2ds_v5'
param databaseStorageGB = 128
param databaseHighAvailability = 'ZoneRedundant'
param databaseBackupDays = 35
param databaseGeoBackup = true

// Quotas per owner: docs/api.md, "Shares and quotas".
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
