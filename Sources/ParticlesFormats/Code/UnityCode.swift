internal import ParticlesCore
internal import ParticlesModel

extension Typesetter {
  static let unity = Typesetter(
    conventions:
      "Lengths are in units of the scene, y points up, z away from the viewer, angles are in degrees, rotations in radians and clockwise, times in seconds.",
    write: { bytes, sheet throws(Failure) in
      let values = try CodeValues(bytes, .unity, .csharp, sheet.limits)
      var text = CodeText(.csharp)
      text.line("using UnityEngine;")
      text.line()
      let stem = CodeLanguage.identifier(
        Files.stem(of: sheet.fileName), isType: true, or: "Effect")
      text.braces("public static class \(stem)Particles") { text in
        let spawns = values.reader.spawns
        sheet.describe(in: &text, "the particle system, with the image of the material")
        sheet.describe(spawns, in: &text)
        let parameters =
          "Transform parent, Material material" + spawns.parameters { "ParticleSystem \($0)" }
        text.braces("public static ParticleSystem Make(\(parameters))") { $0.unity(values) }
      }
      return text
    })
}

extension CodeText {
  fileprivate mutating func braces(_ opening: String, _ body: (inout CodeText) -> Void) {
    line(opening)
    block("{", "}", body)
  }

  fileprivate mutating func unity(_ values: CodeValues) {
    line("var gameObject = new GameObject(\(language.string(values.name)));")
    line("gameObject.transform.SetParent(parent, false);")
    line("var system = gameObject.AddComponent<ParticleSystem>();")
    line("system.Stop(true, ParticleSystemStopBehavior.StopEmittingAndClear);")
    unityMain(values)
    line("var emission = system.emission;")
    line("emission.rateOverTime = \(values.text("rate"));")
    unityBursts(values.reader.lists("bursts").filter { $0.count == 6 })
    unityShape(values)
    unityMotion(values)
    unityLook(values)
    line("var renderer = gameObject.GetComponent<ParticleSystemRenderer>();")
    unityFrames(values)
    unityTrail(values)
    unitySpawns(values.reader.spawns)
    if values.number("stretch") != 0 {
      line("renderer.renderMode = ParticleSystemRenderMode.Stretch;")
      line("renderer.velocityScale = \(values.text("stretch"));")
      line("renderer.lengthScale = 1f;")
    }
    let blends = ["alpha", "additive", "multiply"]
    comment(
      "The material has a particle shader with the blending mode \(blends[min(Int(saturating: values.number("blend")), 2)])."
    )
    line("renderer.material = material;")
    line("system.Play();")
    line("return system;")
  }

  /// A range as `ParticleSystem.MinMaxCurve`, or a number, which becomes one.
  func curve(
    _ values: CodeValues, _ key: String, _ standard: Double = 0, times factor: Double = 1
  ) -> String {
    guard values.half(key) != 0 else { return values.text(key, standard, times: factor) }
    return "new ParticleSystem.MinMaxCurve(\(values.range(key, times: factor)))"
  }

  private mutating func unityMain(_ values: CodeValues) {
    let duration = values.number("duration", -1)
    line("var main = system.main;")
    func state(_ property: String, _ value: String) { line("main.\(property) = \(value);") }
    // A burst of endless emission comes once.
    let endless = values.reader.lists("bursts").isEmpty ? 5.0 : 100_000
    state("duration", language.number(duration < 0 ? endless : max(duration, 0.05)))
    state("loop", "\(duration < 0 || values.reader.flag("loops") ?? false)")
    if values.number("delay") != 0 { state("startDelay", values.text("delay")) }
    if values.number("pace", 1) != 1 { state("simulationSpeed", values.text("pace", 1)) }
    let isLocal = values.reader.flag("isLocal") ?? false
    state("simulationSpace", "ParticleSystemSimulationSpace.\(isLocal ? "Local" : "World")")
    state("maxParticles", values.reader.integer("capacity").map(String.init) ?? "int.MaxValue")
    state("startLifetime", curve(values, "life", 1))
    state("startSpeed", curve(values, "speed"))
    state("startSize", curve(values, "size", 1))
    state("startRotation", curve(values, "rotation", times: -CodeValues.radians))
  }

  private mutating func unityBursts(_ bursts: [[Double]]) {
    guard !bursts.isEmpty else { return }
    line("emission.SetBursts(new[]")
    block("{", "});") { text in
      for burst in bursts {
        let code = text.language
        let ends = [burst[1] - burst[2], burst[1] + burst[2]].map { $0.rounded }
        let count =
          burst[2] == 0
          ? code.number(burst[1])
          : "new ParticleSystem.MinMaxCurve(\(code.list(ends)))"
        text.line(
          "new ParticleSystem.Burst(\(code.number(burst[0])), \(count), \(Int(saturating: burst[3])), "
            + "\(code.number(burst[4]))) { probability = \(code.number(burst[5])) },")
      }
    }
  }

  private mutating func unityShape(_ values: CodeValues) {
    let spread = values.number("spread")
    let size = ["shapeWidth", "shapeHeight", "shapeDepth"].map { values.number($0) }
    let center = ["shapeX", "shapeY", "shapeZ"].map { values.number($0) }
    let direction = values.direction
    line("var shape = system.shape;")
    func state(_ property: String, _ value: String) { line("shape.\(property) = \(value);") }
    func vector(_ numbers: [Double]) -> String { "new Vector3(\(language.list(numbers)))" }
    func kind(_ name: String) { state("shapeType", "ParticleSystemShapeType.\(name)") }
    if center != [0, 0, 0] { state("position", vector([center[0], center[1], -center[2]])) }
    let facing =
      "Quaternion.FromToRotation(Vector3.forward, \(vector([direction[0], direction[1], -direction[2]]))).eulerAngles"
    switch values.reader.text("shape") {
    case "rect", "box":
      kind("Box")
      // The z axis of the box is the direction.
      let along = direction.indices.max { direction[$0].magnitude < direction[$1].magnitude }
      let turned = [
        0: [size[2], size[1], size[0]], 1: [size[0], size[2], size[1]], 2: size,
      ]
      state("scale", vector(turned[along ?? 2] ?? size))
      state("rotation", facing)
    default:
      if values.reader.flag("isPlanar") == true {
        kind("Circle")
        state("radius", "0.0001f")
        state("arc", language.number(2 * spread))
        let start = values.number("angle", 90) - spread
        state("rotation", vector([0, 0, start.rounded]))
        return
      }
      kind(spread > 90 ? "Sphere" : "Cone")
      state("radius", "0.0001f")
      if spread <= 90 {
        state("angle", language.number(spread))
        state("rotation", facing)
      }
      return
    }
    if spread > 0 { state("randomDirectionAmount", language.number((spread / 180).rounded)) }
  }

  private mutating func unityMotion(_ values: CodeValues) {
    let gravity = ["gravityX", "gravityY", "gravityZ"].map { values.number($0) }
    if gravity != [0, 0, 0] {
      line("var force = system.forceOverLifetime;")
      line("force.enabled = true;")
      line("force.space = ParticleSystemSimulationSpace.World;")
      for (axis, number) in zip(["x", "y", "z"], [gravity[0], gravity[1], -gravity[2]]) {
        line("force.\(axis) = \(language.number(number));")
      }
    }
    unityNoise(values)
    if values.number("drag") != 0 {
      line("var limit = system.limitVelocityOverLifetime;")
      line("limit.enabled = true;")
      line("limit.limit = float.MaxValue;")
      line("limit.drag = \(values.text("drag"));")
    }
    if values.number("spin") != 0 || values.half("spin") != 0 {
      line("var rotation = system.rotationOverLifetime;")
      line("rotation.enabled = true;")
      line("rotation.z = \(curve(values, "spin", times: -CodeValues.radians));")
    }
  }

  private mutating func unityLook(_ values: CodeValues) {
    let sizes = values.reader.lists("sizeOverLife").filter { $0.count == 2 }
    if !sizes.isEmpty {
      line("var size = system.sizeOverLifetime;")
      line("size.enabled = true;")
      animationCurve("size.size", sizes)
    }
    let colors = values.reader.lists("colors").filter { $0.count == 5 }
    guard colors.count > 1 else {
      let color = Array((colors.first ?? [0, 1, 1, 1, 1]).dropFirst())
      return line("main.startColor = new Color(\(language.list(color)));")
    }
    gradient("gradient", colors)
    line("var color = system.colorOverLifetime;")
    line("color.enabled = true;")
    line("color.color = gradient;")
  }

  /// States a curve with linear pieces.
  mutating func animationCurve(_ property: String, _ keys: [[Double]]) {
    block("\(property) = new ParticleSystem.MinMaxCurve(1f, new AnimationCurve(", "));") { text in
      for (index, key) in keys.enumerated() {
        func slope(_ first: Int, _ last: Int) -> Double {
          guard keys.indices.contains(first), keys.indices.contains(last) else { return 0 }
          return (keys[last][1] - keys[first][1]) / max(keys[last][0] - keys[first][0], 1e-6)
        }
        let numbers = key + [slope(index - 1, index).rounded, slope(index, index + 1).rounded]
        let end = index == keys.count - 1 ? "" : ","
        text.line("new Keyframe(\(text.language.list(numbers)))\(end)")
      }
    }
  }

  mutating func gradient(_ name: String, _ colors: [[Double]]) {
    line("var \(name) = new Gradient();")
    block("\(name).SetKeys(", ");") { text in
      let code = text.language
      text.block("new[] {", "},") { text in
        for color in colors {
          text.line(
            "new GradientColorKey(new Color(\(code.list(Array(color[1...3])))), \(code.number(color[0]))),"
          )
        }
      }
      text.block("new[] {", "}") { text in
        for color in colors {
          text.line("new GradientAlphaKey(\(code.list([color[4], color[0]]))),")
        }
      }
    }
  }
}

// Modules of particle systems of Unity: noise, flip-books, trails and sub-emitters.

extension CodeText {
  mutating func unityNoise(_ values: CodeValues) {
    guard values.number("noiseStrength") != 0 else { return }
    line("var noise = system.noise;")
    func state(_ property: String, _ value: String) { line("noise.\(property) = \(value);") }
    state("enabled", "true")
    // With damping the strength would be divided by the frequency.
    state("damping", "false")
    state("strength", values.text("noiseStrength"))
    state("frequency", language.number((1 / values.number("noiseScale", 1)).rounded))
    if values.number("noiseSpeed") != 0 { state("scrollSpeed", values.text("noiseSpeed")) }
    guard let octaves = values.reader.integer("noiseOctaves"), octaves > 1 else { return }
    state("octaveCount", "\(octaves)")
    state("octaveMultiplier", "0.5f")
    state("octaveScale", "2f")
  }

  mutating func unityFrames(_ values: CodeValues) {
    guard let grid = values.reader.grid else { return }
    line("var frames = system.textureSheetAnimation;")
    func state(_ property: String, _ value: String) { line("frames.\(property) = \(value);") }
    state("enabled", "true")
    state("numTilesX", "\(grid.columns)")
    state("numTilesY", "\(grid.rows)")
    let rate = values.number("frameRate")
    if rate == CodeFamily.lifelong {
      state("timeMode", "ParticleSystemAnimationTimeMode.Lifetime")
      state(
        "frameOverTime",
        "new ParticleSystem.MinMaxCurve(1f, AnimationCurve.Linear(0f, 0f, 1f, 1f))")
    } else if rate > 0 {
      state("timeMode", "ParticleSystemAnimationTimeMode.FPS")
      state("fps", values.text("frameRate"))
    } else {
      state("frameOverTime", "0f")
    }
    if values.number("frameStart") != 0 || values.half("frameStart") != 0 {
      state("startFrame", curve(values, "frameStart"))
    }
  }

  mutating func unityTrail(_ values: CodeValues) {
    guard let trail = values.reader.trail, trail.length > 0 else { return }
    line("var trails = system.trails;")
    func state(_ property: String, _ value: String) { line("trails.\(property) = \(value);") }
    state("enabled", "true")
    state("mode", "ParticleSystemTrailMode.PerParticle")
    // A part of the lifetime of the particle.
    let life = values.number("life", 1)
    state("lifetime", language.number((life > 0 ? min(trail.length / life, 1) : 1).rounded))
    state("dieWithParticles", "true")
    state("sizeAffectsWidth", "true")
    state("inheritParticleColor", "true")
    let widths = values.reader.lists("trailWidths").filter { $0.count == 2 }
    if widths.count == 1 {
      state("widthOverTrail", language.number(widths[0][1]))
    } else if !widths.isEmpty {
      animationCurve("trails.widthOverTrail", widths)
    }
    let colors = values.reader.lists("trailColors").filter { $0.count == 5 }
    if !colors.isEmpty {
      gradient("trailColors", colors)
      state("colorOverTrail", "trailColors")
    }
    line("renderer.trailMaterial = material;")
  }

  mutating func unitySpawns(_ spawns: [CodeSpawn]) {
    guard !spawns.isEmpty else { return }
    let flags: [Inheritance: String] = [
      .color: "InheritColor", .rotation: "InheritRotation", .size: "InheritSize",
    ]
    line("var subEmitters = system.subEmitters;")
    line("subEmitters.enabled = true;")
    for spawn in spawns {
      line("\(spawn.parameter).transform.SetParent(gameObject.transform, false);")
      let names = spawn.inherited.compactMap { flags[$0] }
      let properties = (names.isEmpty ? ["InheritNothing"] : names).map {
        "ParticleSystemSubEmitterProperties.\($0)"
      }
      block("subEmitters.AddSubEmitter(", ");") { text in
        text.line("\(spawn.parameter),")
        text.line(
          "ParticleSystemSubEmitterType.\(spawn.event == .birth ? "Birth" : "Death"),")
        text.line(properties.joined(separator: " | ") + ",")
        text.line(text.language.number(spawn.probability))
      }
    }
  }
}
