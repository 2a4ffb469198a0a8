internal import ParticlesImages

/// Compresses the pixels of GIF frames (LZW), of which each may have one of several colours.
///
/// LZW replaces strings of pixels by codes, and each code adds a string to its dictionary. Of all strings
/// that are close enough to the pixels, this class takes the string with the greatest worth: a point for
/// each pixel, less the error that it adds. Longer strings need fewer codes.
///
/// One for each thread.
final class GIFCompressor {
  /// The colours that a pixel may become.
  struct Pixels {
    /// A number in the palette for each pixel: the first choice.
    let numbers: UnsafeBufferPointer<UInt8>
    /// The colour that each pixel should have, or 0 for a pixel that must keep its number.
    let colors: UnsafeBufferPointer<UInt32>
  }

  private static let most = 4_096
  /// The most strings that are looked at for a code. More make files less than 3 % smaller.
  private static let mostVisits = 96
  /// The neighbours of a colour that a string may begin with.
  private static let neighbourCount = 6

  // The dictionary, a tree: for each code its first child, its next sibling, its last and its first pixel.
  private let child = UnsafeMutablePointer<UInt16>.allocate(capacity: most)
  private let sibling = UnsafeMutablePointer<UInt16>.allocate(capacity: most)
  private let last = UnsafeMutablePointer<UInt8>.allocate(capacity: most)
  private let first = UnsafeMutablePointer<UInt8>.allocate(capacity: most)
  // The way from the root to the string that is looked at.
  private let next = UnsafeMutablePointer<UInt16>.allocate(capacity: most + 1)
  private let worth = UnsafeMutablePointer<Float>.allocate(capacity: most + 1)

  // The palette, and for each of its colours the nearest others.
  private let red = UnsafeMutablePointer<Int32>.allocate(capacity: 256)
  private let green = UnsafeMutablePointer<Int32>.allocate(capacity: 256)
  private let blue = UnsafeMutablePointer<Int32>.allocate(capacity: 256)
  private let neighbours = UnsafeMutablePointer<UInt8>.allocate(capacity: 256 * neighbourCount)

  private var bytes: [UInt8] = []
  private var held: UInt32 = 0
  private var heldBits: UInt32 = 0

  deinit {
    for column in [child, sibling, next] { column.deallocate() }
    for column in [last, first, neighbours] { column.deallocate() }
    for column in [red, green, blue] { column.deallocate() }
    worth.deallocate()
  }

  /// Returns the data of a frame: the size of codes, blocks of bytes, and the end.
  /// - Parameters:
  ///   - bits: of a number in the palette.
  ///   - tolerance: the greatest squared error, red, green and blue together, that a colour may add to the
  ///     error of the first choice. With 0, only the first choice is used.
  ///   - exact: a colour that is never replaced by another.
  func compress(
    _ pixels: Pixels, _ palette: [UInt32], bits: Int, tolerance: Int, exact: UInt32
  ) -> [UInt8] {
    let size = max(2, bits)
    let (clear, end) = (1 << size, 1 << size + 1)
    if tolerance > 0 { prepare(palette, tolerance) }
    bytes.removeAll(keepingCapacity: true)
    (held, heldBits) = (0, 0)
    let count = pixels.numbers.count
    var width = size + 1
    var free = clear + 2
    var before = -1
    func restart() {
      for code in 0..<clear + 2 {
        child[code] = 0
        last[code] = UInt8(truncatingIfNeeded: code)
        first[code] = last[code]
      }
      (width, free, before) = (size + 1, clear + 2, -1)
    }
    func link(_ code: Int, to parent: Int, _ symbol: UInt8) {
      child[code] = 0
      sibling[code] = child[parent]
      child[parent] = UInt16(code)
      (last[code], first[code]) = (symbol, first[parent])
    }
    restart()
    write(clear, width)
    var place = 0
    while place < count {
      let wanted = pixels.numbers[place]
      // The string that this code adds may be the code itself, if it begins as it ends.
      let isAhead = before >= 0 && free < Self.most && first[before] == wanted
      if isAhead { link(free, to: before, wanted) }
      let string = search(pixels, from: place, isAhead ? nil : tolerance, tolerance, exact)
      write(string.code, width)
      if before >= 0 {
        if free < Self.most, !isAhead { link(free, to: before, first[string.code]) }
        free += 1
        if free == 1 << width, width < 12 { width += 1 }
      }
      before = string.code
      place += string.length
      if free >= Self.most, place < count {
        write(clear, width)
        restart()
      }
    }
    write(end, width)
    if heldBits > 0 { bytes.append(UInt8(held & 255)) }
    return blocks(size)
  }

  /// Returns the string that is worth most.
  /// - Parameters:
  ///   - choice: the error that the first pixel may add, or nil if it must be the first choice.
  ///   - tolerance: the error that each later pixel may add.
  private func search(
    _ pixels: Pixels, from start: Int, _ choice: Int?, _ tolerance: Int, _ exact: UInt32
  ) -> (code: Int, length: Int) {
    let (numbers, colors) = (pixels.numbers, pixels.colors)
    let wanted = numbers[start]
    var best = (code: Int(wanted), length: 1, worth: Float(1))
    var visits = 0
    let factor = 1 / Float(max(1, tolerance))
    func follow(_ root: Int, _ value: Float) {
      var depth = 0
      next[0] = child[root]
      worth[0] = value
      if value > best.worth { best = (root, 1, value) }
      while true {
        let code = Int(next[depth])
        guard code != 0, visits < Self.mostVisits else {
          guard depth > 0, visits < Self.mostVisits else { return }
          depth -= 1
          continue
        }
        next[depth] = sibling[code]
        let place = start + depth + 1
        guard place < numbers.count else {
          guard depth > 0 else { return }
          depth -= 1
          continue
        }
        var loss: Float = 0
        if last[code] != numbers[place] {
          guard tolerance > 0, colors[place] != 0, colors[place] != exact else { continue }
          visits += 1
          let added =
            error(Int(last[code]), colors[place]) - error(Int(numbers[place]), colors[place])
          guard added <= tolerance else { continue }
          loss = max(0, Float(added)) * factor
        }
        depth += 1
        worth[depth] = worth[depth - 1] + 1 - loss
        next[depth] = child[code]
        if worth[depth] > best.worth { best = (code, depth + 1, worth[depth]) }
      }
    }
    follow(Int(wanted), 1)
    if let choice, choice > 0, colors[start] != 0, colors[start] != exact {
      let own = error(Int(wanted), colors[start])
      for index in 0..<Self.neighbourCount {
        let other = Int(neighbours[Int(wanted) * Self.neighbourCount + index])
        guard other != Int(wanted) else { break }
        let added = error(other, colors[start]) - own
        guard added <= choice else { continue }
        visits = 0
        follow(other, 1 - max(0, Float(added)) * factor)
      }
    }
    return (best.code, best.length)
  }

  /// The squared error of a colour of the palette.
  @inline(__always)
  private func error(_ number: Int, _ color: UInt32) -> Int {
    let r = red[number] - Int32(color & 255)
    let g = green[number] - Int32(color >> 8 & 255)
    let b = blue[number] - Int32(color >> 16 & 255)
    return Int(r &* r &+ g &* g &+ b &* b)
  }

  /// Finds the neighbours of each colour, nearest first. The colour itself ends its list.
  private func prepare(_ palette: [UInt32], _ tolerance: Int) {
    for index in 0..<256 {
      // Numbers without a colour are far from all.
      let color = index < palette.count ? palette[index] : 0
      let isFree = index >= palette.count
      red[index] = isFree ? 20_000 : Int32(color & 255)
      green[index] = isFree ? 0 : Int32(color >> 8 & 255)
      blue[index] = isFree ? 0 : Int32(color >> 16 & 255)
    }
    let count = Self.neighbourCount
    for index in palette.indices {
      var found: [(error: Int, number: Int)] = []
      for other in palette.indices where other != index {
        let distance = error(other, palette[index])
        // Nearer ones only: a pixel is about as far from its own colour.
        guard distance <= 4 * tolerance else { continue }
        guard found.count < count || distance < found[count - 1].error else { continue }
        let place = found.firstIndex { distance < $0.error } ?? found.count
        found.insert((distance, other), at: place)
        if found.count > count { found.removeLast() }
      }
      for place in 0..<count {
        neighbours[index * count + place] =
          UInt8(place < found.count ? found[place].number : index)
      }
    }
  }

  private func write(_ code: Int, _ width: Int) {
    held |= UInt32(code) << heldBits
    heldBits += UInt32(width)
    while heldBits >= 8 {
      bytes.append(UInt8(held & 255))
      held >>= 8
      heldBits -= 8
    }
  }

  /// The data in blocks of up to 255 bytes.
  private func blocks(_ size: Int) -> [UInt8] {
    var result: [UInt8] = [UInt8(size)]
    result.reserveCapacity(bytes.count + bytes.count / 255 + 3)
    for start in stride(from: 0, to: bytes.count, by: 255) {
      let end = min(bytes.count, start + 255)
      result.append(UInt8(end - start))
      result += bytes[start..<end]
    }
    result.append(0)
    return result
  }
}
