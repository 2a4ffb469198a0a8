// swift-tools-version: 6.2

import PackageDescription

/// Compiler settings of every Swift target. Warnings become errors in our own checks only, so
/// that a newer compiler does not break the build of a dependent package. These have no debug information:
/// nothing reads it, and they are built in four fifths of the time. `swift build` has it.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (Context.environment["PARTICLES_STRICT"] == nil
    ? []
    : [.treatAllWarnings(as: .error), .unsafeFlags(["-gnone"], .when(configuration: .debug))])

/// Settings of the modules that the tool consists of. The functions of the standard library for regular
/// expressions take one megabyte; our own checks find their uses.
let lean =
  settings
  + (Context.environment["PARTICLES_STRICT"] == nil
    ? []
    : [
      .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
    ])

/// Settings of the modules that calculate and draw: in debug builds of our own checks they are optimised,
/// because most of the time of the tests passes in them.
let fast =
  lean
  + (Context.environment["PARTICLES_STRICT"] == nil
    ? []
    : [
      .unsafeFlags(
        ["-O", "-wmo", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug))
    ])

/// The same for their C.
let fastC: [CSetting] =
  Context.environment["PARTICLES_STRICT"] == nil
  ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

/// Settings of modules whose work takes little of a run beside that of the others: in our own builds of the
/// tool they are optimised for size. It is a tenth smaller and built in two thirds of the time.
let small =
  lean + (Context.environment["PARTICLES_SMALL"] == nil ? [] : [.unsafeFlags(["-Osize"])])

func library(
  _ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = lean,
  exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["ParticlesTestSupport"], exclude: exclude,
    swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

/// Libraries that some modules are faster with. Without the trait, our own code does their work. The trait is a macro of
/// C, too. It is a single one: the package manager states several in random order, and another order compiles all
/// modules again.
#if os(Linux)
  let defaultTraits: Set = ["FastLibraries"]
#else
  let defaultTraits: Set<String> = []
#endif

let package = Package(
  name: "particles",
  // The first versions whose standard library has `Mutex`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Particles", targets: ["Particles"]),
    .library(name: "ParticlesContainer", targets: ["ParticlesContainer", "ParticlesPackages"]),
    .library(name: "ParticlesFormats", targets: ["ParticlesFormats"]),
    .library(name: "ParticlesBrowser", targets: ["ParticlesBrowser"]),
    .library(name: "ParticlesFoundation", targets: ["ParticlesFoundation"]),
    // The objects of libparticles, which `make lib` links.
    .library(name: "particles-c", type: .static, targets: ["ParticlesC"]),
    .executable(name: "particles", targets: ["ParticlesTool"]),
  ],
  traits: [
    .trait(
      name: "FastLibraries",
      description: "Compresses and computes checksums by libdeflate."),
    .default(enabledTraits: defaultTraits),
  ],
  targets: [
    // Row 0: bytes, rules and diagnostics, limits, deflate; below it, shims.
    library("ParticlesPlatform", []),
    system("CParticlesDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    .target(name: "CParticlesSystem", cSettings: fastC),
    .target(
      name: "CParticlesCompression",
      dependencies: [
        .target(name: "CParticlesDeflate", condition: .when(traits: ["FastLibraries"]))
      ], cSettings: fastC + [.define("FastLibraries", .when(traits: ["FastLibraries"]))]),
    .target(name: "CParticlesUnicode", cSettings: fastC),
    .target(name: "CParticlesDigest", cSettings: fastC),
    library(
      "ParticlesCore",
      ["ParticlesPlatform", "CParticlesCompression", "CParticlesUnicode", "CParticlesDigest"], fast),

    // Row 1: files, saving, threads, C libraries for pictures; a tree of files; an effect; pixels; property lists, keyed archives, XML; SQLite.
    system("CParticlesPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    system("CParticlesJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev", brew: "jpeg-turbo"),
    .target(name: "CParticlesJPEGReader", dependencies: ["CParticlesJPEG"], cSettings: fastC),
    system("CParticlesWebP", pkgConfig: "libwebpmux", apt: "libwebp-dev", brew: "webp"),
    library(
      "ParticlesSystem",
      [
        "ParticlesCore", "ParticlesPlatform", "CParticlesSystem", "CParticlesPNG",
        "CParticlesJPEG", "CParticlesJPEGReader", "CParticlesWebP",
      ], fast),

    library("ParticlesContainer", ["ParticlesCore", "ParticlesSystem"]),
    library("ParticlesModel", ["ParticlesCore"], small),
    library(
      "ParticlesImages",
      [
        "ParticlesCore", "ParticlesSystem",
      ], fast),
    library("ParticlesPropertyLists", ["ParticlesCore"], small),
    system("CParticlesSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    library("ParticlesDatabase", ["ParticlesCore", "CParticlesSQLite"], fast),

    // Row 2: trees on disks; models → motion; what a file claims to be; ZIP and tar ⇄ trees.
    library("ParticlesPackages", ["ParticlesCore", "ParticlesSystem", "ParticlesContainer"]),
    .target(name: "CParticlesKernels", cSettings: fastC),
    library("ParticlesSimulation", ["ParticlesCore", "ParticlesModel", "CParticlesKernels"], fast),
    library("ParticlesTypes", ["ParticlesCore", "ParticlesPropertyLists"], small),
    library(
      "ParticlesArchives", ["ParticlesCore", "ParticlesContainer"], small),

    // Row 3: pictures, animations, measures of motion; foreign files ⇄ models.
    library(
      "ParticlesRender",
      [
        "ParticlesCore", "ParticlesSystem", "ParticlesModel", "ParticlesImages",
        "ParticlesSimulation",
      ], fast),
    library(
      "ParticlesFormats",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel",
        "ParticlesImages", "ParticlesPropertyLists", "ParticlesTypes", "ParticlesArchives",
      ], small),

    // Row 4: one effect given as bytes: open, edit, check, convert, draw.
    library(
      "ParticlesEffects",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesImages",
        "ParticlesPropertyLists", "ParticlesFormats", "ParticlesRender", "ParticlesSimulation",
      ], small),

    // Row 5: a document over time; desktops; a database of a tree of effects.
    library(
      "ParticlesDocuments",
      [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesEffects",
        "ParticlesModel", "ParticlesImages", "ParticlesPropertyLists", "ParticlesFormats",
        "ParticlesRender", "ParticlesSimulation", "ParticlesPlatform", "ParticlesDatabase",
      ], small),
    library(
      "ParticlesDesktop",
      ["ParticlesCore", "ParticlesSystem", "ParticlesTypes", "ParticlesPlatform"], small),
    library("ParticlesIndex", ["ParticlesCore", "ParticlesSystem", "ParticlesDatabase"], fast),

    // Row 6: all of it, for applications.
    library(
      "Particles",
      [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesModel", "ParticlesTypes", "ParticlesImages", "ParticlesFormats",
        "ParticlesEffects", "ParticlesDocuments", "ParticlesRender", "ParticlesSimulation",
      ]),

    // Row 6: a browser of documents: without a screen, and as a local web application.
    system("CParticlesEvent", pkgConfig: "libevent", apt: "libevent-dev", brew: "libevent"),
    .target(name: "CParticlesLoop", dependencies: ["CParticlesEvent"], cSettings: fastC),
    .target(name: "CParticlesBrowserPages", cSettings: fastC),
    library(
      "ParticlesBrowser",
      [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesModel", "ParticlesImages", "ParticlesTypes", "ParticlesArchives",
        "ParticlesFormats", "ParticlesRender", "ParticlesEffects", "ParticlesDocuments",
        "ParticlesDesktop",
        "ParticlesIndex", "ParticlesPlatform", "CParticlesEvent", "CParticlesLoop",
        "CParticlesBrowserPages",
      ], small, exclude: ["Pages"]),

    // Row 6: bridges to Foundation, for applications that have it.
    library(
      "ParticlesFoundation",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesPackages", "ParticlesModel",
        "ParticlesFormats", "ParticlesEffects", "ParticlesDocuments",
      ]),

    // Row 7: web pages; terminals.
    .target(
      name: "ParticlesWeb",
      dependencies: [
        "ParticlesCore", "ParticlesModel", "ParticlesImages", "ParticlesSimulation",
        "ParticlesRender",
      ], exclude: ["Player", "Toolkit", "Embedded", "Freestanding", "build.sh", "sources.txt"],
      swiftSettings: fast),
    .target(name: "CParticlesPlayer", cSettings: fastC),
    library(
      "ParticlesCLI",
      [
        "CParticlesPlayer", "ParticlesCore", "ParticlesSystem", "ParticlesContainer",
        "ParticlesPackages", "ParticlesModel", "ParticlesTypes", "ParticlesImages",
        "ParticlesPropertyLists", "ParticlesFormats", "ParticlesEffects", "ParticlesDocuments",
        "ParticlesDesktop",
        "ParticlesIndex", "ParticlesBrowser", "ParticlesRender", "ParticlesPlatform",
      ], small),

    // Row 7: the interface for C, and for all languages that call C.
    .target(name: "CParticlesInterface", cSettings: fastC),
    library(
      "ParticlesC",
      [
        "CParticlesInterface", "ParticlesCore", "ParticlesSystem", "ParticlesContainer",
        "ParticlesPackages", "ParticlesModel", "ParticlesTypes", "ParticlesImages",
        "ParticlesFormats", "ParticlesEffects", "ParticlesDocuments", "ParticlesRender",
        "ParticlesSimulation",
        "ParticlesPlatform",
      ], small, exclude: ["link.sh", "libparticles.pc.in", "older-glibc.c", "valgrind.supp"]),

    // Row 8: programs, ours for measuring and fuzzing among them; and tests.
    .target(name: "CParticlesStart"),
    .executableTarget(
      name: "ParticlesTool",
      dependencies: ["ParticlesCLI", "ParticlesPlatform", "CParticlesStart"],
      swiftSettings: settings),
    .target(name: "CParticlesYardstick"),
    .executableTarget(
      name: "ParticlesBench",
      dependencies: [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesModel", "ParticlesTypes", "ParticlesPlatform", "ParticlesFormats",
        "ParticlesEffects", "ParticlesDocuments", "ParticlesSimulation", "CParticlesYardstick",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ParticlesFuzz",
      dependencies: [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesModel", "ParticlesTypes", "ParticlesImages", "ParticlesPropertyLists",
        "ParticlesFormats", "ParticlesEffects", "ParticlesDocuments", "ParticlesPlatform",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ParticlesSaveProbe",
      dependencies: [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesPackages",
        "ParticlesEffects", "ParticlesDocuments", "ParticlesBrowser", "ParticlesPlatform",
      ],
      swiftSettings: settings),
    // Applications to copy and begin with.
    .executableTarget(
      name: "ExampleTextEditor", dependencies: ["Particles"], path: "Sources/Examples/TextEditor",
      swiftSettings: settings),
    .executableTarget(
      name: "ExampleEffectEditor", dependencies: ["Particles"],
      path: "Sources/Examples/EffectEditor", swiftSettings: settings),
    .executableTarget(
      name: "ExampleBrowser", dependencies: ["Particles", "ParticlesBrowser"],
      path: "Sources/Examples/Browser", swiftSettings: settings),
    // zlib judges our own streams.
    system("CParticlesZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library(
      "ParticlesTestSupport",
      [
        "ParticlesCore", "ParticlesSystem", "ParticlesContainer", "ParticlesModel",
        "ParticlesPropertyLists", "ParticlesDatabase", "CParticlesZlib", "CParticlesPNG",
      ], fast),
    tests("ParticlesCoreTests", ["ParticlesCore"]),
    tests("ParticlesSystemTests", ["ParticlesSystem"]),
    tests("ParticlesContainerTests", ["ParticlesContainer", "ParticlesPackages"]),
    tests("ParticlesPackagesTests", ["ParticlesPackages"]),
    tests("ParticlesDatabaseTests", ["ParticlesDatabase"]),
    tests("ParticlesModelTests", ["ParticlesModel", "ParticlesPlatform"]),
    tests("ParticlesSimulationTests", ["ParticlesSimulation"]),
    tests(
      "ParticlesRenderTests",
      [
        "ParticlesRender", "ParticlesSimulation", "ParticlesFormats", "ParticlesImages",
        "ParticlesEffects", "ParticlesDocuments",
      ]),
    tests("ParticlesImagesTests", ["ParticlesImages"]),
    tests("ParticlesPropertyListsTests", ["ParticlesPropertyLists"]),
    tests("ParticlesTypesTests", ["ParticlesTypes", "ParticlesPropertyLists", "ParticlesDesktop"]),
    tests(
      "ParticlesArchivesTests",
      ["ParticlesArchives", "ParticlesFormats", "ParticlesEffects", "ParticlesDocuments"]),
    tests(
      "ParticlesFormatsTests",
      ["ParticlesFormats", "ParticlesEffects", "ParticlesDocuments", "ParticlesPropertyLists"]),
    tests(
      "ParticlesEffectsTests",
      ["ParticlesEffects", "ParticlesDocuments", "ParticlesRender"]),
    tests(
      "ParticlesDocumentsTests",
      ["ParticlesEffects", "ParticlesDocuments", "ParticlesRender", "ParticlesDatabase"]),
    tests(
      "ParticlesFoundationTests", ["ParticlesFoundation", "ParticlesEffects", "ParticlesDocuments"]),
    tests("ParticlesDesktopTests", ["ParticlesDesktop"]),
    tests(
      "ParticlesIndexTests",
      [
        "ParticlesIndex", "ParticlesCLI", "ParticlesEffects", "ParticlesDocuments",
        "ParticlesRender", "ParticlesTool",
        "ParticlesModel", "ParticlesDatabase",
      ]),
    tests(
      "ParticlesBrowserTests",
      [
        "ParticlesBrowser", "ParticlesEffects", "ParticlesDocuments", "ParticlesContainer",
        "ParticlesPackages",
        "ParticlesFormats", "ParticlesDatabase", "ParticlesIndex", "ParticlesModel",
        "ParticlesPlatform", "ParticlesRender", "ExampleBrowser",
      ]),
    tests(
      "ParticlesCLITests",
      ["ParticlesCLI", "ParticlesBrowser", "ParticlesEffects", "ParticlesDocuments"],
      exclude: ["Golden"]),
    tests(
      "ParticlesToolTests",
      [
        "Particles", "ParticlesTypes", "ParticlesDesktop", "ParticlesTool", "ParticlesSaveProbe",
        "ExampleTextEditor", "ExampleEffectEditor",
      ]),
    tests("ParticlesCTests", ["ParticlesC", "CParticlesInterface"]),
    tests(
      "ParticlesWebTests",
      ["ParticlesWeb", "ParticlesEffects", "ParticlesDocuments", "ParticlesFormats"]),
    tests("ParticlesFuzzTests", ["ParticlesFormats", "ParticlesFuzz"]),
    tests("ParticlesBenchTests", ["ParticlesBench", "ParticlesFormats"]),
    tests("ArchitectureTests", ["ParticlesCore"]),
  ]
)

/// Leaves in the manifest what one module and its tests need: `make part PART=ParticlesModel`. A change in a low row is
/// tested without the rows above it.
if let part = Context.environment["PARTICLES_PART"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var open = [part, "\(part)Tests"].filter { targets[$0] != nil }
  while let name = open.popLast() {
    guard needed.insert(name).inserted, let target = targets[name] else { continue }
    for case .byNameItem(let other, _) in target.dependencies { open.append(other) }
    for case .targetItem(let other, _) in target.dependencies { open.append(other) }
  }
  guard needed.contains(part) else { fatalError("there is no module \(part)") }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { _ in true }
}
