metadata description = 'What the resource group may cost a month, and who hears of it.'

@minValue(1)
@description('In the currency of the bill.')
param amount int

@description('First day of the month in which it begins, yyyy-MM-01. The service refuses another one later.')
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
