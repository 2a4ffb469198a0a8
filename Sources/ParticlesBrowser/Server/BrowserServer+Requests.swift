internal import ParticlesCore

/// Judges requests, and takes up pages of earlier starts.
extension BrowserServer {
  /// Judges a request before its body is read.
  func judge(_ request: HTTPRequest) -> HTTPVerdict {
    guard let access else { return .refuse(HTTPAnswer(status: 503)) }
    let place: RequestGuard.Place
    do {
      place = try access.check(request)
    } catch {
      return .refuse(
        (error as? RequestGuard.Refusal).map(HTTPAnswer.init) ?? HTTPAnswer(failure: error))
    }
    let (routes, rest) = Route.find(place.path, for: place.access)
    guard !routes.isEmpty else {
      return .refuse(HTTPAnswer(["message": "no such route"], status: 404))
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let route = routes.first(where: { $0.method.rawValue == method }) else {
      return .refuse(HTTPAnswer(["message": "another method"], status: 405))
    }
    guard let query = QueryText.values(place.query) else {
      return .refuse(HTTPAnswer(["message": "the query is malformed"], status: 400))
    }
    guard !(route.isChanging && browser.configuration.isReadOnly) else {
      return .refuse(
        HTTPAnswer(failure: Diagnostic(.fileReadOnly, "the browser was started with --read-only")))
    }
    return .take(most: route.mostBytes, isProven: place.access != .anyone) { [weak self] request in
      guard let self else { return }
      let call = RouteRequest(number: request.number, rest: rest, query: query, body: request.body)
      Task {
        do {
          answer(request, try await route.answer(self, call))
        } catch {
          failed(error)
          answer(request, HTTPAnswer(failure: error))
        }
      }
    }
  }

  /// Tells a failure to those that keep a log.
  private func failed(_ error: any Error) {
    // What the user has ended is none.
    guard !(error is CancellationError) else { return }
    browser.hub.send(.failed(Browser.diagnostic(error)))
  }

  /// The outcome of an operation, whose failures are told to those that keep a log.
  func told(_ outcome: BrowserOutcome) -> BrowserOutcome {
    for result in outcome.results where result.status == .failed {
      result.diagnostic.map(failed)
    }
    return outcome
  }

  // MARK: Pages of earlier starts

  /// The first part of the proof: see ``PageProof``.
  func askAgain(_ request: RouteRequest) throws -> HTTPAnswer {
    guard let answer = proof?.ask(try request.value("nonce")) else {
      throw Diagnostic(.usage, "'nonce'", expected: "64 hexadecimal digits")
    }
    return HTTPAnswer(answer)
  }

  /// The second part of the proof.
  func openAgain(_ request: RouteRequest) throws -> HTTPAnswer {
    let object = try request.object()
    guard
      let answer = proof?.open(
        object["nonce"]?.string ?? "", proof: object["proof"]?.string ?? "")
    else { return HTTPAnswer(RequestGuard.Refusal(status: 403, reason: "no proof")) }
    return HTTPAnswer(answer)
  }
}
