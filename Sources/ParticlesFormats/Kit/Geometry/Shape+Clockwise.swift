internal import ParticlesModel

// Arcs that run clockwise. The interval of an arc is ascending, and angles count counter-clockwise, so that such a shape
// is turned about the x axis by half a turn.

extension Quaternion {
  /// Half a turn about the x axis: y and z change their signs.
  static let aboutX = Quaternion(1, 0, 0, 0)
}

extension Shape {
  /// Whether the arc of an ellipse runs clockwise.
  var runsClockwise: Bool { kind == .ellipse && transform.rotation == .aboutX }

  /// The same places and normals with an arc that runs counter-clockwise: a burst that is spread over it begins at the
  /// other end.
  var counterClockwise: Shape {
    guard runsClockwise else { return self }
    var shape = self
    shape.arc = Interval(0 - arc.upper, 0 - arc.lower)
    shape.transform.rotation = .identity
    shape.transform.angle = 0 - transform.angle
    return shape
  }
}
