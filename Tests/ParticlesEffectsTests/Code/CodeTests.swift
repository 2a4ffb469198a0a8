import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Source code that is written for an effect: it is checked by the tools of its language.
@Suite("Source code", .serialized)
struct CodeTests {
  static let formats = FormatRegistry.standard.formats.filter { !$0.canRead }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    try SafeSave.file(path, replacing: true) { try $0.write(bytes) }
  }

  /// Templates, and effects of our own and of the corpus.
  private static func packages(
    ofCorpus isWithCorpus: Bool = true
  ) throws -> [(name: String, package: EffectPackage)] {
    var packages = [("module", try CodeModuleTests.package())]
    packages += try Sample.of(EffectTemplate.all, 4).map {
      ($0.name, try DrawnTemplates.package($0.name))
    }
    for (folder, kind) in [("scnp", "scnp"), ("sks", "sks"), ("plist", "plist"), ("pex", "pex")] {
      let paths = Sample.of(
        isWithCorpus ? Corpus.files(folder, kind) : Corpus.own(folder, kind), 2)
      for (number, path) in paths.enumerated() {
        guard let package = try? OpenedEffect(path: path).package else { continue }
        packages.append(("\(kind)\(number)", package))
      }
    }
    return packages
  }

  @Test("Swift code is type-checked against the declarations that it uses", .needs("swiftc"))
  func swift() throws {
    let scratch = try Scratch()
    let compiler = try #require(Run.find("swiftc"))
    let stubs = scratch.file("stubs")
    try Files.makeDirectory(stubs)
    for module in ["CoreGraphics", "SpriteKit", "QuartzCore", "SceneKit", "RealityKit"] {
      _ = try Run.succeeding(
        compiler,
        [
          "-emit-module", "-parse-as-library", "-module-name", module, "-I", stubs,
          "-emit-module-path", Files.joined(stubs, "\(module).swiftmodule"),
          Repository.path("Tests/Stubs/\(module).swift"),
        ])
    }
    var files: [String] = []
    for (name, package) in try Self.packages() {
      for format in Self.formats where format.extensions == ["swift"] {
        let fileName = "\(format.name)-\(name).swift"
        for part in try package.exported(as: format, fileName: fileName).parts {
          files.append(scratch.file(part.name))
          try Self.write(part.bytes, scratch.file(part.name))
        }
      }
    }
    #expect(files.count > (Sample.isWhole ? Corpus.isPresent ? 150 : 60 : 30))
    let run = try Run(compiler, ["-typecheck", "-parse-as-library", "-I", stubs] + files)
    #expect(run.status == 0, "\(run.errors.prefix(3000))")
    // A property that does not exist is an error, so the check can fail.
    try Self.write(
      Array("import SpriteKit\nfunc f() { SKEmitterNode().speed = 1 }\n".utf8),
      scratch.file("wrong.swift"))
    let wrong = try Run(compiler, ["-typecheck", "-I", stubs, scratch.file("wrong.swift")])
    #expect(wrong.status != 0)
  }

  @Test("C# code is compiled against the declarations that it uses", .needs("mcs"))
  func csharp() throws {
    let scratch = try Scratch()
    let compiler = try #require(Run.find("mcs"))
    let stub = Repository.path("Tests/Stubs/UnityEngine.cs")
    let (library, output) = (scratch.file("UnityEngine.dll"), scratch.file("out.dll"))
    _ = try Run.succeeding(compiler, ["-target:library", "-out:\(library)", stub])
    var files: [String] = []
    for (name, package) in try Self.packages() {
      // The name of the file becomes the name of a class.
      for part in try package.exported(as: .unityCSharp, fileName: "unity \(name).cs").parts {
        files.append(scratch.file(part.name))
        try Self.write(part.bytes, scratch.file(part.name))
      }
    }
    #expect(files.count > (Sample.isWhole && Corpus.isPresent ? 30 : 8))
    let words = ["-target:library", "-warnaserror", "-reference:\(library)", "-out:\(output)"]
    let run = try Run(compiler, words + files)
    #expect(run.status == 0, "\(run.text.prefix(3000))\(run.errors.prefix(3000))")
    // A property that does not exist is an error, so the check can fail.
    let wrong = scratch.file("wrong.cs")
    let text = "class C { void F(UnityEngine.ParticleSystem s) { s.speed = 1; } }\n"
    try Self.write(Array(text.utf8), wrong)
    #expect(try Run(compiler, words + [wrong]).status != 0)
  }

  @Test("Lua code is compiled", .needs("luac"))
  func lua() throws {
    let scratch = try Scratch()
    let compiler = try #require(Run.find("luac"))
    for (name, package) in try Self.packages() {
      let file = scratch.file("\(name).lua")
      try Self.write(
        package.exported(as: .luaLove, fileName: "\(name).lua").parts[0].bytes, file)
      _ = try Run.succeeding(compiler, ["-p", file])
    }
  }

  /// An effect whose values every target can state.
  private static var plain: ParticleSystem {
    var emitter = Emitter(name: "plain \"one\"\\\n")
    emitter.emission.rate = 37
    emitter.lifetime = .range(1.25, 1.75)
    emitter.shape = .rect(width: 40, height: 20)
    emitter.launch.direction = Emitter.Direction(angle: 90)
    emitter.launch.spread = 25
    emitter.launch.speed = .range(60, 100)
    emitter.forces = [.gravity(Vector(3, -40))]
    emitter.rotation.angle = Track(.range(5, 15))
    emitter.rotation.velocity = 90
    emitter.size.width = 24
    emitter.color.base = ColorTrack(.constant(Color(0.25, 0.5, 0.75, 0.5)))
    emitter.render.blend = Emitter.Blend(.add)
    var system = ParticleSystem(name: "Plain", emitters: [emitter])
    system.asset.unit = .point
    return system
  }

  @Test("a script that does not know our writers finds the values in the text", .needs("python3"))
  func values() throws {
    let scratch = try Scratch()
    let script = Repository.path("Tests/Readers/code.py")
    for format in Self.formats {
      var system = Self.plain
      // SceneKit has cones only. A fan would become a cone that looks like it from the front.
      if format.name == "swift-scenekit" { system.emitters[0].launch.spreadLaw = .polarUniform }
      let document = scratch.file("\(format.name).json")
      try Self.write(system.encoded(), document)
      let fileName = "plain.\(format.extensions[0])"
      let exported = try format.export(system, EncodingContext(fileName: fileName))
      #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
      let file = scratch.file("\(format.name).\(format.extensions[0])")
      try Self.write(exported.parts[0].bytes, file)
      let run = try Run(
        try #require(Run.find("python3")), [script, document, "\(format.name)=\(file)"])
      #expect(run.status == 0, "\(run.text)\(run.errors)")
      print("\(format.name): \(run.text.prefix { $0 != "\n" }) compared")
    }
  }

  @Test("LÖVE reads the values of the document", .needs("love"))
  func love() throws {
    let program = try #require(Run.find("love"))
    var count = 0
    for (name, package) in try Self.packages(ofCorpus: false) {
      let exported = try package.exported(as: .luaLove, fileName: "\(name).lua")
      let system = try ParticleFormat.luaLove.effect(in: exported).system
      for (part, emitter) in zip(exported.parts, system.emitters) {
        let scratch = try Scratch()
        let (file, output) = (scratch.file(part.name), scratch.file("out.json"))
        try Self.write(part.bytes, file)
        let run = try Run(
          program, [Repository.path("Tests/Engines/love-code"), file, output],
          environment: ["SDL_VIDEODRIVER": "offscreen", "HOME": scratch.file("")], killedAfter: 20)
        #expect(run.status == 0, "\(part.name): \(run.errors)")
        let read = try #require(JSONParser.parse(Files.read(output)).object)
        count += compare(read, emitter, of: system, "\(part.name)")
      }
    }
    print("LÖVE read \(count) values as written")
    #expect(count > 400)
  }

  private func compare(
    _ read: JSONObject, _ emitter: Emitter, of system: ParticleSystem, _ name: String
  ) -> Int {
    var count = 0
    let radians = Double.pi / 180
    func expect(_ key: String, _ wanted: [Double]) {
      let found = (read[key]?.array ?? []).compactMap(\.double)
      #expect(found.count >= wanted.count, "\(name) \(key)")
      for (a, b) in zip(found, wanted) {
        #expect((a - b).magnitude <= 1e-5 * (1 + b.magnitude), "\(name) \(key): \(a), not \(b)")
        count += 1
      }
    }
    func ends(_ value: Value, times factor: Double = 1) -> [Double] {
      [value.bounds.lower * factor, value.bounds.upper * factor].sorted()
    }
    func force(_ kind: Emitter.ForceKind, times factor: Double = 1) -> [Double] {
      ends(emitter.forces.first { $0.kind == kind }?.strength.from ?? 0, times: factor)
    }
    expect("EmissionRate", [emitter.emission.rate.bounds.lower])
    expect("EmitterLifetime", [emitter.timing.duration?.bounds.lower ?? -1])
    expect("ParticleLifetime", ends(emitter.lifetime))
    expect("Speed", ends(emitter.launch.speed))
    expect("Direction", [-emitter.launch.direction.angle.bounds.lower * radians])
    expect("Spread", [2 * emitter.launch.spread * radians])
    expect("Rotation", ends(emitter.rotation.angle.from, times: -radians))
    expect("RadialAcceleration", force(.radial))
    expect("TangentialAcceleration", force(.tangential, times: -1))
    expect("LinearDamping", force(.drag))
    if let most = emitter.emission.maxAlive { expect("BufferSize", [Double(most)]) }
    let gravity = emitter.forces.first { $0.kind == .gravity }?.vector
    let (x, y) = (gravity?.x.from.bounds.lower ?? 0, -(gravity?.y.from.bounds.lower ?? 0))
    expect("LinearAcceleration", [x, y, x, y])
    let burst = emitter.emission.bursts.first?.count.bounds.lower ?? 0
    expect("Count", [burst])
    let center = emitter.shape.transform.translation
    let place = emitter.transform.translation
    expect("Position", [place.x + center.x, -place.y - center.y])
    let sizes = (read["Sizes"]?.array ?? []).compactMap(\.double)
    let width = emitter.size.width
    expect(
      "Sizes",
      sizes.indices.map { index in
        let share = Double(index) / Double(max(sizes.count - 1, 1))
        return width.to == nil ? width.from.bounds.lower : width.curve.value(at: share)
      })
    if let grid = system.sprites.first?.grid, emitter.flipbook?.fps == .life {
      // The harness has an image of 16 × 16 pixels.
      let (width, height) = (16 / Double(grid.columns), 16 / Double(grid.rows))
      expect(
        "Quads",
        (0..<(grid.count ?? grid.columns * grid.rows)).flatMap { frame -> [Double] in
          let (column, row) = (frame % grid.columns, frame / grid.columns)
          return [Double(column) * width, Double(row) * height, width, height]
        })
    }
    let colors = (read["Colors"]?.array ?? []).count / 4
    expect(
      "Colors",
      (0..<colors).flatMap { index -> [Double] in
        let share = Double(index) / Double(max(colors - 1, 1))
        let base = emitter.color.base
        let start: Color = if case .constant(let color) = base.from { color } else { .white }
        let color = base.color(at: share, age: 0, from: start)
        return [color.red, color.green, color.blue, color.alpha]
      })
    return count
  }

  @Test("code is not read, and the message names a way out")
  func reading() {
    for format in Self.formats {
      let fault = expectThrows(.unknownFormat) {
        try format.decode([], DecodingContext(fileName: "a"))
      }
      #expect(fault?.message.contains("only be written") == true, "\(format.name)")
      #expect(!format.recognise(Array("import SpriteKit".utf8), "a.\(format.extensions[0])"))
    }
    #expect(Self.formats.count == 6)
  }

  @Test("what the code cannot state is in its comment, on lines of its own")
  func comments() throws {
    var system = Self.plain
    system.emitters[0].motion.speed = Track(from: 1, to: 0)
    system.emitters[0].name = "two\u{2028}lines\n*/ \" \\("
    for format in Self.formats {
      let exported = try format.export(
        system, EncodingContext(fileName: "a b.\(format.extensions[0])"))
      let text = String(decoding: exported.parts[0].bytes, as: UTF8.self)
      #expect(text.contains("motion.speed: "), "\(format.name)")
      #expect(!text.contains("\u{2028}"), "\(format.name)")
    }
  }
}
