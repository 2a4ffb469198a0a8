internal import ParticlesCore

/// How a page of an earlier start and the program recognize each other, without a word of use to a program that has the port
/// meanwhile: each answers the random number of the other with a digest (HMAC with SHA-256, RFC 2104) of both numbers by a key that
/// no request has in it. The answer to the proof of the page has the new address, which only the key opens.
final class PageProof: Sendable {
  /// The bytes of keys, secrets and random numbers.
  static let size = 32
  /// Seconds within which a page has to answer.
  private static let patience = 10.0
  /// Questions that are open at a time.
  private static let mostQuestions = 64

  /// The address of the server, so that an answer is of no use at another port.
  let host: String
  /// The key of this start and those of earlier ones, the newest first, in hexadecimal digits.
  let keys: [String]
  /// The secret of the address, which pages get.
  let secret: String

  init(host: String, keys: [String], secret: String) {
    (self.host, self.keys, self.secret) = (host, keys, secret)
  }

  private let questions = Lock<[(page: String, program: String, time: Double)]>([])

  /// The first part: the number of the program, and its proofs, one for each key.
  /// - Parameter page: the number of the page, 64 hexadecimal digits.
  /// - Returns: nil for another text.
  func ask(_ page: String) -> JSONValue? {
    guard RequestGuard.isSecret(page) else { return nil }
    let program = RequestGuard.makeSecret()
    questions.withLock { questions in
      if questions.count >= Self.mostQuestions { questions.removeFirst() }
      questions.append((page, program, MonotonicClock.seconds))
    }
    return [
      "nonce": .string(program),
      "proofs": .array(keys.map { .string(digest($0, "program", page, program).hexDigits) }),
    ]
  }

  /// The second part: the secret of the address and the newest key, each sealed.
  /// - Parameters:
  ///   - program: the number of the program. It counts once, and for ten seconds.
  ///   - proof: the proof of the page.
  /// - Returns: nil if the page has no key of ours.
  func open(_ program: String, proof: String) -> JSONValue? {
    let question = questions.withLock { questions in
      questions.firstIndex { $0.program == program }.map { questions.remove(at: $0) }
    }
    guard let question, MonotonicClock.seconds - question.time < Self.patience else { return nil }
    for key in keys {
      let expected = digest(key, "page", question.page, program).hexDigits
      guard RequestGuard.isEqual(proof, expected) else { continue }
      func sealed(_ value: String, _ name: String) -> JSONValue {
        let pad = digest(key, name, question.page, program)
        return .string(zip(value.bytesOfHexDigits, pad).map { $0 ^ $1 }.hexDigits)
      }
      return ["secret": sealed(secret, "secret"), "key": sealed(keys[0], "key")]
    }
    return nil
  }

  /// The digest of four lines: the use, the address, both numbers.
  private func digest(_ key: String, _ use: String, _ page: String, _ program: String) -> [UInt8] {
    SHA256.code(
      of: Array([use, host, page, program].joined(separator: "\n").utf8), key: key.bytesOfHexDigits)
  }
}

extension String {
  /// The bytes of pairs of hexadecimal digits. Other characters are none.
  fileprivate var bytesOfHexDigits: [UInt8] {
    let digits = utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
