import Testing

/// The names that `import Particles` adds to an application that imports other frameworks.
@Suite("The public surface")
struct SurfaceTests {
  /// `Document` is not here: no framework declares it, and an application's own hides ours.
  ///
  /// Types of SwiftUI, Foundation, CryptoKit, simd, RealityKit and Observation, types that
  /// applications declare themselves, and types of ours that are members for that reason.
  static let taken = Set(
    """
    AES Alignment Anchor Angle Animation App Aspect Asset Attachment Axis Billboard Binding Blend \
    BlendMode Bounds Budget Bundle Burst Button Calendar Camera Canvas Capsule Circle Clock Color \
    ColorSpace Component CompressionLevel Curve Data Date Decimal Difference Digest Dimension \
    Direction Distribution Divider Duration Edge Ellipse Emission Entity Entry Environment \
    Extend Flipbook Font Force Form FormatStyle Gradient Grid Group Handler Host Image Interpolation \
    Interval Item Key Label Launch Layout Length Limit Link List Locale Location Material Matrix \
    Measurement Menu Mesh Model Motion Mutex Name Namespace Node Notification Observable Operation \
    Orbit Order Package Path Physics Picker Placement Point Position Predicate Preview Process \
    Profile Progress Projection Property Quaternion Query Recovery Rectangle Render Renderer Repair \
    Report Resource Rotation SHA256 Scale Scanner Scene Schedule Scope Section Settings Severity \
    Shape Size Slider Softness Space Spacer Sprite State Stepper Stream Stretch Style Sweep System \
    Tab Table Template Text Texture Thread Timer Timing Tint Toggle Track Trail Transaction \
    Transform Transition Trigger URL UUID Unit Value Vector Vector2 Vector3 View Window
    """.split(separator: " "))

  static let standard: Set<Substring> = [
    "Array", "ArraySlice", "BinaryInteger", "Bool", "Character", "ClosedRange", "Collection",
    "Comparable", "Dictionary", "Double", "Equatable", "Error", "Float", "Hashable", "Int",
    "MutableCollection", "Optional", "RandomAccessCollection", "Range", "RawRepresentable",
    "Result",
    "Sequence", "Set", "String", "StringProtocol", "Substring", "UInt16", "UInt32", "UInt64",
    "UInt8",
  ]

  /// The files of the modules that the umbrella passes on.
  private func files() throws -> [SourceFile] {
    let files = try SourceFile.all()
    let exported = Set(files.filter { $0.module == "Particles" }.flatMap(\.imports))
    return files.filter { exported.contains($0.module) }
  }

  @Test("no public type has a name that an application uses for something else")
  func names() throws {
    var found = 0
    for file in try files() {
      for line in file.code {
        guard line.text.hasPrefix("public "),
          let match = line.text.prefixMatch(
            of: /public (?:\w+ )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/)
        else { continue }
        found += 1
        #expect(!Self.taken.contains(match.output.1), "\(file.path):\(line.number)")
      }
    }
    #expect(found > 30)
  }

  @Test("types of the standard library gain no public members and conformances")
  func standardTypes() throws {
    for file in try files() {
      var extended: Substring?
      for line in file.code {
        let isExtension = ["extension ", "public extension "].contains { line.text.hasPrefix($0) }
        if isExtension,
          let match = line.text.prefixMatch(of: /(?:public )?extension (?:Swift\.)?(\w+)/)
        {
          extended = Self.standard.contains(match.output.1) ? match.output.1 : nil
          #expect(extended == nil || !line.text.hasPrefix("public"), "\(file.path):\(line.number)")
        } else if line.text.hasPrefix("}") {
          extended = nil
        } else if extended != nil {
          let text = line.text.drop { $0 == " " }
          #expect(!text.hasPrefix("public "), "\(file.path):\(line.number)")
        }
      }
    }
  }
}
