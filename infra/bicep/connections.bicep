metadata description = 'The connection budget: no more connections can be asked of the database than it gives.'

@export()
@description('Connections that users may open, by product. The service keeps 15 of max_connections for itself.')
var userConnections = {
  Standard_B1ms: 35 // below the budget of even 40 instances: for other uses than this app
  Standard_B2s: 414
  Standard_B2ms: 844
  Standard_D2ds_v5: 844
  Standard_D4ds_v5: 1703
  Standard_D8ds_v5: 3422
  Standard_D16ds_v5: 4985
}

@export()
@description('Pool of one process: a connection per load and two for what happens beside the loads, which the handler insists on.')
func poolSize(parseConcurrency int) int => parseConcurrency + 2

@export()
@description('''
Most connections that the app can hold. Every function scales by itself, so each is held to reach the limit: instances that serve HTTP
(a pool), instances that parse (a pool and the heartbeat's connection), two relays (one hands over to the next).
''')
func mostConnections(maximumInstanceCount int, parseConcurrency int) int =>
  maximumInstanceCount * poolSize(parseConcurrency) + maximumInstanceCount * (poolSize(parseConcurrency) + 1) + 2 * poolSize(parseConcurrency)

@export()
@description('Connections left to people: migrations and a look at the tables.')
var reserved = 5

@export()
@description('''
Connections at the server that a pooler must have. A load keeps its connection until it ends, and a heartbeat that waited for one would
cost a lease; only what HTTP and the relays do is short enough to share.
''')
func mostPooledConnections(maximumInstanceCount int, parseConcurrency int) int =>
  maximumInstanceCount * (parseConcurrency + 1) + 2 * poolSize(parseConcurrency)
