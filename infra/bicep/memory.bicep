metadata description = 'The memory budget of an instance: the bodies that it may hold at once must fit beside all else.'

@export()
@description('''
MiB of memory that the host takes for a MiB of a body. It parses whatever begins like JSON, of any content type, before the handler sees it:
measured with host 4.1037 are 1.2 GB for one body of 34 MB, 2.5 GB for one of 72 MB, and 1.3 GB for four of 8 MB at once. Others take 4.
''')
var hostMemoryPerBody = 40

@export()
@description('MiB left to the platform, the idle host and the handler.')
var reservedMemory = 768

@export()
@description('Most MiB that bodies of so many MiB take in the host.')
func mostBodyMemory(httpConcurrency int, bodyLimitMiB int) int => httpConcurrency * bodyLimitMiB * hostMemoryPerBody
