package import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

/// Formats a summary of an effect as text and as JSON.
package struct EffectDescription: Sendable {
  private let summary: EffectSummary
  private let path: String
  private let kind: String
  private let size: Int?

  /// The images that a file names and that were not found, with the folders that were searched.
  package let missing: [(image: String, searched: String?)]

  /// The emitters that start with the effect, and the triggers that make others emit. There may be thousands.
  private let starting: Set<Int>
  private let causes: [Int: [(event: TriggerEvent, emitter: Int)]]

  /// Describes an effect.
  /// - Parameter size: the size of the file in bytes, or nil for a directory and for standard input.
  package init(_ summary: EffectSummary, of opened: OpenedEffect, at path: String, size: Int?) {
    self.summary = summary
    self.path = path
    self.size = size
    kind = opened.kindName
    var missing: [(image: String, searched: String?)] = []
    var known: Set<String> = []
    for finding in opened.diagnostics where finding.rule == .missingImage {
      let image = finding.detail ?? ""
      if known.insert(image).inserted { missing.append((image, finding.expected)) }
    }
    self.missing = missing
    starting = Set(summary.system.startingEmitters)
    var causes: [Int: [(event: TriggerEvent, emitter: Int)]] = [:]
    for (emitter, contents) in summary.system.emitters.enumerated() {
      for trigger in contents.triggers {
        causes[trigger.emitter, default: []].append((trigger.event, emitter))
      }
    }
    self.causes = causes
  }

  private var system: ParticleSystem { summary.system }

  // MARK: Text

  /// The facts about the effect as a whole, each with its label.
  package var facts: [(label: String, value: String)] {
    let asset = system.asset
    let facts: [(String, String?)] = [
      ("file", path),
      ("kind", [kind, size?.bytesText].compactMap { $0 }.joined(separator: ", ")),
      ("name", asset.name),
      ("author", asset.author),
      ("comment", asset.comment),
      (
        "space",
        "\(asset.dimension.rawValue), in \(asset.unit.rawValue)s"
          + (asset.profile == .neutral ? "" : ", as \(asset.profile.rawValue) simulates it")
      ),
      ("engine", engine),
      ("duration", duration),
      ("particles", "\(Self.count(summary.peak)) alive at most"),
      ("textures", textureTotal),
      ("origin", origin),
      ("files", "\(summary.fileCount), \(summary.contentBytes.bytesText)"),
      ("digest", summary.digest),
    ]
    return facts.compactMap { label, value in
      value.flatMap { $0.isEmpty ? nil : (label, $0) }
    }
  }

  /// The engine that the file was made for, the reason, and further engines that fit.
  private var engine: String? {
    guard let choice = summary.origin?.engine else { return nil }
    let others = choice.others.map {
      "\($0.profile.rawValue)\($0.drawsEqually ? "" : " (blends in another way)")"
    }
    let reason = choice.ground == .named ? "as named" : choice.reasons.joined(separator: "; ")
    return "\(choice.profile.rawValue): \(reason)"
      + (others.isEmpty ? "" : "; \(others.joined(separator: ", ")) would fit, see --engine")
  }

  /// The seconds after which an endless effect repeats, else nil.
  private var period: Double? {
    system.emitters.filter { $0.enabled && $0.timing.loop }.compactMap { emitter in
      emitter.timing.duration.map { $0.bounds.upper + emitter.timing.idle.bounds.upper }
    }.max()
  }

  private var duration: String {
    if let period { return "endless, repeating after \(period.plain) s" }
    return summary.duration.map { "\($0.plain) s" } ?? "endless"
  }

  private var textureTotal: String {
    guard !summary.textures.isEmpty else { return "none" }
    return "\(summary.textures.count), \(textureMemory.bytesText) in memory"
  }

  private var textureMemory: Int {
    summary.textures.compactMap { $0.memory }.reduce(0) { $0.addingReportingOverflow($1).0 }
  }

  private var origin: String? {
    guard let origin = summary.origin else { return nil }
    guard let path = origin.path else { return "\(origin.title); the original file was removed" }
    let file = "\(origin.title), \(path)" + (origin.size.map { " (\($0.bytesText))" } ?? "")
    return origin.isIntact ? file : "\(file), modified since the import"
  }

  /// The numbers of emitters and of textures.
  package var counts: (emitters: Int, textures: Int) {
    (system.emitters.count, summary.textures.count)
  }

  /// A row for each of the first emitters: index, name, emission, lifetime, particles alive, shape, blend mode
  /// and images.
  package func emitters(_ most: Int) -> [[String]] {
    system.emitters.prefix(most).enumerated().map { index, emitter in
      [
        "\(index)", emitter.name, emission(of: index), "\(Self.life(of: emitter).span) s",
        Self.count(summary.populations[index].alive), emitter.shape.kind.rawValue,
        emitter.render.blend.mode.rawValue, pictures(of: emitter),
      ]
    }
  }

  private func emission(of index: Int) -> String {
    let emitter = system.emitters[index]
    guard emitter.enabled else { return "off" }
    guard !emitter.timing.isStopped else { return "nothing, its clock is stopped" }
    let bursts = emitter.emission.bursts.map { $0.count.bounds }
    let atOnce = Interval(
      bursts.reduce(0) { $0 + $1.lower }, bursts.reduce(0) { $0 + $1.upper })
    let triggers = causes(of: index).map { "\($0.event.rawValue) in \($0.emitter)" }
    let isStarting = starting.contains(index)
    let own = [
      emitter.emission.rate == 0 ? nil : "\(emitter.emission.rate.span)/s",
      bursts.isEmpty ? nil : "\(atOnce.span) at once",
    ].compactMap { $0 }
    let parts = (isStarting || triggers.isEmpty ? own : []) + triggers
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  /// The least and the greatest lifetime in seconds. Negative values count as 0.
  private static func life(of emitter: Emitter) -> Interval {
    let bounds = emitter.lifetime.bounds
    return Interval(max(0, bounds.lower), max(0, bounds.upper))
  }

  /// The triggers of other emitters that make an emitter emit.
  private func causes(of index: Int) -> [(event: TriggerEvent, emitter: Int)] {
    causes[index] ?? []
  }

  private func pictures(of emitter: Emitter) -> String {
    var counts: [String: Int] = [:]
    var names: [String] = []
    for name in uris(of: emitter).map({ $0.split(separator: "/").last.map(String.init) ?? $0 }) {
      if counts[name] == nil { names.append(name) }
      counts[name, default: 0] += 1
    }
    guard !names.isEmpty else { return "a white square" }
    // An emitter may show hundreds of frames of one image.
    return names.map { counts[$0] == 1 ? $0 : "\($0) (\(counts[$0] ?? 0) frames)" }
      .joined(separator: ", ")
  }

  private func uris(of emitter: Emitter) -> [String] {
    emitter.sprites.compactMap { sprite in
      guard system.sprites.indices.contains(sprite) else { return nil }
      let image = system.sprites[sprite].image
      return system.images.indices.contains(image) ? system.images[image].uri : nil
    }
  }

  /// A row for each of the first textures: path, pixels, size of the file and memory.
  package func textures(_ most: Int) -> [[String]] {
    summary.textures.prefix(most).map { texture in
      let pixels = texture.width.flatMap { width in texture.height.map { "\(width) × \($0)" } }
      return [
        texture.uri, pixels ?? "unknown", texture.bytes?.bytesText ?? "missing",
        texture.memory?.bytesText ?? "unknown",
      ]
    }
  }

  /// The losses of the import: each with its place, or their causes if there are many.
  /// - Parameter isWhole: whether each one is listed, however many there are.
  package func losses(isWhole: Bool) -> [String] { lines(isWhole) { $0 != .ignoredKey } }

  /// The keys that the engine does not read, with the consequences, or the causes if there are many keys.
  /// - Parameter isWhole: whether each one is listed, however many there are.
  package func ignoredKeys(isWhole: Bool) -> [String] { lines(isWhole) { $0 == .ignoredKey } }

  /// The most findings that are listed one by one, and the most causes.
  private static let (mostFindings, mostGroups) = (20, 10)

  private func lines(_ isWhole: Bool, of isWanted: (Rule) -> Bool) -> [String] {
    let findings = (summary.origin?.losses ?? []).filter { isWanted($0.rule) }
    guard !isWhole, findings.count > Self.mostFindings else {
      return findings.map { finding in
        guard finding.rule != .ignoredKey, let place = finding.location.position?.description,
          !place.isEmpty
        else { return finding.message }
        return "\(place): \(finding.message)"
      }
    }
    var groups = FindingGroups()
    groups.add(findings)
    let all = groups.sorted
    let lines = all.prefix(Self.mostGroups).map { group in
      let place = group.first.location.position.map { ", first at \($0.description)" } ?? ""
      return "\(group.count.grouped) times: \(group.text)\(place)"
    }
    let others = all.dropFirst(Self.mostGroups).reduce(0) { $0 + $1.count }
    return others == 0 ? lines : lines + ["and \(others.grouped) others (--verbose shows all)"]
  }

  /// Formats a count, rounded up.
  private static func count(_ value: Double) -> String {
    value.isFinite && value < 1e15 ? "\(Int(saturating: value.rounded(.up)))" : "unbounded"
  }

  // MARK: JSON

  /// The evidence for the law that the effect runs by. Without a profile, the evidence for the format of origin, or
  /// for `neutral`.
  private var evidence: [ParticleSystem.EngineLaw.Line] {
    let format = FormatRegistry.standard.formats.first { $0.name == summary.origin?.format }
    let isKnown = system.asset.profile != .neutral
    return isKnown ? system.asset.profile.evidence : format?.evidence ?? Profile.neutral.evidence
  }

  /// The summary as JSON.
  package var json: JSONValue {
    let asset = system.asset
    var object: JSONObject = ["path": .string(path), "kind": .string(kind)]
    object["size"] = size.map(JSONValue.int)
    object["files"] = .int(summary.fileCount)
    object["contents"] = .int(summary.contentBytes)
    object["digest"] = .string(summary.digest)
    for (key, value) in [
      ("name", asset.name), ("author", asset.author), ("copyright", asset.copyright),
      ("comment", asset.comment), ("generator", asset.generator),
    ] {
      object[key] = value.map(JSONValue.string)
    }
    object["profile"] = .string(asset.profile.rawValue)
    object["dimension"] = .string(asset.dimension.rawValue)
    object["unit"] = .string(asset.unit.rawValue)
    object["duration"] = summary.duration.map(JSONValue.double)
    object["loops"] = .bool(summary.loops)
    object["alive"] = Self.number(summary.peak)
    object["emitters"] = .array(system.emitters.indices.map(emitterJSON))
    object["images"] = .array(summary.textures.map { $0.json })
    if !missing.isEmpty {
      object["missing"] = .array(
        missing.map { image, searched in
          ["image": .string(image), "searched": searched.map(JSONValue.string) ?? .null]
        })
    }
    object["engine"] = summary.origin?.engine?.json
    object["origin"] = summary.origin?.json
    object["evidence"] = evidence.json
    return .object(object)
  }

  /// The facts about the effect as a whole as values, for callers with their own wording: ``facts`` without the file
  /// and its kind.
  package var values: JSONObject {
    let asset = system.asset
    var object: JSONObject = [
      "dimension": .string(asset.dimension.rawValue), "unit": .string(asset.unit.rawValue),
      "textures": .int(summary.textures.count), "textureMemory": .int(textureMemory),
      "files": .int(summary.fileCount), "contents": .int(summary.contentBytes),
      "digest": .string(summary.digest),
    ]
    for (key, text) in [
      ("name", asset.name), ("author", asset.author), ("comment", asset.comment),
    ] {
      object[key] = text.map(JSONValue.string)
    }
    if asset.profile != .neutral { object["profile"] = .string(asset.profile.rawValue) }
    object["period"] = period.flatMap(Self.number)
    object["duration"] = summary.duration.flatMap(Self.number)
    object["alive"] = Self.number(summary.peak)
    object["engine"] = summary.origin?.engine?.json
    if let origin = summary.origin {
      object["origin"] = .string(origin.title)
      object["originPath"] = origin.path.map(JSONValue.string)
      object["originSize"] = origin.size.map(JSONValue.int)
      object["originIsIntact"] = .bool(origin.isIntact)
    }
    return object
  }

  private func emitterJSON(_ index: Int) -> JSONValue {
    let emitter = system.emitters[index]
    let population = summary.populations[index]
    var object: JSONObject = ["name": .string(emitter.name), "enabled": .bool(emitter.enabled)]
    object["rate"] = Self.number(population.rate)
    object["burst"] = Self.number(population.burst)
    object["alive"] = Self.number(population.alive)
    object["lifetime"] = Self.life(of: emitter).json
    object["shape"] = .string(emitter.shape.kind.rawValue)
    object["blend"] = .string(emitter.render.blend.mode.rawValue)
    object["images"] = .array(uris(of: emitter).map(JSONValue.string))
    object["triggeredBy"] = .array(
      causes(of: index).map { ["event": .string($0.event.rawValue), "emitter": .int($0.emitter)] })
    return .object(object)
  }

  private static func number(_ value: Double) -> JSONValue? {
    value.isFinite ? .double(value) : nil
  }
}

extension EffectSummary.Texture {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["uri": .string(uri)]
    object["width"] = width.map(JSONValue.int)
    object["height"] = height.map(JSONValue.int)
    object["size"] = bytes.map(JSONValue.int)
    object["memory"] = memory.map(JSONValue.int)
    return .object(object)
  }
}

extension EffectOrigin {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["format": .string(format), "title": .string(title)]
    object["path"] = path.map(JSONValue.string)
    object["size"] = size.map(JSONValue.int)
    object["intact"] = .bool(isIntact)
    object["losses"] = .array(losses.map { $0.json })
    return .object(object)
  }
}

extension EngineChoice {
  fileprivate var json: JSONValue {
    [
      "profile": .string(profile.rawValue), "ground": .string(ground.rawValue),
      "reasons": .array(reasons.map(JSONValue.string)),
      "others": .array(
        others.map {
          ["profile": .string($0.profile.rawValue), "drawsEqually": .bool($0.drawsEqually)]
        }),
    ]
  }
}

extension Value {
  /// The range of values: `3` or `0.5–2`.
  fileprivate var span: String { bounds.span }
}

extension Interval {
  fileprivate var span: String {
    lower == upper ? lower.plain : "\(lower.plain)–\(upper.plain)"
  }
}

extension Double {
  /// Formats the number with at most two decimals.
  fileprivate var plain: String {
    guard magnitude < 1e15 else { return description }
    return JSONNumber((self * 100).rounded() / 100).text
  }
}

/// The values that a document states, by the keys of the table of properties, without the indices of elements, and
/// without `emitters.`: `emission.rate`, `images.width`.
package struct StatedProperties {
  package init() {}

  /// The keys that a document can state, in the order of the table.
  package static let keys: [String] = {
    var seen: Set<String> = []
    return SettableKey.all().map { plain($0.key) }.filter { seen.insert($0).inserted }
  }()

  private static let known = Set(keys)

  /// With more values, a key has the least and the greatest one.
  private static let mostValues = 8
  /// The most bytes of a word. Longer texts are no words.
  private static let longestWord = 64

  package private(set) var numbers: [String: [Double]] = [:]
  package private(set) var words: [String: [String]] = [:]

  private static func plain(_ key: String) -> String {
    let key = key.filter { $0 != "[" && $0 != "]" }
    return key.hasPrefix("emitters.") ? String(key.dropFirst(9)) : key
  }

  package mutating func read(_ document: JSONValue) {
    for member in document.object?.members ?? [] {
      read(member.value, member.key, within: nil)
    }
    for (key, values) in numbers {
      let sorted = Set(values).sorted()
      numbers[key] =
        sorted.count <= Self.mostValues ? sorted : [sorted[0], sorted[sorted.count - 1]]
    }
    for (key, values) in words {
      words[key] = Array(Set(values).sorted().prefix(Self.mostValues))
    }
  }

  /// - Parameter known: the key that the value is a part of, or nil.
  private mutating func read(_ value: JSONValue, _ key: String, within known: String?) {
    let plain = key.hasPrefix("emitters.") ? String(key.dropFirst(9)) : key
    let known = Self.known.contains(plain) ? plain : known
    switch value {
    case .object(let object):
      for member in object.members { read(member.value, "\(key).\(member.key)", within: known) }
    case .array(let elements):
      for element in elements { read(element, key, within: known) }
    case .string(let text):
      if let known, text.utf8.count <= Self.longestWord { words[known, default: []].append(text) }
    case .bool(let isTrue):
      if let known { words[known, default: []].append(isTrue ? "true" : "false") }
    case .null: break
    default:
      if let known, let number = value.double, number.isFinite {
        numbers[known, default: []].append(number)
      }
    }
  }
}

extension Int {
  /// Formats a number of bytes: `940 B`, `1.9 kB`, `12 MB`. Units are powers of 1000.
  package var bytesText: String {
    guard self >= 1000 else { return "\(self) B" }
    var (value, unit) = (Double(self) / 1000, 0)
    while value >= 999.5, unit < 3 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int(saturating: (value * 10).rounded())
    let number =
      value < 9.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(saturating: value.rounded()))"
    return "\(number) \(["kB", "MB", "GB", "TB"][unit])"
  }

  /// Formats a count with commas between thousands: `1,950`.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.utf8.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
