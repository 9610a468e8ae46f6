package main

import (
	"io/fs"
	"testing"
)

// P9: the process knows how much memory its instance has, wherever that is written, and takes nothing for a limit that is none.
func TestInstanceMemory(t *testing.T) {
	t.Parallel()
	const v2, v1 = "/sys/fs/cgroup/", "/sys/fs/cgroup/memory/"
	for name, c := range map[string]struct {
		platform string
		files    map[string]string
		want     int64
	}{
		"nowhere":              {"", nil, 0},
		"the platform":         {"2048", map[string]string{v2 + "memory.max": "1000"}, 2048 << 20},
		"no number":            {"much", map[string]string{v2 + "memory.max": "1000\n"}, 1000},
		"a container":          {"", map[string]string{"/proc/self/cgroup": "0::/\n", v2 + "memory.max": "536870912\n"}, 512 << 20},
		"no limit":             {"", map[string]string{"/proc/self/cgroup": "0::/\n", v2 + "memory.max": "max\n"}, 0},
		"a service":            {"", map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/b/memory.max": "2000\n"}, 2000},
		"a slice above it":     {"", map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/b/memory.max": "max\n", v2 + "a/memory.max": "3000\n"}, 3000},
		"the least":            {"", map[string]string{"/proc/self/cgroup": "0::/a/b\n", v2 + "a/b/memory.max": "4000\n", v2 + "a/memory.max": "3000\n"}, 3000},
		"version 1":            {"", map[string]string{"/proc/self/cgroup": "5:cpu:/x\n4:memory:/c\n", v1 + "c/memory.limit_in_bytes": "5000\n"}, 5000},
		"version 1 in its own": {"", map[string]string{"/proc/self/cgroup": "4:memory:/docker/c\n", v1 + "memory.limit_in_bytes": "6000\n"}, 6000},
		"version 1's none":     {"", map[string]string{"/proc/self/cgroup": "4:memory:/\n", v1 + "memory.limit_in_bytes": "9223372036854771712\n"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := instanceMemory(func(string) string { return c.platform }, func(name string) ([]byte, error) {
				if text, there := c.files[name]; there {
					return []byte(text), nil
				}
				return nil, fs.ErrNotExist
			})
			if got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}
