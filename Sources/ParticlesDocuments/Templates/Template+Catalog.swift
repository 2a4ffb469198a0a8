internal import ParticlesModel

extension Template {
  /// Every template, in the order in which they are listed.
  public static let all: [Template] = [
    .blank, .fire, .smoke, .snow, .rain, .sparks, .magic, .bokeh, .fireflies, .confetti, .explosion,
    .fountain, .galaxy, .bubbles, .leaves, .plasma,
  ]

  static let blank = Template(
    "blank", "An emitter that emits nothing yet.", background: Color(0.13, 0.13, 0.13)
  ) { [Emitter(name: "Emitter")] }
}
