metadata description = 'Monthly budget of the resource group, and who is notified about it.'

@minValue(1)
@description('Monthly amount in the billing currency.')
param amount int

@description('First day of the month in which the budget starts, yyyy-MM-01. The service refuses to change it later.')
param startDate string

@description('Who is told.')
param actionGroupId string

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: 'sheetdrop'
  properties: {
    category: 'Cost'
    amount: amount
    timeGrain: 'Monthly'
    timePeriod: { startDate: startDate }
    notifications: {
      mostIsSpent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: []
        contactGroups: [actionGroupId]
      }
      tooMuchIsForeseen: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: []
        contactGroups: [actionGroupId]
      }
    }
  }
}
