internal import ParticlesCore

/// Dates of property lists: seconds since the beginning of 2001 in binary ones, and text such as
/// `2011-02-03T04:05:06Z` in XML.
enum PropertyListDate {
  private static let secondsPerDay = 86_400
  /// Days from the beginning of the year 0 (proleptic Gregorian calendar) to that of 2001.
  private static let reference = days(year: 2001, month: 1, day: 1)
  private static let range =
    Double(
      (days(year: 1, month: 1, day: 1) - reference) * secondsPerDay)..<Double(
      (days(year: 10_000, month: 1, day: 1) - reference) * secondsPerDay)

  /// The text of a date, without fractions of a second; nil outside of the years 1 to 9999.
  static func text(of seconds: Double) -> String? {
    guard range.contains(seconds) else { return nil }
    let whole = Int(saturating: seconds.rounded(.down))
    let day = whole >= 0 ? whole / secondsPerDay : -((secondsPerDay - 1 - whole) / secondsPerDay)
    let time = whole - day * secondsPerDay
    let (year, month, dayOfMonth) = date(day + reference)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(dayOfMonth))T"
      + "\(digits(time / 3600)):\(digits(time / 60 % 60)):\(digits(time % 60))Z"
  }

  /// The seconds of a text; nil if it is not a date.
  static func seconds(of text: String) -> Double? {
    let bytes = Array(text.trimmed.utf8)
    let layout = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == layout.count else { return nil }
    for (byte, expected) in zip(bytes, layout) {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int {
      bytes[range].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year > 0, 1...12 ~= month, day > 0, hour < 24, minute < 60, second < 61 else {
      return nil
    }
    let ordinal = days(year: year, month: month, day: day)
    guard date(ordinal) == (year, month, day) else { return nil }
    return Double((ordinal - reference) * secondsPerDay + hour * 3600 + minute * 60 + second)
  }

  /// The number of a day, counted from 1 March of the year 0. Years begin in March here, so that leap
  /// days are at their end.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * months + 2) / 5 + day - 1
  }

  /// The date of a day by its number. Inverse of ``days(year:month:day:)``.
  private static func date(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let era = number / 146_097
    let dayOfEra = number % 146_097
    let year =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let months = (5 * dayOfYear + 2) / 153
    let month = months < 10 ? months + 3 : months - 9
    return (
      year + 400 * era + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * months + 2) / 5 + 1
    )
  }
}
