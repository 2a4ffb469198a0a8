import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Changes of the list of emitters.
@Suite("Operations on emitters")
struct EmitterOperationTests {
  private var fire: EffectPackage {
    get throws { try #require(EffectTemplate.named("fire")).package() }
  }

  private func names(_ package: EffectPackage) throws -> [String] {
    try package.system().emitters.map(\.name)
  }

  @Test("triggers and roots refer to the same emitters afterwards")
  func references() throws {
    var package = try fire
    var system = try package.system()
    system.emitters[0].triggers = [Emitter.Trigger(.death, emitter: 2)]
    system.roots = [0, 1]
    try package.setSystem(system)
    try EmitterOperation.move(2, to: 0).apply(to: &package)
    #expect(try names(package) == ["Smoke", "Flames", "Embers"])
    #expect(try package.system().emitters[1].triggers[0].emitter == 0)
    #expect(try package.system().roots == [1, 2])
    try EmitterOperation.duplicate([1]).apply(to: &package)
    #expect(try names(package) == ["Smoke", "Flames", "Flames 2", "Embers"])
    let before = try package.document()
    #expect(throws: Diagnostic.self) { try EmitterOperation.remove([0]).apply(to: &package) }
    #expect(throws: Diagnostic.self) { try EmitterOperation.move(9, to: 0).apply(to: &package) }
    #expect(try package.document() == before)
    try EmitterOperation.remove([1, 2]).apply(to: &package)
    try EmitterOperation.remove([0]).apply(to: &package)
    #expect(try names(package) == ["Embers"])
  }

  @Test("emitters are added where they are wanted, and must be valid")
  func adding() throws {
    var package = try fire
    try EmitterOperation.add([.object(["name": .string("New")])], at: 1).apply(to: &package)
    try EmitterOperation.rename(1, "Newer").apply(to: &package)
    #expect(try names(package) == ["Flames", "Newer", "Embers", "Smoke"])
    let wrong = JSONValue.object(["lifetime": .double(-5)])
    #expect(throws: Diagnostic.self) {
      try EmitterOperation.add([wrong], at: nil).apply(to: &package)
    }
    #expect(try names(package).count == 4)
  }

  @Test("a merged effect brings its images, equal ones once")
  func merging() throws {
    var package = try fire
    let files = package.container.root[EffectPackage.imageDirectory]?.children?.count
    try EmitterOperation.merge(fire).apply(to: &package)
    #expect(try names(package).count == 6 && Set(names(package)).count == 6)
    #expect(package.container.root[EffectPackage.imageDirectory]?.children?.count == files)
    try EmitterOperation.merge(#require(EffectTemplate.named("snow")).package()).apply(to: &package)
    let uris = try package.system().images.map(\.uri)
    #expect(Set(uris).count == uris.count)
    for uri in uris { #expect(package.container.root[uri] != nil) }
  }

  @Test("operations are read from JSON")
  func reading() throws {
    let object: JSONObject = ["op": "move", "index": .int(1), "to": .int(0)]
    guard case .move(1, to: 0) = try EmitterOperation(.object(object)) else {
      Issue.record("not a move")
      return
    }
    for json in [nil, .null, ["op": "fly"]] as [JSONValue?] {
      #expect(throws: Diagnostic.self) { try EmitterOperation(json) }
    }
  }
}
