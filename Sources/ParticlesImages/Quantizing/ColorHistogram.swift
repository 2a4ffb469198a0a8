/// The colours of pixels, counted in cells of 4 × 4 × 4 neighbouring colours. It is emptied and used
/// again for frame after frame.
///
/// A pixel is red | green << 8 | blue << 16 | alpha << 24. Pixels of value 0 are not counted.
package final class ColorHistogram {
  /// A cell that has pixels: the sums of their components.
  struct Cell {
    var key: Int
    var count = 0
    var red = 0
    var green = 0
    var blue = 0
  }

  /// Bits of each component that select a cell.
  static let bits = 6

  private var counts = Counts()
  /// The number of each cell plus 1, or 0 for cells without pixels.
  private let numbers: UnsafeMutablePointer<UInt32>

  package init() {
    numbers = .allocate(capacity: 1 << (3 * Self.bits))
    numbers.initialize(repeating: 0, count: 1 << (3 * Self.bits))
  }

  deinit { numbers.deallocate() }

  var cells: [Cell] { counts.cells }
  var exact: ExactColors { counts.exact }

  /// The colour of the most neighbouring pixels, such as a background, or 0 if none was counted.
  package var longestRun: UInt32 { counts.longestRun }

  /// Whether no pixel was counted.
  package var isEmpty: Bool { cells.isEmpty }

  /// Whether there are at most this many different colours.
  package func hasAtMost(_ count: Int) -> Bool { !exact.isOverfull && exact.colors.count <= count }

  /// Forgets all pixels.
  package func removeAll() {
    for cell in cells { numbers[cell.key] = 0 }
    counts.removeAll()
  }

  package func count(_ pixels: UnsafeBufferPointer<UInt32>) { counts.count(pixels, numbers) }

  /// Returns the number of the cell of a colour that was counted.
  @inline(__always)
  func cell(of color: UInt32) -> Int { Int(numbers[Self.key(of: color)]) - 1 }

  @inline(__always)
  private static func key(of color: UInt32) -> Int {
    let (red, green, blue) = (color >> 2 & 63, color >> 10 & 63, color >> 18 & 63)
    return Int(red | green << 6 | blue << 12)
  }
}

extension ColorHistogram {
  /// The cells and colours of all pixels. Swift checks variables of a class for overlapping access at each use, but
  /// variables of a value once for each call.
  private struct Counts {
    var cells: [Cell] = []
    var exact = ExactColors()
    var longestRun: UInt32 = 0
    var runLength = 0

    mutating func removeAll() {
      cells.removeAll(keepingCapacity: true)
      exact = ExactColors()
      (longestRun, runLength) = (0, 0)
    }

    mutating func count(
      _ pixels: UnsafeBufferPointer<UInt32>, _ numbers: UnsafeMutablePointer<UInt32>
    ) {
      var (last, run) = (UInt32(0), 0)
      for pixel in pixels {
        if pixel == last {
          run += 1
        } else {
          if last != 0 { add(last, run, numbers) }
          (last, run) = (pixel, 1)
        }
      }
      if last != 0 { add(last, run, numbers) }
    }

    private mutating func add(
      _ color: UInt32, _ count: Int, _ numbers: UnsafeMutablePointer<UInt32>
    ) {
      exact.insert(color)
      if count > runLength { (longestRun, runLength) = (color, count) }
      let key = ColorHistogram.key(of: color)
      if numbers[key] == 0 {
        cells.append(Cell(key: key))
        numbers[key] = UInt32(cells.count)
      }
      let number = Int(numbers[key]) - 1
      cells[number].count += count
      cells[number].red += count * Int(color & 255)
      cells[number].green += count * Int(color >> 8 & 255)
      cells[number].blue += count * Int(color >> 16 & 255)
    }
  }
}
