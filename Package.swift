// swift-tools-version: 6.2

import PackageDescription

/// What every Swift target is compiled with. Warnings become errors in our own checks only, so
/// that a newer compiler never breaks somebody's build.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["PARTICLES_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
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

let package = Package(
  name: "particles",
  products: [
    .library(name: "Particles", targets: ["Particles"]),
    .library(name: "ParticlesContainer", targets: ["ParticlesContainer"]),
    .executable(name: "particles", targets: ["ParticlesTool"]),
    .executable(name: "particles-bench", targets: ["ParticlesBench"]),
    .executable(name: "particles-fuzz", targets: ["ParticlesFuzz"]),
  ],
  targets: [
    // Row 0: bytes, zlib, rules and diagnostics, limits.
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    system("CMessageDigest", pkgConfig: "libmd", apt: "libmd-dev", brew: "libmd"),
    .target(name: "CSystem"),
    library("ParticlesCore", ["CZlib", "CDeflate", "CMessageDigest", "CSystem"]),

    // Row 1: a tree of files; an effect; what a file claims to be; pixels.
    library("ParticlesContainer", ["ParticlesCore"]),
    library("ParticlesModel", ["ParticlesCore"]),
    library("ParticlesTypes", ["ParticlesCore"]),
    system("CPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    library("ParticlesImages", ["ParticlesCore", "CPNG"]),

    // Row 2: files ⇄ models.
    system("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    library(
      "ParticlesFormats",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesTypes",
        "ParticlesImages", "CExpat",
      ]),

    // Row 3: a package over time.
    library(
      "ParticlesDocuments",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesImages",
        "ParticlesFormats",
      ]),
    library(
      "Particles",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesTypes",
        "ParticlesImages", "ParticlesFormats", "ParticlesDocuments",
      ]),

    // Row 4: desktops.
    library("ParticlesDesktop", ["ParticlesCore", "ParticlesTypes"]),

    // Row 5: talks to a terminal.
    library(
      "ParticlesCLI",
      [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesTypes",
        "ParticlesImages", "ParticlesFormats", "ParticlesDocuments", "ParticlesDesktop",
      ]),
    .executableTarget(
      name: "ParticlesTool", dependencies: ["ParticlesCLI"], swiftSettings: settings),

    // For us: measurements, fuzzing and tests.
    .executableTarget(
      name: "ParticlesBench",
      dependencies: [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesTypes",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ParticlesFuzz",
      dependencies: [
        "ParticlesCore", "ParticlesContainer", "ParticlesModel", "ParticlesTypes",
        "ParticlesImages", "ParticlesFormats",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ParticlesSaveProbe", dependencies: ["ParticlesContainer"], swiftSettings: settings),
    library("ParticlesTestSupport", ["ParticlesCore", "ParticlesContainer", "ParticlesModel"]),
    tests("ParticlesCoreTests", ["ParticlesCore"]),
    tests("ParticlesContainerTests", ["ParticlesContainer"]),
    tests("ParticlesModelTests", ["ParticlesModel"]),
    tests("ParticlesTypesTests", ["ParticlesTypes"]),
    tests("ParticlesImagesTests", ["ParticlesImages"]),
    tests("ParticlesFormatsTests", ["ParticlesFormats", "ParticlesTypes"]),
    tests("ParticlesDocumentsTests", ["ParticlesDocuments"]),
    tests("ParticlesDesktopTests", ["ParticlesDesktop"]),
    tests("ParticlesCLITests", ["ParticlesCLI", "ParticlesDocuments"], exclude: ["Golden"]),
    tests(
      "ParticlesToolTests",
      ["Particles", "ParticlesTypes", "ParticlesDesktop", "ParticlesTool", "ParticlesSaveProbe"]),
    tests("ParticlesFuzzTests", ["ParticlesCore", "ParticlesFuzz"]),
    tests("ParticlesBenchTests", ["ParticlesBench"]),
    tests("ArchitectureTests", ["ParticlesCore"]),
  ]
)
