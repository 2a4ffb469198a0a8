import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Conversion of documents")
struct ConversionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }

  /// A package with an effect and an image.
  private func make(_ name: String, image: [UInt8] = [1]) throws {
    let folder = Files.folder(of: file(name))
    if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
    var emitter = Emitter(name: "Fire")
    emitter.launch.spread = 20
    emitter.launch.speed = 100
    emitter.sprites = [0]
    var system = ParticleSystem(name: "Fire", emitters: [emitter])
    system.images = [ImageReference(uri: "Images/dot.png")]
    system.sprites = [Sprite(image: 0)]
    let package = try EffectPackage(system, images: ["Images/dot.png": image])
    try package.container.write(to: file(name), as: .flat)
  }

  private func outcomes(
    _ names: [String], _ change: (inout Conversion) -> Void = { _ in }
  ) throws -> [ConversionOutcome] {
    var conversion = Conversion(to: .effect(.sceneKit))
    change(&conversion)
    let plan = try ConversionPlan(
      names.map(file), to: file("out/"), isRecursive: true,
      extension: conversion.target.pathExtension)
    var outcomes: [ConversionOutcome] = []
    try conversion.run(plan) { outcomes.append($0) }
    return outcomes
  }

  @Test("different images with the same name are renamed")
  func images() throws {
    try make("a.particles")
    try make("b.particles", image: [2])
    try make("c.particles")
    let outcomes = try outcomes(["a.particles", "b.particles", "c.particles"])
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(
      outcomes.map { $0.outputs.map(Files.lastComponent) }
        == [["a.scnp", "dot.png"], ["b.scnp", "b-dot.png"], ["c.scnp"]])
    let back = try OpenedEffect(path: file("out/b.scnp")).package
    #expect(back.container.root["Images/b-dot.png"]?.contents != nil)
  }

  @Test("a document that cannot be converted is an outcome, and the others are converted")
  func failure() throws {
    try make("in/a.particles")
    try Files.create(file("in/b.scnp"), Array("bplist00".utf8))
    try Files.create(file("in/c.plist"), Array("<plist><dict/></plist>".utf8))
    let outcomes = try outcomes(["in"])
    #expect(outcomes.map { $0.failure == nil } == [true, false, false])
    #expect(outcomes.map(\.isPassedOver) == [false, false, true])
    #expect(outcomes[1].outputs.isEmpty)
  }

  @Test("a dry run and too great a loss write nothing")
  func unwritten() throws {
    try make("a.particles")
    let dry = try outcomes(["a.particles"]) { $0.isDry = true }
    #expect(dry[0].worst > .info && dry[0].outputs.isEmpty && !dry[0].isRefused)
    #expect(try Files.status(file("out")) == nil)
    let strict = try outcomes(["a.particles"]) { $0.maximumLoss = .info }
    #expect(strict[0].isRefused && strict[0].outputs.isEmpty)
    #expect(try Files.list(file("out")).isEmpty)
  }

  @Test("two documents never have the same result path")
  func names() throws {
    try make("a/fire.particles")
    try make("b/fire.particles")
    expectThrows(.usage) { _ = try outcomes(["a/fire.particles", "b/fire.particles"]) }
    #expect(try Files.status(file("out")) == nil)
    try make("c/FIRE.particles")
    expectThrows(.usage) { _ = try outcomes(["a/fire.particles", "c/FIRE.particles"]) }
  }

  @Test("a folder contributes its packages of both forms, and files with a known extension")
  func folder() throws {
    try make("in/flat.particles")
    try Files.makeDirectory(file("in/directory.particles"))
    try Files.create(file("in/directory.particles/document.json"), Array("{}".utf8))
    try Files.create(file("in/effect.plist"), Array("<plist/>".utf8))
    try Files.create(file("in/notes.txt"), Array("fire.plist\n".utf8))
    let plan = try ConversionPlan(
      [file("in")], to: file("out/"), isRecursive: true, extension: "scnp")
    #expect(
      plan.items.map { Files.lastComponent(of: $0.input) }
        == ["directory.particles", "effect.plist", "flat.particles"])
  }

  @Test("without a folder for results, they are named in the current one; no documents, no results")
  func plan() throws {
    let plan = try ConversionPlan(["a/fire.scnp"], to: nil, extension: "particles")
    #expect(plan.items.map(\.output) == ["fire.particles"] && plan.folders.isEmpty)
    #expect(try ConversionPlan([], to: nil, extension: "particles").items.isEmpty)
  }
}
