/// An array whose first element is removed without moving the others.
struct DroppingArray<Element: Sendable>: Sendable {
  private var storage: [Element?] = []
  private var start = 0

  var count: Int { storage.count - start }
  var first: Element? { count > 0 ? storage[start] : nil }
  var last: Element? { count > 0 ? storage[storage.count - 1] : nil }

  func last(where isWanted: (Element) -> Bool) -> Element? {
    storage[start...].last { $0.map(isWanted) ?? false } ?? nil
  }

  var elements: [Element] { storage[start...].compactMap(\.self) }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func removeLast() { storage.removeLast() }

  mutating func removeFirst() -> Element {
    defer {
      storage[start] = nil
      start += 1
      if start > 64, 2 * start > storage.count {
        storage.removeFirst(start)
        start = 0
      }
    }
    return storage[start].unsafelyUnwrapped
  }
}
