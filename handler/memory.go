package main

import (
	"log/slog"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// memoryShare is the percentage of the instance's memory that the garbage collector tries to stay within. The rest is
// for the Functions host and for memory that the collector does not see.
const memoryShare = 70

// limitMemory tells the garbage collector how much memory there is, which it would otherwise ignore until the system
// kills the process. GOMEMLIMIT, which the runtime reads itself, takes precedence.
func limitMemory(log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	instance, from := instanceMemory(os.Getenv, os.ReadFile)
	if instance == 0 {
		return
	}
	limit := instance / 100 * memoryShare
	debug.SetMemoryLimit(limit)
	log.Debug("memory limit set", "bytes", limit, "instance_bytes", instance, "from", from)
}

// instanceMemory returns how many bytes of memory the instance has, or 0 if that is unknown: from the platform's
// WEBSITE_MEMORY_LIMIT_MB, otherwise the lowest limit of the process's control groups (Linux's manual page cgroups(7):
// memory.max in version 2, memory.limit_in_bytes in version 1, where a huge number means no limit).
func instanceMemory(env func(string) string, readFile func(string) ([]byte, error)) (bytes int64, from string) {
	if megabytes, err := strconv.ParseInt(env("WEBSITE_MEMORY_LIMIT_MB"), 10, 32); err == nil && megabytes > 0 {
		return megabytes << 20, "WEBSITE_MEMORY_LIMIT_MB"
	}
	const none = 1 << 50
	bytes = none
	for _, file := range limitFiles(readFile) {
		text, err := readFile(file)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && 0 < limit && limit < bytes {
			bytes, from = limit, file
		}
	}
	if bytes == none {
		return 0, ""
	}
	return bytes, from
}

// limitFiles returns the files that may hold the limits of the process's control group and of those above it.
func limitFiles(readFile func(string) ([]byte, error)) (files []string) {
	const root = "/sys/fs/cgroup"
	text, _ := readFile("/proc/self/cgroup")
	for line := range strings.Lines("0::/\n0:memory:/\n" + string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			switch fields[1] {
			case "":
				files = append(files, path.Join(root, group, "memory.max"))
			case "memory":
				files = append(files, path.Join(root, "memory", group, "memory.limit_in_bytes"))
			}
			if group == "/" {
				break
			}
		}
	}
	return files
}
