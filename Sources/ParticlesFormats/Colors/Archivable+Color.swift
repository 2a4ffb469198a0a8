package import ParticlesPropertyLists
internal import ParticlesImages
internal import ParticlesCore
package import ParticlesModel

// Colours as AppKit archives them; ``ArchivedColor`` reads them.

extension Archivable {
  /// A colour of the device, whose components are those of sRGB: what the particle editor of Xcode
  /// writes for most colours.
  package static func deviceColor(_ color: Color) -> Archivable {
    nsColor(2, components: [color.red, color.green, color.blue], alpha: color.alpha, [])
  }

  /// A colour that says to be sRGB, with its calibrated twin for readers who look for that.
  package static func sRGBColor(_ color: Color) -> Archivable {
    let components = [color.red, color.green, color.blue]
    let all = text(components + [color.alpha])
    return nsColor(
      1, components: RGBSpace.genericRGB(fromSRGB: components), alpha: color.alpha,
      [
        .init("NSComponents", .inline(.data(Array(all.utf8)))),
        .init(
          "NSCustomColorSpace", .object(["NSColorSpace", "NSObject"], [.init("NSID", .integer(7))])),
      ])
  }

  /// An opaque colour says nothing of alpha.
  private static func nsColor(
    _ space: Int, components: [Double], alpha: Double, _ more: [ArchivableObject.Member]
  ) -> Archivable {
    let visible = text(components + (alpha == 1 ? [] : [alpha]))
    return .object(
      ["NSColor", "NSObject"],
      [
        .init("NSColorSpace", .integer(space)),
        .init("NSRGB", .inline(.data(Array(visible.utf8) + [0]))),
      ] + more)
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map(Geometry.text).joined(separator: " ")
  }
}
