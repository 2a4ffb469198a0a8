/// x
public struct PreviewPage: Sendable {
  var title: String
  var cards: [PreviewCard]
  func write(to sink: (_ bytes: [UInt8]) throws -> Void) throws {}
}
