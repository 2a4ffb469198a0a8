import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite struct QuarksTransformTests {
  /// Emitters of a scene whose matrices are given by columns, without the last row, from the root on.
  private func transform(_ matrices: [[Double]]) throws -> Emitter.Transform {
    let texts = matrices.map { m -> String in
      let columns = (0..<4).map { c in
        (m[3 * c..<3 * c + 3].map { "\($0)" } + [c == 3 ? "1" : "0"]).joined(separator: ",")
      }
      return "\"matrix\": [\(columns.joined(separator: ","))]"
    }
    var node = "{\"uuid\": \"a\", \(texts[texts.count - 1]), \"ps\": {\"startLife\": {}}}"
    for text in texts.dropLast().reversed() { node = "{\(text), \"children\": [\(node)]}" }
    let scene = "{\"metadata\": {}, \"object\": {\"children\": [\(node)]}}"
    let imported = try ParticleFormat.quarks.decode(
      Array(scene.utf8), DecodingContext(fileName: "a.json"))
    return imported.system.emitters[0].transform
  }

  /// A vector after scale, rotation and translation, by the formula q·v·q⁻¹ written out.
  private func place(_ v: [Double], _ t: Emitter.Transform) -> [Double] {
    let (x, y, z, w) = (t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w)
    let s = [v[0] * t.scale.x, v[1] * t.scale.y, v[2] * t.scale.z]
    let rows = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    let moved = [t.translation.x, t.translation.y, t.translation.z]
    return (0..<3).map { row in
      rows[row][0] * s[0] + rows[row][1] * s[1] + rows[row][2] * s[2] + moved[row]
    }
  }

  @Test(
    arguments: [
      // Turned by 90° about y, and moved.
      [0, 0, -1, 0, 1, 0, 1, 0, 0, 3, 4, 5],
      // Mirrored along x: no rotation alone gives these axes.
      [-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
      // Mirrored along y, turned about x and scaled.
      [2, 0, 0, 0, 0, -3, 0, -4, 0, 1, 1, 1],
    ] as [[Double]])
  func theTransformMovesPointsAsTheMatrixDoes(_ m: [Double]) throws {
    let transform = try transform([m])
    for (axis, point) in [[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]].enumerated() {
      let found = place(point, transform)
      for row in 0..<3 {
        let expected = m[9 + row] + (axis < 3 ? m[3 * axis + row] : 0)
        #expect((found[row] - expected).magnitude < 1e-6, "axis \(axis), row \(row): \(found)")
      }
    }
  }

  @Test("cones aim directions in space, but no flattened ones, which only the plane has")
  func flatness() throws {
    func written(_ format: ParticleFormat, _ flatness: Double) throws -> (Emitter, [UInt8]) {
      var emitter = Emitter(name: "a")
      emitter.emission.rate = 5
      emitter.launch.speed = 10
      emitter.launch.spread = 20
      emitter.launch.flatness = flatness
      var system = ParticleSystem(name: "a", emitters: [emitter])
      if format.name == ParticleFormat.quarks.name {
        system.asset.dimension = .space
        system.emitters[0].launch.direction = Direction(vector: Vector(1, 0, 0))
      }
      let bytes = try format.export(system, EncodingContext(fileName: "a.x")).parts[0].bytes
      let again = try format.decode(bytes, DecodingContext(fileName: "a.x")).system
      return (again.emitters[0], bytes)
    }
    #expect(try written(.quarks, 0).0.shape.kind == .cone)
    #expect(try written(.quarks, 0.5).0.shape.kind != .cone)
    #expect(try written(.defold, 0).1 == written(.defold, 0.5).1)
  }

  @Test func nodesAboveMoveTheEmitter() throws {
    // Scaled by 2 and moved by 10, then turned by 90° about z and moved by 1.
    let transform = try transform([
      [2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 0, 0], [0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 0, 0],
    ])
    #expect(place([1, 0, 0], transform).map { ($0 * 1e6).rounded() / 1e6 } == [12, 2, 0])
  }
}
