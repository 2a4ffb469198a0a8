import Foundation
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesSimulation

/// Random places, directions and values, compared with the distributions of the specification by the
/// test of Kolmogorov and Smirnov, with fixed seeds.
@Suite("Distributions")
struct DistributionTests {
  typealias Point = (x: Double, y: Double, z: Double)

  private static let count = 4_000

  private static func emitter() -> Emitter {
    var emitter = Emitter(name: "test")
    emitter.emission.bursts = [Burst(count: .constant(Double(count)))]
    emitter.lifetime = 10
    return emitter
  }

  private static func run(_ emitter: Emitter, isFlat: Bool = false) -> Appearance {
    var system = ParticleSystem(name: "test", emitters: [emitter])
    system.asset.dimension = isFlat ? .plane : .space
    let simulation = Simulation(system, seed: 11, capacity: 2 * count)
    simulation.advance(by: 1e-6)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return look
  }

  private static func places(_ shape: Shape) -> [Point] {
    var emitter = emitter()
    emitter.shape = shape
    let look = run(emitter)
    return (0..<look.count).map { (Double(look.x[$0]), Double(look.y[$0]), Double(look.z[$0])) }
  }

  private static func directions(_ launch: Launch, isFlat: Bool = false) -> [Point] {
    var emitter = emitter()
    emitter.launch = launch
    emitter.launch.speed = 1
    let look = run(emitter, isFlat: isFlat)
    return (0..<look.count).map {
      (Double(look.velocityX[$0]), Double(look.velocityY[$0]), Double(look.velocityZ[$0]))
    }
  }

  /// Expects numbers to be uniform between two bounds. The statistic exceeds 1.95 once in a thousand.
  private static func expectUniform(
    _ numbers: [Double], _ lower: Double, _ upper: Double, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let shares = numbers.map { ($0 - lower) / (upper - lower) }.sorted()
    let size = Double(shares.count)
    var distance = 0.0
    for (index, share) in shares.enumerated() {
      distance = max(distance, share - Double(index) / size, Double(index + 1) / size - share)
    }
    #expect(shares.count > 500, "\(what)", sourceLocation: sourceLocation)
    #expect(
      distance * size.squareRoot() < 1.95, "\(what)", sourceLocation: sourceLocation)
  }

  /// Expects a share of the numbers within four standard errors.
  private static func expectShare(
    _ found: Int, _ share: Double, of count: Int = DistributionTests.count, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let size = Double(count)
    let error = (share * (1 - share) / size).squareRoot()
    #expect(
      (Double(found) / size - share).magnitude < 4 * error + 1e-9, "\(what)",
      sourceLocation: sourceLocation)
  }

  /// The angle around y, from +x to −z, in degrees from 0.
  private static func around(_ point: Point) -> Double {
    let angle = atan2(-point.z, point.x) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  private static func fromAxis(_ point: Point) -> Double { hypot(point.x, point.z) }

  private static func length(_ point: Point) -> Double {
    (point.x * point.x + point.y * point.y + point.z * point.z).squareRoot()
  }

  // MARK: Shapes

  @Test("lines, rectangles and boxes are filled evenly")
  func straight() {
    var line = Shape(.line)
    (line.length, line.angle) = (20, 30)
    let along = Self.places(line).map { $0.x * cos(.pi / 6) + $0.y * sin(.pi / 6) }
    Self.expectUniform(along, -10, 10, "line")
    var box = Shape(.box)
    box.size = Vector(4, 10, 6)
    let inside = Self.places(box)
    Self.expectUniform(inside.map(\.x), -2, 2, "box x")
    Self.expectUniform(inside.map(\.y), -5, 5, "box y")
    Self.expectUniform(inside.map(\.z), -3, 3, "box z")
    box.placement = .surface
    let faces = Self.places(box)
    // The faces have areas of 60, 24 and 40 on either side.
    Self.expectShare(faces.count { $0.x.magnitude > 1.9999 }, 60.0 / 124, "faces along x")
    Self.expectShare(faces.count { $0.y.magnitude > 4.9999 }, 24.0 / 124, "faces along y")
    Self.expectShare(faces.count { $0.y > 4.9999 }, 12.0 / 124, "upper face")
    Self.expectUniform(faces.filter { $0.x > 1.9999 }.map(\.y), -5, 5, "on a face")
    box.placement = .edge
    let edges = Self.places(box)
    let isOnEdge = edges.allSatisfy { point in
      let ends = [
        point.x.magnitude > 1.9999, point.y.magnitude > 4.9999, point.z.magnitude > 2.9999,
      ]
      return ends.count { $0 } >= 2
    }
    #expect(isOnEdge)
    Self.expectShare(edges.count { $0.y.magnitude < 4.9999 }, 10.0 / 20, "edges along y")
    box.placement = .vertices
    Self.expectShare(Self.places(box).count { $0.x > 0 && $0.y < 0 && $0.z > 0 }, 1.0 / 8, "corner")
    var rectangle = Shape(.rect)
    rectangle.size = Vector(6, 2, 0)
    Self.expectUniform(Self.places(rectangle).map(\.x), -3, 3, "rectangle x")
    Self.expectUniform(Self.places(rectangle).map(\.y), -1, 1, "rectangle y")
    rectangle.placement = .surface
    let sides = Self.places(rectangle)
    Self.expectShare(sides.count { $0.y > 0.9999 }, 6.0 / 16, "upper side")
    Self.expectShare(sides.count { $0.x < -2.9999 }, 2.0 / 16, "left side")
  }

  @Test("polylines are filled by length, points equally")
  func points() {
    var polyline = Shape(.polyline)
    polyline.points = [[Vector(0, 0), Vector(30, 0), Vector(30, 10)]]
    let places = Self.places(polyline)
    Self.expectUniform(places.map { $0.x + $0.y }, 0, 40, "polyline")
    polyline.closed = true
    polyline.points = [
      [Vector(0, 0), Vector(3, 0), Vector(3, 4)], [Vector(9, 9)], [Vector(20, 0), Vector(28, 0)],
    ]
    let lines = Self.places(polyline)
    Self.expectShare(lines.count { $0.x < 2.999 && $0.y == 0 }, 3.0 / 20, "first line")
    Self.expectShare(lines.count { $0.x > 2.999 && $0.x < 3.001 }, 4.0 / 20, "second line")
    Self.expectShare(lines.count { $0.y > 1e-3 && $0.x < 2.999 }, 5.0 / 20, "line that closes")
    Self.expectUniform(lines.map(\.x).filter { $0 > 4 }, 20, 28, "next list")
    (polyline.closed, polyline.points) = (false, [[Vector(0, 0), Vector(30, 0), Vector(30, 10)]])
    polyline.placement = .vertices
    Self.expectShare(Self.places(polyline).count { $0.x < 1 }, 1.0 / 3, "first point")
    var points = Shape(.points)
    points.positions = [Vector(0, 0), Vector(1, 0), Vector(2, 0), Vector(3, 0), Vector(4, 0)]
    let found = Self.places(points)
    for index in 0..<5 {
      Self.expectShare(found.count { Int($0.x.rounded()) == index }, 0.2, "point \(index)")
    }
  }

  @Test("ellipses with hole, arc and linear radius")
  func ellipses() {
    var ellipse = Shape(.ellipse)
    ellipse.radii = ParticleSystem.Vector2(8, 4)
    ellipse.inner = 0.5
    ellipse.arc = ParticleSystem.Interval(-30, 90)
    func radius(_ point: Point) -> Double { hypot(point.x / 8, point.y / 4) }
    let places = Self.places(ellipse)
    Self.expectUniform(places.map { radius($0) * radius($0) }, 0.25, 1, "area")
    Self.expectUniform(
      places.map { atan2($0.y / 4, $0.x / 8) * 180 / .pi }, -30, 90, "angle")
    ellipse.distribution = .radialLinear
    Self.expectUniform(Self.places(ellipse).map(radius), 0.5, 1, "linear radius")
    ellipse.placement = .edge
    #expect(Self.places(ellipse).allSatisfy { (radius($0) - 1).magnitude < 1e-5 })
  }

  @Test("balls, half balls and their surfaces")
  func balls() {
    var ball = Shape(.sphere)
    ball.radius = 5
    ball.inner = 0.4
    let places = Self.places(ball)
    Self.expectUniform(places.map { pow(Self.length($0) / 5, 3) }, 0.064, 1, "volume")
    Self.expectUniform(places.map { $0.y / Self.length($0) }, -1, 1, "height")
    Self.expectUniform(places.map(Self.around), 0, 360, "angle")
    ball.distribution = .projected
    let projected = Self.places(ball)
    Self.expectUniform(
      projected.map { ($0.x * $0.x + $0.y * $0.y) / 25 }, 0.16, 1, "area of the projection")
    Self.expectShare(projected.count { $0.z > 0 }, 0.5, "front")
    ball.distribution = .uniform
    ball.placement = .surface
    #expect(Self.places(ball).allSatisfy { (Self.length($0) - 5).magnitude < 1e-5 })
    var half = Shape(.hemisphere)
    half.radius = 5
    Self.expectUniform(
      Self.places(half).map { $0.y / Self.length($0) }, 0, 1, "height of a half ball")
  }

  @Test("cones, cylinders, capsules and rings")
  func round() {
    var cone = Shape(.cone)
    (cone.radius, cone.height, cone.angle) = (2, 10, 20)
    let slope = tan(20 * Double.pi / 180)
    let places = Self.places(cone)
    Self.expectUniform(places.map(\.y), 0, 10, "height in a cone")
    Self.expectUniform(
      places.map { pow(Self.fromAxis($0) / (2 + $0.y * slope), 2) }, 0, 1, "area in a cone")
    for kind in [Emitter.ShapeKind.cylinder, .tube] {
      var cylinder = Shape(kind)
      (cylinder.radius, cylinder.height, cylinder.inner) = (3, 8, 0.5)
      let inside = Self.places(cylinder)
      Self.expectUniform(inside.map(\.y), -4, 4, "height in a cylinder")
      Self.expectUniform(
        inside.map { pow(Self.fromAxis($0) / 3, 2) }, 0.25, 1, "area in a cylinder")
      Self.expectUniform(inside.map(Self.around), 0, 360, "angle in a cylinder")
    }
    var capsule = Shape(.capsule)
    (capsule.radius, capsule.height) = (3, 8)
    let inside = Self.places(capsule)
    let middle = 9.0 * 8
    let ends = 4.0 / 3 * 27
    Self.expectShare(inside.count { $0.y.magnitude < 4 }, middle / (middle + ends), "middle")
    Self.expectShare(inside.count { $0.y > 4 }, ends / 2 / (middle + ends), "upper end")
    var ring = Shape(.torus)
    (ring.radius, ring.pipe) = (10, 2)
    let around = Self.places(ring)
    Self.expectUniform(around.map(Self.around), 0, 360, "angle on a ring")
    Self.expectUniform(
      around.map { pow(hypot(Self.fromAxis($0) - 10, $0.y) / 2, 2) }, 0, 1, "area of its section")
  }

  // MARK: Directions

  @Test("random directions, on the circle and on the sphere")
  func randomDirections() {
    let launch = Launch.with(Direction(.random))
    let flat = Self.directions(launch, isFlat: true)
    Self.expectUniform(flat.map { atan2($0.y, $0.x) }, -.pi, .pi, "on the circle")
    let directions = Self.directions(launch)
    Self.expectUniform(directions.map(\.y), -1, 1, "height")
    Self.expectUniform(directions.map(Self.around), 0, 360, "angle")
  }

  @Test("deviations in the plane, by angle and by solid angle")
  func spread() {
    var launch = Launch.with(Direction(angle: 30))
    launch.spread = 40
    launch.spreadLaw = .planar
    Self.expectUniform(
      Self.directions(launch).map { atan2($0.y, $0.x) * 180 / .pi }, -10, 70, "planar")
    launch = Launch.with(Direction(vector: Vector(0, 2, 0)))
    launch.spread = 40
    launch.spreadLaw = .polarUniform
    let polar = Self.directions(launch)
    Self.expectUniform(polar.map { acos(min($0.y, 1)) * 180 / .pi }, 0, 40, "polar")
    Self.expectUniform(polar.map(Self.around), 0, 360, "side")
    launch.spreadLaw = .solidUniform
    Self.expectUniform(
      Self.directions(launch).map(\.y), cos(40 * Double.pi / 180), 1, "solid angle")
    launch.flatness = 1
    #expect(Self.directions(launch).allSatisfy { $0.z == 0 })
  }

  @Test("random angles; directions of vectors and normals; none")
  func otherDirections() {
    let angles = Self.directions(Launch.with(Direction(angle: .range(10, 50))))
    Self.expectUniform(angles.map { atan2($0.y, $0.x) * 180 / .pi }, 10, 50, "angle")
    let vectors = Self.directions(Launch.with(Direction(vector: Vector(3, 0, 4))))
    #expect(vectors.allSatisfy { ($0.x - 0.6).magnitude < 1e-6 && ($0.z - 0.8).magnitude < 1e-6 })
    #expect(Self.directions(Launch.with(Direction(.none))).allSatisfy { Self.length($0) == 0 })
    var emitter = Self.emitter()
    emitter.shape = Shape(.sphere)
    emitter.shape.radius = 5
    emitter.shape.placement = .surface
    emitter.launch = Launch.with(Direction(.normal))
    emitter.launch.speed = 1
    let look = Self.run(emitter)
    #expect((0..<look.count).allSatisfy { (look.velocityY[$0] * 5 - look.y[$0]).magnitude < 1e-3 })
  }

  // MARK: Values and colours

  /// The widths of particles.
  private static func widths(_ value: Value) -> [Double] {
    var emitter = emitter()
    emitter.size.width = Track(value)
    return run(emitter).width.map { Double($0) }
  }

  @Test("ranges, choices and ramps; values for each particle or for all")
  func values() {
    Self.expectUniform(Self.widths(.range(3, 9)), 3, 9, "range")
    let chosen = Self.widths(.oneOf([1, 2, 5], weights: [1, 2, 5]))
    Self.expectShare(chosen.count { $0 == 1 }, 1.0 / 8, "first choice")
    Self.expectShare(chosen.count { $0 == 5 }, 5.0 / 8, "last choice")
    Self.expectShare(Self.widths(.oneOf([1, 2])).count { $0 == 2 }, 0.5, "choice without weights")
    let ramp = Value.ramp(Value.Ramp(low: .range(2, 4), high: 9, curve: .linear))
    Self.expectUniform(Self.widths(ramp), 2, 4, "ramp at its start")
    for scope in [ParticleSystem.Scope.cycle, .effect] {
      #expect(Set(Self.widths(.range(3, 9, scope: scope))).count == 1)
    }
  }

  @Test("channels of a colour are independent, on a line they are not")
  func colors() {
    var emitter = Self.emitter()
    let (low, high) = (Color(0.1, 0.2, 0.3, 0.4), Color(0.5, 0.7, 0.9, 1))
    emitter.color.base = ColorTrack(.range(low, high))
    let look = Self.run(emitter)
    Self.expectUniform(look.red.map { Double($0) }, 0.1, 0.5, "red")
    Self.expectUniform(look.green.map { Double($0) }, 0.2, 0.7, "green")
    Self.expectUniform(look.blue.map { Double($0) }, 0.3, 0.9, "blue")
    Self.expectUniform(look.alpha.map { Double($0) }, 0.4, 1, "alpha")
    let (red, blue) = (look.red.map { Double($0) - 0.3 }, look.blue.map { Double($0) - 0.6 })
    // Of independent numbers, products have the mean 0 and a standard error of σ₁ · σ₂ ÷ √n.
    let product = zip(red, blue).reduce(0) { $0 + $1.0 * $1.1 } / Double(Self.count)
    let error = 0.4 * 0.6 / 12 / Double(Self.count).squareRoot()
    #expect(product.magnitude < 4 * error)
    emitter.color.base = ColorTrack(.range(low, high, .line))
    let line = Self.run(emitter)
    Self.expectUniform(line.red.map { Double($0) }, 0.1, 0.5, "red on a line")
    #expect(
      (0..<line.count).allSatisfy {
        ((line.red[$0] - 0.1) / 0.4 - (line.blue[$0] - 0.3) / 0.6).magnitude < 1e-5
      })
  }

  @Test("lifetimes and ages at the start")
  func ages() {
    var emitter = Self.emitter()
    emitter.lifetime = .range(5, 8)
    emitter.emission.lifeOffset = .range(1, 3)
    let look = Self.run(emitter)
    Self.expectUniform(look.life.map { Double($0) }, 5, 8, "lifetime")
    Self.expectUniform(look.age.map { Double($0) }, 1, 3, "age")
  }
}

extension Launch {
  fileprivate static func with(_ direction: Direction) -> Launch {
    var launch = Launch()
    launch.direction = direction
    return launch
  }
}

extension DistributionTests {
  /// Means and deviations of 4,000 velocities of a node of Godot 3.2.3 with an initial velocity of 1.
  @Test(
    "azimuth and elevation deviate as in Godot 3",
    arguments: [
      (Vector(0, 1, 0), 45, 0, [-0.002, 0.829, -0.003, 0.237, 0.100, 0.497]),
      (Vector(0.3, 0.8, 0.5), 30, 0.3, [0.314, 0.751, 0.526, 0.176, 0.100, 0.140]),
      (Vector(-0.5, -0.2, -0.7), 60, 0, [-0.402, -0.204, -0.566, 0.394, 0.477, 0.306]),
      (Vector(1, 0, 0), 90, 0.5, [0.578, 0.001, 0.002, 0.290, 0.398, 0.650]),
    ] as [(Vector, Double, Double, [Double])])
  func azimuthElevation(direction: Vector, spread: Double, flatness: Double, engine: [Double]) {
    var launch = Launch()
    launch.direction = Direction(vector: direction)
    (launch.spread, launch.flatness, launch.spreadLaw) = (spread, flatness, .azimuthElevation)
    #expect(Self.moments(Self.directions(launch)).isClose(to: engine, within: 0.03))
  }

  /// Along an axis of the plane both laws agree. For further axes the axes of the deviation differ.
  @Test("directions tip to the side and up")
  func sideElevation() {
    var launch = Launch()
    (launch.spread, launch.flatness, launch.spreadLaw) = (90, 0.5, .sideElevation)
    launch.direction = Direction(vector: Vector(1, 0, 0))
    let along = Self.moments(Self.directions(launch))
    #expect(along.isClose(to: [0.578, 0.001, 0.002, 0.290, 0.398, 0.650], within: 0.03))
    // Up, the side is +z, and the first axis turns to −x.
    launch.direction = Direction(vector: .up)
    let up = Self.moments(Self.directions(launch))
    #expect(up.isClose(to: [0.002, 0.578, 0.001, 0.398, 0.290, 0.650], within: 0.03))
  }

  private static func moments(_ points: [Point]) -> [Double] {
    let axes: [[Double]] = [points.map(\.x), points.map(\.y), points.map(\.z)]
    let means: [Double] = axes.map { $0.reduce(0, +) / Double($0.count) }
    let deviations = zip(axes, means).map { numbers, mean -> Double in
      let squares = numbers.reduce(0.0) { sum, x in sum + (x - mean) * (x - mean) }
      return (squares / Double(numbers.count)).squareRoot()
    }
    return means + deviations
  }
}

extension [Double] {
  fileprivate func isClose(to others: [Double], within bound: Double) -> Bool {
    zip(self, others).allSatisfy { ($0 - $1).magnitude < bound }
  }
}
