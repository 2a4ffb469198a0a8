import ParticlesModel
import Testing

@testable import ParticlesFormats

/// The notation of names and values in files of Godot.
struct GodotNotationTests {
  private static func properties(_ curve: Curve, _ generation: GodotGeneration) -> [String:
    GodotValue]
  {
    Dictionary(
      curve.properties(generation).map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }
    )
  }

  // MARK: Curves

  @Test("curves are read as they are written", arguments: [GodotGeneration.three, .four])
  func curves(_ generation: GodotGeneration) throws {
    let lines = Curve([CurveKey(0, 1), CurveKey(0.5, -2), CurveKey(1, 4)])
    let slopes = Curve(
      [CurveKey(0, 1, outSlope: 2), CurveKey(1, 0, inSlope: -3, outSlope: 0)], .cubic)
    for curve in [lines, slopes] {
      let data = try #require(Self.properties(curve, generation)["_data"]?.elements)
      #expect(data.count == 5 * curve.keys.count)
      let read = try #require(Curve(godot: data))
      for step in 0...10 {
        let time = Double(step) / 10
        #expect((read.value(at: time) - curve.value(at: time)).magnitude < 1e-9)
      }
    }
    #expect(
      Curve(godot: try #require(Self.properties(lines, generation)["_data"]?.elements)) == lines)
  }

  @Test("a line beside a curve has the slope of the line")
  func mixedCurves() throws {
    let point = { (time: Double, value: Double) in
      GodotValue.call("Vector2", numbers: [time, value])
    }
    let curve = try #require(
      Curve(godot: [
        point(0.5, 1), .real(7), .real(0), .integer(1), .integer(0),
        point(0, 0), .real(0), .real(9), .integer(0), .integer(1),
        point(1, 0), .real(-4), .real(0), .integer(0), .integer(0),
      ]))
    #expect(curve.keys.map(\.time) == [0, 0.5, 1])
    #expect(curve.keys[0].outSlope == 2 && curve.keys[1].inSlope == 2)
    #expect(curve.keys[2].inSlope == -4)
  }

  @Test("a curve without points is 0, and a damaged point is none")
  func damagedCurves() {
    #expect(Curve(godot: []) == .constant(0))
    #expect(
      Curve(godot: [.call("Vector2", numbers: [1]), .real(0), .real(0), .real(0), .real(0)]) == nil)
    let text = GodotValue.text("a")
    #expect(Curve(godot: [.call("Vector2", numbers: [0, 1]), text, text, text, text]) == nil)
  }

  @Test("the limits of a curve are those of its keys, if these are beyond 0 to 1")
  func limits() {
    let wide = Curve([CurveKey(0, -1), CurveKey(1, 3)])
    let three = Self.properties(wide, .three)
    #expect(three["min_value"] == .real(-1) && three["max_value"] == .real(3))
    let four = Self.properties(wide, .four)
    #expect(four["_limits"] == .array([.real(-1), .real(3), .real(0), .real(1)]))
    #expect(four["point_count"] == .integer(2))
    let plain = Curve([CurveKey(0, 0), CurveKey(1, 1)])
    #expect(Set(Self.properties(plain, .three).keys) == ["_data"])
    #expect(Set(Self.properties(plain, .four).keys) == ["_data", "point_count"])
  }

  // MARK: Gradients

  @Test("gradients are lists of times and of channels")
  func gradients() {
    let gradient = Gradient(
      [GradientKey(0, .white), GradientKey(1, Color(1, 0.5, 0, 0))], .step, space: .oklab)
    let four = gradient.properties(.four)
    #expect(
      four.map(\.key) == ["interpolation_mode", "interpolation_color_space", "offsets", "colors"])
    #expect(four.prefix(2).map(\.value) == [.integer(1), .integer(2)])
    #expect(four[2].value == .call("PackedFloat32Array", numbers: [0, 1]))
    let three = Gradient(gradient.keys).properties(.three)
    #expect(three.map(\.key) == ["offsets", "colors"])
    #expect(three[1].value == .call("PoolColorArray", numbers: [1, 1, 1, 1, 1, 0.5, 0, 0]))
    #expect(Gradient.keys([1, 0], [1, 0.5, 0, 0, 1, 1, 1, 1]) == gradient.keys)
    #expect(Gradient.keys([0, 0.5, 1], [0, 0, 0, 1, 1, 1, 1]).count == 1)
  }

  // MARK: Numbers and names

  @Test("a range is two bounds, or a number and a ratio")
  func ranges() {
    let three = GodotRandom.properties("initial_velocity", 75, 100, .three)
    #expect(three.map(\.key) == ["initial_velocity", "initial_velocity_random"])
    #expect(three.map(\.number) == [100, 0.25])
    let four = GodotRandom.properties("initial_velocity", 75, 100, .four)
    #expect(four.map(\.key) == ["initial_velocity_min", "initial_velocity_max"])
    #expect(four.map(\.number) == [75, 100])
  }

  @Test("numbers are within the limit of readers")
  func numbers() {
    #expect(GodotValue.number(.nan) == .real(0) && GodotValue.number(-.infinity) == .real(-1e14))
    #expect(GodotValue.number(1e20) == .real(1e14) && GodotValue.number(0.25) == .real(0.25))
  }

  @Test("points have the axes of the node")
  func points() {
    let points = [Vector(1, 2, 3)]
    let plane = GodotClass(.three, isGPU: false, isSpace: false)
    #expect(GodotValue.list(points, plane) == .call("PoolVector2Array", numbers: [1, -2]))
    let space = GodotClass(.four, isGPU: false, isSpace: true)
    #expect(GodotValue.list(points, space) == .call("PackedVector3Array", numbers: [1, 2, 3]))
  }

  @Test("the first line states the generation")
  func generations() {
    func generation(_ text: String) -> GodotGeneration? {
      GodotGeneration(header: Array(text.utf8))
    }
    #expect(generation("[gd_scene load_steps=3 format=2]") == .three)
    #expect(generation("[gd_resource type=\"Curve\" format=3]") == .four)
    #expect(generation("[gd_scene format=2]\nformat=3") == .three)
    #expect(generation("[node name=\"format=3\"]") == nil)
  }

  @Test("properties have names by class and generation")
  func names() {
    let node = GodotClass(.three, isGPU: false, isSpace: false)
    #expect(node.path("scale_amount") == "scale_amount")
    #expect(node.path("emission_box_extents") == "emission_rect_extents")
    #expect(node.path("particle_flag_align_y") == "flag_align_y")
    #expect(node.path("color_initial_ramp") == nil && node.path("alpha_curve") == nil)
    let process = GodotClass(.four, isGPU: true, isSpace: true)
    #expect(process.path("amount") == "amount")
    #expect(process.path("scale_amount_min") == "process_material/scale_min")
    #expect(process.curvePath("scale_amount_curve") == "process_material/scale_curve/curve")
    #expect(process.gradientPath("color_ramp") == "process_material/color_ramp/gradient")
    let material = GodotClass.material(.four, isSpace: false)
    #expect(material.path("amount") == nil && material.path("gravity") != nil)
  }
}
