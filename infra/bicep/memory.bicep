metadata description = 'The memory budget of an instance: the request bodies that it may hold at once have to fit next to everything else.'

@export()
@description('''
MiB of memory that the host needs per MiB of a request body. Whatever the content type, it parses a body that starts like JSON before the handler
sees it. Measured with host 4.1037: 1.2 GB for one body of 34 MB, 2.5 GB for one of 72 MB, and 1.3 GB for four of 8 MB at once. Other bodies need 4.
''')
var hostMemoryPerBody = 40

@export()
@description('MiB reserved for the platform, the idle host and the handler.')
var reservedMemory = 768

@export()
@description('Maximum memory in MiB that the host needs for concurrent request bodies of this size.')
func mostBodyMemory(httpConcurrency int, bodyLimitMiB int) int => httpConcurrency * bodyLimitMiB * hostMemoryPerBody
