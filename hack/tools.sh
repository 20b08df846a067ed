#!/bin/sh
# Builds the programs that tests and `make run` stand on, each once, and prints the path of each asked for.
#
#   hack/tools.sh etcd kube-apiserver
#
# Names: etcd, kube-apiserver, kube-scheduler (upstream's, to compare with), kubeadm, staticcheck, benchstat.
# They come from source, through hack/tools/go.mod, and land in
#
#   ${BERTH_CACHE:-<user cache folder>/berth}/tools/<versions>_<platform>_<hash of go.mod and go.sum>/
#
# so a program that is there is the right one and is not built again. Two callers at once are safe: a program
# appears by rename, and where flock(1) exists the second caller waits for the first. Progress goes to stderr.
set -eu

module=$(cd "$(dirname "$0")/tools" && pwd)
building='' # process id of the go build under way
part=''     # the folder it works in

main() {
	[ $# -gt 0 ] || die "usage: $0 NAME... (etcd kube-apiserver kube-scheduler kubeadm staticcheck benchstat)"
	for name in "$@"; do
		package "$name" >/dev/null
	done
	case ${BERTH_CACHE:-/} in /*) ;; *) die "BERTH_CACHE is $BERTH_CACHE, it has to be an absolute path" ;; esac
	read_platform
	dir=$(cache_root)/tools/$(key)
	all_there "$@" || ensure "$@"
	for name in "$@"; do
		echo "$dir/$name"
	done
}

# all_there succeeds when every program is there. It is the fast path: no lock, no build.
all_there() {
	for name in "$@"; do
		[ -x "$dir/$name" ] || return 1
	done
}

# ensure builds what is missing once it has the lock.
ensure() {
	mkdir -p "$dir"
	lock
	trap 'give_up 130' INT
	trap 'give_up 143' TERM HUP
	for name in "$@"; do
		[ -x "$dir/$name" ] || build "$name"
	done
}

# build works in a folder of its own and renames at the end, so that a program is whole or not there.
# The flags are the same for all of them: they share most packages, and so the Go build cache.
build() {
	part=$dir/.$1.$$
	mkdir "$part"
	GOWORK=off GOTMPDIR=$part GOOS=$os GOARCH=$arch go build -C "$module" -mod=readonly -buildvcs=false \
		-ldflags "$(stamp "$1")" -o "$part/$1" "$(package "$1")" 9>&- >&2 &
	building=$!
	say "building $1 (the first build of all takes about 8 minutes, later ones seconds)"
	follow "$1"
	wait "$building" || give_up 1 "cannot build $1"
	building=''
	mv "$part/$1" "$dir/$1"
	rm -rf "$part"
}

# follow says every ten seconds that the build of $1 is still under way, and returns when it is not.
follow() {
	seconds=0
	while kill -0 "$building" 2>/dev/null; do
		sleep 1
		seconds=$((seconds + 1))
		[ $((seconds % 10)) -ne 0 ] || say "building $1, $seconds s"
	done
}

# give_up ends the build under way and leaves no half-written program.
give_up() {
	trap '' INT TERM HUP
	[ -z "$building" ] || kill "$building" 2>/dev/null || true
	[ -z "$building" ] || wait "$building" || true
	rm -rf "$part" || true
	[ $# -lt 2 ] || say "$2"
	exit "$1"
}

# lock holds the folder until the script ends. Without flock(1) two callers both build, which costs time only.
lock() {
	command -v flock >/dev/null || return 0
	exec 9>"$dir/.lock"
	until flock -w 10 9; do
		say "waiting for another build in $dir"
	done
}

# package names what a program is built from.
package() {
	case $1 in
	etcd) echo go.etcd.io/etcd/server/v3 ;;
	kube-apiserver | kube-scheduler | kubeadm) echo "k8s.io/kubernetes/cmd/$1" ;;
	staticcheck) echo honnef.co/go/tools/cmd/staticcheck ;;
	benchstat) echo golang.org/x/perf/cmd/benchstat ;;
	*) die "unknown program $1" ;;
	esac
}

# stamp is the linker flags that tell a Kubernetes program its version; unstamped it calls itself v0.0.0.
stamp() {
	case $1 in kube*) ;; *) return 0 ;; esac
	version=$(version_of k8s.io/kubernetes)
	minor=${version#*.}
	at=k8s.io/component-base/version
	echo "-X $at.gitVersion=v$version -X $at.gitMajor=${version%%.*} -X $at.gitMinor=${minor%%.*}"
}

key() {
	sums=$(cat "$module/go.mod" "$module/go.sum" | sha256 | cut -c1-12)
	echo "kubernetes-$(version_of k8s.io/kubernetes)_etcd-$(version_of go.etcd.io/etcd/server/v3)_$os-${arch}_$sums"
}

# version_of reads the required version of a module, without its v.
version_of() {
	awk -v module="$1" '$1 == module && $2 ~ /^v/ { print substr($2, 2); exit }' "$module/go.mod"
}

# read_platform sets os and arch to this machine's, whatever the caller cross-compiles for.
read_platform() {
	platform=$(go env GOHOSTOS GOHOSTARCH) || die "cannot run go"
	os=$(echo "$platform" | head -n 1)
	arch=$(echo "$platform" | tail -n 1)
}

cache_root() {
	if [ -n "${BERTH_CACHE:-}" ]; then
		echo "$BERTH_CACHE"
	elif [ "$os" = darwin ]; then
		echo "$HOME/Library/Caches/berth"
	else
		echo "${XDG_CACHE_HOME:-$HOME/.cache}/berth"
	fi
}

sha256() {
	if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi
}

say() {
	echo "tools: $*" >&2
}

die() {
	say "$*"
	exit 2
}

main "$@"
