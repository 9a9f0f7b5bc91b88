# SPDX-License-Identifier: MIT
#
# A short front to meson, which does the work. `make help` lists the goals; each sets up what it needs by itself.
#
#   CC=gcc            this compiler; without it clang, which makes the faster binary, installed where missing
#   PORTABLE=1        a binary for any CPU of this architecture, not only for this one's kind
#   EXE=name          leaves the binary at ./name as well (how test farms build)
#   PREFIX= DESTDIR=  where `make install` puts things; it installs what was built, however that was asked for

PREFIX ?= /usr/local
DEPTH ?= 9
FUZZ_SECONDS ?= 60
MUTANTS ?= 300

# make's own default for CC is no wish of the user's.
wish := $(if $(filter default undefined,$(origin CC)),,$(CC))
prefix = '--prefix=$(PREFIX)'
portable = -Dportable=$(if $(filter-out 0,$(PORTABLE)),true,false)
options = $(prefix) $(portable)
asked = $(if $(filter file,$(origin PREFIX)),,$(prefix)) $(if $(filter undefined,$(origin PORTABLE)),,$(portable))

# $(call set_up,goal of tools/setup,folder,meson options)
set_up = cc=$$(tools/setup $1 '$(wish)') && tools/configure $2 "$$cc" $(options) $3
compile = meson compile -C

build:
	@$(call set_up,build,build)
	@$(compile) build
	@$(if $(EXE),cp build/tabia '$(EXE)')

# Of all that the tree has only the program that counts: a new user waits for nothing else.
perft:
	@$(call set_up,build,build)
	@$(compile) build tabia:executable
	build/tabia perft $(DEPTH)

# With tabia-serve, the page for browsers, and all that it needs.
page:
	@$(call set_up,page,build)
	@$(compile) build tabia:executable tabia-shogi:executable tabia-serve:executable tabia-shogi-serve:executable

test:
	@$(call set_up,test,build)
	@$(compile) build
	@tools/test build --no-suite slow

# The tests that take longest: what a change of one module seldom breaks. .ci/run has them too.
test-slow:
	@$(call set_up,test,build)
	@$(compile) build
	@tools/test build --suite slow

bench: build
	@tools/setup bench '$(wish)' >/dev/null
	@python3 bench/perft.py build/tabia $(BENCH)

# How fast the table is, and what its choices cost; TABLE="--quick --only line" and the like.
bench-table: build
	@build/tabia-lab table bench $(TABLE)

# This tree's engine against that of a commit, or against another program: make match AGAINST=HEAD~1 GAMES=400 NODES=10000,
# make match AGAINST=/usr/games/glaurung TC=2+0.02 BOOK=FILE.epd. OPTIONS='SMPMode=split,Threads=2' are this engine's,
# AGAINST_OPTIONS= the other's. fastchess plays the games: in PATH, or at FASTCHESS=.
match: build
	@CC='$(wish)' FASTCHESS='$(FASTCHESS)' tools/match build/tabia --against '$(or $(AGAINST),HEAD)' \
		$(if $(GAMES),--games $(GAMES)) $(if $(NODES),--nodes $(NODES)) $(if $(TC),--tc $(TC)) \
		$(if $(BOOK),--book '$(BOOK)') $(if $(HASH),--hash $(HASH)) $(if $(THREADS),--threads $(THREADS)) \
		$(if $(OPTIONS),--options '$(OPTIONS)') $(if $(AGAINST_OPTIONS),--against-options '$(AGAINST_OPTIONS)') \
		$(if $(CHESS960),--chess960) $(if $(CONCURRENCY),--concurrency $(CONCURRENCY)) $(if $(SEED),--seed $(SEED))

# Fifty kills of workers, coordinators and whole jobs of tabia-mpi; each count must be exact.
kills:
	@$(call set_up,test,build)
	@$(compile) build
	@python3 tests/integration/mpi_kill.py openmpi build/tabia-mpi build/tests/libstopped_rank.so $(or $(KILLS),50)

# Each claim of the documents beside its ablation: kept, broken or unproven. CLAIMS='torn-entries one-lock' are some of them.
claims:
	@tools/claims.py --list build $(CLAIMS) >/dev/null
	@$(MAKE) --no-print-directory build
	@tools/claims.py build $(CLAIMS)

# What was built is installed, with the compiler and for the CPUs it was built for, unless others are asked for here.
install:
	@if tools/configure --is-set-up build; then cc=$(if $(wish),$$(tools/setup build '$(wish)')) && \
		tools/configure --keep build "$$cc" $(asked); else $(call set_up,build,build); fi
	@$(compile) build
	meson install -C build --no-rebuild
	@tools/install_note.py build

# libtabia alone, which takes seconds and needs no MPI.
install-lib:
	@$(call set_up,library,build-lib,-Dprograms=false)
	@$(compile) build-lib
	meson install -C build-lib --no-rebuild
	@tools/install_note.py build-lib

# The library as two files, for engines that compile it with their own sources.
amalgamation:
	@tools/amalgamate.py build-amalgamation

# The Debian packages of HEAD, built in a bare root, read by lintian and tried in another bare root.
deb:
	@tools/setup deb >/dev/null
	@tools/deb $(DEB)

model:
	@$(call set_up,build,build)
	@$(compile) build model:executable
	@build/tests/model

# Removes what the last install put there, and the last install-lib.
uninstall:
	@none=yes; for folder in build build-lib; do if tools/configure --is-set-up $$folder; then \
		none= && ninja -C $$folder uninstall || exit; fi; done; \
		[ -z "$$none" ] || { echo 'tabia: nothing was installed from this tree' >&2; exit 1; }

# The quick form of the two below: unit tests and fuzzers of readers only.
sanitize:
	@$(call set_up,sanitize,build-asan,--buildtype=debugoptimized -Db_sanitize=address$(comma)undefined -Db_lundef=false)
	@$(call set_up,sanitize,build-tsan,--buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false)
	@tools/sanitize build-asan build-tsan

asan:
	@$(call set_up,sanitize,build-asan,--buildtype=debugoptimized -Db_sanitize=address$(comma)undefined -Db_lundef=false)
	@$(compile) build-asan
	@tools/test build-asan --timeout-multiplier 10

tsan:
	@$(call set_up,sanitize,build-tsan,--buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false)
	@$(compile) build-tsan
	@tools/test build-tsan --timeout-multiplier 10

# For any CPU of this architecture, every test.
portable: portable = -Dportable=true
portable:
	@$(call set_up,test,build-portable,)
	@$(compile) build-portable
	@tools/test build-portable

# For another architecture, in emulation.
arm64: build
	@tools/setup arm64 >/dev/null
	@tools/arm64 build-arm64 build/tabia

# The programs for Windows, which must do under wine what the programs of this system do.
windows: build
	@tools/setup test >/dev/null
	@python3 tests/integration/windows_programs.py . build build/tests/wine

# Archives of HEAD's programs for three systems, which need no library.
dist:
	@cc=$$(tools/setup dist '$(wish)') && tools/dist build-dist "$$cc"

# They run where they are unpacked, and a second build makes the same bytes.
dist-test: dist
	@cc=$$(tools/setup dist '$(wish)') && tests/integration/dist.py build-dist build-dist-again "$$cc"

# All that takes longer than a user waits for. Hours on two cores.
check:
	@tools/check $(MAKE) test test-slow lint portable arm64 dist-test asan tsan fuzz model

fuzz:
	@$(call set_up,fuzz,build-fuzz,--buildtype=debugoptimized -Dfuzz=true -Db_sanitize=address$(comma)undefined -Db_lundef=false)
	@$(compile) build-fuzz
	@tools/fuzz build-fuzz $(FUZZ_SECONDS)

format:
	@tools/setup format >/dev/null
	@find src programs tests bench include examples -name '*.[ch]' 2>/dev/null | xargs clang-format -i

lint:
	@$(call set_up,lint,build)
	@$(compile) build >/dev/null
	@python3 tests/structure/headers.py . all
	@tools/lint build

# Small faults put into the sources one at a time, in copies of the tree: do the tests notice? What was found is kept in
# build-mutate/state.jsonl, so that the same command resumes after Ctrl-C. LAYERS='src/table src/perft' are folders of sources, LAYERS=src
# is all of them in one sample.
mutate:
	@CC=$$(tools/setup test '$(wish)') && nice tests/mutate.py --compiler "$$CC" --mutants $(MUTANTS) --seed $(or $(SEED),1) \
		$(if $(JOBS),--jobs $(JOBS)) $(if $(LAYERS),--layers $(LAYERS)) $(if $(FOLDER),--folder '$(FOLDER)') $(MUTATE)

clean:
	rm -rf build build-asan build-tsan build-fuzz build-portable build-arm64* build-check build-mutate build-lib build-deb build-amalgamation build-windows* build-dist*

help:
	@echo 'make              builds build/tabia'
	@echo 'make perft        builds it and counts the start position to DEPTH=$(DEPTH)'
	@echo 'make page         builds all, with what `tabia serve` needs: libmicrohttpd, Chart.js, and a board from the npm registry'
	@echo 'make test         runs the tests that a change needs; make test-slow the others, which take longest (WHOLE_TESTS=1: in'
	@echo '                  their whole form, as make check does); make asan and make tsan run all under the sanitizers'
	@echo 'make sanitize     runs the unit tests and the fuzzers of readers under the sanitizers, with assertions'
	@echo 'make portable     runs every test on a build for any CPU of this architecture; make arm64 runs one for ARM in emulation,'
	@echo '                  and libtabia big-endian'
	@echo 'make windows      builds the programs and the page for Windows into build-windows, by mingw-w64, and tests them under wine'
	@echo 'make check        runs all of these one after the other: test test-slow lint portable arm64 dist-test asan tsan'
	@echo '                  fuzz model'
	@echo 'make fuzz         runs the fuzzers, FUZZ_SECONDS=$(FUZZ_SECONDS) of a processor each'
	@echo 'make mutate       puts MUTANTS=$(MUTANTS) small faults into copies of the tree, one at a time: do the tests notice? Hours;'
	@echo '                  resumes where it was stopped. SEED=1 JOBS=2 LAYERS="src/table src/data" MUTATE=--report (no run)'
	@echo '                  FOLDER=build-mutate'
	@echo 'make model        explores what threads share in all ways of the memory model'
	@echo 'make bench        prints the speed of perft beside Stockfish; BENCH=--quick takes a few minutes'
	@echo 'make bench-table  measures the transposition table; TABLE=--quick takes a minute or two'
	@echo 'make claims       measures each claim of the documents beside its ablation; CLAIMS="NAME ..."; minutes'
	@echo 'make match        plays AGAINST=COMMIT or AGAINST=PROGRAM (a UCI engine); needs fastchess, in PATH or at FASTCHESS='
	@echo '                  GAMES=400 NODES=10000; a clock TC=2+0.02 for three quarters of the games; BOOK=FILE.epd'
	@echo '                  HASH=16 THREADS=1 CONCURRENCY=N SEED=1 CHESS960=1; OPTIONS=NAME=VALUE,... of this engine, AGAINST_OPTIONS= of the other'
	@echo 'make kills        kills ranks of tabia-mpi KILLS=50 times; each count must be exact'
	@echo 'make install      programs, libraries, headers, manual pages: PREFIX=$(PREFIX) DESTDIR=; make uninstall'
	@echo 'make install-lib  the library alone, in seconds, without MPI: PREFIX=$(PREFIX) DESTDIR='
	@echo 'make amalgamation the library as two files, build-amalgamation/tabia.h and tabia.c'
	@echo 'make deb          Debian packages of HEAD into build-deb, built and tried in a bare root; DEB="--suite bookworm --out FOLDER"'
	@echo 'make dist         archives of static programs of HEAD into build-dist, for Linux on x86-64 and ARM and for Windows; make dist-test'
	@echo '                  tries them, in emulation and under wine, and builds them again'
	@echo 'make format       puts the code in its form (clang-format)'
	@echo 'make lint         reads the sources: each header alone with each compiler, clang-tidy, shellcheck, pyflakes'
	@echo 'make clean        removes the build folders'
	@echo 'For all: CC=gcc PORTABLE=1 (any CPU of this architecture) EXE=name (the binary at ./name as well)'

comma := ,
.PHONY: build perft page test test-slow model bench bench-table claims match kills install install-lib amalgamation dist dist-test uninstall sanitize asan tsan fuzz format lint portable arm64 windows check mutate deb clean help
