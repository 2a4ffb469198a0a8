internal import ParticlesCore
internal import ParticlesModel

/// The options of tsParticles: particles that fill a canvas, and emitters, whose particles differ from
/// these in some options.
struct TSParticlesFamily: TreeFormat {
  static let sources = [
    (
      name: "src",
      title: "tsParticles 2 and 3.1, `Mover`, `Particle`, `Utils`, plugins `emitters` and `life`"
    ),
    (name: "link", title: "tsParticles 2.12, `Linker`, `LinkInstance` and `Links`"),
    (name: "js", title: "particles.js 2.0.0, `particles.js`, recorded under node"),
    (name: "doc", title: "particles.js.org, options"), (name: "files", title: "80 published files"),
  ]

  static let shared = TSParticlesFamily()

  /// The canvas in pixels that percentages are of: the size of the window, which a file does not know.
  static let canvas = (width: 1000.0, height: 600.0)

  let name = "tsparticles"
  let engine = "tsParticles"
  let holdsAll = true
  let aimsArcs = false
  let clampsLives = true
  let imageCount = 16
  let table = MappingTable<TSParticlesFamily>(
    unit: .pixel, profile: .tsParticles, others: [.particlesJS], exact: [.severalEmitters],
    approximated: [.speed, .texture, .randomSprites], rows)

  /// Without changes over life, particles that get invisible would stay.
  func adapt(_ writer: inout EmitterWriter<TSParticlesFamily>) {
    writer.endAtTotal()
    writer.turnLaunch(toPlane: true)
    writer.endAtSight()
  }

  /// The part of the particles that a canvas of this size has (`Particles.ts`, `_applyDensity`).
  static func density(of emitter: JSONValue) -> Double {
    guard let density = emitter["particles.number.density"], density["enable"]?.isTruthy == true
    else { return 1 }
    // Version 1 stated an area in thousands of pixels.
    if let area = (density["value_area"] ?? density["area"])?.double, area > 0 {
      return canvas.width * canvas.height / 1_000 / area
    }
    let area = (density["width"]?.double ?? 1920) * (density["height"]?.double ?? 1080)
    return area > 0 ? canvas.width * canvas.height / area : 1
  }

  private func list(_ root: JSONValue) -> [JSONValue] {
    guard let emitters = root["emitters"] else { return [] }
    return emitters.array ?? (emitters.object == nil ? [] : [emitters])
  }

  /// Whether the particles of the canvas are an emitter of the document.
  private func hasCanvas(_ root: JSONValue) -> Bool {
    (root["particles.number.value"]?.double ?? 0) > 0 || list(root).isEmpty
  }

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
    guard let particles = root["particles"], particles.object != nil else {
      throw Diagnostic(.emitterRoot, expected: "'particles'")
    }
    var found: [TreeEmitter] = []
    if hasCanvas(root) {
      found.append(TreeEmitter(path: "", value: ["particles": particles]))
    }
    // Each emitter takes over all particles of the file.
    let count = list(root).count
    try Limits.standard.check(
      count.multipliedReportingOverflow(by: particles.count(upTo: 1 << 30)).partialValue, \.objects,
      "values of all emitters")
    for (index, emitter) in list(root).enumerated() {
      var value = emitter.object ?? JSONObject()
      value["particles"] = particles.overridden(by: emitter["particles"])
      // The direction of the emitter is that of particles that have none of their own
      // (`EmitterInstance.ts`).
      if emitter["particles.move.direction"] != nil { value["direction"] = nil }
      let path = root["emitters"]?.array == nil ? "emitters" : "emitters[\(index)]"
      found.append(
        TreeEmitter(path: path, value: .object(value), name: emitter["name"]?.string))
    }
    return found
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    var root = JSONObject()
    var rest = emitters[...]
    if let origin {
      if hasCanvas(origin), let first = rest.popFirst() {
        root["particles"] = first["particles"]
      }
      if let old = origin["emitters"], old.array == nil, rest.count == 1 {
        root["emitters"] = rest.first
      } else if !rest.isEmpty {
        root["emitters"] = .array(Array(rest))
      }
    } else {
      root["particles"] = ["number": ["value": .int(0)]]
      root["emitters"] = .array(emitters)
    }
    return .object(root)
  }
}

extension JSONValue {
  /// The number of values in this one.
  fileprivate func count(upTo most: Int) -> Int {
    switch self {
    case .object(let object):
      object.members.reduce(1) { min($0 + $1.value.count(upTo: most), most) }
    case .array(let elements): elements.reduce(1) { min($0 + $1.count(upTo: most), most) }
    default: 1
    }
  }

  /// This object with the members of another in place of its own, at every level.
  fileprivate func overridden(by other: JSONValue?) -> JSONValue {
    guard let other else { return self }
    guard case .object(var object) = self, case .object(let changes) = other else { return other }
    for member in changes.members {
      object[member.key] =
        object[member.key].map { $0.overridden(by: member.value) } ?? member.value
    }
    return .object(object)
  }
}

extension ParticleFormat {
  /// Options of tsParticles.
  public static let tsParticles = ParticleFormat(
    TSParticlesFamily.shared, in: JSONTree.self, title: "tsParticles options", extensions: ["json"]
  ) { bytes, _ in
    guard bytes.contains("\"particles\""),
      let root = try? JSONTree(decoding: bytes, limits: .standard).value.object,
      let particles = root["particles"]?.object
    else { return false }
    let keys = ["number", "move", "size", "opacity", "shape", "color", "life"]
    return root["emitters"] != nil || keys.contains { particles[$0] != nil }
      || root["interactivity"] != nil || root["preset"] != nil
  }.declaring(.tsParticles)
}
