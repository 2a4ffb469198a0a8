internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender

/// The properties of an effect that a format does not hold, and the effect as its program reads it.
struct TargetMarks: Sendable {
  /// A property that the format does not hold, or only in part.
  struct Mark: Sendable, Hashable {
    /// The key; `emitters[]` for every emitter.
    var key: String
    /// `lost` or `approximated`.
    var level: String
    /// Whether the effect uses it.
    var isUsed: Bool
    var message: String

    var json: JSONValue {
      [
        "key": .string(key), "level": .string(level), "isUsed": .bool(isUsed),
        "message": .string(message),
      ]
    }
  }

  let package: EffectPackage
  let format: ParticleFormat
  private let exported: Exported

  /// Exports the effect; nothing is written.
  init(_ package: EffectPackage, as format: ParticleFormat, name: String) throws {
    self.package = package
    self.format = format
    exported = try package.exported(
      as: format, fileName: name + "." + (format.extensions.first ?? format.name))
  }

  /// The marks: those of the report of the export, then those of the capability table.
  var marks: [Mark] {
    var marks: [Mark] = exported.losses.compactMap { loss in
      guard let detail = loss.loss, !detail.path.isEmpty else { return nil }
      let level: String
      switch loss.rule {
      case .lost, .dead: level = "lost"
      case .approximated, .clamped, .assumed, .restated: level = "approximated"
      default: return nil
      }
      return Mark(key: detail.path, level: level, isUsed: true, message: LossLine(loss).text)
    }
    marks += format.missingProperties.map {
      Mark(key: "emitters[].\($0.path)", level: "lost", isUsed: false, message: $0.detail)
    }
    return marks
  }

  /// The effect that the program of the format reads, for the player: in the unit and at the place of the source, so
  /// that one camera shows both.
  func reread() throws -> [UInt8] {
    let (system, images) = try format.effect(in: exported, beside: package.system())
    return try EffectPackage(system, images: images).forPlayer()
  }

  /// The similarity of each aspect, 0 to 1, and of the whole; null if nothing is emitted.
  func measured() throws -> JSONValue {
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: format, measuresLines: false)
    guard let difference = measured.difference else { return .null }
    let aspects = EffectDifference.Aspect.allCases.compactMap { aspect in
      difference.aspects[aspect].map { value -> JSONValue in
        ["name": .string(aspect.rawValue), "value": .double(value)]
      }
    }
    return ["whole": .double(difference.whole), "aspects": .array(aspects)]
  }
}
