package import ParticlesCore
internal import ParticlesModel

// Blend modes under the laws of two engines: the same factors are drawn differently.

extension ParticleSystem {
  /// Completes a report with how differently the emitters of the result are blended. The level is that of
  /// the difference for a particle of the mean colour, by the share of the emitter in the picture. A difference of
  /// nothing has no line.
  /// - Parameters:
  ///   - result: what the files of the other format are read as.
  ///   - losses: the lines of the encoder, of which those about blend modes get the level.
  ///   - estimates: know the share; nil if it cannot be estimated. Then lines about one of several emitters are not measured.
  func addingBlending(
    of result: ParticleSystem, to losses: [Diagnostic], _ estimates: inout EstimatedLosses?
  ) -> [Diagnostic] {
    guard asset.profile != result.asset.profile else { return losses }
    var losses = losses
    var told: [Int: Int] = [:]
    for (place, line) in losses.enumerated() {
      if let emitter = line.blendedEmitter, told[emitter] == nil { told[emitter] = place }
    }
    for (index, pair) in zip(emitters, result.emitters).enumerated() {
      let known = estimates?.blending(ofEmitter: index)
      // Of several emitters, the share of each in the picture counts.
      let basis: Loss.Basis = known == nil && emitters.count > 1 ? .feature : .estimated
      let difference =
        known
        ?? BlendDifference.between(
          (pair.0.render.blend, asset.profile), (pair.1.render.blend, result.asset.profile),
          color: pair.0.meanLook)
      let path = "emitters[\(index)].render.blend"
      let level = Loss.Level(difference: difference)
      if let told = told[index] {
        losses[told] = losses[told].leveled(level, basis)
      } else if level > .info {
        var line = Diagnostic(
          .approximated, at: .key(path), BlendDifference.reason(asset.profile, result.asset.profile)
        )
        line.loss = Loss(feature: "blending", level: level, path: path)
        line.loss?.basis = basis
        line.loss?.emitter = pair.0.name
        losses.append(line)
      }
    }
    return losses
  }
}

extension Diagnostic {
  /// The index of the emitter whose blend mode the line is about; nil for other lines.
  package var blendedEmitter: Int? {
    guard let path = loss?.path, path.hasSuffix("].render.blend"),
      [Rule.lost, .approximated].contains(rule)
    else { return nil }
    return ParticleSystem.emitterIndex(at: path)
  }
}

extension Emitter {
  /// The mean colour and opacity of particles, as much as they take of the picture.
  fileprivate var meanLook: SIMD4<Float> {
    let life = lifetime.mean
    let points = color.seen(lifetime: life).points
    let sizes = size.width.curve(lifetime: life).curve
    var (sum, whole) = (SIMD4<Double>.zero, 0.0)
    for (index, point) in points.enumerated() {
      let weight = max(sizes.value(at: Double(index) / Double(points.count - 1)), 0)
      sum += SIMD4(point.red, point.green, point.blue, point.alpha) * weight
      whole += weight
    }
    guard whole > 0 else { return SIMD4(1, 1, 1, 1) }
    return SIMD4<Float>(sum / whole)
  }
}
