/// Replaces the colours of pixels by numbers of a palette.
///
/// Ordered dithering between two colours: each cell of the histogram has the nearest colour of the palette and a second
/// colour, chosen so that the line between both comes close to the cell. A pixel gets the second colour if its place on
/// that line is above the threshold of its place in the picture. So there is no more noise than the distance of two
/// neighbouring colours, and none where a colour is exact.
package final class ColorMapping {
  /// The two colours of a cell. A pixel is at `base` + `slope` · (red, green, blue) on the line between
  /// them, at 0 on the first and at 1 on the second.
  private struct Pair {
    var slope: SIMD4<Float>
    var first: UInt8
    var second: UInt8
  }

  private var pairs: [Pair] = []
  private var exact: ExactColors?
  /// A colour that is exact in the palette, and its pair.
  private var background: (color: UInt32, pair: Pair)?
  private let histogram: ColorHistogram

  /// Squared distances of two colours below which no eye sees a step. Such colours are not dithered,
  /// which saves bytes.
  private static let invisible: Float = 6 * 6
  /// A colour this near (squared) is taken alone if that is better than a mixture.
  private static let near: Float = 6 * 6
  /// A colour this near (squared) needs no mixture, whose noise is a greater error, and many bytes.
  private static let exactly: Float = 6 * 6
  /// How much the noise of dithering counts beside an error of the mean.
  private static let noise: Float = 0.5

  /// Whether the palette has all colours of the pixels.
  package var isExact: Bool { exact != nil }

  /// Creates a mapping for pixels that a histogram has counted.
  package init(_ histogram: ColorHistogram) { self.histogram = histogram }

  /// Prepares the mapping to a palette.
  /// - Parameters:
  ///   - palette: the colours.
  ///   - color: a colour that is kept exactly if the palette has it.
  package func prepare(_ palette: Palette, background color: UInt32 = 0) {
    background = palette.colors.firstIndex(of: color).map {
      (color, Pair(slope: .zero, first: UInt8($0), second: UInt8($0)))
    }
    let colors = ExactColors(palette.colors)
    exact = isExact(colors) ? colors : nil
    guard exact == nil else { return }
    let search = NearestColor(palette.colors.map { SIMD4(color: $0) })
    pairs.removeAll(keepingCapacity: true)
    for cell in histogram.cells {
      pairs.append(Self.pair(for: ColorPoint(cell).color3, search))
    }
  }

  /// Returns the mean squared distance of pixels from the nearest colours, in the units of
  /// ``ColorPoint``.
  package func error(of palette: Palette) -> Double {
    guard !isExact(ExactColors(palette.colors)) else { return 0 }
    guard !palette.colors.isEmpty else { return .infinity }
    let search = NearestColor(palette.colors.map { SIMD4(color: $0) })
    var (sum, weight) = (0.0, 0.0)
    // A fourth of the cells is enough for a decision.
    let step = histogram.cells.count > 1024 ? 4 : 1
    for index in stride(from: 0, to: histogram.cells.count, by: step) {
      let point = ColorPoint(histogram.cells[index])
      let offset = point.color3 - search.points[search.index(of: point.color3)]
      sum += Double((offset * offset).sum()) * point.weight
      weight += point.weight
    }
    return weight > 0 ? sum / weight : 0
  }

  /// Whether all pixels have colours of a palette.
  private func isExact(_ colors: ExactColors) -> Bool {
    !histogram.exact.isOverfull
      && histogram.exact.colors.allSatisfy { colors.number(of: $0) != nil }
  }

  /// Returns the best pair of colours for a point.
  private static func pair(for point: SIMD4<Float>, _ search: NearestColor) -> Pair {
    let first = search.index(of: point)
    let start = search.points[first]
    let offset = point - start
    let distance = (offset * offset).sum()
    guard distance > exactly else {
      return Pair(slope: .zero, first: UInt8(first), second: UInt8(first))
    }
    var best = SIMD8<Float>(repeating: distance <= near ? distance : .infinity)
    var groups = SIMD8<Int32>(repeating: -1)
    for group in 0..<search.red.count {
      let (r, g, b) = (
        search.red[group] - start.x, search.green[group] - start.y, search.blue[group] - start.z
      )
      let length = r * r + g * g + b * b
      var along = r * offset.x + g * offset.y + b * offset.z
      along.replace(with: 0, where: along .< 0)
      let share = along / length
      // The distance from the line, and the variance of a mixture of both colours.
      let gain = along * share
      let cost = distance - gain + noise * along * (1 - share)
      // A mixture has to halve the error of the mean at least, or it only adds noise.
      let isBetter = cost .< best .& gain .> 0.5 * distance .& length .> invisible
      best.replace(with: cost, where: isBetter)
      groups.replace(with: Int32(truncatingIfNeeded: group), where: isBetter)
    }
    var lane = 0
    for other in 1..<8 where best[other] < best[lane] { lane = other }
    guard groups[lane] >= 0 else {
      return Pair(slope: .zero, first: UInt8(first), second: UInt8(first))
    }
    let second = Int(groups[lane]) * 8 + lane
    let line = search.points[second] - start
    let length = (line * line).sum()
    var slope = line / length * ColorPoint.weights
    slope.w = -(line * start).sum() / length
    return Pair(slope: slope, first: UInt8(first), second: UInt8(second))
  }

  /// Writes the number of each pixel in the palette.
  /// - Parameters:
  ///   - pixels: counted by the histogram, row by row, with 0 for pixels to leave out.
  ///   - rectangle: their place in the picture.
  ///   - none: the number for pixels to leave out.
  ///   - numbers: as many as pixels.
  package func map(
    _ pixels: UnsafeBufferPointer<UInt32>, in rectangle: PixelRectangle, none: UInt8,
    to numbers: UnsafeMutableBufferPointer<UInt8>
  ) {
    if let exact {
      for index in pixels.indices {
        numbers[index] = pixels[index] == 0 ? none : UInt8(exact.number(of: pixels[index]) ?? 0)
      }
      return
    }
    let mask = DitherMatrix.side - 1
    DitherMatrix.blueNoise.thresholds.withUnsafeBufferPointer { thresholds in
      pairs.withUnsafeBufferPointer { pairs in
        var index = 0
        for y in rectangle.y {
          let row = (y & mask) * DitherMatrix.side
          var last: UInt32 = 0
          var pair = Pair(slope: .zero, first: none, second: none)
          var place: Float = 0
          for x in rectangle.x {
            let pixel = pixels[index]
            if pixel == 0 {
              numbers[index] = none
            } else {
              if pixel != last {
                last = pixel
                if let background, pixel == background.color {
                  pair = background.pair
                } else {
                  pair = pairs[histogram.cell(of: pixel)]
                }
                place =
                  Float(pixel & 255) * pair.slope.x + Float(pixel >> 8 & 255) * pair.slope.y
                  + Float(pixel >> 16 & 255) * pair.slope.z + pair.slope.w
              }
              numbers[index] = place > thresholds[row + x & mask] ? pair.second : pair.first
            }
            index += 1
          }
        }
      }
    }
  }
}

/// Thresholds for ordered dithering, from 0 to 1 (both excluded), repeated over the plane.
///
/// They are blue noise: for each level, the places below it are spread evenly and without a pattern. All
/// frames use one matrix, so that unchanged colours do not flicker.
package struct DitherMatrix: Sendable {
  /// The number of thresholds in a row and a column, a power of two.
  package static let side = 32

  package static let blueNoise = DitherMatrix()

  /// `side` × `side` thresholds, row by row.
  package let thresholds: [Float]

  private init() {
    thresholds = Self.ranks.map { (Float($0) + 0.5) / Float(Self.side * Self.side) }
  }

  /// The places in the order of their thresholds. Each is the place where the weighted sum of earlier places
  /// is least (after R. Ulichney, "The void-and-cluster method for dither array generation", 1993). A test
  /// computes them again, which takes longer than a small animation.
  private static let ranks: [UInt16] = [
    0, 328, 649, 1010, 603, 886, 258, 968, 447, 208, 716, 663, 384, 935, 115, 289, 745, 336, 1000,
    911, 642, 86, 983, 128, 512, 656, 161, 712, 275, 467, 889, 574, 746, 388, 852, 215, 311, 731,
    16, 531, 625, 366, 285, 982, 13, 595, 173, 446, 874, 510, 149, 264, 533, 778, 394, 897, 743,
    335, 1021, 834, 607, 769, 942, 239, 981, 503, 64, 550, 105, 406, 844, 147, 799, 567, 100, 754,
    518, 326, 806, 692, 47, 391, 796, 717, 350, 34, 454, 189, 581, 9, 490, 385, 211, 133, 433, 681,
    616, 165, 797, 933, 678, 961, 489, 325, 1004, 50, 894, 460, 858, 229, 1023, 542, 921, 207, 592,
    107, 854, 672, 305, 932, 815, 259, 949, 83, 867, 534, 53, 301, 109, 879, 273, 445, 358, 176,
    776, 231, 658, 400, 196, 701, 136, 413, 638, 94, 270, 662, 957, 477, 240, 1008, 613, 711, 113,
    421, 690, 319, 650, 992, 735, 362, 565, 475, 708, 25, 636, 571, 63, 721, 927, 509, 269, 955,
    612, 30, 771, 354, 839, 440, 5, 891, 557, 159, 60, 499, 223, 546, 773, 594, 170, 248, 810, 909,
    201, 770, 1022, 237, 830, 902, 291, 451, 116, 838, 576, 360, 818, 304, 967, 493, 142, 748, 310,
    379, 780, 427, 828, 347, 974, 870, 43, 923, 452, 506, 17, 404, 646, 68, 337, 417, 103, 517, 977,
    351, 621, 2, 166, 740, 82, 537, 198, 671, 569, 996, 188, 627, 84, 268, 908, 733, 180, 389, 283,
    138, 837, 341, 700, 963, 148, 528, 851, 604, 160, 756, 674, 205, 788, 882, 1007, 476, 428, 930,
    850, 252, 58, 880, 714, 515, 971, 673, 566, 22, 618, 479, 659, 723, 1011, 95, 583, 294, 244,
    918, 734, 482, 947, 260, 44, 554, 410, 296, 686, 234, 644, 125, 758, 378, 463, 323, 120, 816,
    225, 458, 132, 313, 994, 808, 65, 527, 213, 422, 892, 790, 683, 372, 11, 306, 655, 386, 890,
    991, 135, 504, 55, 339, 895, 584, 18, 704, 944, 610, 411, 29, 924, 365, 772, 860, 430, 245, 931,
    359, 760, 630, 46, 456, 555, 118, 1001, 200, 809, 85, 465, 710, 836, 597, 777, 966, 175, 403,
    286, 1019, 209, 544, 856, 278, 728, 585, 191, 535, 99, 699, 158, 573, 277, 847, 172, 952, 824,
    601, 437, 871, 514, 588, 327, 186, 254, 376, 104, 720, 545, 831, 486, 774, 76, 682, 164, 497,
    1002, 72, 660, 948, 295, 494, 898, 7, 979, 390, 502, 318, 74, 764, 276, 694, 145, 781, 928, 20,
    652, 866, 943, 442, 38, 247, 633, 141, 361, 910, 793, 631, 333, 402, 807, 35, 742, 602, 414,
    789, 664, 101, 738, 221, 654, 401, 914, 45, 236, 972, 425, 747, 538, 478, 210, 314, 675, 987,
    872, 525, 302, 438, 4, 238, 131, 472, 885, 253, 363, 1013, 204, 322, 150, 539, 864, 990, 480,
    163, 340, 543, 632, 371, 112, 288, 1009, 70, 614, 151, 798, 383, 97, 938, 729, 575, 988, 840,
    697, 962, 564, 167, 647, 829, 66, 878, 718, 439, 255, 24, 579, 845, 1016, 725, 462, 884, 570,
    687, 812, 352, 899, 741, 563, 455, 218, 49, 661, 177, 382, 516, 87, 297, 767, 444, 119, 526,
    469, 582, 958, 624, 353, 922, 299, 122, 795, 80, 202, 826, 31, 171, 246, 416, 956, 8, 274, 855,
    609, 345, 811, 263, 876, 751, 608, 197, 926, 19, 693, 973, 224, 290, 40, 179, 785, 705, 214,
    443, 669, 267, 519, 321, 916, 640, 498, 117, 702, 520, 182, 998, 763, 496, 965, 114, 459, 42,
    346, 667, 407, 868, 330, 784, 380, 739, 907, 408, 91, 521, 620, 939, 1, 396, 959, 749, 435, 986,
    782, 587, 849, 331, 643, 75, 418, 153, 560, 689, 937, 227, 1014, 814, 541, 256, 600, 78, 848,
    140, 666, 488, 821, 985, 356, 765, 552, 861, 611, 146, 89, 367, 281, 57, 217, 397, 925, 719,
    293, 905, 21, 316, 393, 590, 492, 67, 134, 984, 184, 453, 635, 553, 1020, 329, 249, 54, 887,
    130, 309, 190, 703, 250, 558, 726, 877, 464, 1015, 801, 129, 473, 243, 835, 634, 794, 736, 155,
    896, 300, 757, 707, 508, 934, 272, 10, 203, 859, 593, 727, 405, 500, 819, 51, 1003, 483, 906,
    23, 617, 157, 668, 540, 32, 599, 975, 522, 192, 449, 92, 841, 657, 374, 432, 37, 881, 343, 800,
    419, 761, 102, 461, 168, 639, 969, 680, 434, 373, 792, 334, 206, 817, 381, 308, 709, 888, 338,
    759, 375, 59, 999, 279, 530, 216, 951, 619, 562, 232, 121, 679, 964, 532, 706, 953, 265, 559,
    88, 226, 912, 591, 108, 651, 980, 507, 929, 90, 233, 441, 169, 106, 685, 869, 572, 713, 913, 6,
    779, 162, 993, 825, 392, 491, 56, 298, 369, 903, 26, 342, 752, 292, 523, 156, 744, 266, 62, 420,
    580, 750, 989, 846, 645, 941, 495, 219, 324, 415, 127, 355, 474, 287, 71, 732, 648, 181, 853,
    605, 143, 665, 802, 178, 1018, 863, 12, 833, 950, 466, 684, 862, 139, 284, 3, 536, 387, 262,
    783, 27, 626, 813, 978, 596, 698, 875, 524, 332, 940, 261, 1005, 775, 230, 423, 487, 598, 696,
    450, 628, 395, 320, 556, 187, 787, 357, 622, 468, 803, 77, 589, 1006, 457, 904, 185, 505, 61,
    241, 805, 431, 111, 577, 15, 448, 551, 81, 842, 946, 124, 368, 212, 93, 715, 242, 995, 28, 900,
    228, 722, 945, 195, 695, 312, 152, 724, 98, 271, 755, 653, 398, 1012, 193, 623, 901, 753, 377,
    676, 920, 317, 41, 547, 786, 893, 513, 936, 820, 123, 641, 399, 511, 1017, 110, 344, 843, 915,
    409, 529, 364, 865, 954, 315, 144, 917, 39, 691, 481, 307, 126, 199, 501, 737, 257, 670, 960,
    280, 48, 578, 349, 485, 766, 303, 586, 52, 436, 548, 637, 36, 220, 822, 677, 568, 14, 471, 730,
    549, 370, 791, 235, 970, 883, 804, 629, 997, 412, 827, 470, 137, 762, 429, 174, 688, 79, 919,
    823, 154, 873, 251, 768, 484, 976, 615, 73, 194, 426, 832, 222, 606, 282, 857, 69, 424, 561, 33,
    348, 96, 183,
  ]
}
