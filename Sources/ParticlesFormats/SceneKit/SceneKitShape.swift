internal import ParticlesCore
internal import ParticlesModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// Where particles are emitted: a geometry of SceneKit. Its keys have the name of the class in front,
// except those of a plane.

/// A class of geometries with the lengths that both sides have.
private struct SceneKitGeometry {
  let name: String
  let kind: ShapeKind
  /// What is written before and behind the lengths.
  var first: [ArchivableObject.Member] = []
  var rest: [ArchivableObject.Member] = []
  let lengths: [(key: String, path: WritableKeyPath<Shape, Double>, standard: Double)]

  var prefix: String { name.lowercased() }

  static var all: [SceneKitGeometry] {
    typealias Member = ArchivableObject.Member
    let round: [Member] = [
      .init("segmentCount", .integer(24)), .init("geodesic", .bool(false)),
      .init("hemispheric", .bool(false)), .init("radialSpan", .double(0)),
    ]
    func counts(_ counts: KeyValuePairs<String, Int>) -> [Member] {
      counts.map { .init($0.key, .integer($0.value)) }
    }
    return [
      SceneKitGeometry(
        name: "Plane", kind: .rect,
        rest: [.init("cornerRadius", .double(0))]
          + counts(["widthSegmentCount": 0, "heightSegmentCount": 1, "cornerSegmentCount": 10]),
        lengths: [("width", \.size.x, 1), ("height", \.size.y, 1)]),
      SceneKitGeometry(
        name: "Box", kind: .box,
        rest: [.init("chamferRadius", .double(0))]
          + counts([
            "widthSegmentCount": 1, "heightSegmentCount": 1, "lengthSegmentCount": 1,
            "chamferSegmentCount": 10,
          ]),
        lengths: [("width", \.size.x, 1), ("height", \.size.y, 1), ("length", \.size.z, 1)]),
      SceneKitGeometry(
        name: "Sphere", kind: .sphere, rest: round, lengths: [("radius", \.radius, 0.5)]),
      SceneKitGeometry(
        name: "Cylinder", kind: .cylinder,
        lengths: [("radius", \.radius, 0.5), ("height", \.height, 1)]),
      SceneKitGeometry(
        name: "Capsule", kind: .capsule,
        lengths: [("capRadius", \.radius, 0.5), ("height", \.height, 2)]),
      SceneKitGeometry(
        name: "Tube", kind: .tube,
        lengths: [("outerRadius", \.radius, 0.5), ("height", \.height, 1)]),
      SceneKitGeometry(
        name: "Torus", kind: .torus,
        lengths: [("ringRadius", \.radius, 0.5), ("pipeRadius", \.pipe, 0.25)]),
      SceneKitGeometry(
        name: "Cone", kind: .cone,
        lengths: [("bottomRadius", \.radius, 0.5), ("height", \.height, 1)]),
    ]
  }

  /// The archived geometry of a shape.
  func object(_ shape: Shape, _ format: SceneKitFamily) -> Archivable {
    let prefix = kind == .rect ? "" : prefix
    let lengths = lengths.map {
      ArchivableObject.Member($0.key, format.real(shape[keyPath: $0.path]))
    }
    let members = first + lengths + rest + [.init("primitiveType", .integer(0))]
    return .object(
      ["SCN\(name)", "SCNGeometry", "NSObject"],
      members.map { .init(prefix + $0.key, $0.value) } + [
        .init("subdivisionLevel", .integer(0)), .init("materials", .array([])),
      ])
  }
}

// MARK: - Reading

extension ArchivedEmitter<SceneKitFamily> {
  func decodeShape(of emitter: inout Emitter) throws {
    let placement = choice("birthLocation", SceneKitFamily.places, .surface)
    guard let object = try object.object("emitterShape") else { return }
    var reader = GeometryReader(object)
    guard var shape = reader.shape() else {
      return note(
        .uninterpreted, "emitterShape", "particles are born at the origin",
        found: object.className.map(\.excerpt))
    }
    // The surface of something flat is all of it, which the document calls its inside.
    shape.placement = shape.kind == .rect && placement == .surface ? .volume : placement
    reader.reportRest()
    emitter.shape = shape
  }
}

private struct GeometryReader {
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
    if prefix == "pyramid" { return pyramid() }
    guard let form = SceneKitGeometry.all.first(where: { $0.prefix == prefix }) else { return nil }
    var shape = Shape(form.kind)
    for (key, path, standard) in form.lengths { shape[keyPath: path] = number(key, standard) }
    switch form.kind {
    case .rect: report("cornerRadius", "rounded corners become sharp")
    case .box: report("chamferRadius", "rounded edges become sharp")
    case .sphere:
      if let key = key("hemispheric"), geometry.bool(key) ?? false { shape.kind = .hemisphere }
    case .tube:
      let inner = number("innerRadius", 0.25)
      shape.inner = shape.radius > 0 ? min(inner / shape.radius, 1).rounded : 0
    case .cone: open(&shape, top: number("topRadius", 0))
    default: break
    }
    return shape
  }

  /// A cone of SceneKit is cut off at the top and is around the origin; one of the document begins
  /// there.
  private func open(_ cone: inout Shape, top: Double) {
    cone.angle =
      cone.height > 0 ? (atan2(top - cone.radius, cone.height) * 180 / .pi).rounded : 0
    cone.transform = Transform(translation: Vector(0, -cone.height / 2, 0))
  }

  private mutating func pyramid() -> Shape {
    var cone = Shape(.cone)
    cone.radius = (number("width", 1) * number("length", 1) / .pi).squareRoot().rounded
    cone.height = number("height", 1)
    open(&cone, top: 0)
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
    geometry.note(.approximated, key, detail, found: "\(number)")
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

// MARK: - Writing

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeShape() {
    let shape = emitter.shape
    guard let geometry = geometry(of: shape) else {
      if shape.kind == .point, shape != Shape() {
        let isMoved = shape.transform != Transform()
        lose(
          isMoved ? .lost : .dead, isMoved ? .sh3D : .shRect, at: "shape",
          isMoved ? "the point is that of the emitter" : "a point has no extent")
      }
      return set("birthLocation", integer: 0)
    }
    set("emitterShape", geometry)
    if !set("birthLocation", shape.placement, of: SceneKitFamily.places), shape.placement == .edge {
      lose(.approximated, .shRing, at: "shape.placement", "births are on the surface or inside")
    }
    drop(\.shape.distribution, .shDisc, at: "shape.distribution", "births are spread evenly")
    drop(\.shape.sweep, .shDisc, at: "shape.sweep", "births are anywhere")
    if shape.kind != .polyline {
      drop(\.shape.arc, .shRing, at: "shape.arc", "shapes go all around")
    }
    let natural = shape.kind == .cone ? Vector(0, -shape.height / 2, 0) : .zero
    if shape.transform != Transform(translation: natural) {
      lose(
        .lost, .sh3D, at: "shape.transform", "shapes stand around the emitter, upright")
    }
  }

  /// The geometry; nil if there is none like it, after a line about that.
  private mutating func geometry(of shape: Shape) -> Archivable? {
    var form = shape
    var first: [ArchivableObject.Member] = []
    switch shape.kind {
    case .point: return nil
    case .line: form = line(shape)
    case .ellipse: form = ellipse(shape)
    case .cone: first = [.init("topRadius", format.real(top(of: shape)))]
    case .tube: first = [.init("innerRadius", format.real(shape.radius * shape.inner))]
    case .polyline: form = bounds(of: shape.points.flatMap(\.self))
    case .points: form = bounds(of: shape.positions)
    case .mesh:
      lose(.lost, .shMesh, at: "shape", "particles are born at the origin")
      return nil
    case .rect, .box, .sphere, .hemisphere, .cylinder, .capsule, .torus: break
    }
    if [.sphere, .hemisphere, .cylinder, .capsule, .cone].contains(shape.kind) {
      drop(\.shape.inner, .shRing, at: "shape.inner", "shapes are full")
    }
    let kind = form.kind == .hemisphere ? .sphere : form.kind
    guard var geometry = SceneKitGeometry.all.first(where: { $0.kind == kind }) else { return nil }
    geometry.first = first
    if form.kind == .hemisphere { geometry.rest[2].value = .bool(true) }
    return geometry.object(form, format)
  }

  private mutating func line(_ shape: Shape) -> Shape {
    let angle = abs(shape.angle.truncatingRemainder(dividingBy: 180))
    let isAlongAxis = angle == 0 || angle == 90
    lose(
      .approximated, .shLine, at: "shape", "a line is a plane without height",
      recipe: isAlongAxis ? nil : "turned to the nearest axis",
      level: isAlongAxis ? .low : .medium)
    return 45...135 ~= angle
      ? .rect(width: 0, height: shape.length) : .rect(width: shape.length, height: 0)
  }

  private mutating func ellipse(_ shape: Shape) -> Shape {
    lose(
      .approximated, shape.inner > 0 || shape.placement == .edge ? .shRing : .shDisc, at: "shape",
      "an ellipse becomes a rectangle", recipe: "of the same area", level: .medium)
    let side = Double.pi.squareRoot()
    return .rect(width: shape.radii.x * side, height: shape.radii.y * side)
  }

  /// A cone of SceneKit is cut off at the top and is around the origin.
  private mutating func top(of cone: Shape) -> Double {
    let top = cone.radius + cone.height * tan(cone.angle * .pi / 180)
    if top < 0 || cone.angle.magnitude >= 90 || cone.height == 0 {
      lose(
        .approximated, .sh3D, at: "shape.angle", "a cone ends at its tip",
        recipe: "a tip at the top")
    }
    return top.isFinite && top >= 0 && cone.angle.magnitude < 90 ? top : 0
  }

  /// A box around points, as far as one that is around the emitter can be.
  private mutating func bounds(of points: [Vector]) -> Shape {
    lose(
      .approximated, .shPoly, at: "shape", "particles are born anywhere between the points",
      recipe: "the box around them", level: .high)
    func most(_ path: KeyPath<Vector, Double>) -> Double {
      2 * (points.map { $0[keyPath: path].magnitude }.max() ?? 0)
    }
    return .box(Vector(most(\.x), most(\.y), most(\.z)))
  }
}
