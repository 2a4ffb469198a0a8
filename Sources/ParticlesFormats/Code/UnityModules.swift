internal import ParticlesCore
internal import ParticlesModel

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
