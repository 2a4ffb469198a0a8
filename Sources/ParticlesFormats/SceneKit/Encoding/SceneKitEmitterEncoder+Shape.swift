internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform
internal import ParticlesPropertyLists

// Where particles are born: a geometry of SceneKit.

extension SceneKitEmitterEncoder {
  mutating func encodeShape() {
    let shape = emitter.shape
    let places: [Placement] = [.surface, .volume, .vertices]
    guard let geometry = geometry(of: shape) else {
      set("birthLocation", integer: 0)
      if shape.kind == .point, shape != Shape() { losePoint(shape) }
      return
    }
    set("emitterShape", geometry)
    set("birthLocation", integer: places.firstIndex(of: shape.placement) ?? 0)
    if shape.placement == .edge {
      lose(.approximated, .shRing, at: "shape.placement", "births are on the surface or inside")
    }
    lose(
      .shDisc, at: "shape.distribution", shape.distribution, unless: .uniform,
      "births are spread evenly")
    lose(.shDisc, at: "shape.sweep", shape.sweep, unless: .random, "births are anywhere")
    if shape.kind != .polyline {
      lose(.shRing, at: "shape.arc", shape.arc, unless: Interval(0, 360), "shapes go all around")
    }
    let natural = shape.kind == .cone ? Vector(0, -shape.height / 2, 0) : .zero
    if shape.transform != Transform(translation: natural) {
      lose(
        .lost, .sh3D, at: "shape.transform", "shapes stand around the emitter, upright")
    }
  }

  private mutating func losePoint(_ shape: Shape) {
    if shape.transform != Transform() {
      lose(.lost, .sh3D, at: "shape", "the point is that of the emitter")
    } else {
      lose(.dead, .shRect, at: "shape", "a point has no extent")
    }
  }

  /// The geometry; nil if there is none like it, after a line about that.
  private mutating func geometry(of shape: Shape) -> Archivable? {
    switch shape.kind {
    case .point: return nil
    case .rect: return SceneKitArchive.plane(shape.size.x, shape.size.y)
    case .line: return line(shape)
    case .ellipse: return ellipse(shape)
    case .box:
      return SceneKitArchive.geometry(
        "Box", [("width", shape.size.x), ("height", shape.size.y), ("length", shape.size.z)])
    case .sphere, .hemisphere:
      loseHole(shape)
      return SceneKitArchive.sphere(shape.radius, isHalf: shape.kind == .hemisphere)
    case .cylinder:
      loseHole(shape)
      return SceneKitArchive.geometry(
        "Cylinder", [("radius", shape.radius), ("height", shape.height)])
    case .capsule:
      loseHole(shape)
      return SceneKitArchive.geometry(
        "Capsule", [("capRadius", shape.radius), ("height", shape.height)])
    case .tube:
      return SceneKitArchive.geometry(
        "Tube",
        [
          ("innerRadius", shape.radius * shape.inner), ("outerRadius", shape.radius),
          ("height", shape.height),
        ])
    case .torus:
      return SceneKitArchive.geometry(
        "Torus", [("ringRadius", shape.radius), ("pipeRadius", shape.pipe)])
    case .cone: return cone(shape)
    case .polyline: return bounds(of: shape.points.flatMap(\.self), shape)
    case .points: return bounds(of: shape.positions, shape)
    case .mesh:
      lose(.lost, .shMesh, at: "shape", "particles are born at the origin")
      if !system.meshes.isEmpty {
        lose(.lost, .shMesh, atRoot: "meshes", "meshes are part of the scene")
      }
      return nil
    }
  }

  private mutating func loseHole(_ shape: Shape) {
    lose(.shRing, at: "shape.inner", shape.inner, unless: 0, "shapes are full")
  }

  private mutating func line(_ shape: Shape) -> Archivable {
    let angle = abs(shape.angle.truncatingRemainder(dividingBy: 180))
    let isUpright = 45...135 ~= angle
    lose(
      .approximated, .shLine, at: "shape", "a line is a plane without height",
      recipe: angle == 0 || angle == 90 ? nil : "turned to the nearest axis",
      level: angle == 0 || angle == 90 ? .low : .medium)
    return SceneKitArchive.plane(isUpright ? 0 : shape.length, isUpright ? shape.length : 0)
  }

  private mutating func ellipse(_ shape: Shape) -> Archivable {
    lose(
      .approximated, shape.inner > 0 || shape.placement == .edge ? .shRing : .shDisc, at: "shape",
      "an ellipse becomes a rectangle", recipe: "of the same area", level: .medium)
    let side = Double.pi.squareRoot()
    return SceneKitArchive.plane(shape.radii.x * side, shape.radii.y * side)
  }

  /// A cone of SceneKit is cut off at the top and stands around the origin.
  private mutating func cone(_ shape: Shape) -> Archivable {
    loseHole(shape)
    let top = shape.radius + shape.height * tan(shape.angle * .pi / 180)
    if top < 0 || shape.angle.magnitude >= 90 || shape.height == 0 {
      lose(
        .approximated, .sh3D, at: "shape.angle", "a cone ends at its tip",
        recipe: "a tip at the top")
    }
    let isSound = top.isFinite && top >= 0 && shape.angle.magnitude < 90
    return SceneKitArchive.geometry(
      "Cone",
      [
        ("topRadius", isSound ? top.rounded : 0), ("bottomRadius", shape.radius),
        ("height", shape.height),
      ])
  }

  /// A box around points, as far as one that stands around the emitter can be.
  private mutating func bounds(of points: [Vector], _ shape: Shape) -> Archivable {
    lose(
      .approximated, .shPoly, at: "shape", "particles are born anywhere between the points",
      recipe: "the box around them", level: .high)
    func most(_ path: KeyPath<Vector, Double>) -> Double {
      2 * (points.map { $0[keyPath: path].magnitude }.max() ?? 0)
    }
    return SceneKitArchive.geometry(
      "Box", [("width", most(\.x)), ("height", most(\.y)), ("length", most(\.z))])
  }
}
