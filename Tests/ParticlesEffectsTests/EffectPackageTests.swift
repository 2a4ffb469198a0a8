import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Packages of effects")
struct EffectPackageTests {
  /// The package of an imported file, and the path of that file in it.
  private func imported() throws -> (package: EffectPackage, path: String, source: [UInt8]) {
    let source = try Fixture.read("cocos2d/ember.plist")
    let imported = try ParticleFormat.cocos2d.decode(
      source, DecodingContext(fileName: "ember.plist"))
    return (try imported.package(), imported.sourcePath, source)
  }

  private func export(_ package: EffectPackage) throws -> String {
    let exported = try package.exported(as: .cocos2d, fileName: "ember.plist")
    return String(decoding: try #require(exported.parts.first).bytes, as: UTF8.self)
  }

  @Test("a copy keeps its effect when another copy is written, set or given another document")
  func copies() throws {
    var system = ParticleSystem()
    system.asset.name = "first"
    let first = try EffectPackage(system)
    var (written, set, replaced) = (first, first, first)
    try written.container.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "a")
    system.asset.name = "second"
    try set.setSystem(system)
    try replaced.setDocument(set.document())
    #expect(try replaced.system().asset.name == "second")
    #expect(try set.system().asset.name == "second")
    #expect(try written.system().asset.name == "first")
    #expect(try first.system().asset.name == "first")
    #expect(try first.document() == written.document())
  }

  @Test("an effect goes back into the file that it was imported from")
  func source() throws {
    let (package, _, source) = try imported()
    #expect(try export(package) == String(decoding: source, as: UTF8.self))
  }

  @Test("a kept source that was changed since the import is not used")
  func changedSource() throws {
    var (package, path, source) = try imported()
    let text = String(decoding: source, as: UTF8.self)
    let changed = text.replacing("<dict>", with: "<dict><key>vendorKey</key><integer>7</integer>")
    #expect(changed != text)
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: Array(changed.utf8)), at: path)
    #expect(try !export(package).contains("vendorKey"))
    #expect(try export(package).contains("maxParticles"))
  }

  @Test("an export to another format repeats what the import did not interpret, and nothing else")
  func uninterpreted() throws {
    let text = String(decoding: try Fixture.read("cocos2d/ember.plist"), as: UTF8.self)
      .replacing("<dict>", with: "<dict><key>vendorKey</key><integer>7</integer>")
    let imported = try ParticleFormat.cocos2d.decode(
      Array(text.utf8), DecodingContext(fileName: "ember.plist"))
    #expect(imported.diagnostics.contains { $0.rule == .uninterpreted })
    let new = try imported.package()
    for package in [new, EffectPackage(new.container)] {
      let losses = try package.exported(as: .sceneKit, fileName: "a.scnp").losses
      #expect(losses.contains { $0.rule == .uninterpreted && "\($0)".contains("vendorKey") })
      let others = imported.diagnostics.filter { $0.rule != .uninterpreted }
      #expect(Set(losses).isDisjoint(with: others))
    }
  }

  @Test("the losses of an import are those of the file that was imported")
  func origin() throws {
    let text = String(decoding: try Fixture.read("cocos2d/ember.plist"), as: UTF8.self)
    let changed = text.replacing("<dict>", with: "<dict><key>vendorKey</key><integer>7</integer>")
    var (package, path, _) = try imported()
    #expect(try package.origin()?.isIntact == true)
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: Array(changed.utf8)), at: path)
    let origin = try #require(try package.origin())
    #expect(!origin.isIntact && origin.losses.isEmpty)
    let whole = try ParticleFormat.cocos2d.decode(
      Array(changed.utf8), DecodingContext(fileName: "ember.plist")
    ).package()
    #expect(try whole.origin()?.losses.isEmpty == false)
  }
}
