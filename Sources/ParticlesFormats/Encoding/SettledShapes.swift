internal import ParticlesCore
internal import ParticlesModel

// Shapes that change while the emitter emits, have a random offset, or an arc that runs clockwise, for formats without
// such shapes.

extension ParticleSystem {
  /// Replaces extents and offsets of shapes by constant ones, and clockwise arcs by others, as far as the format has none.
  /// - Returns: a line for each changed property.
  mutating func settleShapes(for capabilities: Capabilities) -> [Diagnostic] {
    var lines: [Diagnostic] = []
    for index in emitters.indices {
      let (name, shape) = (emitters[index].name, emitters[index].shape)
      func add(_ line: Diagnostic, _ property: String, _ value: JSONValue) {
        var line = line
        line.loss?.emitter = name
        line.loss?.source = Loss.Side("emitters[\(index)].shape.\(property)", value)
        lines.append(line)
      }
      // Only bursts of PixiJS run either way. Directions other than normals are turned with the shape.
      if shape.runsClockwise, emitters[index].launch.direction.mode == .normal,
        ![.pixi3, .pixi5].contains(capabilities.profile)
      {
        emitters[index].shape = shape.counterClockwise
        let path = "emitters[\(index)].shape.transform.rotation"
        let isOrdered = shape.sweep != .random
        add(
          Diagnostic(
            isOrdered ? .approximated : .restated, .shapeRing, at: path,
            also: ["emitters[\(index)].shape.arc", "emitters[\(index)].shape.transform"],
            "arcs run counter-clockwise", recipe: isOrdered ? "the opposite order of places" : nil,
            level: isOrdered ? .low : nil), "arc", shape.arc.json)
      }
      if shape.extent != .one, capabilities[.shapeCurve] != .exact {
        emitters[index].shape = emitters[index].shape.settled(offsets: false)
        let error = (shape.extentError * 1e3).rounded() / 1e3
        let path = "emitters[\(index)].shape.extent"
        add(
          error == 0
            ? Diagnostic(.restated, .shapeCurve, at: path, "extents are part of the shape")
            : Diagnostic(
              .approximated, .shapeCurve, at: path, "shapes do not change over time",
              recipe: "the mean of the extents over the emission",
              metric: Loss.Metric("mean deviation of the extents", error, "of 1")),
          "extent", shape.extent.json)
      }
      if shape.offset != .zero, capabilities[.shapeOffset] != .exact {
        emitters[index].shape = emitters[index].shape.settled(extents: false)
        let path = "emitters[\(index)].shape.offset"
        let isConstant = shape.offset.components.allSatisfy(\.isConstant)
        let isPoint = shape.kind == .point
        add(
          isConstant || isPoint
            ? Diagnostic(
              .restated, .shapeOffset, at: path,
              isConstant ? "the offset is part of the place" : "the offset is written as a shape")
            : Diagnostic(
              .approximated, .shapeOffset, at: path, "shapes have no random offset",
              recipe: shape.takesOffset ? "a wider shape with the same deviation" : "its mean"),
          "offset", shape.offset.json)
      }
    }
    return lines
  }
}
