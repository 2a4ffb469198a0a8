internal import ParticlesContainer
package import ParticlesCore
package import ParticlesEffects
package import ParticlesModel
package import ParticlesRender
internal import ParticlesSystem

/// The player for web pages, which its caller provides: its JavaScript, and the simulation as WebAssembly.
package struct PlayerFiles: Sendable {
  /// The files by their names, such as `element.js`.
  package var files: [String: [UInt8]]
  /// The module as a gzip stream, or nil if it was not built.
  package var module: [UInt8]?

  /// Made for the first page, then reused.
  private let parts = PackedParts()

  package init(files: [String: [UInt8]], module: [UInt8]?) {
    (self.files, self.module) = (files, module)
  }

  /// The files with the module compressed at the highest level, which takes a fifth of a second.
  package func packed() throws -> PlayerFiles {
    guard let module else { return self }
    let bytes = try Zlib.inflate(module, limit: 64 << 20, rule: .fileUnreadable)
    return PlayerFiles(files: files, module: Deflate(level: 12).gzip(bytes))
  }

  fileprivate func text(_ name: String) throws -> String {
    guard let bytes = files[name] else {
      throw Diagnostic(.fileNotFound, at: Location(file: name), "a file of the player")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The script of a page, packed: the player takes a third of its bytes then.
  /// - Parameter start: the file that starts the page.
  fileprivate func script(_ start: String) throws -> PackedScript {
    try parts.scripts.withLock { scripts in
      if let script = scripts[start] { return script }
      let script = try pack(start)
      scripts[start] = script
      return script
    }
  }

  private func pack(_ start: String) throws -> PackedScript {
    let names = try text("bundle.txt").split(separator: "\n").map(String.init)
    let script = try bundle(names + [start])
    let packed = Deflate(level: 12).gzip(Array(script.utf8)).base64
    return PackedScript(
      loader: try text("loader.js").replacing("{{packed}}", with: packed), script: script)
  }

  /// Files as one script that is no module, without comments, indents and imports.
  private func bundle(_ names: [String]) throws -> String {
    let unneeded = ["import ", "//", "/**", "* ", "*/"]
    let lines = try names.flatMap { name in
      try text(name).split(separator: "\n").compactMap { line -> Substring? in
        let line = line.drop { $0 == " " }
        guard !line.isEmpty, line != "*", !unneeded.contains(where: line.hasPrefix) else {
          return nil
        }
        return line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
      }
    }
    // A block keeps the names apart from the names of the page.
    let script = lines.joined(separator: "\n").replacing("import.meta", with: "globalThis")
    return "\"use strict\";{\n\(script)\n}\n"
  }

  /// The module.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if it was not built.
  fileprivate func builtModule() throws -> [UInt8] {
    guard let module else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: "particles.wasm"),
        "this build has no module for web pages")
    }
    return module
  }

  /// The module in characters of a page.
  fileprivate func moduleText() throws -> String {
    let module = try builtModule()
    return parts.module.withLock { text in
      let made = text ?? module.base85
      text = made
      return made
    }
  }

  /// The player for a page that plays the effects of a catalogue.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the player is not complete.
  package func catalog() throws -> CatalogPage.Player {
    CatalogPage.Player(script: try script("catalog.js"), module: try builtModule())
  }
}

private final class PackedParts: Sendable {
  /// Scripts by the file that starts the page.
  let scripts = Lock<[String: PackedScript]>([:])
  let module = Lock<String?>(nil)
}

extension EffectPackage {
  /// The effect for a page that plays it: its document, and the images that it uses by their paths. Other files, such as
  /// the imported source, are of no use there.
  func played(_ system: ParticleSystem) throws -> EffectPackage {
    var images: [String: [UInt8]] = [:]
    for image in system.images where !image.uri.isEmpty {
      images[image.uri] = try container.root[image.uri]?.contents?.bytes()
    }
    return try EffectPackage(system, images: images)
  }

  /// The bytes of the flat package of ``played(_:)``.
  package func forPlayer(limits: Limits = .standard) throws -> [UInt8] {
    try played(try system(limits: limits)).container.encoded()
  }
}

/// A web page that plays an effect: it has the player, the effect and its images in it, asks for nothing outside, and
/// can be opened as a file.
package struct PlayerPage: Sendable {
  package var title: String
  /// The law that is followed, or nil for the law of the effect.
  package var profile: ParticleSystem.Profile?
  /// Replaces the seed of the effect. Default: nil.
  package var seed: UInt64?
  /// The background. Default: the background of the preview, or a colour chosen by contrast.
  package var background = EffectAnimation.Background.automatic
  /// The camera. Nil, the default, for an automatic choice.
  package var camera: ParticleSystem.Camera?
  /// Whether an effect that ends begins again. Default: true.
  package var loops = true

  private let effect: [UInt8]
  private let ownProfile: ParticleSystem.Profile
  private let ownBackground: ParticleSystem.Color?

  /// Creates the page of an effect.
  /// - Throws: errors of reading the document and its images.
  package init(_ package: EffectPackage, title: String) throws {
    self.title = title
    let system = try package.system()
    ownProfile = system.asset.profile
    ownBackground = system.preview.background
    effect = try package.forPlayer()
  }

  /// The page in UTF-8.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the player is not complete.
  package func bytes(_ player: PlayerFiles) throws -> [UInt8] {
    let (script, style) = (try player.script("page.js"), try player.text("page.css"))
    let values: [String: String] = [
      "title": title.escapingHTML, "style": style, "script": script.loader,
      "style-source": style.sourceOfPolicy, "script-source": script.sources,
      "module": try player.moduleText(), "effect": effect.base64,
      "settings": settings.line.replacing("<", with: "\\u003c"),
    ]
    var page = ""
    var rest = try player.text("page.html")[...]
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      page += rest[..<start.lowerBound]
      page += values[String(rest[start.upperBound..<end.lowerBound])] ?? ""
      rest = rest[end.upperBound...]
    }
    return Array((page + rest).utf8)
  }

  private var settings: JSONValue {
    var attributes: JSONObject = ["background": .string(backgroundOfPage)]
    attributes["profile"] = profile.map { .string($0.rawValue) }
    attributes["seed"] = seed.map { .string(String($0)) }
    let law = (profile ?? ownProfile).rawValue
    var profiles = ParticleSystem.EngineLaw.all.map(\.profile.rawValue)
    // The law in use comes first.
    profiles = [law] + profiles.filter { $0 != law }
    var object: JSONObject = [
      "attributes": .object(attributes), "loop": .bool(loops),
      "profiles": .array(profiles.map(JSONValue.string)),
    ]
    object["camera"] = camera?.json
    return .object(object)
  }

  private var backgroundOfPage: String {
    switch background {
    case .automatic: ownBackground?.hexadecimal ?? "auto"
    case .transparent: "transparent"
    case .color(let color): color.hexadecimal
    }
  }
}

/// The folder of an npm package with the player, its types, and an example.
package struct PlayerFolder: Sendable {
  private let player: PlayerFiles

  package init(_ player: PlayerFiles) { self.player = player }

  /// The files by their names.
  /// - Parameter example: the effect of the example page.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the module was not built.
  package func files(example: EffectPackage) throws -> [String: [UInt8]] {
    let module = try player.builtModule()
    // Only 'render' and 'catalog' write pages of a single file.
    var files = player.files.filter {
      !$0.key.hasPrefix("page.") && !["bundle.txt", "catalog.js", "loader.js"].contains($0.key)
    }
    files["particles.wasm"] = try Zlib.inflate(module, limit: 64 << 20, rule: .fileUnreadable)
    files["example.particles"] = try example.container.encoded()
    return files
  }
}
