#!/bin/sh
# go test as this repository wants it: invariants checked and, where that can be, races detected.
#
#   hack/test.sh -timeout 60m ./...
#
# The race detector needs cgo, and cgo a C compiler with its headers. A machine without gets all tests all the
# same, built without cgo.
set -eu

compiles() {
	# $(go env CC) may carry flags of its own, so it is split.
	printf '#include <pthread.h>\nint main(void) { return 0; }\n' | $(go env CC) -x c -o /dev/null - >/dev/null 2>&1
}

if [ "$(go env CGO_ENABLED)" = 1 ] && compiles; then
	echo "tests: with the race detector"
	exec go test -tags invariants -race "$@"
else
	echo "tests: without the race detector, for want of a C compiler"
	CGO_ENABLED=0 exec go test -tags invariants "$@"
fi
