internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesPropertyLists

// Where particles are born: a geometry of SceneKit.

extension SceneKitSystem {
  func shape() throws -> Shape {
    let placement = choice(
      "birthLocation", [Placement.surface, .volume, .vertices], .surface)
    guard let geometry = try object.object("emitterShape") else { return Shape() }
    var form = SceneKitGeometry(geometry)
    guard var shape = form.shape() else {
      note(
        .uninterpreted, "emitterShape", "particles are born at the origin",
        found: geometry.className.map { $0.excerpt })
      return Shape()
    }
    // The surface of something flat is all of it, which the model calls its inside.
    shape.placement = shape.kind == .rect && placement == .surface ? .volume : placement
    form.reportRest()
    return shape
  }
}

/// An archived geometry. Its keys carry the name of the class in front, except those of a plane.
struct SceneKitGeometry {
  private let geometry: ArchivedObject
  private let prefix: String
  private var asked: Set<String> = []

  init(_ geometry: ArchivedObject) {
    self.geometry = geometry
    let name = geometry.className ?? ""
    prefix = name.hasPrefix("SCN") ? name.dropFirst(3).lowercased() : name.lowercased()
  }

  /// The shape; nil if there is none like it.
  mutating func shape() -> Shape? {
    switch prefix {
    case "plane": return plane()
    case "box": return box()
    case "sphere": return sphere()
    case "cylinder": return upright(.cylinder, radius: number("radius", 0.5))
    case "capsule":
      var capsule = upright(.capsule, radius: number("capRadius", 0.5))
      capsule.height = number("height", 2)
      return capsule
    case "tube":
      let outer = number("outerRadius", 0.5)
      var tube = upright(.tube, radius: outer)
      tube.inner = outer > 0 ? min(number("innerRadius", 0.25) / outer, 1).rounded : 0
      return tube
    case "torus":
      var torus = Shape(.torus)
      torus.radius = number("ringRadius", 0.5)
      torus.pipe = number("pipeRadius", 0.25)
      return torus
    case "cone": return cone(top: number("topRadius", 0), bottom: number("bottomRadius", 0.5))
    case "pyramid": return pyramid()
    default: return nil
    }
  }

  private mutating func plane() -> Shape {
    report("cornerRadius", "rounded corners become sharp")
    return .rect(width: number("width", 1), height: number("height", 1))
  }

  private mutating func box() -> Shape {
    report("chamferRadius", "rounded edges become sharp")
    return .box(Vector(number("width", 1), number("height", 1), number("length", 1)))
  }

  private mutating func sphere() -> Shape {
    var sphere = Shape.sphere(radius: number("radius", 0.5))
    if let key = key("hemispheric"), geometry.bool(key) ?? false { sphere.kind = .hemisphere }
    return sphere
  }

  private mutating func upright(_ kind: ShapeKind, radius: Double) -> Shape {
    var shape = Shape(kind)
    shape.radius = radius
    shape.height = number("height", 1)
    return shape
  }

  /// A cone of SceneKit is cut off at the top and stands around the origin; one of the model
  /// begins there.
  private mutating func cone(top: Double, bottom: Double) -> Shape {
    var cone = upright(.cone, radius: bottom)
    cone.angle = cone.height > 0 ? (atan2(top - bottom, cone.height) * 180 / .pi).rounded : 0
    cone.transform = Transform(translation: Vector(0, -cone.height / 2, 0))
    return cone
  }

  private mutating func pyramid() -> Shape {
    let (width, length) = (number("width", 1), number("length", 1))
    var cone = cone(top: 0, bottom: (width * length / .pi).squareRoot().rounded)
    cone.transform = Transform()
    geometry.reader.report(
      Diagnostic(
        .approximated, at: .key(geometry.path), "a pyramid becomes a cone of the same volume"))
    return cone
  }

  // MARK: Keys

  /// The key of a property, with or without the name of the class, in any case.
  private mutating func key(_ name: String) -> String? {
    let wanted = [prefix + name.lowercased(), name.lowercased()]
    let key = geometry.keys.prefix(1000).first { wanted.contains($0.lowercased()) }
    if let key { asked.insert(key) }
    return key
  }

  private mutating func number(_ name: String, _ standard: Double) -> Double {
    guard let key = key(name), let number = geometry.double(key) else { return standard }
    guard 0..<1e15 ~= number else {
      geometry.mismatch(key, expected: "a length", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  private mutating func report(_ name: String, _ detail: String) {
    guard let key = key(name), let number = geometry.double(key), number != 0 else { return }
    geometry.reader.report(
      Diagnostic(.approximated, at: .key(geometry.path(of: key)), detail, found: "\(number)"))
  }

  /// Reports what is not about tessellation or looks, which do not matter to births.
  func reportRest() {
    let harmless = [
      "materials", "name", "subdivision", "tessellator", "adaptive", "segment", "primitivetype",
      "geodesic", "radialspan",
    ]
    for key in geometry.keys.prefix(1000) where !asked.contains(key) {
      let name = key.lowercased()
      let isHarmless = harmless.contains { name.contains($0) }
      guard !isHarmless, geometry.index(of: key) != nil else { continue }
      geometry.reportUninterpreted(key, found: geometry.value(key)?.summary)
    }
  }
}
