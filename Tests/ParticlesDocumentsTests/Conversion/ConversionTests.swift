import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Conversion of documents")
struct ConversionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }

  /// A package with an effect and an image. For each image in `others`, one more emitter shows it.
  private func make(
    _ name: String, image: [UInt8] = [1], others: [String: [UInt8]] = [:]
  ) throws {
    let folder = Files.folder(of: file(name))
    if try Files.status(folder) == nil { try Files.makeDirectory(folder) }
    var emitter = Emitter(name: "Fire")
    emitter.launch.spread = 20
    emitter.launch.speed = 100
    emitter.sprites = [0]
    var system = ParticleSystem(name: "Fire", emitters: [emitter])
    system.images = [ImageReference(uri: "Images/dot.png")]
    system.sprites = [Sprite(image: 0)]
    var images = ["Images/dot.png": image]
    for (index, (name, bytes)) in others.enumerated() {
      system.images.append(ImageReference(uri: "Images/\(name)"))
      system.sprites.append(Sprite(image: index + 1))
      emitter.name = "Smoke \(index)"
      emitter.sprites = [index + 1]
      system.emitters.append(emitter)
      images["Images/\(name)"] = bytes
    }
    let package = try EffectPackage(system, images: images)
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
    try Files.create(file("in/c.sks"), Array("{}".utf8))
    let outcomes = try outcomes(["in"])
    #expect(outcomes.map { $0.failure == nil } == [true, false, false])
    #expect(outcomes.map(\.status) == [.converted, .failed, .unknown])
    #expect(outcomes[1].outputs.isEmpty)
  }

  @Test("scenes and other archives are unknown in a folder, and failures if they are named")
  func otherKinds() throws {
    try make("in/a.particles")
    try Files.create(file("in/b.sks"), Fixture.read("rules/convert/look-alike-scene.sks"))
    try Files.create(file("in/c.scnp"), Fixture.read("rules/archive/root.scnp"))
    #expect(try outcomes(["in"]).map(\.status) == [.converted, .unknown, .unknown])
    let named = try outcomes(["in/b.sks", "in/c.scnp"])
    #expect(named.map(\.status) == [.failed, .failed])
    #expect(named.map { $0.failure?.rule } == [.lookAlike, .archiveRoot])
  }

  @Test("the summary that threads make is that of the diagnostics, also after a failure")
  func summary() throws {
    for name in ["a", "b"] { try make("in/\(name).particles") }
    let plain = try outcomes(["in"]) { $0.isDry = true }
    let summarised = try outcomes(["in"]) { ($0.isDry, $0.isSummarising) = (true, true) }
    #expect(summarised.count == 2)
    for (outcome, other) in zip(summarised, plain) {
      #expect(outcome.summary.lines == Set(outcome.file.diagnostics.map { LossLine(general: $0) }))
      #expect(outcome.summary.lines == other.summary.lines)
      #expect(outcome.summary.worst == other.worst && outcome.worst == other.worst)
      var failed = outcome
      failed.fail(Diagnostic(.fileUnwritable, "full"))
      #expect(failed.summary.lines.count == outcome.summary.lines.count + 1)
    }
  }

  @Test(
    "a page has the worst effect first, and says whether it was measured", arguments: [false, true])
  func page(isMeasured: Bool) throws {
    try Files.makeDirectory(file("in"))
    for (name, template) in [("a", "fire"), ("b", "sparks")] {
      let package = try #require(EffectTemplate.named(template)).package()
      try package.container.write(to: file("in/\(name).particles"), as: .flat)
    }
    try Files.create(file("in/c.scnp"), Array("bplist00".utf8))
    var report = ConversionPageReport()
    for outcome in try outcomes(["in"], { $0.isMeasuring = isMeasured }) { report.add(outcome) }
    #expect(report.pictureCount == 2)
    var drawn = 0
    let page = try report.page(
      title: "Fires", of: Conversion(to: .effect(.sceneKit)),
      open: { try OpenedEffect(path: $0) }, progress: { drawn += 1 })
    #expect(drawn == 2)
    #expect(page.title == "Fires" && page.subtitles[0] == "2 converted, 1 failed")
    #expect(page.subtitles.contains { $0.contains("estimates") } == !isMeasured)
    #expect(page.rows.count == 2 && page.failures.count == 1)
    #expect(page.rows[0].rank >= page.rows[1].rank)
    for row in page.rows {
      #expect(row.score.hasPrefix("difference ") == isMeasured)
      #expect(row.score.hasSuffix("(estimated)") == !isMeasured)
    }
  }

  @Test("outcomes do not hold the files, so that the memory of a batch is bounded")
  func memory() throws {
    for name in ["a", "b", "c"] { try make("in/\(name).particles") }
    #expect(try outcomes(["in"]).allSatisfy { !$0.holdsFiles && !$0.outputs.isEmpty })
    #expect(try outcomes(["in"]) { $0.isDry = true }.allSatisfy { !$0.holdsFiles })
    #expect(
      try outcomes(["in/a.particles"]) { $0.isReplacing = true }.allSatisfy { !$0.holdsFiles })
  }

  @Test("a dry run and too great a loss write nothing")
  func unwritten() throws {
    try make("a.particles")
    let dry = try outcomes(["a.particles"]) { $0.isDry = true }
    #expect(dry[0].worst > .info && dry[0].outputs.isEmpty && dry[0].status == .converted)
    #expect(try Files.status(file("out")) == nil)
    let strict = try outcomes(["a.particles"]) { $0.maximumLoss = .info }
    #expect(strict[0].status == .refused && strict[0].outputs.isEmpty)
    #expect(try Files.status(file("out")) == nil, "no empty folder is left")
  }

  /// The names of the results of documents in a folder, by the names of the documents.
  private func results(_ names: [String], _ kind: String = "scnp") throws -> [String: String] {
    let plan = try ConversionPlan(
      names.map(file), to: file("out/"), isRecursive: true, extension: kind)
    return Dictionary(
      uniqueKeysWithValues: plan.items.map {
        (
          String($0.input.dropFirst(scratch.path.count + 1)),
          String($0.output.dropFirst(file("out/").count))
        )
      })
  }

  private static let pex = Array("<particleEmitterConfig></particleEmitterConfig>".utf8)

  @Test("documents with the same name have results with their extensions, in any order")
  func sameNames() throws {
    try make("in/fire.particles")
    try Files.create(file("in/Fire.pex"), Self.pex)
    try Files.create(file("in/smoke.pex"), Self.pex)
    try Files.create(file("in/fire-pex.pex"), Self.pex)
    let expected = [
      "in/fire.particles": "fire-particles.scnp", "in/Fire.pex": "Fire-pex-2.scnp",
      "in/smoke.pex": "smoke.scnp", "in/fire-pex.pex": "fire-pex.scnp",
    ]
    #expect(try results(["in"]) == expected)
    #expect(try results(expected.keys.sorted(by: >)) == expected)
    let outcomes = try outcomes(["in"]).filter { $0.item.isRenamed }
    #expect(
      outcomes.map { Files.lastComponent(of: $0.item.input) } == ["Fire.pex", "fire.particles"])
    #expect(try Files.list(file("out")).contains("fire-particles.scnp"))
  }

  @Test("documents of one name from several folders are numbered; a path counts once")
  func sameNamesAndExtensions() throws {
    try make("a/fire.particles")
    try make("b/fire.particles")
    let plan = try results(["a/fire.particles", "b/fire.particles", "a/fire.particles"])
    #expect(
      plan == [
        "a/fire.particles": "fire-particles.scnp", "b/fire.particles": "fire-particles-2.scnp",
      ])
  }

  @Test("files that are not documents do not change the names of others")
  func sidecars() throws {
    try make("in/fire.particles")
    try Files.create(file("in/fire.json"), Array("{\"author\": 1}".utf8))
    try Files.create(file("in/fire.pex"), Array("junk".utf8))
    try Files.create(file("in/fire.sks"), Array("{}".utf8))
    let outcomes = try outcomes(["in"])
    #expect(outcomes.map(\.status) == [.converted, .failed, .unknown])
    #expect(outcomes[0].item.output == file("out/fire.scnp"))
  }

  @Test("an image on disk with other contents is kept, even if results are replaced")
  func otherImages() throws {
    try make("a.particles")
    try make("b.particles", image: [2])
    for isReplacing in [false, true] {
      for name in ["a.particles", "b.particles"] {
        let plan = try ConversionPlan(
          [file(name)], to: file(isReplacing ? "y/" : "x/"), extension: "scnp")
        var conversion = Conversion(to: .effect(.sceneKit))
        conversion.isReplacing = isReplacing
        try conversion.run(plan) { #expect($0.status == .converted) }
      }
      let folder = file(isReplacing ? "y" : "x")
      #expect(try Files.read("\(folder)/dot.png") == [1])
      #expect(try Files.read("\(folder)/b-dot.png") == [2])
    }
    // An image with the name of the result belongs to it.
    try make("c.particles", image: [3])
    try Files.removeAll(file("b.particles"))
    try Files.rename(file("c.particles"), file("b.particles"))
    let plan = try ConversionPlan([file("b.particles")], to: file("y/"), extension: "scnp")
    var conversion = Conversion(to: .effect(.sceneKit))
    try conversion.run(plan) { #expect($0.failure?.rule == .fileExists) }
    #expect(try Files.read(file("y/b-dot.png")) == [2])
    conversion.isReplacing = true
    try conversion.run(plan) { #expect($0.status == .converted) }
    #expect(try Files.read(file("y/b-dot.png")) == [3])
    #expect(try Files.read(file("y/dot.png")) == [1])
  }

  @Test("results go into a folder if there are several paths, a folder is searched, or it is there")
  func batches() throws {
    try make("in/a.particles")
    for (paths, output, isRecursive, isBatch) in [
      (["in/a.particles"], "new", false, false), (["in/a.particles", "b"], "new", false, true),
      (["in/a.particles"], "in", false, true), (["in/a.particles"], "new/", false, true),
      (["in"], "new", true, true), (["in"], "new", false, false),
      (["in/a.particles"], "new", true, false),
    ] {
      #expect(
        try ConversionPlan.isBatch(paths.map(file), to: file(output), isRecursive: isRecursive)
          == isBatch, "\(paths) \(output)")
    }
  }

  /// Converts 70 documents that show one image, in one group. Before the last document is opened, a
  /// file appears beside the results, which have no names yet.
  private func outcomes(besides name: String, _ bytes: [UInt8]) throws -> [ConversionOutcome] {
    for index in 1..<70 { try make("in/\(100 + index).particles") }
    let plan = try ConversionPlan(
      [file("in")], to: file("out/"), isRecursive: true, extension: "scnp")
    var conversion = Conversion(to: .effect(.sceneKit))
    conversion.groupSeconds = 3600
    var outcomes: [ConversionOutcome] = []
    let last = try #require(plan.items.last?.input)
    let intruder = file("out/" + name)
    try conversion.run(plan) { path in
      if path == last { try Files.create(intruder, bytes) }
      return try OpenedEffect(path: path)
    } report: {
      outcomes.append($0)
    }
    #expect(try Files.list(file("out")).allSatisfy { !$0.hasSuffix(".tmp") })
    return outcomes
  }

  @Test("no result refers to an image that could not be written")
  func imageNotWritten() throws {
    try make("in/100.particles")
    let outcomes = try outcomes(besides: "dot.png", [9])
    #expect(outcomes.map(\.status) == [ConversionOutcome.Status](repeating: .failed, count: 70))
    #expect(outcomes.allSatisfy { $0.failure?.rule == .fileExists && $0.outputs.isEmpty })
    #expect(try Files.list(file("out")) == ["dot.png"])
    #expect(try Files.read(file("out/dot.png")) == [9])
  }

  @Test("a document that becomes several files leaves none if one of them cannot be written")
  func allOrNone() throws {
    try make("a.particles")
    try Files.makeDirectory(file("out"))
    let plan = try ConversionPlan(
      [file("a.particles")], to: file("out/b.scnp"), extension: "scnp")
    var conversion = Conversion(to: .effect(.sceneKit))
    conversion.isReplacing = true
    try Files.create(file("out/b-dot.png"), [9])
    for other in ["other.png", "dot.png"] {
      // The second time, the image is named after the result, and would replace one of that name.
      try Files.create(file("out/\(other)"), [8])
      var outcome: ConversionOutcome?
      try conversion.run(plan) { path in
        try Files.makeDirectory(file("out/b.scnp"))
        return try OpenedEffect(path: path)
      } report: {
        outcome = $0
      }
      #expect(outcome?.failure?.rule == .fileExists && outcome?.outputs == [])
      try Files.removeAll(file("out/b.scnp"))
      try Files.removeAll(file("out/\(other)"))
      #expect(try Files.list(file("out")) == ["b-dot.png"])
      #expect(try Files.read(file("out/b-dot.png")) == [9])
    }
  }

  @Test("an image is written with the next document if the first one to show it fails")
  func imageOfFailedDocument() throws {
    try make("in/100.particles", others: ["a.png": [5]])
    let outcomes = try outcomes(besides: "a.png", [9])
    #expect(outcomes[0].failure?.rule == .fileExists)
    #expect(outcomes[1...].allSatisfy { $0.status == .converted })
    #expect(outcomes[1].outputs.map(Files.lastComponent) == ["101.scnp", "dot.png"])
    #expect(outcomes[2].outputs.map(Files.lastComponent) == ["102.scnp"])
    #expect(try Files.read(file("out/dot.png")) == [1] && Files.read(file("out/a.png")) == [9])
    #expect(try Files.list(file("out")).count == 71)
  }

  @Test("documents whose results exist are skipped, and not even opened")
  func skipping() throws {
    for name in ["in/a.particles", "in/b.particles", "in/c.particles"] { try make(name) }
    _ = try outcomes(["in"])
    try Files.removeAll(file("out/b.scnp"))
    try Files.removeAll(file("in/c.particles"))
    try Files.create(file("in/c.particles"), [0])
    let outcomes = try outcomes(["in"]) { $0.isSkippingExisting = true }
    #expect(outcomes.map(\.status) == [.skipped, .converted, .skipped])
    #expect(try Files.status(file("out/b.scnp")) != nil)
  }

  @Test("a conversion stops at the first failure if asked to, and what came before it is complete")
  func stopping() throws {
    for index in 0..<40 { try make("in/\(100 + index).particles") }
    try Files.removeAll(file("in/110.particles"))
    try Files.create(file("in/110.particles"), [0])
    let outcomes = try outcomes(["in"]) { $0.isStoppingAtFailure = true }
    #expect(outcomes.count == 40)
    #expect(outcomes[..<10].allSatisfy { $0.status == .converted })
    #expect(outcomes[10].status == .failed)
    #expect(outcomes[11...].allSatisfy { $0.status == .skipped })
    let written = try Files.list(file("out"))
    #expect(written.filter { $0.hasSuffix(".scnp") }.count == 10)
    #expect(!written.contains { $0.hasSuffix(".tmp") })
  }

  @Test("no empty folder is left, and folders of the user stay")
  func emptyFolders() throws {
    for folder in ["in", "in/bad"] { try Files.makeDirectory(file(folder)) }
    try make("in/good/a.particles")
    try Files.create(file("in/bad/b.particles"), [0])
    try Files.makeDirectory(file("out"))
    try Files.makeDirectory(file("out/mine"))
    _ = try outcomes(["in"])
    #expect(try Files.list(file("out")).sorted() == ["good", "mine"])
  }

  @Test("a folder contributes its packages of both forms, and files with a known extension")
  func folder() throws {
    try make("in/flat.particles")
    try Files.makeDirectory(file("in/directory.particles"))
    try Files.create(file("in/directory.particles/document.json"), Array("{}".utf8))
    try Files.create(file("in/effect.pex"), Array("<plist/>".utf8))
    try Files.create(file("in/notes.txt"), Array("fire.plist\n".utf8))
    let plan = try ConversionPlan(
      [file("in")], to: file("out/"), isRecursive: true, extension: "scnp")
    #expect(
      plan.items.map { Files.lastComponent(of: $0.input) }
        == ["directory.particles", "effect.pex", "flat.particles"])
  }

  @Test("without a folder for results, they are named in the current one; no documents, no results")
  func plan() throws {
    let plan = try ConversionPlan(["a/fire.scnp"], to: nil, extension: "particles")
    #expect(plan.items.map(\.output) == ["fire.particles"] && !plan.isBatch)
    #expect(try ConversionPlan([], to: nil, extension: "particles").items.isEmpty)
  }
}
