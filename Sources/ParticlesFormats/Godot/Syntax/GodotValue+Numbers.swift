internal import ParticlesModel

// Numbers, vectors and lists, as files spell them.

extension GodotValue {
  /// A number, within the limit of readers.
  static func number(_ number: Double) -> GodotValue { .real(number.inLimit) }

  /// A value of a type with numbers as arguments.
  static func call(_ type: String, numbers: [Double]) -> GodotValue {
    .call(type, numbers.map(GodotValue.number))
  }

  /// A vector of two or three numbers.
  static func vector(_ vector: Vector, isPlane: Bool = false) -> GodotValue {
    isPlane
      ? call("Vector2", numbers: [vector.x, vector.y])
      : call("Vector3", numbers: [vector.x, vector.y, vector.z])
  }

  /// The axes of a node in space.
  static func transform(_ axes: AffineTransform, _ generation: GodotGeneration) -> GodotValue {
    let (x, y, z, origin) = (axes.x, axes.y, axes.z, axes.origin)
    return call(
      generation == .three ? "Transform" : "Transform3D",
      numbers: [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z, origin.x, origin.y, origin.z])
  }

  /// A packed list of numbers.
  static func list(_ numbers: [Double], _ generation: GodotGeneration) -> GodotValue {
    call(generation == .three ? "PoolRealArray" : "PackedFloat32Array", numbers: numbers)
  }

  /// A packed list of colours.
  static func list(_ colors: [Color], _ generation: GodotGeneration) -> GodotValue {
    call(
      generation == .three ? "PoolColorArray" : "PackedColorArray",
      numbers: colors.flatMap(\.channels))
  }

  /// A packed list of points, in the axes of a node.
  static func list(_ points: [Vector], _ kind: GodotClass) -> GodotValue {
    call(
      "\(kind.generation == .three ? "Pool" : "Packed")Vector\(kind.isSpace ? 3 : 2)Array",
      numbers: points.flatMap { [$0.x, $0.y * kind.y + 0] + (kind.isSpace ? [$0.z] : []) })
  }
}
