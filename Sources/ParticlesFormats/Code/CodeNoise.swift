internal import ParticlesCore
internal import ParticlesModel

// Noise of emitters that code makes. No engine documents its noise function.

extension FieldReader<CodeFamily> {
  var noise: Force? {
    guard let strength = number("noiseStrength") else { return nil }
    var force = Force(.noise, strength: .constant(strength))
    force.scale = number("noiseScale", 1, atLeast: 1e-6)
    force.speed = number("noiseSpeed") ?? 0
    force.octaves = min(max(integer("noiseOctaves") ?? 1, 1), 16)
    if format.target == .unity { force.target = .position }
    return force
  }
}

extension EmitterWriter<CodeFamily> {
  mutating func encodeNoise(_ force: Force, _ place: String) {
    let mean = force.strength.mean(lifetime: lifetime)
    var (strength, octaves) = (mean, force.octaves)
    var recipe = "the same numbers"
    switch format.target {
    case .unity:
      octaves = min(octaves, 4)
      if force.target == .velocity {
        strength *= lifetime / 2
        recipe = "a velocity: the acceleration × half of the mean lifetime"
      }
    default:
      octaves = 1
      if force.target == .position { recipe = "the same numbers, as an acceleration" }
    }
    set("noiseStrength", strength)
    set("noiseScale", force.scale)
    if force.speed != 0 { set("noiseSpeed", force.speed) }
    if octaves != 1 { set("noiseOctaves", integer: octaves) }
    var differences = ["the noise of \(format.engine) is another function"]
    if !force.strength.isPlainValue || !force.strength.from.isNumber {
      differences.append("its strength is constant")
    }
    if octaves != force.octaves {
      differences.append("it has at most \(octaves) layer\(octaves == 1 ? "" : "s")")
    }
    lose(
      .approximated, .noise, at: place, differences.joined(separator: "; "), recipe: recipe,
      level: .medium)
  }
}
