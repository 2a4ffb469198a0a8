// Compiled with each pure module to find texts with values that have no description: pages show a fixed sentence for them.

extension DefaultStringInterpolation {
  @available(*, deprecated, message: "pages cannot print this value: it needs a description")
  mutating func appendInterpolation<T>(_ value: T) {}
}
