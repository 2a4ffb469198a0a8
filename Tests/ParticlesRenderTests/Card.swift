import Foundation
import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

/// A reference picture that a real engine drew, with the facts about it.
struct Card {
  let engine: String
  let name: String
  private let facts: [String: Any]

  /// The folder of the cards, beside the corpus.
  static let folder: String? = {
    guard let corpus = Repository.corpus else { return nil }
    let path = Files.joined(Files.folder(of: corpus), "referees/cards")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  static func all() throws -> [Card] {
    let folder = try #require(folder)
    let bytes = Data(try Files.read(Files.joined(folder, "index.json")))
    let list = try #require(JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
    return try list.map { entry in
      let path = Files.joined(folder, try #require(entry["facts"] as? String))
      let facts = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
      return Card(
        engine: try #require(entry["engine"] as? String),
        name: try #require(entry["case"] as? String),
        facts: try #require(facts as? [String: Any]))
    }
  }

  // MARK: Files

  func path(_ name: String) throws -> String {
    Files.joined(try #require(Self.folder), "\(engine)/\(name)")
  }

  func picture() throws -> Bitmap { try PNG.decode(try Files.read(try path("\(name).png"))) }

  func texture() throws -> Bitmap {
    let name = try #require(facts["texture"] as? String)
    return try PNG.decode(
      try Files.read(Files.joined(try #require(Self.folder), "textures/\(name)")))
  }

  var input: String { facts["input"] as? String ?? "" }

  // MARK: Facts

  var background: SIMD4<Float> {
    let list = facts["background"] as? [Double] ?? [0, 0, 0]
    return SIMD4(Float(list[0] / 255), Float(list[1] / 255), Float(list[2] / 255), 1)
  }

  /// Each step of the input: a word and its arguments.
  var steps: [(word: String, numbers: [Double])] {
    (facts["steps"] as? [[Any]] ?? []).map { step in
      (step[0] as? String ?? "", step.dropFirst().compactMap { $0 as? Double })
    }
  }

  var quads: [Quad] {
    (facts["particles"] as? [[String: Any]] ?? []).map { particle in
      func numbers(_ key: String) -> [Double] { particle[key] as? [Double] ?? [] }
      let (center, size, color) = (numbers("centre"), numbers("size"), numbers("rgba"))
      return Quad(
        center: SIMD2(center[0], center[1]), size: SIMD2(size[0], size[1]),
        degrees: particle["rotation_clockwise"] as? Double ?? 0,
        color: SIMD4(Float(color[0]), Float(color[1]), Float(color[2]), Float(color[3])))
    }
  }

  /// Whether the engine decodes textures when it samples them.
  var isDecoding: Bool { facts["source_decode"] as? String == "srgb" }

  func state() throws -> BlendState {
    let blend = try #require(facts["blend"] as? [String: Any])
    func factors(_ key: String) throws -> (BlendState.Factor, BlendState.Factor) {
      let names = try #require(blend[key] as? [String])
      return (
        try #require(Self.factors[names[0]]), try #require(Self.factors[names[1]])
      )
    }
    let source = facts["source"] as? String ?? ""
    let (first, second) = try factors("rgb")
    let equation: Emitter.BlendEquation =
      blend["equation"] as? String == "add" ? .add : .reverseSubtract
    #expect(["add", "reverse subtract"].contains(blend["equation"] as? String))
    #expect(
      ["straight", "texture premultiplied", "texture and colour premultiplied"].contains(source))
    var state = BlendState(
      source == "straight" ? .straight : .premultiplied,
      isTintPremultiplied: source == "texture and colour premultiplied", first, second, equation)
    (state.alphaSource, state.alphaDestination) = try factors("alpha")
    return state
  }

  private static let factors: [String: BlendState.Factor] = [
    "ZERO": .zero, "ONE": .one, "SRC_COLOR": .sourceColor,
    "ONE_MINUS_SRC_COLOR": .oneMinusSourceColor, "SRC_ALPHA": .sourceAlpha,
    "ONE_MINUS_SRC_ALPHA": .oneMinusSourceAlpha, "DST_ALPHA": .destinationAlpha,
    "ONE_MINUS_DST_ALPHA": .oneMinusDestinationAlpha, "DST_COLOR": .destinationColor,
    "ONE_MINUS_DST_COLOR": .oneMinusDestinationColor,
  ]

  // MARK: Comparison

  /// How a picture differs from the card by more than the card allows, or nil if it agrees.
  func deviation(of picture: Bitmap) throws -> String? {
    let card = try self.picture()
    guard picture.width == card.width, picture.height == card.height else { return "size" }
    let tolerance = try #require(facts["tolerance"] as? [String: Any])
    if let count = tolerance["count"] as? Int {
      let back = [background.x, background.y, background.z].map { Int(($0 * 255).rounded()) }
      let found = stride(from: 0, to: picture.pixels.count, by: 4).count { index in
        (0..<3).contains { Int(picture.pixels[index + $0]) != back[$0] }
      }
      return found == count ? nil : "\(found) pixels instead of \(count)"
    }
    let most = try #require(tolerance["each_channel"] as? Int)
    let ignored = facts["ignore_rect"] as? [Int]
    var (worst, count, first) = (0, 0, "")
    for y in 0..<card.height {
      for x in 0..<card.width {
        if let ignored, ignored[0]..<ignored[2] ~= x, ignored[1]..<ignored[3] ~= y { continue }
        for channel in 0..<3 {
          let index = (y * card.width + x) * 4 + channel
          let difference = abs(Int(picture.pixels[index]) - Int(card.pixels[index]))
          guard difference > most else { continue }
          if count == 0 {
            first = "(\(x), \(y)) \(card.pixels[index]) → \(picture.pixels[index])"
          }
          count += 1
          worst = max(worst, difference)
        }
      }
    }
    return count == 0 ? nil : "\(count) components, up to \(worst), first \(first)"
  }
}
