metadata description = 'The connection budget: the app cannot request more connections than the database server provides.'

@export()
@description('Connections available to users, by SKU. The service reserves 15 of max_connections for itself.')
var userConnections = {
  Standard_B1ms: 35 // too few even for 40 instances: not usable for this app
  Standard_B2s: 414
  Standard_B2ms: 844
  Standard_D2ds_v5: 844
  Standard_D4ds_v5: 1703
  Standard_D8ds_v5: 3422
  Standard_D16ds_v5: 4985
}

@export()
@description('Pool size of one process: a connection per load, and two for everything else, which the handler requires.')
func poolSize(parseConcurrency int) int => parseConcurrency + 2

@export()
@description('''
Maximum number of connections of the app. Every function scales independently, so each is assumed to reach the limit: instances that serve
HTTP (a pool), instances that parse (a pool and the heartbeat's connection), two relays (the old and the new one during a handover).
''')
func mostConnections(maximumInstanceCount int, parseConcurrency int) int =>
  maximumInstanceCount * poolSize(parseConcurrency) + maximumInstanceCount * (poolSize(parseConcurrency) + 1) + 2 * poolSize(parseConcurrency)

@export()
@description('Connections reserved for people: migrations and queries by hand.')
var reserved = 5

@export()
@description('''
Server connections that the pooler needs. A load holds its connection until it ends, and a heartbeat that had to wait for a connection could
lose its lease. Only the transactions of HTTP requests and relays are short enough to share connections.
''')
func mostPooledConnections(maximumInstanceCount int, parseConcurrency int) int =>
  maximumInstanceCount * (parseConcurrency + 1) + 2 * poolSize(parseConcurrency)
