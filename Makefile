# What there is to do here; "make help" lists it. No target needs docker or root.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The Kubernetes release whose scheduler this one stands in for, and calls itself.
VERSION := v1.37.2
OUT := _out
BINARY := $(OUT)/kube-scheduler

# What make test and make bench-core look at: make test TESTS=./pkg/queue
TESTS := ./...
BENCH := .
COUNT := 10
# What make bench measures, if not the usual: BENCHFLAGS='-cases B1:200 -pods 300', see BENCHFLAGS=-help
BENCHFLAGS :=
# How many questions make oracle asks.
QUESTIONS := 20000
# How many tapes make tapes plays.
TAPES := 100000
# The modules beside the product's that have code.
MODULES := test/oracle hack/image
# The first run builds a control plane.
TIMEOUT := 60m

# The checkout may belong to another user than the one who builds.
GIT := git -c safe.directory='*'
COMMIT = $(shell $(GIT) rev-parse -q --verify HEAD 2>/dev/null || echo unknown)
TREE = $(shell test -z "$$($(GIT) status --porcelain 2>/dev/null)" && echo clean || echo dirty)
# The commit's date, so that one commit gives one binary.
DATE = $(shell TZ=UTC $(GIT) log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null || echo 1970-01-01T00:00:00Z)
MAJOR = $(patsubst v%,%,$(word 1,$(subst ., ,$(VERSION))))
MINOR = $(word 2,$(subst ., ,$(VERSION)))
STAMP = gitVersion=$(VERSION) gitMajor=$(MAJOR) gitMinor=$(MINOR) gitCommit=$(COMMIT) gitTreeState=$(TREE) buildDate=$(DATE)
LDFLAGS = $(foreach value,$(STAMP),-X k8s.io/component-base/version.$(value))

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build _out/kube-scheduler, one static binary
	@echo "build: $(BINARY) $(VERSION) for $$(go env GOOS)/$$(go env GOARCH)"
	@CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o $(BINARY) ./cmd/kube-scheduler

.PHONY: image
image: ## Pack _out/kube-scheduler.oci.tar, an image for amd64 and arm64, without docker
	@echo "image: $(OUT)/kube-scheduler.oci.tar $(VERSION)"
	@for arch in amd64 arm64; do \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS) -s -w' -o $(OUT)/image/$$arch ./cmd/kube-scheduler; \
	done
	@out=$$PWD/$(OUT) && cd hack/image && go run -buildvcs=false . -version $(VERSION) -created "$$($(GIT) log -1 --format=%ct 2>/dev/null || echo 0)" \
		-out "$$out/kube-scheduler.oci.tar" amd64="$$out/image/amd64" arm64="$$out/image/arm64"

.PHONY: run
run: ## Start a small cluster with this scheduler in it; BERTH_RUN_ONCE=1 ends by itself
	@echo "run: a control plane, some nodes and pods, and this scheduler"
	@echo "run: compiling, which takes some minutes the first time"
	@go build -buildvcs=false -o $(OUT)/bin/run ./hack/run && exec $(OUT)/bin/run

.PHONY: test
test: ## Run all tests, with invariants checked and, given a C compiler, races detected
	@echo "test: $(TESTS)"
	@hack/test.sh -timeout $(TIMEOUT) $(TESTS)
ifeq ($(TESTS),./...)
	@echo "test: upstream's scheduler as a library, some questions"
	@cd test/oracle && go test -tags invariants -timeout $(TIMEOUT) ./...
	@echo "test: the packer of the image"
	@cd hack/image && go test ./...
endif

.PHONY: test-short
test-short: ## Run the tests that need no control plane
	@echo "test-short: the packages, the command, the plays and the house"
	@go test -short -tags invariants ./pkg/... ./cmd/... ./hack/... ./test/house/... ./test/scenarios/... ./test/sim/... \
		./test/deploy/... ./test/bench/workload/... ./test/bench/result/... ./test/bench/report/... ./test/bench/endstate/...

.PHONY: tapes
tapes: ## Play TAPES random tapes to the queue and the cluster, and a tenth to the counters
	@echo "tapes: $(TAPES) for the queue, as many for the cluster, a tenth for the counters"
	@GOGC=400 go test -count=1 -timeout $(TIMEOUT) -run '^TestQueueDoesWhatTheModelDoes$$' ./pkg/queue -tapes $(TAPES)
	@GOGC=400 go test -count=1 -timeout $(TIMEOUT) -run '^TestColumnsEqualARecount$$' ./pkg/cluster -tapes $(TAPES)
	@GOGC=400 go test -count=1 -timeout $(TIMEOUT) -run '^TestTopologyCountersEqualARecount$$' ./pkg/cluster -topology-tapes $$(($(TAPES) / 10))

.PHONY: parity
parity: ## Compare with kube-scheduler's binary: flags, files, endpoints, metrics, signals, requeues, requests
	@echo "parity: both programs, on the same command lines and in the same clusters"
	@cd test/process && go test -count=1 -timeout $(TIMEOUT) -table

.PHONY: oracle oracle-mutants
oracle: ## Ask upstream's scheduler and this one the same questions; QUESTIONS= says how many
	@echo "oracle: $(QUESTIONS) questions"
	@cd test/oracle && go test -count=1 -timeout $(TIMEOUT) -v -run '^TestQuestions$$' . -questions $(QUESTIONS)

oracle-mutants: ## Plant faults in a copy, one at a time; the oracle must find each
	@echo "oracle-mutants: faults, and the question that finds each"
	@cd test/oracle && go run ./mutants

.PHONY: bench bench-full bench-live
bench: ## Compare with upstream and a null scheduler in 20 minutes; BENCHFLAGS= changes what
	@$(call side-by-side,quick)

bench-full: ## The same with all sizes, 8 runs and limits to noise, which takes hours; it goes on when started again
	@$(call side-by-side,full)

bench-live: ## The same with pods that come at a rate, for their latency
	@$(call side-by-side,live)

side-by-side = echo "bench: $(1), into $(OUT)/bench" && \
	go build -buildvcs=false -o $(OUT)/bin/bench ./test/bench && exec $(OUT)/bin/bench -mode $(1) -out $(OUT)/bench $(BENCHFLAGS)

.PHONY: bench-core
bench-core: ## Run the benchmarks of the packages, COUNT= times each; BENCH= selects some
	@echo "bench-core: $(BENCH), $(COUNT) times, into $(OUT)/bench-core.txt"
	@mkdir -p $(OUT)
	@benchstat=$$(hack/tools.sh benchstat); \
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./pkg/... | tee $(OUT)/bench-core.txt; \
	"$$benchstat" $(OUT)/bench-core.txt

.PHONY: verify verify-format verify-tidy verify-vet verify-staticcheck verify-house
verify: verify-format verify-tidy verify-vet verify-staticcheck verify-house ## Check format, modules, vet, staticcheck and the rules of the house
	@echo "verify: all is well"

verify-format:
	@echo "verify: format"
	@files=$$(gofmt -l .); \
	[ -z "$$files" ] || { echo "not formatted, run make fmt:"; echo "$$files"; exit 1; }

verify-tidy:
	@for mod in $$(find . -name go.mod); do \
		echo "verify: $$mod is tidy"; \
		(cd "$$(dirname "$$mod")" && go mod tidy -diff) || { echo "$$mod or its go.sum is not tidy, run go mod tidy there"; exit 1; }; \
	done

verify-vet:
	@echo "verify: vet, as built for production and as tested"
	@go vet ./...
	@go vet -tags invariants ./...
	@for dir in $(MODULES); do (cd $$dir && go vet ./...); done

verify-staticcheck:
	@echo "verify: staticcheck"
	@staticcheck=$$(hack/tools.sh staticcheck); for dir in . $(MODULES); do (cd $$dir && "$$staticcheck" ./...); done

verify-house:
	@echo "verify: the rules of the house"
	@go test -short -count=1 ./test/house/...

.PHONY: fmt
fmt: ## Format all Go files
	@echo "fmt: gofmt"
	@gofmt -l -w .

.PHONY: clean
clean: ## Remove what make built here; control plane programs stay in the cache
	@echo "clean: $(OUT)"
	@rm -rf $(OUT)
