import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

// What the editor has beside the effect: presets, marks of a target, files of other formats.

extension EditorRouteTests {
  @Test("presets are files in the user's folder")
  func presets() async throws {
    let saved = try await ask(
      "edit-preset", ["kind": "curve", "name": "Slow in", "value": ["keys": [0, 1]]])
    #expect(saved.object["presets"]?.array?.count == 1)
    let path = scratch.file("home/.local/share/particles/presets/curve/Slow in.json")
    #expect(try Files.status(path) != nil)
    #expect(try await ask("edit-presets?kind=curve").object == saved.object)
    for name in ["../x", "", ".x", "a/b", "a\u{1}"] {
      let bad: JSONValue = ["kind": "curve", "name": .string(name), "value": 1]
      #expect(try await ask("edit-preset", bad).status == 400, "\(name)")
    }
    #expect(try await ask("edit-presets?kind=../../x").status == 400)
    for number in 2...200 {
      try Files.create("\(Files.folder(of: path))/\(number).json", [0x31])
    }
    let full: JSONValue = ["kind": "curve", "name": "One more", "value": 1]
    #expect(try await ask("edit-preset", full).code == "limit/exceeded")
    let other: JSONValue = ["kind": "curve", "name": "2", "value": 1]
    #expect(try await ask("edit-preset", other).status == 200)
    for number in 2...200 { try Files.removeAll("\(Files.folder(of: path))/\(number).json") }
    // An emitter with its images.
    for (size, status) in [(3 << 20, 200), (EffectPresets.mostBytes + 1, 413)] {
      let value = JSONValue.string("iVBORw" + String(repeating: "x", count: size))
      let large: JSONValue = ["kind": "emitter", "name": "Large", "value": value]
      #expect(try await ask("edit-preset", large).status == status)
      let stored = try await ask("edit-presets?kind=emitter").object["presets"]?.array
      #expect(stored?.count == 1)
    }
    let directories = BaseDirectories(environment: ["HOME": scratch.file("home")])
    let huge = JSONValue.string(String(repeating: "x", count: EffectPresets.mostBytes))
    expectThrows(.limit) { try EffectPresets("emitter", directories).save(huge, as: "Huge") }
    let removed = try await ask(
      "edit-preset", ["kind": "curve", "name": "Slow in", "value": .null])
    #expect(removed.object["presets"]?.array == [])
  }

  @Test("marks of a target are those of the export and of the capability table")
  func targets() async throws {
    let (item, _) = try await open()
    let id = try #require(item.string)
    let answer = try await ask("edit-target?item=\(id)&target=cocos2d").object
    let marks = answer["marks"]?.array?.compactMap(\.object) ?? []
    #expect(
      marks.contains { $0["isUsed"] == true && $0["key"]?.string?.hasPrefix("emitters[") == true })
    #expect(marks.contains { $0["isUsed"] == false && $0["key"] == "emitters[].render.trail" })
    let shown = try await ask("edit-target-effect?item=\(id)&target=cocos2d")
    let system = try OpenedEffect(bytes: shown.body, name: "x.particles").package.system()
    #expect(!system.emitters.isEmpty)
    #expect(try await ask("edit-target?item=\(id)&target=nothing").status == 400)
    #expect(try await ask("edit-target-effect?item=\(id)&target=effekseer").status == 400)
  }

  @Test("a file of another format is saved on request only, in its format")
  func foreign() async throws {
    let path = Files.joined(folder, "rain.pex")
    let sample = try Files.read(Repository.path("Fixtures/effects/pex/torch.pex"))
    try Files.create(path, sample)
    let (item, state) = try await open("rain.pex")
    let id = try #require(item.string)
    #expect(state.object["format"]?.object?["name"] == "starling")
    #expect(try await set(item, 33).status == 200)
    _ = try await ask("edit-save", ["item": item, "way": "automatic"])
    #expect(try Files.read(path) == sample)
    let losses = try await ask("edit-losses?item=\(id)").object
    #expect(losses["isInPlace"] == true && losses["format"]?.string?.contains("Starling") == true)
    let saved = try await ask("edit-save", ["item": item])
    #expect(saved.status == 200, "\(saved.object)")
    let now = try OpenedEffect(path: path).package.system()
    #expect(abs(now.emitters[0].emission.rate.mean - 33) < 1)
    #expect(try await ask("close", ["window": "w"]).status == 200)
  }
}
