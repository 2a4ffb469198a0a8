internal import ParticlesCore
internal import ParticlesModel

// Lines between near particles: `links`, in particles.js and in older files `line_linked`.

extension TSParticlesFamily {
  /// The names of the object, in the order in which the engine looks for them (`ParticlesOptions.ts`, `load`).
  static let linkKeys = ["particles.links", "particles.lineLinked", "particles.line_linked"]

  /// The name that a file has; particles.js knows the last one only.
  fileprivate static func linkKey(in emitter: JSONValue, isParticlesJS: Bool) -> String? {
    linkKeys.dropFirst(isParticlesJS ? 2 : 0).first { emitter[$0] != nil }
  }
}

extension TreeReader<TSParticlesFamily> {
  func decodeLinks(of emitter: inout Emitter) {
    let found = TSParticlesFamily.linkKey(in: value, isParticlesJS: isParticlesJS)
    // particles.js draws them unless the file says no.
    guard let key = found ?? (isParticlesJS ? TSParticlesFamily.linkKeys.last : nil),
      holds("\(key).enable", isParticlesJS)
    else { return }
    var links = Links()
    links.distance = number("\(key).distance", 100, atLeast: 0)
    links.opacity = number("\(key).opacity", 1, atLeast: 0)
    links.width = number("\(key).width", 1, atLeast: 0)
    // A canvas ignores a width of 0, which tsParticles looks at before.
    if isParticlesJS, links.width == 0 { links.width = 1 }
    guard links.distance > 0, links.opacity > 0, links.width > 0 else { return }
    if links.opacity > 1 {
      note(.approximated, "\(key).opacity", "lines have an opacity of at most 1")
      links.opacity = 1
    }
    links.color = linkColor("\(key).color")
    emitter.render.links = links
    reportLinkOptions(key)
  }

  private func linkColor(_ key: String) -> Color {
    guard let stated = self[key] else { return .white }
    let value = stated["value"] ?? stated
    if isParticlesJS {
      return value.string.flatMap { Color(hexadecimal: $0) ?? Color(hexadecimal: "#\($0)") }
        ?? .white
    }
    let colors = (value.array ?? [value]).compactMap { color($0, key) }
    if colors.count != 1 {
      note(
        .approximated, key,
        colors.isEmpty ? "lines are white" : "all lines have the first of several colours",
        found: value.shortExcerpt)
    }
    return colors.first ?? .white
  }

  /// Reports what lines of tsParticles can do besides.
  private func reportLinkOptions(_ key: String) {
    guard !isParticlesJS else { return }
    if number("\(key).frequency", 1) < 1 {
      note(
        .approximated, "\(key).frequency", "all pairs of near particles have a line, not a part")
    }
    for name in ["triangles", "shadow"] where holds("\(key).\(name).enable", false) {
      note(.uninterpreted, "\(key).\(name)", "\(name) of lines are not drawn", found: "an object")
    }
    for name in ["blink", "consent"] where holds("\(key).\(name)", false) {
      note(.approximated, "\(key).\(name)", "lines keep their colour")
    }
    if holds("\(key).warp", false) {
      note(
        .approximated, "\(key).warp", "no line leads over the edge of the canvas", severity: .note)
    }
  }
}

extension EmitterWriter<TSParticlesFamily> {
  mutating func encodeLinks() {
    let found = surroundings.origin.flatMap {
      TSParticlesFamily.linkKey(in: $0, isParticlesJS: isParticlesJS)
    }
    let links = emitter.render.links
    guard links != nil || found != nil || isParticlesJS else { return }
    let key = found ?? (isParticlesJS ? "particles.line_linked" : "particles.links")
    set("\(key).enable", flag: links != nil)
    guard let links else {
      // The others stay as they are.
      for name in ["distance", "width", "opacity", "color"] {
        if let value = surroundings.origin?["\(key).\(name)"] { set("\(key).\(name)", value) }
      }
      return
    }
    set("\(key).distance", links.distance.rounded)
    set("\(key).width", links.width.rounded)
    set("\(key).opacity", (links.opacity * links.color.alpha).rounded)
    let text = links.color.hexadecimal
    let isObject = surroundings.origin?["\(key).color"]?.object != nil && !isParticlesJS
    set(isObject ? "\(key).color.value" : "\(key).color", .string(text))
    if Color(hexadecimal: text) != links.color {
      lose(
        .restated, .links, at: "render.links.color", also: ["render.links.opacity"],
        "colours have 8 bits a channel, and the opacity is that of the lines")
    }
  }
}
