#ifndef CPARTICLES_LOOP_H
#define CPARTICLES_LOOP_H

#include <stddef.h>
#include <stdint.h>

// Connections to a port of the loopback interface: libevent, on one thread of its own. What the bytes mean is the caller's affair.

#pragma clang assume_nonnull begin

typedef struct particles_loop particles_loop;
typedef struct particles_connection particles_connection;

/// The functions that a loop calls, on its thread. They must not wait.
typedef struct {
  void *context;
  /// A program has connected from a port of this machine. Nothing was read. Returns the owner for calls of the functions
  /// below. NULL closes the connection.
  void *_Nullable (*_Nonnull connected)(void *context, particles_connection *connection, int port);
  /// Bytes have come.
  void (*came)(void *owner, const void *bytes, size_t count);
  /// All bytes that were to be sent are sent.
  void (*sent)(void *owner);
  /// The peer sends no more, or the connection is broken, so that nothing can be sent either.
  void (*ended)(void *owner, int is_broken);
  /// The time is over.
  void (*late)(void *owner);
  /// `particles_loop_wake` was called.
  void (*woken)(void *context);
  /// SIGINT, SIGTERM or SIGHUP has come. Only called if they are caught.
  void (*interrupted)(void *context);
} particles_loop_calls;

/// Binds 127.0.0.1 and starts the thread. Port 0 is a free one. `catches_signals` is for programs: one loop of a process
/// may have it. Sets `failure` to an errno value if there is no loop.
particles_loop *_Nullable particles_loop_start(
  int port, particles_loop_calls calls, int catches_signals, int *failure);

/// The port.
int particles_loop_port(const particles_loop *loop);

/// Lets the thread call `woken`, from any thread.
void particles_loop_wake(particles_loop *loop);

/// Ends the thread when its work is done. On its thread only.
void particles_loop_end(particles_loop *loop);

/// Waits for the end of the thread, from a different thread. Its connections can still be closed.
void particles_loop_join(particles_loop *loop);

/// Frees a loop whose thread has ended and whose connections are closed.
void particles_loop_free(particles_loop *loop);

// The functions below are for the thread of the loop, and for any after its end.

/// Sends a copy of bytes.
void particles_connection_send(particles_connection *connection, const void *bytes, size_t count);

/// Whether bytes are waiting to be sent.
int particles_connection_is_sending(const particles_connection *connection);

/// Reads, or lets what comes wait with the sender.
void particles_connection_read(particles_connection *connection, int is_reading);

/// Calls `late` after so many milliseconds. With 0, never.
void particles_connection_wait(particles_connection *connection, int milliseconds);

/// Tells the peer that nothing follows the sent bytes.
void particles_connection_finish(particles_connection *connection);

/// Closes and frees a connection. Its owner is not called any more.
void particles_connection_close(particles_connection *connection);

#pragma clang assume_nonnull end

#endif
