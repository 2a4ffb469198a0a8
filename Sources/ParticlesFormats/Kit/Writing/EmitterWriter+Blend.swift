internal import ParticlesCore
internal import ParticlesModel

// Blend modes, of which each format has some.

extension BlendMode {
  /// The feature of formats that have the mode.
  var capability: Capability {
    switch self {
    case .alpha: .blendAlpha
    case .add: .blendAdditive
    case .subtract: .blendSubtractive
    case .multiply: .blendMultiply
    case .screen: .blendScreen
    case .premultiplied: .premultipliedAlpha
    case .multiplyAlpha, .multiplyX2, .replace, .custom: .blendFactors
    }
  }
}

extension Blend {
  /// The mode that is nearest to this blending: the same, one that darkens or brightens likewise, or the
  /// first.
  fileprivate func nearest(of modes: [BlendMode]) -> BlendMode {
    let mode = nearestMode
    let like: [BlendMode] =
      switch mode {
      case .multiply, .multiplyAlpha, .multiplyX2, .subtract:
        [.multiply, .multiplyAlpha, .multiplyX2]
      case .screen: [.add]
      default: [.alpha]
      }
    return ([mode] + like).first(where: modes.contains) ?? modes[0]
  }
}

extension EmitterWriter {
  /// The blend mode to write: that of the document, or the nearest that the format has. Reports what
  /// changes.
  /// - Parameters:
  ///   - modes: the modes of the format; the usual one is first.
  ///   - detail: what the format has, for the report: "Godot has five modes".
  ///   - target: the key and its value, for the report.
  mutating func blendMode(
    of modes: [BlendMode], _ detail: String, target: ((BlendMode) -> Loss.Side)? = nil
  ) -> BlendMode {
    let blend = emitter.render.blend.named
    let mode = blend.nearest(of: modes)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode.capability, at: "render.blend", detail,
        recipe: "nearest mode: \(mode.rawValue)", target: target?(mode))
    } else if blend != Blend(mode) {
      lose(.dead, .premultipliedAlpha, at: "render.blend", "only the mode is used")
    }
    return mode
  }

  /// Writes the blend mode as its place in a list.
  mutating func setBlend(_ key: String, of modes: [BlendMode], count: String) {
    let place = { (mode: BlendMode) in modes.firstIndex(of: mode) ?? 0 }
    let mode = blendMode(
      of: modes, "\(format.engine) has \(count) modes", target: { .init(key, .int(place($0))) })
    set(key, integer: place(mode))
    explainImageAlpha(of: Blend(mode), in: format.table.capabilities.profile)
  }
}

/// The blend modes of a format of texts: their names, or numbers from 0.
struct BlendNames: Sendable {
  let modes: [BlendMode]
  /// The names as they are written, after a prefix; none if modes are numbered only.
  private let names: [String]
  private let prefix: String
  /// Whether numbers may take the place of names.
  private let areNumbered: Bool

  /// - Parameter names: the modes by their names; of several names of a mode the first is written.
  init(
    _ names: KeyValuePairs<String, BlendMode>, prefix: String = "", areNumbered: Bool = false
  ) {
    (self.names, modes) = (names.map(\.key), names.map(\.value))
    (self.prefix, self.areNumbered) = (prefix, areNumbered)
  }

  init(numbered modes: [BlendMode]) {
    (self.modes, names, prefix, areNumbered) = (modes, [], "", true)
  }

  /// The modes, for reports.
  var list: String {
    listed.map { names.isEmpty ? $0.mode.rawValue : $0.name }.joined(separator: ", ")
  }

  /// The names and what they mean, for tables.
  fileprivate var note: String {
    let all = listed.map {
      $0.name.lowercased() == $0.mode.rawValue ? $0.name : "\($0.name) (\($0.mode.rawValue))"
    }
    return all.joined(separator: ", ") + (areNumbered && !names.isEmpty ? ", or their numbers" : "")
      + "; others are read as alpha"
  }

  /// The name that is written for each mode.
  private var listed: [(name: String, mode: BlendMode)] {
    var known: Set<BlendMode> = []
    return modes.indices.filter { known.insert(modes[$0]).inserted }.map {
      (names.isEmpty ? "\($0)" : names[$0], modes[$0])
    }
  }

  fileprivate func mode(_ value: JSONValue) -> BlendMode? {
    if areNumbered, let number = value.int {
      return modes.indices.contains(number) ? modes[number] : nil
    }
    guard let text = value.string?.lowercased() else { return nil }
    return names.firstIndex { (prefix + $0).lowercased() == text }.map { modes[$0] }
  }

  /// - Parameter old: the value in the source file.
  fileprivate func value(_ mode: BlendMode, like old: JSONValue?) -> JSONValue {
    let place = modes.firstIndex(of: mode) ?? 0
    let isNumber = names.isEmpty || areNumbered && old?.int != nil
    return isNumber ? .int(place) : .string(prefix + names[place])
  }
}

extension Row where Format: TreeFormat {
  /// The blend mode; alpha if the value is absent or not known.
  static func blend(_ key: String, _ names: BlendNames, from source: String) -> Row {
    let all: Set<Capability> = [
      .blendAlpha, .blendAdditive, .blendMultiply, .blendScreen, .blendSubtractive, .blendFactors,
      .premultipliedAlpha,
    ]
    let exact = Set(names.modes.map(\.capability)).subtracting([.blendFactors, .premultipliedAlpha])
    return .idiom(
      [key], "render.blend", names.note, from: source, exact: exact,
      approximated: all.subtracting(exact),
      decode: { reader, emitter in
        let value = reader[key]
        emitter.render.blend = Blend(value.flatMap(names.mode) ?? .alpha)
        if let value, names.mode(value) == nil {
          reader.note(.emitterValue, key, "blended as alpha", found: value.shortExcerpt)
        }
      },
      encode: { writer in
        let mode = writer.blendMode(of: names.modes, "only \(names.list) are supported")
        writer.set(key, names.value(mode, like: writer.origin(key)))
      })
  }
}
