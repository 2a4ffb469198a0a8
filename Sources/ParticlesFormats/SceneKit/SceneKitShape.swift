internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// Shapes: SceneKit geometries. Keys are prefixed with the name of the class, except those of a
// plane.

/// A class of geometries, with the lengths that correspond to those of a shape.
private struct SceneKitGeometry {
  typealias Length = (
    key: String, access: (inout Shape, (inout Double) -> Void) -> Void, standard: Double
  )

  let name: String
  let kind: ShapeKind
  let lengths: [Length]
  let rest: KeyValuePairs<String, Archivable>

  init(
    _ name: String, _ kind: ShapeKind, _ lengths: [Length],
    rest: KeyValuePairs<String, Archivable> = [:]
  ) {
    (self.name, self.kind, self.lengths, self.rest) = (name, kind, lengths, rest)
  }

  static var all: [SceneKitGeometry] {
    [
      .init(
        "Plane", .rect, [("width", { $1(&$0.size.x) }, 1), ("height", { $1(&$0.size.y) }, 1)],
        rest: [
          "cornerRadius": .double(0), "widthSegmentCount": .integer(0),
          "heightSegmentCount": .integer(1), "cornerSegmentCount": .integer(10),
        ]),
      .init(
        "Box", .box,
        [
          ("width", { $1(&$0.size.x) }, 1), ("height", { $1(&$0.size.y) }, 1),
          ("length", { $1(&$0.size.z) }, 1),
        ],
        rest: [
          "chamferRadius": .double(0), "widthSegmentCount": .integer(1),
          "heightSegmentCount": .integer(1), "lengthSegmentCount": .integer(1),
          "chamferSegmentCount": .integer(10),
        ]), sphere(.sphere), sphere(.hemisphere),
      .init(
        "Cylinder", .cylinder,
        [("radius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
      .init(
        "Capsule", .capsule,
        [("capRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 2)]),
      .init(
        "Tube", .tube,
        [("outerRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
      .init(
        "Torus", .torus,
        [("ringRadius", { $1(&$0.radius) }, 0.5), ("pipeRadius", { $1(&$0.pipe) }, 0.25)]),
      .init(
        "Cone", .cone,
        [("bottomRadius", { $1(&$0.radius) }, 0.5), ("height", { $1(&$0.height) }, 1)]),
    ]
  }

  private static func sphere(_ kind: ShapeKind) -> SceneKitGeometry {
    .init(
      "Sphere", kind, [("radius", { $1(&$0.radius) }, 0.5)],
      rest: [
        "segmentCount": .integer(24), "geodesic": .bool(false),
        "hemispheric": .bool(kind == .hemisphere), "radialSpan": .double(0),
      ])
  }
}

extension KeyedEmitter<SceneKitFamily> {
  func decodeShape(of emitter: inout Emitter) throws {
    let placement = choice("birthLocation", SceneKitFamily.places, .surface)
    guard let geometry = try object.object("emitterShape") else { return }
    guard var shape = geometry.shape() else {
      return note(
        .uninterpreted, "emitterShape",
        "the shape is not supported; particles are emitted at the origin",
        found: geometry.className.map(\.excerpt))
    }
    // The surface of a flat shape is the whole shape, which is its volume in the document.
    shape.placement = shape.kind == .rect && placement == .surface ? .volume : placement
    emitter.shape = shape
  }
}

extension ArchivedObject {
  private var geometryName: String {
    let name = className ?? ""
    return (name.hasPrefix("SCN") ? String(name.dropFirst(3)) : name).lowercased()
  }

  fileprivate func shape() -> Shape? {
    let name = geometryName
    let isPyramid = name == "pyramid"
    guard
      let form = SceneKitGeometry.all.first(where: {
        $0.name.lowercased() == (isPyramid ? "cone" : name)
      })
    else { return nil }
    var shape = Shape(form.kind)
    if isPyramid {
      shape.radius = (length("width", 1) * length("length", 1) / .pi).squareRoot().rounded
      shape.height = length("height", 1)
      note(.approximated, "a pyramid becomes a cone of the same volume")
    } else {
      for (key, access, standard) in form.lengths {
        access(&shape) { $0 = length(key, standard) }
      }
    }
    switch form.kind {
    case .rect: noteRound("cornerRadius", "rounded corners become sharp")
    case .box: noteRound("chamferRadius", "rounded edges become sharp")
    case .sphere: if bool(spelling("hemispheric")) ?? false { shape.kind = .hemisphere }
    case .tube:
      let inner = length("innerRadius", 0.25)
      shape.inner = shape.radius > 0 ? min(inner / shape.radius, 1).rounded : 0
    case .cone:
      // A SceneKit cone is truncated and centred at the origin; one of the document starts there.
      let top = isPyramid ? 0 : length("topRadius", 0)
      if shape.height > 0 {
        shape.angle = Angle.direction(shape.height, top - shape.radius) ?? 0
      }
      if !isPyramid {
        shape.transform = Transform(translation: Vector(0, -shape.height / 2, 0))
      }
    default: break
    }
    reportRestOfGeometry()
    return shape
  }

  /// The key of a property, with or without the name of the class, case-insensitive.
  private func spelling(_ name: String) -> String {
    let wanted = [geometryName + name.lowercased(), name.lowercased()]
    return keys.prefix(1000).first { wanted.contains($0.lowercased()) } ?? name
  }

  private func length(_ name: String, _ standard: Double) -> Double {
    let key = spelling(name)
    guard let number = double(key) else { return standard }
    guard 0..<1e15 ~= number else {
      mismatch(key, expected: "a length", found: "\(number)")
      return standard
    }
    return number.tidy
  }

  private func noteRound(_ name: String, _ detail: String) {
    let key = spelling(name)
    guard let number = double(key), number != 0 else { return }
    note(.approximated, key, detail, found: "\(number)")
  }

  /// Reports other keys than those for tessellation and appearance, which do not affect emission.
  private func reportRestOfGeometry() {
    let harmless = [
      "materials", "name", "subdivision", "tessellator", "adaptive", "segment", "primitivetype",
      "geodesic", "radialspan",
    ]
    for key in unaskedKeys.prefix(1000) where index(of: key) != nil {
      // Bytes, since searching characters takes much longer.
      guard !harmless.contains(where: Array(key.lowercased().utf8).contains) else { continue }
      reportUninterpreted(key, found: value(key)?.summary)
    }
  }
}

extension EmitterWriter<SceneKitFamily> {
  mutating func encodeShape() {
    let shape = emitter.shape
    guard let geometry = geometry(of: shape) else {
      if shape.kind == .point, shape != Shape() {
        let isMoved = shape.transform != Transform()
        lose(
          isMoved ? .lost : .dead, isMoved ? .shape3D : .shapeRectangle, at: "shape",
          isMoved ? "the point is the origin of the emitter" : "a point has no extent")
      }
      return set("birthLocation", integer: 0)
    }
    set("emitterShape", geometry)
    set("birthLocation", shape.placement, of: SceneKitFamily.places)
    if shape.placement == .edge {
      lose(
        .approximated, .shapeRing, at: "shape.placement", "only surface and volume are supported")
    }
    drop("shape.distribution", "emission is always even", rule: .lost)
    dropSweep()
    if shape.kind != .polyline {
      drop("shape.arc")
    }
    let natural = shape.kind == .cone ? Vector(0, -shape.height / 2, 0) : .zero
    if shape.transform != Transform(translation: natural) {
      lose(
        .lost, .shape3D, at: "shape.transform",
        "shapes are always centred on the emitter and upright")
    }
  }

  /// The geometry; nil, after a report, if there is no equivalent.
  private mutating func geometry(of shape: Shape) -> Archivable? {
    var form = shape
    var members: [ArchivableObject.Member] = []
    switch shape.kind {
    case .line: form = line(shape)
    case .ellipse: form = ellipse(shape)
    case .cone: members = [.init("topRadius", format.real(top(of: shape)))]
    case .tube: members = [.init("innerRadius", format.real(shape.radius * shape.inner))]
    case .polyline, .points: form = bounds(of: shape.corners)
    case .mesh:
      lose(
        .lost, .shapeMesh, at: "shape",
        "the shape is not supported; particles are emitted at the origin")
    default: break
    }
    if [.sphere, .hemisphere, .cylinder, .capsule, .cone].contains(shape.kind) {
      drop("shape.inner")
    }
    guard let geometry = SceneKitGeometry.all.first(where: { $0.kind == form.kind }) else {
      return nil
    }
    for (key, access, _) in geometry.lengths {
      access(&form) { members.append(.init(key, format.real($0))) }
    }
    members += geometry.rest.map { .init($0.key, $0.value) }
    members.append(.init("primitiveType", .integer(0)))
    let prefix = form.kind == .rect ? "" : geometry.name.lowercased()
    return .object(
      ["SCN\(geometry.name)", "SCNGeometry", "NSObject"],
      members.map { .init(prefix + $0.key, $0.value) } + [
        .init("subdivisionLevel", .integer(0)), .init("materials", .array([])),
      ])
  }

  private mutating func line(_ shape: Shape) -> Shape {
    let angle = abs(shape.angle.truncatingRemainder(dividingBy: 180))
    let isAlongAxis = angle == 0 || angle == 90
    lose(
      .approximated, .shapeLine, at: "shape", "a line is written as a plane of height 0",
      recipe: isAlongAxis ? nil : "rotated to the nearest axis", level: isAlongAxis ? .low : .medium
    )
    return 45...135 ~= angle
      ? .rect(width: 0, height: shape.length) : .rect(width: shape.length, height: 0)
  }

  private mutating func ellipse(_ shape: Shape) -> Shape {
    lose(
      .approximated, shape.inner > 0 || shape.placement == .edge ? .shapeRing : .shapeDisc,
      at: "shape",
      "an ellipse becomes a rectangle", recipe: "of the same area", level: .medium)
    let side = Double.pi.squareRoot()
    return .rect(width: shape.radii.x * side, height: shape.radii.y * side)
  }

  private mutating func top(of cone: Shape) -> Double {
    let top = cone.radius + cone.height * Angle.tangent(cone.angle)
    let isCut = top >= 0 && cone.angle.magnitude < 90
    if !isCut || cone.height == 0 {
      lose(
        .approximated, .shape3D, at: "shape.angle", "only full cones are supported",
        recipe: "a cone with its tip at the top")
    }
    return top.isFinite && isCut ? top : 0
  }

  /// The bounding box of points, centred on the emitter.
  private mutating func bounds(of points: [Vector]) -> Shape {
    lose(
      .approximated, .shapePoints, at: "shape",
      "point shapes are not supported; particles are emitted between the points",
      recipe: "their bounding box", level: .high)
    func most(_ axis: (Vector) -> Double) -> Double {
      2 * (points.map { axis($0).magnitude }.max() ?? 0)
    }
    return .box(Vector(most(\.x), most(\.y), most(\.z)))
  }
}
