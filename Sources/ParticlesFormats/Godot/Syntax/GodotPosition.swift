internal import ParticlesCore
internal import ParticlesModel

/// The position of a node: the combined transforms of its ancestors and its own, with y as in the file; and whether and in
/// which colour it is drawn.
///
/// A node has these of its parent only if both are of the plane, or both in space: a plain `Node` or a layer between them ends
/// that (Godot 4.3, `canvas_item.cpp`, `get_parent_item`; `node_3d.cpp`).
struct GodotPosition: Equatable {
  var axes = AffineTransform()
  /// The place in the drawing order.
  var order = 0
  /// Whether the node and all its parents are visible.
  var isVisible = true
  /// The product of `modulate` of the node and its parents.
  var tint = Color.white
  /// The same with the `self_modulate` of the node, which its children do not have.
  var ownTint = Color.white

  /// The types whose children do not have their position.
  private static let breaks = ["Node", "CanvasLayer", "Viewport", "SubViewport", "Window"]

  init() {}

  /// The position of a node in its scene.
  init(above: GodotPosition, in scene: GodotScene, section: Int, type: String) {
    isVisible = scene.value("visible", in: section) != .flag(false)
    guard !Self.breaks.contains(type) else { return }
    isVisible = isVisible && above.isVisible
    let isFree = scene.value("top_level", in: section) == .flag(true)
    let above = isFree ? GodotPosition() : above
    let isSpace = type.hasSuffix("3D") || scene.value("transform", in: section) != nil
    let own = isSpace ? Self.space(scene, section) : Self.plane(scene, section)
    axes = above.axes.combined(with: own)
    order = above.order
    guard !isSpace else { return }
    func color(_ key: String) -> Color {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 4 ? Color(numbers.map(\.tidy)) : .white
    }
    tint = above.tint.multiplied(by: color("modulate"))
    ownTint = tint.multiplied(by: color("self_modulate"))
    guard let order = scene.value("z_index", in: section)?.number, order.isFinite else { return }
    let isRelative = scene.value("z_as_relative", in: section) != .flag(false)
    self.order = Int(
      saturating: min(max((isRelative ? Double(above.order) : 0) + order, -1e6), 1e6))
  }

  private static func space(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    var own = AffineTransform()
    guard let numbers = scene.value("transform", in: section)?.components, numbers.count == 12
    else { return own }
    own.x = Vector(numbers[0], numbers[3], numbers[6])
    own.y = Vector(numbers[1], numbers[4], numbers[7])
    own.z = Vector(numbers[2], numbers[5], numbers[8])
    own.origin = Vector(numbers[9], numbers[10], numbers[11])
    return own
  }

  private static func plane(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    func pair(_ key: String, _ standard: Double) -> (Double, Double) {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 2 ? (numbers[0], numbers[1]) : (standard, standard)
    }
    var own = AffineTransform()
    let (scale, place) = (pair("scale", 1), pair("position", 0))
    let angle = scene.value("rotation", in: section)?.number ?? 0
    let skew = scene.value("skew", in: section)?.number ?? 0
    own.x = Vector(cosine(angle) * scale.0, sine(angle) * scale.0)
    own.y = Vector(-sine(angle + skew) * scale.1, cosine(angle + skew) * scale.1)
    own.origin = Vector(place.0, place.1)
    return own
  }
}

private func sine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).y }
private func cosine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).x }
