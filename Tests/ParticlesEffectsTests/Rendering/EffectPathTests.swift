import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Paths of effects")
struct EffectPathTests {
  private static func places(_ path: EffectPath, _ times: [Double]) -> [Vector] {
    let route = EffectRoute(path: path, reach: 10, isFlat: true)
    return times.map { time in
      let place = route.place(at: time, of: 4)
      return Vector((place.x * 1e6).rounded() / 1e6, (place.y * 1e6).rounded() / 1e6, place.z)
    }
  }

  @Test("a line, a circle and points take as long as a round")
  func forms() throws {
    let times: [Double] = [0, 1, 2, 3, 4, 5, -1]
    #expect(
      Self.places(.line, times).map(\.x) == [0, 10, 0, -10, 0, 10, -10])
    #expect(Self.places(.circle, [0, 1, 4]) == [Vector(10, 0), Vector(0, 10), Vector(10, 0)])
    for text in ["0,0 30,0 30,10", "0 0 30 0 30 10", "0,0,0; 30,0,0; 30,10,0"] {
      let path = try #require(try EffectPath(text))
      #expect(
        Self.places(path, [0, 1, 3, 4]) == [.zero, Vector(10, 0), Vector(30, 0), Vector(30, 10)])
    }
  }

  @Test("a file may be JSON")
  func json() throws {
    for text in [
      "[[1, 0, 0], [2, 10, 5], [4, 10, -5, 1]]",
      #" [{"time": 1, "x": 0, "y": 0}, {"time": 2, "x": 10, "y": 5}, {"time": 4, "x": 10, "y": -5, "z": 1}]"#,
    ] {
      let path = try EffectPath(lines: Array(text.utf8))
      #expect(Self.places(path, [0, 1, 3]) == [.zero, Vector(10, 5), Vector(10, -5, 1)])
    }
    for text in [
      "[", "[]", "[[1, 2]]", "[[0, 0, 0], [1, \"x\", 0]]", "[[1, 0, 0], [0, 0, 0]]",
      "[{\"time\": 1}]",
    ] {
      #expect(throws: Diagnostic.self) { try EffectPath(lines: Array(text.utf8)) }
    }
  }

  @Test("a file has a time for each point")
  func file() throws {
    let text = "# seconds x y\n1 0 0\n2, 10, 5 # right\n\n4\t10\t-5 1\n"
    let path = try EffectPath(lines: Array(text.utf8))
    #expect(path.duration == 3)
    #expect(
      Self.places(path, [0, 0.5, 1, 2, 3]) == [
        .zero, Vector(5, 2.5), Vector(10, 5), Vector(10, 0, 0.5), Vector(10, -5, 1),
      ])
    // It begins again, and jumps.
    let route = EffectRoute(path: path, reach: 1, isFlat: true)
    #expect(route.jump(from: 3, to: 3.1, of: 9) == .zero)
    #expect(route.jump(from: 2, to: 2.1, of: 9) == nil)
  }

  @Test(
    "other texts and numbers are reported with their line",
    arguments: [
      ("1 2 3", nil), ("", nil), ("1 0 0\n2 1", 2), ("1 0 0\n1 1 1", nil), ("0 0 0\nx 1 1", 2),
      ("0 0 0\n1 1e300 0", 2), ("0 0 0\n1 nan 0", 2), ("0 0 0 0 0\n1 1 1", 1),
    ] as [(String, Int?)])
  func faults(text: String, line: Int?) throws {
    let fault = expectThrows(.imageOutput) { try EffectPath(lines: Array(text.utf8)) }
    #expect(fault?.location.textPlace?.line == line)
    #expect(fault?.hint != nil)
  }

  @Test("names of files are no paths, and lists with errors are reported")
  func lists() throws {
    for text in ["way.txt", "", "./1", "Line", "1"] { #expect(try EffectPath(text) == nil) }
    for text in ["1,2", "1,1 1,1", "1,2 3", "1,2 3,4,5,6", "1,e 2,2"] {
      expectThrows(.imageOutput) { try EffectPath(text) }
    }
  }

  @Test("a camera contains the way, and what was in view before around each place")
  func camera() throws {
    var camera = Camera()
    (camera.position, camera.target, camera.orthoHeight) = (Vector(1, 2, 5), Vector(1, 2, 0), 8)
    let path = try EffectPath(points: [Vector(0, 0), Vector(40, 0), Vector(40, 10)])
    let wide = camera.containing(EffectRoute(path: path, reach: 0, isFlat: true), aspect: 2)
    #expect(wide.position == Vector(21, 7, 5) && wide.target == Vector(21, 7, 0))
    #expect(wide.orthoHeight == 28)
  }
}
