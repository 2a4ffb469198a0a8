package import ParticlesPropertyLists
internal import ParticlesImages
package import ParticlesModel

// Colours as AppKit archives them; ``ArchivedColor`` reads them.

extension Archivable {
  /// A device colour with sRGB components, as Xcode's particle editor writes most colours.
  package static func deviceColor(_ color: Color) -> Archivable {
    nsColor(2, components: [color.red, color.green, color.blue], alpha: color.alpha, [])
  }

  /// A colour in the sRGB space, with the calibrated variant for readers that expect it.
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

  /// An opaque colour has no alpha component.
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
