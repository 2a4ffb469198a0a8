internal import ParticlesCore
internal import ParticlesModel

/// A property that ``EffectEditor`` can set.
public struct SettableKey: Sendable, Hashable {
  /// The key. Empty brackets mean the index of any element: `emitters[].emission.rate`.
  public var key: String
  /// The type, or the allowed names in quotes.
  public var type: String
  /// The unit, or nil for values without a unit.
  public var unit: String?
  /// The allowed range. Nil if the property has no limits or is not a number.
  public var range: String?
  /// The least allowed number, or an exclusive lower limit. Nil if there is none.
  public var minimum: Double?
  /// The greatest allowed number, or nil if there is none.
  public var maximum: Double?
  /// The default as JSON, or nil for a required property.
  public var standard: String?
  /// The name that an editor shows, or nil for the words of the key.
  package var statedLabel: String?
  /// A description, one sentence.
  public var summary: String
  /// How an editor shows it.
  public var hint: PropertyHint

  /// Returns the keys that begin with `prefix`, or that have a component beginning with it, or all keys if it is
  /// empty. Indices in `prefix` are ignored. Components of values, such as the start and the end of a track and the
  /// components of a vector, are listed only if `prefix` includes the key of the value. Components that are amounts
  /// of the property have its unit, its limits and its hint.
  public static func all(_ prefix: String = "") -> [SettableKey] {
    let wanted = withoutIndices(prefix)
    return keys(of: [ParticleSystem.object], below: "", open: wanted).filter {
      $0.key.hasPrefix(wanted) || $0.key.contains(".\(wanted)")
    }
  }

  private static func keys(
    of types: [PropertyCatalog.Object], below prefix: String, open: String,
    in value: SettableKey? = nil, labelled start: String? = nil
  ) -> [SettableKey] {
    var seen: Set<String> = []
    return types.flatMap { type in
      type.keys.filter { seen.insert($0).inserted }.flatMap { key -> [SettableKey] in
        guard let info = type.property(key) else { return [] }
        let whole = prefix + key
        let isArray = info.type.hasPrefix("array of ") && !info.objects.isEmpty
        let parts = isArray ? "\(whole)[]" : whole
        // An object without a short form is set member by member.
        let isPlain = info.objects.count == 1 && !info.objects[0].hasShortForm
        let isOpen =
          isPlain || open == parts || open.hasPrefix("\(parts).")
          || open.hasPrefix("\(whole)[]")
        var own = SettableKey(whole, info)
        if let start { own.statedLabel = "\(start) \(own.label.lowercased())" }
        if let value, Self.amounts.contains(key) { own.copyNumbers(of: value) }
        let isValue = !isPlain && !isArray
        let components = isOpen && isValue ? own.component(info, open) : []
        // Members of the components of a vector are below them.
        let isVector = info.element != nil && isValue
        let inside =
          isOpen && (!isVector || open.hasPrefix("\(whole)[]"))
          ? keys(
            of: info.objects, below: isVector ? "\(whole)[]." : "\(parts).", open: open,
            in: isValue ? own : nil, labelled: isPlain && !isArray ? info.label : nil)
          : []
        return (isPlain && !isArray ? [] : [own]) + components + inside
      }
    }
  }

  /// The members of values that are amounts of the property.
  private static let amounts: Set = ["min", "max", "low", "high", "from", "to", "oneOf"]

  /// Copies the unit, the limits and the number hint of a property.
  private mutating func copyNumbers(of value: SettableKey) {
    (unit, range, minimum, maximum) = (value.unit, value.range, value.minimum, value.maximum)
    hint.numbers = value.hint.numbers
  }

  /// The components of a vector, as one row. None for other values.
  private func component(_ info: PropertyInfo, _ open: String) -> [SettableKey] {
    guard hint.numbers != nil, let element = info.element else { return [] }
    var component = SettableKey("\(key)[]", element)
    component.copyNumbers(of: self)
    return [component]
  }

  private init(_ key: String, _ info: PropertyInfo) {
    self.key = key
    type = info.type
    unit = info.unit
    range = info.bounds?.description
    (minimum, maximum) = (info.bounds?.lower, info.bounds?.upper)
    standard = info.standard
    statedLabel = info.label
    summary = info.summary
    hint = PropertyHint(key, info)
  }

  /// The name that an editor shows. By default, the words of the key: `Max alive` for `maxAlive`.
  public var label: String {
    if let statedLabel { return statedLabel }
    let last = key.split(separator: ".").last ?? ""
    let words = last.replacing("[]", with: "")
      .map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Replaces `emitters[0]` and `emitters["Smoke"]` with `emitters[]`.
  private static func withoutIndices(_ key: String) -> String {
    var (text, isInside) = ("", false)
    for character in key {
      if character == "]" { isInside = false }
      if !isInside { text.append(character) }
      if character == "[" { isInside = true }
    }
    return text
  }
}

extension SettableKey {
  /// The names that other editors and engines have for the property, and German ones: a search by them finds it. The
  /// engines are Unity, Niagara of Unreal, Effekseer, Godot, cocos2d and Particle Designer.
  public var names: [String] {
    (Self.names[key] ?? "").split(separator: ";").map { String($0.drop { $0 == " " }) }
  }

  /// Returns the keys that other editors call so, in any case: `emitters[].forces` for `gravity`. See ``names``.
  public static func called(_ name: String) -> [SettableKey] {
    let wanted = name.lowercased()
    return all().filter { $0.names.contains { $0.lowercased() == wanted } }
  }

  /// The names of each key, separated by semicolons.
  private static let names: [String: String] = [
    "asset.profile": "engine; target engine; Zielprogramm",
    "asset.unitsPerMeter": "pixels per unit; PPU",
    "seed": "random seed; auto random seed; Zufallszahl; Zufall",
    "preview.background": "backdrop; Hintergrundfarbe",
    "preview.fps": "frames per second",
    "emitters[].enabled": "visible; emitting; is rendered; active; sichtbar; aktiv",
    "emitters[].space": """
    simulation space; local space; local coords; position type; attached; follow; coordinate space; Koordinaten
    """,
    "emitters[].transform.translation": """
    source position; emitter position; translation; offset; location; Position
    """,
    "emitters[].transform.angle": "emitter rotation; Drehung",
    "emitters[].transform.scale": "scale; emitter scale; Skalierung",
    "emitters[].timing.delay": """
    start delay; loop delay; start generation time; delay; Startverzögerung
    """,
    "emitters[].timing.duration": """
    emitter duration; loop duration; emission time; system duration; length; Länge
    """,
    "emitters[].timing.loop": "looping; loop behavior; one shot; repeat; endless; endlos; Schleife",
    "emitters[].timing.prewarm": "preprocess; warmup time; warm-up; prewarming; Vorwärmen",
    "emitters[].timing.speed": """
    simulation speed; speed scale; time scale; playback speed; play rate; Zeitlupe
    """,
    "emitters[].timing.fixedStep": "fixed fps; fixed tick delta; fixed delta; fester Zeitschritt",
    "emitters[].emission.rate": """
    rate over time; spawn rate; emission rate; birth rate; spawn; amount per second; particles per second; \
    generation interval; spawn per second; Erzeugung; Geburtenrate
    """,
    "emitters[].emission.ratePerDistance": """
    rate over distance; spawn per unit; distance; emission over distance; Abstand
    """,
    "emitters[].emission.bursts": """
    burst; spawn burst; spawn burst instantaneous; burst count; instantaneous; Stoß; Ausbruch
    """,
    "emitters[].emission.maxAlive": """
    max particles; maximum particles; amount; capacity; particle count; count; pool size; limit; \
    Höchstzahl; Anzahl; Kapazität
    """,
    "emitters[].emission.total":
      "spawn count; max count; generation count; numberToEmit; Gesamtzahl",
    "emitters[].emission.explosiveness": "explosion; explode; Explosion",
    "emitters[].emission.jitter": "randomness; Zufall",
    "emitters[].shape.type": """
    emitter shape; emission shape; spawn shape; shape location; spawn location; generation location; Emitterform
    """,
    "emitters[].shape.size": """
    box extents; source position variance; emission box extents; emitter size; spawn area; position variance; \
    box size; Ausmaße
    """,
    "emitters[].shape.radius": "sphere radius; emission sphere radius; cone radius; Halbmesser",
    "emitters[].shape.inner": """
    radius thickness; ring; donut; inner radius; emission ring inner radius; ring radius; Ring
    """,
    "emitters[].shape.placement": """
    emit from; emit from edge; emit from shell; surface only; border only; Rand
    """,
    "emitters[].launch.direction.angle":
      "emission angle; emitter angle; direction; Winkel der Richtung",
    "emitters[].launch.direction.mode": "direction mode; spherize direction; randomize direction",
    "emitters[].launch.direction.vector": "velocity direction; launch vector",
    "emitters[].launch.spread": """
    angle variance; angle var; emission angle range; velocity cone; cone angle; cone; velocity in cone; \
    spread angle; Streuwinkel; Kegel
    """,
    "emitters[].launch.flatness": "flat; flach",
    "emitters[].launch.speed": """
    start speed; initial velocity; initial speed; speed; add velocity; velocity; velocity from point; \
    launch velocity; Anfangsgeschwindigkeit; Geschwindigkeit
    """,
    "emitters[].launch.inheritVelocity": """
    inherit source movement; inherited velocity; inherit velocity ratio; Geschwindigkeit erben
    """,
    "emitters[].lifetime": """
    start lifetime; life; life span; lifespan; particle life; time to live; TTL; life time; \
    particle lifespan; lifetime randomness; lifespan variance; Lebenszeit; Leben
    """,
    "emitters[].physics.collides":
      "collision; collide; collision mode; world collision; Kollision; Zusammenstoß",
    "emitters[].physics.bounce": "restitution; elasticity; bounciness; Elastizität",
    "emitters[].physics.sceneGravity": "affected by gravity; use gravity; gravity scale",
    "emitters[].motion.mode":
      "emitter type; radius mode; gravity mode; movement type; Bewegungsart",
    "emitters[].motion.speed": """
    velocity over lifetime; velocity over life; speed over lifetime; speed modifier; scale velocity; \
    Geschwindigkeit im Leben
    """,
    "emitters[].motion.orbit.radius": "max radius; min radius; maxRadius; minRadius; Kreisradius",
    "emitters[].motion.orbit.angularVelocity":
      "rotate per second; rotatePerSecond; orbital speed; Umlauf",
    "emitters[].motion.orbitVelocity":
      "orbital; orbital velocity; orbit velocity; orbit; vortex velocity; kreisen",
    "emitters[].motion.drift": "directional velocity; linear velocity; wind velocity; Abtrieb",
    "emitters[].motion.maxSpeed": """
    limit velocity over lifetime; speed limit; velocity limit; limit velocity; clamp velocity; terminal velocity; \
    Tempolimit; Höchstgeschwindigkeit
    """,
    "emitters[].forces": """
    gravity; gravity modifier; gravity force; gravity x; gravity y; force over lifetime; external forces; \
    linear acceleration; linear accel; radial acceleration; radial accel; tangential acceleration; tangential accel; \
    acceleration; acceleration force; drag; damping; dampen; air resistance; linear damping; noise; turbulence; \
    curl noise; curl noise force; noise force; wind; wind force; point attraction force; point force; attraction; \
    attraction forces; attractor; repulsion; vortex force; swirl; force field; vector field; physics; Kraft; Wind; \
    Turbulenz; Anziehung; Beschleunigung; Luftwiderstand
    """,
    "emitters[].rotation.angle": """
    start rotation; rotation start; initial rotation; sprite rotation; initial angle; rotation; start spin; \
    Anfangswinkel; Drehung
    """,
    "emitters[].rotation.velocity": """
    rotation over lifetime; angular velocity; rotation speed; rotation rate; sprite rotation rate; rotation end; \
    end spin; spin; Drehgeschwindigkeit; Rotation
    """,
    "emitters[].rotation.align": """
    align to direction; align to velocity; velocity alignment; face direction; align y; rotation is direction; \
    ausrichten
    """,
    "emitters[].size.width": """
    start size; size over lifetime; start particle size; finish particle size; finish size; end size; size; \
    particle size; sprite size; scale sprite size; uniform sprite size; scale amount; scale curve; \
    scale amount curve; scale over life; expansion; Größe; Skalierung
    """,
    "emitters[].size.stretch.factor":
      "stretched billboard; speed scale stretch; velocity stretch; length scale; strecken",
    "emitters[].color.base": """
    start color; start colour; finish color; end color; color over lifetime; colour over lifetime; color ramp; \
    color initial ramp; gradient; tint; scale color; initial color; color; hue variation; hue; color by speed; \
    Farbverlauf; Verlauf; Farbton
    """,
    "emitters[].color.opacity": """
    alpha; alpha over life; alpha curve; fade; fade in; fade out; fading; transparency; visibility; scale alpha; \
    Transparenz; Deckung; ausblenden; einblenden; Alpha
    """,
    "emitters[].color.intensity": "brightness; emissive; glow; HDR; bloom; leuchten",
    "emitters[].sprites": """
    texture; material; sprite; picture; color texture; particle texture; texture file name; Textur; Bild
    """,
    "emitters[].spriteSelection": "random sprite; variation; frame over time; Zufallsbild",
    "emitters[].flipbook.fps": """
    texture sheet animation; sprite sheet; SubUV animation; SubUV; flipbook; flip-book; anim speed; \
    animation speed; UV animation; frames per second; UV scroll; Bildfolge; Animation
    """,
    "emitters[].flipbook.start": "anim offset; start frame; animation offset; Startbild",
    "emitters[].render.blend.mode": """
    blend mode; additive; blending; blend func; blend function; alpha blend; add mode; blend state; additiv; \
    Mischmodus; Mischen
    """,
    "emitters[].render.blend.src": "blend func source; source blend; blendFuncSource; src blend",
    "emitters[].render.blend.dst": """
    blend func destination; destination blend; blendFuncDestination; dst blend
    """,
    "emitters[].render.sort":
      "sort mode; draw order; sorting; sort order; sortieren; Zeichenreihenfolge",
    "emitters[].render.order": """
    order in layer; sorting fudge; drawing priority; draw priority; z index; z-index; sort priority; render priority; \
    Zeichenpriorität
    """,
    "emitters[].render.layer": "sorting layer; z layer; layer mask",
    "emitters[].render.billboard": """
    render mode; billboard; facing mode; billboard mode; facing; render alignment; orientation; Ausrichtung
    """,
    "emitters[].render.soft.near":
      "soft particles; soft particle; proximity fade; depth fade; weiche Partikel",
    "emitters[].render.trail.length": """
    trails; trail; ribbon; trail lifetime; tail; trail enabled; Spur; Schweif
    """,
    "emitters[].render.trail.width": "width over trail; ribbon width; trail scale; Spurbreite",
    "emitters[].render.trail.color": "color over trail; ribbon color; trail gradient; Spurfarbe",
    "emitters[].render.links.distance": """
    links; lines; line linked; line_linked; linked lines; connect; connections; network; Linien; Verbindungen; Netz
    """,
    "emitters[].triggers": """
    sub emitters; sub emitter; sub-emitter; sub-emitters; subemitter; events; event handler; child; child node; \
    on death; collision event; Unteremitter; Kind
    """,
    "sprites[].grid.columns": "tiles x; h frames; hframes; Kacheln",
    "sprites[].grid.rows": "tiles y; v frames; vframes",
  ]
}

/// A parsed property key: `emitters[0].emission.rate`, `emitters["Smoke"].lifetime`,
/// `sprites[+]`, `emitters[*].enabled`.
struct TypedKey: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// A member of an object.
    case key(String)
    /// An element of an array, counted from 0.
    case index(Int)
    /// The element with this name, or the member with this key if the key contains `.` or `[`.
    case name(String)
    /// A new element after the last one.
    case end
    /// Every element.
    case all
  }

  /// The key as given.
  let text: String
  let steps: [Step]

  /// Creates the key of an element of a top-level array, by index or by name.
  init(element designator: String, of array: String) {
    let step = Int(designator).map(Step.index) ?? .name(designator)
    (text, steps) = ("\(array)[\(designator)]", [.key(array), step])
  }

  /// Creates a key from its steps.
  init(_ steps: [Step], from text: String) { (self.steps, self.text) = (steps, text) }

  /// Parses a key.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a syntax error.
  init(_ text: String) throws(Failure) {
    self.text = text
    var steps: [Step] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let end = Self.end(ofBracket: rest) else { throw Self.fault(text, "a ']'") }
        steps.append(try Self.bracket(rest[rest.index(after: rest.startIndex)..<end], in: text))
        rest = rest[rest.index(after: end)...]
        continue
      }
      if !steps.isEmpty {
        guard rest.popFirst() == "." else { throw Self.fault(text, "'.' or '['") }
      }
      let key = rest.prefix { $0 != "." && $0 != "[" }
      guard !key.isEmpty else { throw Self.fault(text, "a key") }
      steps.append(.key(String(key)))
      rest = rest[key.endIndex...]
    }
    guard !steps.isEmpty else { throw Self.fault(text, "a key") }
    self.steps = steps
  }

  /// Returns the index of the closing bracket. A bracket in quotes does not count.
  private static func end(ofBracket text: Substring) -> String.Index? {
    let isQuoted = text.dropFirst().first == "\""
    guard isQuoted else { return text.firstIndex(of: "]") }
    let quote = text.dropFirst(2).firstIndex(of: "\"")
    return quote.flatMap { text[$0...].firstIndex(of: "]") }
  }

  private static func bracket(_ inside: Substring, in text: String) throws(Failure) -> Step {
    if inside == "+" { return .end }
    if inside == "*" { return .all }
    if let index = Int(inside), index >= 0 { return .index(index) }
    let name =
      inside.first == "\"" && inside.last == "\"" && inside.count > 1
      ? inside.dropFirst().dropLast() : inside
    guard !name.isEmpty else { throw fault(text, "an index, a name, '*' or '+' in brackets") }
    return .name(String(name))
  }

  private static func fault(_ text: String, _ expected: String) -> Diagnostic {
    Diagnostic(
      .usage, "'\(text)' is not a key", expected: expected,
      hint: "keys look like emitters[0].emission.rate")
  }
}

/// Parses the text of a value: JSON, or a short form that depends on the type of the property.
///
/// Any other text becomes a JSON string. The model checks whether the property accepts it.
struct PropertyText {
  /// The property, or nil for unknown JSON members.
  var property: PropertyInfo?

  /// The type without "or null".
  private var type: String {
    let type = property?.type ?? ""
    return type.hasSuffix(" or null") ? String(type.dropLast(8)) : type
  }

  /// The allowed names. Empty if the property is not an enumeration.
  var names: [String] {
    guard type.hasPrefix("\"") else { return [] }
    return type.split(separator: "\"").map(String.init).filter { $0 != ", " }
  }

  /// Throws if the property does not allow a value.
  /// - Returns: whether that was found out without the document.
  func checkAlone(_ value: JSONValue, at location: Location) throws(Failure) -> Bool {
    guard names.isEmpty, ["Value", "Track"].contains(type) else {
      try check(value, at: location)
      try checkRange(value, at: location)
      return !names.isEmpty || ["number", "integer", "boolean"].contains(type)
    }
    let range = value.object
    let ends =
      value.double.map { [$0] } ?? [range?["min"], range?["max"]].compactMap { $0?.double }
    // Ends out of order, and other members, are for the check of the document.
    guard value.double != nil || range?.members.count == 2 && ends.count == 2, ends == ends.sorted()
    else { return false }
    for number in ends where !(property?.bounds?.contains(number) ?? number.isFinite) {
      throw Diagnostic(
        .range, at: location, expected: property?.bounds?.description ?? "a finite number",
        found: value.line)
    }
    return true
  }

  /// Returns the JSON value of a text.
  /// - Throws: ``ParticlesCore/Rule/type`` for a name that is not allowed.
  func value(of text: String, at location: Location) throws(Failure) -> JSONValue {
    if !names.isEmpty, !names.contains(unquoted(text)), text != "null" {
      let guess = Suggestion.nearest(to: unquoted(text), among: names)
      throw Diagnostic(
        .type, at: location, expected: "one of \(names.joined(separator: ", "))",
        found: "'\(text)'", hint: guess.map { "did you mean '\($0)'?" })
    }
    let json = try? JSONParser.parse(Array(text.utf8))
    switch (type, json) {
    case ("string", .string(_)?), ("string", .null?): return json ?? .null
    case ("string", _): return .string(text)
    case (_, .string(let inside)?): return color(inside) ?? .string(inside)
    case (_, let json?): return json
    default: return number(text) ?? range(text) ?? color(text) ?? .string(text)
    }
  }

  /// Throws if a number, or one of a vector, is out of the range of the property. The ends of random ranges may be.
  /// - Throws: ``ParticlesCore/Rule/range``.
  func checkRange(_ value: JSONValue, at location: Location) throws(Failure) {
    guard let bounds = property?.bounds else { return }
    for number in value.array ?? [value] {
      guard let number = number.double, !bounds.contains(number) else { continue }
      throw Diagnostic(.range, at: location, expected: bounds.description, found: value.line)
    }
  }

  /// Throws unless a value is one of the type of a property of a plain type.
  func check(_ value: JSONValue, at location: Location) throws(Failure) {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.type, at: location, expected: expected, found: value.line.excerpt)
    }
    if !names.isEmpty {
      guard let name = value.string, names.contains(name) else {
        throw fault("one of \(names.joined(separator: ", "))")
      }
      return
    }
    switch type {
    case "number", "integer":
      guard let number = value.double else { throw fault("a number") }
      if type == "integer", value.int == nil { throw fault("an integer") }
      // No JSON, but a text such as 1e999.
      guard number.isFinite else {
        throw Diagnostic(
          .range, at: location, expected: "a finite number", found: value.line)
      }
    case "boolean": guard value.bool != nil else { throw fault("true or false") }
    case "string": guard value.string != nil else { throw fault("a string") }
    default: break
    }
  }

  /// A hint that shows the short form of the type, or nil for types without one.
  var shape: String? {
    switch type {
    case "colour", "ColorValue", "ColorTrack": "colours look like orange, #ff8800 or [1, 0.53, 0]"
    case "Value", "Track": "for example 3, or 1..4 for a random number from 1 to 4"
    default: nil
    }
  }

  /// The key of the only colour in an object without a short form, if the text is a colour.
  func colorMember(for text: String) -> String? {
    guard ParticleSystem.Color(text: unquoted(text)) != nil, let objects = property?.objects,
      objects.count == 1, !objects[0].hasShortForm, property?.element == nil
    else { return nil }
    let colors = objects[0].keys.filter { key in
      objects[0].property(key).map { Self.colors.contains($0.type) } ?? false
    }
    return colors.count == 1 ? colors[0] : nil
  }

  /// The types whose values can be written as `#ff8800` or `orange`.
  static let colors: Set = ["colour", "ColorValue", "ColorTrack"]

  private func unquoted(_ text: String) -> String {
    text.count > 1 && text.first == "\"" && text.last == "\""
      ? String(text.dropFirst().dropLast()) : text
  }

  /// `.5`, `+3`: numbers that JSON does not allow.
  private func number(_ text: String) -> JSONValue? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return .double(number)
  }

  /// `0.5..2`: a random number from 0.5 to 2.
  private func range(_ text: String) -> JSONValue? {
    guard ["Value", "Track", "frame rate"].contains(type),
      let dots = text.firstRange(of: ".."),
      case .number(let least)? = bound(text[..<dots.lowerBound]),
      case .number(let greatest)? = bound(text[dots.upperBound...])
    else { return nil }
    return ["min": .number(least), "max": .number(greatest)]
  }

  private func bound(_ text: Substring) -> JSONValue? {
    (try? JSONParser.parse(Array(text.utf8))) ?? number(String(text))
  }

  /// `#ff8800`, `#f80`, optionally with alpha: `#ff8800cc`, `#f80c`. Or the name of a colour of CSS. In quotes, too.
  private func color(_ text: String) -> JSONValue? {
    guard Self.colors.contains(type), let color = ParticleSystem.Color(text: text) else {
      return nil
    }
    let components = [color.red, color.green, color.blue, color.alpha]
    // An alpha that was not written is not stated.
    let isOpaque = text.hasPrefix("#") ? [4, 7].contains(text.count) : color.alpha == 1
    return .array(components.prefix(isOpaque ? 3 : 4).map { .double($0) })
  }
}
