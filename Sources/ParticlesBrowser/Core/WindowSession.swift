/// The windows of a browser, as pages open, leave and take them over.
struct WindowSession {
  /// A window of the session.
  typealias Window = BrowserSession.Window

  /// More windows than this are not kept.
  static let most = 64
  /// Windows that are left within so many seconds are left at the same time, with the web browser.
  private static let together = 3.0

  /// The windows, in the order in which they were opened. Each has a name of its own.
  private(set) var windows: [Window] = []
  /// When the pages of windows were left, by their names, in seconds.
  private var left: [String: Double] = [:]
  /// The windows of the last session that no page has taken yet, the last one at the end.
  private(set) var untaken: [String] = []

  /// The window of a name; nil if there is none.
  subscript(name: String) -> Window? { windows.first { $0.name == name } }

  /// Changes a window, which is opened if there is none of the name.
  /// - Returns: whether it was opened.
  @discardableResult
  mutating func change(_ name: String, _ body: (inout Window) -> Void = { _ in }) -> Bool {
    if let index = windows.firstIndex(where: { $0.name == name }) {
      body(&windows[index])
      return false
    }
    var window = Window(name: name)
    body(&window)
    windows.append(window)
    if windows.count > Self.most { windows.removeFirst() }
    return true
  }

  /// Notes the document that an open window shows; nil for none.
  mutating func show(_ document: BrowserItem.ID?, in name: String) {
    if self[name] != nil { change(name) { $0.document = document } }
  }

  /// No window shows a document any more.
  mutating func forget(_ document: BrowserItem.ID) {
    for index in windows.indices where windows[index].document == document {
      windows[index].document = nil
    }
  }

  /// Takes items out of the selections.
  /// - Returns: the windows that had any of them.
  mutating func deselect(_ isGone: (BrowserItem.ID) -> Bool) -> [Window] {
    var changed: [Window] = []
    for index in windows.indices where windows[index].selection.contains(where: isGone) {
      windows[index].selection.removeAll(where: isGone)
      changed.append(windows[index])
    }
    return changed
  }

  /// Removes a window.
  mutating func close(_ name: String) { windows.removeAll { $0.name == name } }

  // MARK: Pages

  /// Notes that the page of a window is gone.
  /// - Returns: false if there is no such window.
  mutating func leave(_ name: String, at seconds: Double) -> Bool {
    guard self[name] != nil else { return false }
    left[name] = seconds
    return true
  }

  /// Whether the page of a window is gone.
  func isLeft(_ name: String) -> Bool { left[name] != nil }

  /// Notes that a window has a page.
  mutating func comeBack(_ name: String) { left[name] = nil }

  /// Returns the window of a page that begins: the one of its name; or else, if `takesOver`, the last window of the last
  /// session that no page has taken, which has this name from now on.
  mutating func resume(_ name: String, takesOver: Bool) -> Window? {
    comeBack(name)
    if let window = self[name] {
      untaken.removeAll { $0 == name }
      return window
    }
    guard takesOver, let old = untaken.popLast(),
      let index = windows.firstIndex(where: { $0.name == old })
    else { return nil }
    windows[index].name = name
    return windows[index]
  }

  /// Adds a window of the last session, which a page may take over.
  mutating func restore(_ window: Window) {
    change(window.name) { $0 = window }
    if !untaken.contains(window.name) { untaken.append(window.name) }
  }

  /// The windows that a session is made of: those that have pages, or if there are none, those left last.
  var kept: [Window] {
    let shown = windows.filter { left[$0.name] == nil }
    guard shown.isEmpty, let last = left.values.max() else { return shown }
    return windows.filter { left[$0.name] ?? 0 >= last - Self.together }
  }
}
