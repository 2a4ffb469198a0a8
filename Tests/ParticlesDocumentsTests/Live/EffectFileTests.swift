import ParticlesContainer
import ParticlesPackages
import ParticlesCore
@testable import ParticlesDocuments
@testable import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Documents in files of other formats.
@Suite("Effects in files of any format")
struct EffectFileTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  private var configuration: DocumentConfiguration {
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: 1000)
    return configuration
  }

  /// Copies a fixture with its images.
  private func open(_ fixture: String) async throws -> Document<EffectFile> {
    let name = Files.lastComponent(of: fixture)
    let source = Repository.path("Fixtures/\(fixture)")
    for neighbour in try Files.list(Files.folder(of: source))
    where neighbour.hasSuffix(".png") || neighbour == name {
      let bytes = try Files.read(Files.joined(Files.folder(of: source), neighbour))
      try SafeSave.file(folder.path(neighbour), replacing: true) { try $0.write(bytes) }
    }
    let document = Document<EffectFile>(path: folder.path(name), configuration: configuration)
    try await document.open()
    return document
  }

  private func setRate(_ document: Document<EffectFile>, _ rate: Double) async throws {
    try await document.edit("Change Rate") {
      try $0.edit { try $0.set("emitters[0].emission.rate", value: .double(rate)) }
    }
  }

  private static let written = [
    "effects/pex/snow.pex", "effects/plist/torch.plist", "effects/sks/snow.sks",
    "effects/scnp/snow.scnp", "effects/defold/torch.particlefx", "effects/godot/snow.tscn",
    "effects/libgdx/sparks.p", "effects/love/snow.lua",
  ]

  @Test(
    "a rate is saved where its engine derives it from the capacity",
    arguments: ["effects/plist/torch.plist", "effects/godot/torch.tscn", "effects/pex/torch.pex"])
  func derivedRate(_ fixture: String) async throws {
    let document = try await open(fixture)
    let old = try await document.content.effect.system().emitters[0].emission
    try await setRate(document, old.rate.mean * 2)
    let saving = try await document.content.saving()
    #expect(saving.dropped.isEmpty && saving.losses.allSatisfy { $0.lossLevel <= .low })
    try await document.save()
    let path = try #require(document.path)
    let new = try OpenedEffect(path: path).package.system().emitters[0].emission
    #expect((new.rate.mean / old.rate.mean - 2).magnitude < 0.02)
    #expect((new.maxAlive ?? 0) > (old.maxAlive ?? 0))
    try await document.close()
  }

  @Test("one value changes, and nothing is written before a save on request", arguments: written)
  func edit(_ fixture: String) async throws {
    let document = try await open(fixture)
    let path = try #require(document.path)
    let before = try Files.read(path)
    #expect(try await document.content.contents().regularFileContents() == before)
    try await setRate(document, 17)
    try await document.autosave()
    #expect(try Files.read(path) == before)
    let saving = try await document.content.saving()
    #expect(saving.isInPlace && saving.dropped.isEmpty && !saving.format.isEmpty)
    try await document.save()
    #expect(await document.states == [])
    let after = try OpenedEffect(path: path)
    let rate = try after.package.system().emitters[0].emission.rate
    // The rate of cocos2d follows from a whole number of particles.
    #expect(abs(rate.mean - 17) < 0.5)
    // The rate of Defold is a curve, and the rate of cocos2d follows from three keys.
    if !fixture.hasSuffix(".particlefx"), !fixture.hasSuffix(".plist"),
      String(validating: before, as: UTF8.self) != nil
    {
      let (old, new) = (Self.lines(before), Self.lines(try Files.read(path)))
      #expect(zip(old, new).filter { $0 != $1 }.count <= 4 && abs(old.count - new.count) <= 1)
    }
    try await document.undo()
    try await document.save()
    #expect(try Files.read(path) == before)
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("closing leaves changes in the recovery journal, which has every edit")
  func recovery() async throws {
    let document = try await open("effects/pex/snow.pex")
    let before = try folder.read("snow.pex")
    // Starling has no noise.
    try await document.edit("Noise") {
      try $0.edit { try $0.set("asset.comment", value: .string("kept")) }
    }
    try await setRate(document, 17)
    try await document.close()
    #expect(try folder.read("snow.pex") == before)
    let again = Document<EffectFile>(path: folder.path("snow.pex"), configuration: configuration)
    try await again.open()
    #expect(try await again.content.isAsImported)
    let entry = try #require(try await again.left())
    try await again.recover(entry)
    #expect(try await again.content.effect.system().asset.comment == "kept")
    try await again.save()
    #expect(try folder.read("snow.pex") != before)
    #expect(try await again.recoverable().isEmpty)
    try await again.close()
  }

  @Test("an edit that the format cannot hold is refused until the loss is accepted")
  func losses() async throws {
    let document = try await open("effects/pex/snow.pex")
    let before = try folder.read("snow.pex")
    try await document.edit("Bursts") {
      try $0.edit { try $0.apply(#"emitters[0].emission.bursts=[{"time": 1, "count": 5}]"#) }
    }
    let saving = try await document.content.saving()
    #expect(!saving.dropped.isEmpty)
    await expectRule(.fileUnwritable) { try await document.save() }
    #expect(try folder.read("snow.pex") == before)
    #expect(await document.states.contains(.changed))
    let shown = Set(saving.dropped.map(\.message))
    try await document.edit("Accept") { $0.acceptedLosses = shown }
    try await document.save()
    #expect(await document.states == [])
    // A loss that was not shown is not accepted with it.
    let again = try folder.read("snow.pex")
    try await document.edit("Trail") {
      try $0.edit { try $0.apply(#"emitters[0].render.trail={"length": 1}"#) }
    }
    await expectRule(.fileUnwritable) { try await document.save() }
    #expect(try folder.read("snow.pex") == again)
    try await document.close(discarding: true)
  }

  @Test("an edit of which the format stores nothing is refused, too")
  func nothingStored() async throws {
    let document = try await open("effects/pixi/snow-2.json")
    let path = try #require(document.path)
    let before = try Files.read(path)
    // Speeds are lists of keys in this file.
    try await document.edit("Comment") {
      try $0.edit { try $0.set("asset.comment", value: .string("not stored")) }
    }
    #expect(try await document.content.saving().dropped.count == 1)
    await expectRule(.fileUnwritable) { try await document.save() }
    #expect(try Files.read(path) == before)
    try await document.close(discarding: true)
  }

  /// What a program leaves that ends with an edit of the rate, and the document opened again, after another program has
  /// changed a property.
  private func left(_ key: String, _ value: String) async throws -> Document<EffectFile> {
    let document = try await open("effects/pex/snow.pex")
    try await setRate(document, 17)
    try await document.close()
    let opened = try OpenedEffect(path: folder.path("snow.pex"))
    var other = try EffectEditor(opened.package)
    try other.set(key, to: value)
    let edited = try EditedFile(
      other.package, changes: other.changes, editedFrom: opened, fileName: "snow.pex")
    try SafeSave.file(folder.path("snow.pex"), replacing: true) { try $0.write(edited.bytes) }
    let again = Document<EffectFile>(path: folder.path("snow.pex"), configuration: configuration)
    try await again.open()
    try await again.recoverMerging(#require(try await again.left()))
    return again
  }

  @Test("recovered edits are merged with a file that was changed since")
  func recoveryMerges() async throws {
    let document = try await left("emitters[0].launch.speed", "77")
    #expect(await document.states == .changed)
    let emitter = try await document.content.effect.system().emitters[0]
    #expect(
      abs(emitter.launch.speed.mean - 77) < 0.01 && abs(emitter.emission.rate.mean - 17) < 0.2)
    try await document.save()
    #expect(try await document.recoverable().isEmpty)
    try await document.close()
  }

  @Test("entries that were continued, and entries that were saved, do not come back")
  func continuedEntries() async throws {
    let path = folder.path("snow.pex")
    try await open("effects/pex/snow.pex").close()
    func names() throws -> [String] { try folder.unsaved().map(\.identifier) }
    func again() async throws -> Document<EffectFile> {
      let next = Document<EffectFile>(path: path, configuration: configuration)
      try await next.open()
      if let entry = try await next.recoverable().first { try await next.recoverMerging(entry) }
      return next
    }
    // Each program continues where its predecessor ended. No program lives on.
    func leave(_ rate: Double) async throws {
      let document = try await again()
      try await setRate(document, rate)
      try await document.close()
    }
    /// A program that is killed between the save of the file and the removal of its entry.
    func saveAndKill() async throws -> String {
      let document = try await again()
      try await setRate(document, 19)
      let left = try names()
      try await document.autosave()
      let newest = try #require(try names().first { !left.contains($0) })
      try folder.database.leaveEntry(named: "copy")
      try await document.save()
      #expect(try names() == ["copy"])
      try await document.close()
      return newest
    }
    try await leave(17)
    try await leave(18)
    #expect(try names().count == 2)
    let newest = try await saveAndKill()
    try folder.database.run("UPDATE recovery SET name = '\(newest)'")
    let fourth = try await again()
    #expect(await fourth.states.isEmpty)
    #expect(try names().isEmpty)
    try await setRate(fourth, 20)
    try await fourth.save()
    try await fourth.close()
    #expect(try await again().states.isEmpty)
  }

  @Test("recovered edits of a property that was changed since are a conflict")
  func recoveryConflicts() async throws {
    let document = try await left("emitters[0].emission.rate", "44")
    #expect(await document.states.contains(.inConflict))
    await expectRule(.fileConflict) { try await document.save() }
    try await document.resolve(.theirs)
    let rate = try await document.content.effect.system().emitters[0].emission.rate.mean
    #expect(abs(rate - 44) < 0.5)
    // Ours is a version, and not offered again.
    #expect(try await document.recoverable().isEmpty)
    #expect(try await document.versions().contains { $0.kind == .conflict })
    try await document.close()
  }

  @Test("images beside a file that another program has changed stay as they are")
  func imagesOfChangedFile() async throws {
    let document = try await open("effects/pex/snow.pex")
    let image = try #require(try await document.content.effect.system().images.first?.uri)
    let name = Files.lastComponent(of: image)
    let old = try Files.read(folder.path(name))
    let new = try pictures(besides: old)[0]
    try await setRate(document, 17)
    try await document.edit("Image") { content in
      try content.edit { _ = try $0.embed(new, named: name) }
    }
    let text = try folder.read("snow.pex")
    let rate = try #require(text.firstMatch(of: #/maxParticles value="[0-9.]+"/#)?.output)
    try folder.write(text.replacing(rate, with: #"maxParticles value="999""#), to: "snow.pex")
    await expectRule(.fileConflict) { try await document.save() }
    #expect(try Files.read(folder.path(name)) == old)
    try await document.close(discarding: true)
  }

  @Test("the loss of a save is measured")
  func measured() async throws {
    let document = try await open("effects/pex/snow.pex")
    #expect(try await document.content.measuredLoss() == nil)
    try await setRate(document, 17)
    let loss = try #require(try await document.content.measuredLoss())
    #expect(loss < 0.1)
    try await document.close(discarding: true)
  }

  @Test("a format that can only be read is saved as a package beside it, never over anything")
  func readOnly() async throws {
    let names = try Files.list(Repository.path("Fixtures/effekseer")).filter {
      $0.hasSuffix(".efkproj")
    }
    let document = try await open("effekseer/\(try #require(names.first))")
    let path = try #require(document.path)
    let before = try Files.read(path)
    #expect(await document.states == .readOnly)
    try await document.edit("Name") {
      try $0.edit { try $0.set("asset.author", value: .string("Me")) }
    }
    #expect(try await document.content.saving().isInPlace == false)
    await expectRule(.fileUnwritable) { try await document.save() }
    let taken = folder.path(Files.stem(of: path) + ".particles")
    try SafeSave.file(taken, replacing: false) { try $0.write([1]) }
    let package = try await document.savePackage()
    #expect(try Files.read(taken) == [1])
    #expect(try Files.read(path) == before)
    #expect(try await package.content.system().asset.author == "Me")
    #expect(package.path != taken)
    try await package.close()
  }

  @Test("a replaced image is written where the file names it, and the old one is kept as a version")
  func images() async throws {
    let document = try await open("effects/pex/snow.pex")
    let image = try #require(try await document.content.effect.system().images.first?.uri)
    let name = Files.lastComponent(of: image)
    let place = folder.path(name)
    let old = try Files.read(place)
    let pictures = try pictures(besides: old)
    let new = pictures[0]
    try await document.edit("Image") { content in
      try content.edit { _ = try $0.embed(new, named: name) }
    }
    #expect(try await document.content.saving().images == [name])
    #expect(try Files.read(place) == old)
    try await document.save()
    #expect(try Files.read(place) == new)
    let version = try #require(try await document.versions().first { $0.kind == .replaced })
    let kept = try await document.contents(of: version)
    #expect(try kept.effect.container.root[image]?.regularFileContents() == old)
    try await document.close()
  }

  @Test("an image is replaced again, and brought back by undo; that of another program stays")
  func imagesAgain() async throws {
    let document = try await open("effects/pex/snow.pex")
    let image = try #require(try await document.content.effect.system().images.first?.uri)
    let name = Files.lastComponent(of: image)
    let place = folder.path(name)
    let old = try Files.read(place)
    let pictures = try pictures(besides: old).prefix(2)
    for picture in pictures {
      try await document.edit("Image") { content in
        try content.edit { _ = try $0.embed(picture, named: name) }
      }
      try await document.save()
      #expect(try Files.read(place) == picture)
    }
    var kept: [[UInt8]] = []
    for version in try await document.versions() where version.kind == .replaced {
      let effect = try await document.contents(of: version).effect
      if let bytes = try effect.container.root[image]?.regularFileContents() { kept.append(bytes) }
    }
    #expect(kept.contains(old) && kept.contains(pictures[0]))
    try await document.undo(2)
    try await document.save()
    #expect(try Files.read(place) == old)
    let foreign = old + [0]
    try SafeSave.file(place, replacing: true) { try $0.write(foreign) }
    try await document.redo()
    await expectRule(.fileExists) { try await document.save() }
    #expect(try Files.read(place) == foreign)
    try await document.close(discarding: true)
  }

  @Test("an image that another program writes while its version is kept stays")
  func imageOfAnother() async throws {
    let document = try await open("effects/pex/snow.pex")
    let image = try #require(try await document.content.effect.system().images.first?.uri)
    let name = Files.lastComponent(of: image)
    let place = folder.path(name)
    let new = try pictures(besides: Files.read(place))[0]
    var content = try await document.content
    try content.edit { _ = try $0.embed(new, named: name) }
    let foreign: [UInt8] = [1, 2, 3]
    expectThrows(.fileChanged) {
      try content.writeBeside(folder.path("snow.pex")) { _ in
        try SafeSave.file(place, replacing: true) { try $0.write(foreign) }
        return true
      }
    }
    #expect(try Files.read(place) == foreign)
    try await document.close(discarding: true)
  }

  /// The pictures of an effect, which differ from each other and from one.
  private func pictures(besides one: [UInt8]) throws -> [[UInt8]] {
    let package = try folder.fire()
    let all = try package.system().images.compactMap {
      try package.container.root[$0.uri]?.regularFileContents()
    }
    return all.filter { $0 != one }
  }

  @Test("changes of the file by another program are merged")
  func merge() async throws {
    let document = try await open("effects/pex/snow.pex")
    try await setRate(document, 17)
    var other = try EffectEditor(OpenedEffect(path: folder.path("snow.pex")).package)
    try other.set("emitters[0].launch.speed", to: "77")
    let opened = try OpenedEffect(path: folder.path("snow.pex"))
    let edited = try EditedFile(
      other.package, changes: other.changes, editedFrom: opened, fileName: "snow.pex")
    try SafeSave.file(folder.path("snow.pex"), replacing: true) { try $0.write(edited.bytes) }
    try await document.save()
    let emitter = try OpenedEffect(path: folder.path("snow.pex")).package.system().emitters[0]
    #expect(abs(emitter.launch.speed.mean - 77) < 0.01)
    #expect(abs(emitter.emission.rate.mean - 17) < 0.2)
  }

  @Test("the registry has one document for each file")
  func registry() async throws {
    _ = try await open("effects/pex/snow.pex").close()
    try folder.fire().container.write(to: folder.path("fire.particles"), as: .flat)
    let registry = DocumentRegistry()
    let file = try await registry.effect(at: folder.path("snow.pex"), configuration: configuration)
    #expect(file is Document<EffectFile>)
    let again = try await registry.effect(at: folder.path("snow.pex"))
    #expect(file === again)
    let package = try await registry.effect(at: folder.path("fire.particles"))
    #expect(package is Document<EffectPackage>)
    await expectRule(.fileBusy) {
      try await registry.document(PlainText.self, at: folder.path("snow.pex"))
    }
  }
}
