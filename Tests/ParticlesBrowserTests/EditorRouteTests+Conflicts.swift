import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// An effect that another program has saved while a page edited it: both sides are shown moving, and one stays.

extension EditorRouteTests {
  private static let theirs = 3.0

  /// Opens the effect, sets its rate to 400, and stores another rate in its place.
  private func conflicting() async throws -> JSONValue {
    let (item, _) = try await open()
    #expect(try await set(item, 400).status == 200)
    let path = Files.joined(folder, "fire.particles")
    var package = try OpenedEffect(path: path).package
    try package.make([
      EffectChange(["key": .string(Self.rate), "value": .double(Self.theirs)])
    ])
    let bytes = try package.container.encoded()
    try SafeSave.file(path, replacing: true) { try $0.write(bytes) }
    // A save notices it, if the program has not been told before.
    _ = try await ask("edit-save", ["item": item])
    return item
  }

  private func side(_ side: String, of item: JSONValue) async throws -> EffectPackage {
    let answer = try await ask("edit-effect?item=\(item.string ?? "")&side=\(side)")
    #expect(answer.status == 200, "\(answer.object)")
    return try OpenedEffect(bytes: answer.body, name: "side.particles").package
  }

  private func stored(_ package: EffectPackage) throws -> Double? {
    try value(String(decoding: package.document(), as: UTF8.self))
  }

  @Test("both sides of a conflict, and what is merged of them, are effects that a page can play")
  func sides() async throws {
    let item = try await conflicting()
    let state = try await ask("edit-open", ["item": item, "window": "w"])
    let conflict = try #require(state.object["conflict"]?.object)
    #expect(conflict["canMerge"] == true)
    let clashes = conflict["clashes"]?.array?.compactMap(\.string) ?? []
    #expect(clashes.contains { $0.contains("rate") }, "\(clashes)")
    let (ours, theirs) = (try await side("ours", of: item), try await side("theirs", of: item))
    #expect(try stored(ours) == 400 && stored(theirs) == Self.theirs)
    #expect(try stored(await side("merged", of: item)) == 400)
    // A still picture of each.
    var pictures: [[UInt8]] = []
    for side in ["ours", "theirs"] {
      let answer = try await ask("edit-thumbnail?item=\(item.string ?? "")&side=\(side)&size=48")
      #expect(answer.status == 200 && answer.body.starts(with: [0x89, 0x50]))
      pictures.append(answer.body)
    }
    #expect(pictures[0] != pictures[1])
    #expect(try await ask("edit-effect?item=\(item.string ?? "")&side=none").status == 400)
  }

  @Test("the side that is chosen stays, and the conflict ends", arguments: ["ours", "theirs"])
  func chosen(_ choice: String) async throws {
    let item = try await conflicting()
    let ended = try await ask("edit-resolve", ["item": item, "choice": .string(choice)])
    #expect(ended.status == 200 && ended.object["conflict"] == nil)
    let wanted = choice == "ours" ? 400.0 : Self.theirs
    #expect(try value(ended.text) == wanted)
    #expect(try await ask("edit-save", ["item": item]).status == 200)
    let stored = try OpenedEffect(path: Files.joined(folder, "fire.particles")).package
    #expect(try self.stored(stored) == wanted)
    #expect(try await ask("edit-effect?item=\(item.string ?? "")&side=ours").status == 404)
  }

  @Test("of two descriptions of a document the later one has the greater number")
  func sequence() async throws {
    let (item, state) = try await open()
    var last = try #require(state.object["document"]?.object?["sequence"]?.int)
    for number in 1...5 {
      let answer = try await set(item, .int(number))
      let next = try #require(answer.object["document"]?.object?["sequence"]?.int)
      #expect(next > last)
      last = next
    }
  }
}
