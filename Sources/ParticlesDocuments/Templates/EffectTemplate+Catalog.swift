internal import ParticlesModel

extension EffectTemplate {
  /// All built-in templates, in the order of lists.
  public static let all: [EffectTemplate] = [
    .blank, .fire, .smoke, .snow, .rain, .sparks, .magic, .bokeh, .fireflies, .confetti, .explosion,
    .fountain, .galaxy, .bubbles, .leaves, .plasma,
  ]

  static let blank = EffectTemplate(
    "blank", "An emitter that emits nothing yet.", background: Color(0.13, 0.13, 0.13)
  ) { [Emitter(name: "Emitter")] }
}
