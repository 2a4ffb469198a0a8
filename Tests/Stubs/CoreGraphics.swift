// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations that written code uses, so that it is type-checked without Apple's SDK. Types of numbers
// are not interchangeable, as there.

// https://developer.apple.com/documentation/corefoundation/cgfloat
public struct CGFloat: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(floatLiteral value: Double) {}
  public init(integerLiteral value: Int) {}
  public static prefix func - (value: CGFloat) -> CGFloat { value }
}

// https://developer.apple.com/documentation/foundation/nsnumber
public class NSNumber: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public required init(floatLiteral value: Double) {}
  public required init(integerLiteral value: Int) {}
}

// https://developer.apple.com/documentation/corefoundation/cgpoint
public struct CGPoint { public init(x: Double, y: Double) {} }

// https://developer.apple.com/documentation/corefoundation/cgsize
public struct CGSize { public init(width: Double, height: Double) {} }

// https://developer.apple.com/documentation/corefoundation/cgvector
public struct CGVector { public init(dx: Double, dy: Double) {} }

// https://developer.apple.com/documentation/corefoundation/cgrect
public struct CGRect { public init(x: Double, y: Double, width: Double, height: Double) {} }

// https://developer.apple.com/documentation/coregraphics/cgcolor
public class CGColor {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}

// https://developer.apple.com/documentation/coregraphics/cgimage
public class CGImage {}

// https://developer.apple.com/documentation/uikit/uicolor, https://developer.apple.com/documentation/appkit/nscolor
public class PlatformColor {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}
