# Confab. `make demo` shows it, `make test` proves it; each target installs the packages that it needs and this machine lacks.
PREFIX ?= /usr/local
DESTDIR ?=
# Where the programs to install are.
BUILD ?= .build/release
SWIFT ?= swift
# Whole programs are optimised at once (docs/decisions/0035-cost-of-an-incoming-message.md).
RELEASE := $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath --experimental-lto-mode=full
PROGRAMS := confabd confab confab-ui confab-transfer confab-picture
FORMATTED := Package.swift Sources Tests

# What packages are for (config/packages.txt); `packages-test` installs what `make test` needs.
PURPOSES := build demo test deb long bench
PACKAGES := $(PURPOSES:%=packages-%)

.PHONY: build release packages $(PACKAGES) demo test model soak test-long test-asan test-tsan fuzz simulate bench docs format lint count install uninstall deb clean

build: packages-build
	$(SWIFT) build

# The programs that ship: the Swift run-time library is part of them.
release: packages-build
	@mkdir -p .build/archives && ln -sf "$$(c++ -print-file-name=libstdc++.a)" .build/archives/
	@for program in $(PROGRAMS); do $(RELEASE) --product $$program || exit 1; done

# Every package, for all targets.
packages:
	@config/install-packages

packages-build:
	@config/install-packages build run

$(filter-out packages-build,$(PACKAGES)): packages-%: packages-build
	@config/install-packages $*

# KEEP=1 leaves everything running and says how to attach.
demo: packages-demo
	@for program in $(PROGRAMS); do $(SWIFT) build --product $$program || exit 1; done
	@KEEP=$(KEEP) config/demo

test: packages-test
	Tests/Support/failures_last Tests/Support/in_parts $(SWIFT)

# What takes longer: the symbols of the release programs and counts of what they do, a minute of simulated lives, the same seeds each time (`make simulate` draws new ones), the package
# in a clean Debian, with a systemd of its own, the demo, messages, kills, cuts and endings in plenty, a moment of every
# fuzz target, from the same seed each time (`make fuzz` draws new ones), all finds of before included, and a small
# history with a thousand queries, and again without its derived files. Says what it cannot do here.
test-long: packages-test packages-long packages-bench deb
	CONFAB_RELEASE=required Tests/Support/failures_last $(SWIFT) test --filter 'ProductTests|CountTests'
	$(RELEASE) --product confab-simulate
	.build/release/confab-simulate --from 1 --count 1000
	.build/release/confab-simulate --bugs
	@Tests/Support/test_long .build
	KEEP= BUILD=.build/release config/demo </dev/null >.build/demo.txt
	CONFAB_MESSAGES=5000 CONFAB_KILLS=200 CONFAB_CUTS=200 CONFAB_PAIRS=1 CONFAB_ROOM_KILLS=10 CONFAB_HOOK_KILLS=200 Tests/Support/failures_last \
	  $(SWIFT) test --filter 'AwayTests|KillTests|CutTests|PhaseTests|RoomLifeTests'
	CONFAB_OMEMO=20 Tests/Support/failures_last $(SWIFT) test --skip-build --filter RatchetTests.PeerTests
	CONFAB_MATRIX=10368 Tests/Support/failures_last $(SWIFT) test --skip-build --filter ServerMatrixTests
	CONFAB_SEED=1 $(MAKE) fuzz SECONDS=2 JOBS=2
	$(MAKE) bench SCALE=20000

# Three people in three rooms of a real Prosody: KILLS kills and as many cuts, and a fifth as many restarts of the server;
# then three who encrypt, one of them by two devices, at Prosody and at ejabberd, KILLS kills each, at Prosody as many cuts;
# then a hook, over as many kills.
KILLS ?= 100
soak: packages-test
	CONFAB_ROOM_KILLS=$(KILLS) CONFAB_OMEMO_KILLS=$(KILLS) CONFAB_HOOK_KILLS=$(KILLS) Tests/Support/failures_last \
	  $(SWIFT) test --filter 'RoomLifeTests|EncryptedTalkTests|HookKillTests'

# Who acknowledges what, checked in every order of events (Tests/Model): the rules, and what breaks without each.
model: packages-test
	Tests/Model/run

# The same tests under the sanitizers, each built apart; the races of processes are not their business, what they link is
# not what ships, and a confined helper has no memory for them.
UNSANITIZED = --skip ProcessTests --skip ProductTests --skip 'ConfabTransferTests\.[^W]' --skip ConfabPictureTests.DrawingTests
test-asan: packages-test
	ASAN_OPTIONS=detect_leaks=0 Tests/Support/failures_last $(SWIFT) test --sanitize=address --scratch-path .build/asan $(UNSANITIZED)

# Clang is Swift's own, which knows how Swift calls.
test-tsan: packages-test
	@mkdir -p .build
	"$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")"/clang -shared -fPIC -O1 -o .build/tsan_mutex.so Tests/Support/tsan_mutex.c
	LD_PRELOAD=$(CURDIR)/.build/tsan_mutex.so Tests/Support/failures_last \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan $(UNSANITIZED)

# Every way in from outside, fed with anything for so many seconds each, JOBS at a time; fails where something is found.
SECONDS ?= 30
JOBS ?= 1
fuzz: packages-build
	CONFAB_FUZZ=1 $(SWIFT) build -c release --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address \
	  --product confab-fuzz --scratch-path .build/fuzz
	Tests/Fuzz/run $(SECONDS) $(JOBS)

# The engine in a simulated world, seed after seed from a fresh random start, for so many seconds; fails where a promise is
# not kept, and says how to see it.
simulate: packages-build
	$(RELEASE) --product confab-simulate
	.build/release/confab-simulate --seconds $(SECONDS)

# SCALE=n: what a history of n messages costs; HISTORY=DIR: one that `confab-bench generate` has made before; PART: some only,
# such as `ui`.
bench: packages-bench release
	$(RELEASE) --product confab-bench
	.build/release/confab-bench $(if $(SCALE),--scale $(SCALE) $(if $(HISTORY),--history $(HISTORY))) $(PART)

# Documents made from the tables in the code; a test fails where one is stale.
docs: packages-build
	CONFAB_WRITE_DOCS=1 $(SWIFT) test --filter Document

format:
	$(SWIFT) format --in-place -r $(FORMATTED)

lint:
	$(SWIFT) format lint --strict -r $(FORMATTED)

# The size of what ships: lines, named types, targets; COMMIT=c: beside that of a commit.
count:
	@Tests/Support/count_sources $(COMMIT)

# After `make release`; builds nothing, so that it works under a sudo that does not know Swift.
install:
	@config/install $(BUILD) $(PREFIX) $(DESTDIR)

# A Debian package, in .build.
deb: packages-deb release
	@config/deb $(BUILD) .build

uninstall:
	@config/install --remove $(BUILD) $(PREFIX) $(DESTDIR)

clean:
	$(SWIFT) package clean
