using 'main.bicep'

// Small and cheap, reachable from the internet behind sign-in. Values that do not belong in the repository come from the environment.

param environmentName = 'dev'
param tags = { env: 'dev', product: 'sheetdrop' }

param authClientId = readEnvironmentVariable('AUTH_CLIENT_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')
param databaseAdministrator = {
  objectId: readEnvironmentVariable('DATABASE_ADMIN_ID')
  name: readEnvironmentVariable('DATABASE_ADMIN_NAME')
  type: 'Group'
}

param maximumInstanceCount = 40
param parseConcurrency = 2
param databaseSku = 'Standard_B2s'
param databaseBackupDays = 7

param handlerSettings = { QUOTA_OPEN_TASKS: '5000' } // per owner

param monthlyBudget = 100
param budgetStartDate = readEnvironmentVariable('BUDGET_START_DATE')
