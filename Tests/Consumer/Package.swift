// swift-tools-version: 6.2

import PackageDescription

// Two applications outside of the package, one for each way of depending on it: the codec alone, and
// everything. `make consumer` puts a link named `particles` beside a copy of this folder. `make traits` builds the first one
// without any library, too.
let isPlain = Context.environment["PARTICLES_PLAIN"] != nil
let package = Package(
  name: "Consumer",
  dependencies: [
    isPlain ? .package(path: "../particles", traits: []) : .package(path: "../particles")
  ],
  targets: [
    .executableTarget(
      name: "Story",
      dependencies: [.product(name: "ParticlesContainer", package: "particles")]),
    .executableTarget(
      name: "Torch",
      dependencies: [.product(name: "Particles", package: "particles")]),
  ]
)
