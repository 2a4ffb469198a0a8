#ifndef CPARTICLES_HTTP_H
#define CPARTICLES_HTTP_H

#include <stddef.h>
#include <stdint.h>

// A server for HTTP/1.1 on the loopback interface: evhttp of libevent, on one thread of its own.

#pragma clang assume_nonnull begin

/// The bounds of a server.
typedef struct {
  /// Bytes of the request line and the headers; more are answered with 400.
  size_t header_bytes;
  /// Bytes of a body; more are answered with 413.
  size_t body_bytes;
  /// Open connections; another one is answered with 503 and closed.
  int connections;
  /// How long a request may take from its first to its last byte, and how long a connection may be idle.
  int milliseconds;
} particles_http_limits;

/// A request that was read completely. It is valid during the call only.
typedef struct {
  /// The number under which it is answered.
  uint64_t number;
  /// `GET`, `HEAD`, `POST`, or another one.
  const char *method;
  /// The target as it is in the request line.
  const char *target;
  /// Names and values of its headers in turn, as they were sent; `header_count` pairs.
  const char *_Nonnull const *_Nonnull headers;
  int header_count;
  const void *_Nullable body;
  size_t body_size;
} particles_http_request;

/// The functions that a server calls, on its thread. They must not wait.
typedef struct {
  void *context;
  void (*request)(void *context, const particles_http_request *request);
  /// The connection of a stream has ended.
  void (*closed)(void *context, uint64_t number);
  /// SIGINT, SIGTERM or SIGHUP has come; only if they are caught.
  void (*interrupted)(void *context);
} particles_http_calls;

typedef struct particles_http particles_http;

/// Binds 127.0.0.1 and starts the thread. Port 0 is a free one. `catches_signals` is for programs: one server of a process
/// may have it. Sets `failure` to an errno value if there is no server.
particles_http *_Nullable particles_http_start(
  int port, particles_http_limits limits, particles_http_calls calls, int catches_signals, int *failure);

/// The port.
int particles_http_port(const particles_http *server);

/// Answers a request, from any thread; a request that is gone is ignored. `headers` has lines `Name: value`. With
/// `is_stream`, the body is the begin of a stream.
void particles_http_answer(
  particles_http *server, uint64_t number, int status, const char *reason, const char *headers,
  const void *_Nullable body, size_t size, int is_stream);

/// Sends more of a stream, from any thread.
void particles_http_send(
  particles_http *server, uint64_t number, const void *body, size_t size);

/// Writes what is left for at most a fifth of a second, ends the thread, closes all connections, and frees the server.
void particles_http_stop(particles_http *server);

#pragma clang assume_nonnull end

#endif
