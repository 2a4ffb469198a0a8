internal import ParticlesCore
internal import ParticlesModel

// What particles look like.

extension CocosEmitter {
  /// Files count clockwise, whichever way their axes point.
  var rotation: Rotation {
    var rotation = Rotation()
    let from = reader.value("rotationStart", "rotationStartVariance", times: -1)
    let to = reader.value("rotationEnd", "rotationEndVariance", times: -1)
    rotation.angle = CocosEmitter.track(from, to)
    if reader.flag("headToVelocity") == true {
      rotation.align = .velocity
    } else if reader.flag("rotationIsDir") == true {
      rotation.align = .birth
      // The direction takes the place of the angle at birth; the turn from start to end stays.
      let turn = number("rotationStart") - number("rotationEnd")
      rotation.angle = turn == 0 ? 0 : Track(from: 0, to: .constant(turn.rounded))
      if ["rotationStartVariance", "rotationEndVariance"].contains(where: { number($0) != 0 }) {
        reader.note(
          .approximated, "rotationIsDir", "particles that face their way all turn alike")
      }
    }
    return rotation
  }

  var size: Size {
    var size = Size()
    let from = reader.value("startParticleSize", "startParticleSizeVariance")
    let to = reader.value("finishParticleSize", "finishParticleSizeVariance")
    let staysAtStart = reader.dialect != .starling && number("finishParticleSize") == -1
    size.width = staysAtStart ? Track(from) : CocosEmitter.track(from, to)
    // cocos2d stretches the image to a square, Starling keeps its shape.
    if reader.dialect != .starling { size.aspect = .ratio(1) }
    return size
  }

  var color: ColorTrack {
    let (from, to) = (color("startColor"), color("finishColor"))
    if case .constant = from, from == to { return ColorTrack(from) }
    return ColorTrack(from: from, to: to)
  }

  /// A colour with a variance of each channel.
  private func color(_ name: String) -> ColorValue {
    var (low, high) = ([Double](), [Double]())
    var exceeds = false
    for channel in CocosChannel.allCases {
      let value = reader.value(name + channel.rawValue, "\(name)Variance\(channel.rawValue)")
      var (least, greatest) = value.ends
      if reader.dialect != .starling {
        // Drawn numbers are clamped before colours are mixed. What is outside anyway is at the edge.
        if greatest <= 0 || least >= 1 || least == greatest {
          (least, greatest) = (min(max(least, 0), 1), min(max(greatest, 0), 1))
        }
        exceeds = exceeds || least < 0 || greatest > 1
      }
      low.append(least)
      high.append(greatest)
    }
    if exceeds {
      reader.note(
        .approximated, "\(name)VarianceRed",
        "colours beyond 0…1 are clamped behind mixing start and end, not before",
        severity: .note)
    }
    let (a, b) = (Color(low[0], low[1], low[2], low[3]), Color(high[0], high[1], high[2], high[3]))
    return a == b ? .constant(a) : .range(a, b)
  }

  var blend: Blend {
    let source = reader.integer("blendFuncSource")
    let destination = reader.integer("blendFuncDestination")
    guard var source, var destination else {
      let isAdditive = reader.flag("blendAdditive")
      reader.note(
        .assumed, "blendFuncSource",
        isAdditive == true
          ? "colours are added, as 'blendAdditive' says" : "colours are mixed by alpha")
      return Blend(isAdditive == true ? .add : .alpha)
    }
    if !CocosBlend.isFactor(source) {
      reader.note(
        .assumed, "blendFuncSource", "no factor of OpenGL; 770 is taken", found: "\(source)")
      source = 770
    }
    if !CocosBlend.isFactor(destination) {
      reader.note(
        .assumed, "blendFuncDestination", "no factor of OpenGL; 771 is taken",
        found: "\(destination)")
      destination = 771
    }
    let blend = CocosBlend(source, destination).blend(reader.dialect)
    if blend.premultiply == .always {
      reader.note(
        .approximated, "blendFuncSource",
        "colours are multiplied by all of alpha, where cocos2d leaves out that of the tint",
        severity: .note)
    }
    return blend
  }
}

extension Value {
  /// The least and the greatest number that is drawn.
  var ends: (Double, Double) {
    switch self {
    case .constant(let number): (number, number)
    case .uniform(let range): (range.min, range.max)
    case .choice(let choice): (choice.numbers.min() ?? 0, choice.numbers.max() ?? 0)
    case .ramp(let ramp):
      (min(ramp.low.ends.0, ramp.high.ends.0), max(ramp.low.ends.1, ramp.high.ends.1))
    }
  }
}
