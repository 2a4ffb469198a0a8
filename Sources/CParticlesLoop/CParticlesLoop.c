#include "CParticlesLoop.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Bytes that are read of a connection before its owner has taken them.
#define MOST_UNREAD (64 << 10)
/// Seconds after which a connection that takes nothing is broken.
#define PATIENCE 30

struct particles_loop {
  struct event_base *base;
  struct evconnlistener *listener;
  struct event *woken, *signals[3];
  particles_loop_calls calls;
  pthread_t thread;
  int port, wake[2];
};

struct particles_connection {
  particles_loop *loop;
  struct bufferevent *stream;
  struct event *late;
  void *owner;
  int is_reading, is_closed;
  /// How many functions of its owner run: it is freed after them.
  int calls;
};

// MARK: Connections

static void free_connection(particles_connection *connection) {
  if (connection->late) event_free(connection->late);
  if (connection->stream) bufferevent_free(connection->stream);
  free(connection);
}

static void begin_call(particles_connection *connection) { connection->calls++; }

static void end_call(particles_connection *connection) {
  if (--connection->calls == 0 && connection->is_closed) free_connection(connection);
}

static void came(struct bufferevent *stream, void *argument) {
  particles_connection *connection = argument;
  struct evbuffer *input = bufferevent_get_input(stream);
  char bytes[16 << 10];
  int count;
  begin_call(connection);
  while (!connection->is_closed && connection->is_reading
         && (count = evbuffer_remove(input, bytes, sizeof bytes)) > 0)
    connection->loop->calls.came(connection->owner, bytes, (size_t)count);
  end_call(connection);
}

static void sent(struct bufferevent *stream, void *argument) {
  particles_connection *connection = argument;
  (void)stream;
  begin_call(connection);
  connection->loop->calls.sent(connection->owner);
  end_call(connection);
}

static void ended(struct bufferevent *stream, short what, void *argument) {
  particles_connection *connection = argument;
  begin_call(connection);
  // Bytes that came before the end are taken first.
  came(stream, argument);
  if (!connection->is_closed)
    connection->loop->calls.ended(connection->owner, (what & (BEV_EVENT_ERROR | BEV_EVENT_TIMEOUT)) != 0);
  end_call(connection);
}

static void late(evutil_socket_t none, short what, void *argument) {
  particles_connection *connection = argument;
  (void)none, (void)what;
  begin_call(connection);
  connection->loop->calls.late(connection->owner);
  end_call(connection);
}

static void connected(
  struct evconnlistener *listener, evutil_socket_t socket, struct sockaddr *address, int size, void *argument) {
  particles_loop *loop = argument;
  particles_connection *connection = calloc(1, sizeof *connection);
  (void)listener;
  if (!connection || size < (int)sizeof(struct sockaddr_in)) {
    evutil_closesocket(socket);
    free(connection);
    return;
  }
  connection->loop = loop;
  connection->is_reading = 1;
  connection->stream = bufferevent_socket_new(loop->base, socket, BEV_OPT_CLOSE_ON_FREE);
  connection->late = event_new(loop->base, -1, 0, late, connection);
  if (!connection->stream) evutil_closesocket(socket);
  if (!connection->stream || !connection->late) return free_connection(connection);
  struct timeval patience = {PATIENCE, 0};
  bufferevent_setcb(connection->stream, came, sent, ended, connection);
  bufferevent_setwatermark(connection->stream, EV_READ, 0, MOST_UNREAD);
  bufferevent_set_timeouts(connection->stream, NULL, &patience);
  begin_call(connection);
  connection->owner =
    loop->calls.connected(loop->calls.context, connection, ntohs(((struct sockaddr_in *)address)->sin_port));
  // Nothing is read before.
  if (connection->owner) bufferevent_enable(connection->stream, EV_READ | EV_WRITE);
  else connection->is_closed = 1;
  end_call(connection);
}

void particles_connection_send(particles_connection *connection, const void *bytes, size_t count) {
  if (!connection->is_closed) bufferevent_write(connection->stream, bytes, count);
}

int particles_connection_is_sending(const particles_connection *connection) {
  return evbuffer_get_length(bufferevent_get_output(connection->stream)) > 0;
}

void particles_connection_read(particles_connection *connection, int is_reading) {
  if (connection->is_reading == is_reading || connection->is_closed) return;
  connection->is_reading = is_reading;
  if (!is_reading) {
    bufferevent_disable(connection->stream, EV_READ);
    return;
  }
  bufferevent_enable(connection->stream, EV_READ);
  // No event tells of bytes that are here already.
  bufferevent_trigger(connection->stream, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void particles_connection_wait(particles_connection *connection, int milliseconds) {
  event_del(connection->late);
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  if (milliseconds) event_add(connection->late, &time);
}

void particles_connection_finish(particles_connection *connection) {
  shutdown(bufferevent_getfd(connection->stream), SHUT_WR);
}

void particles_connection_close(particles_connection *connection) {
  if (connection->is_closed) return;
  connection->is_closed = 1;
  if (!connection->calls) free_connection(connection);
}

// MARK: The loop

static void woken(evutil_socket_t pipe, short what, void *argument) {
  particles_loop *loop = argument;
  char unread[256];
  (void)what;
  while (read(pipe, unread, sizeof unread) == sizeof unread);
  loop->calls.woken(loop->calls.context);
}

static void signal_came(evutil_socket_t number, short what, void *argument) {
  particles_loop *loop = argument;
  (void)number, (void)what;
  // The second one ends the process at once.
  for (int index = 0; index < 3; index++)
    if (loop->signals[index]) event_del(loop->signals[index]);
  loop->calls.interrupted(loop->calls.context);
}

static void *run(void *argument) {
  particles_loop *loop = argument;
  event_base_dispatch(loop->base);
  return NULL;
}

void particles_loop_free(particles_loop *loop) {
  if (loop->listener) evconnlistener_free(loop->listener);
  for (int index = 0; index < 3; index++)
    if (loop->signals[index]) event_free(loop->signals[index]);
  if (loop->woken) event_free(loop->woken);
  if (loop->base) event_base_free(loop->base);
  if (loop->wake[0] >= 0) close(loop->wake[0]);
  if (loop->wake[1] >= 0) close(loop->wake[1]);
  free(loop);
}

static int catch_signals(particles_loop *loop) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  for (int index = 0; index < 3; index++) {
    struct sigaction before;
    // Signals that are ignored, as by nohup, stay ignored.
    if (!sigaction(caught[index], NULL, &before) && before.sa_handler == SIG_IGN) continue;
    loop->signals[index] = event_new(loop->base, caught[index], EV_SIGNAL | EV_PERSIST, signal_came, loop);
    if (!loop->signals[index] || event_add(loop->signals[index], NULL)) return ENOMEM;
  }
  return 0;
}

static int prepare(particles_loop *loop, int port) {
  if (pipe(loop->wake)) return errno;
  for (int index = 0; index < 2; index++) {
    fcntl(loop->wake[index], F_SETFD, FD_CLOEXEC);
    fcntl(loop->wake[index], F_SETFL, O_NONBLOCK);
  }
  loop->base = event_base_new();
  if (!loop->base) return ENOMEM;
  loop->woken = event_new(loop->base, loop->wake[0], EV_READ | EV_PERSIST, woken, loop);
  if (!loop->woken || event_add(loop->woken, NULL)) return ENOMEM;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  loop->listener = evconnlistener_new_bind(
    loop->base, connected, loop, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE, -1,
    (struct sockaddr *)&address, sizeof address);
  if (!loop->listener) return errno ? errno : EADDRINUSE;
  evutil_socket_t socket = evconnlistener_get_fd(loop->listener);
  // Connections inherit it. The last bytes of an answer would wait until earlier bytes are acknowledged. The peer delays
  // this by 40 ms.
  int on = 1;
  if (setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) return errno;
  socklen_t size = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &size)) return errno;
  loop->port = ntohs(address.sin_port);
  return 0;
}

particles_loop *particles_loop_start(int port, particles_loop_calls calls, int catches_signals, int *failure) {
  particles_loop *loop = calloc(1, sizeof *loop);
  if (!loop) return *failure = ENOMEM, NULL;
  loop->calls = calls;
  loop->wake[0] = loop->wake[1] = -1;
  *failure = prepare(loop, port);
  if (!*failure && catches_signals) *failure = catch_signals(loop);
  if (!*failure) {
    // Signals are for the remaining threads. To write to a broken connection is an error and no signal.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *failure = pthread_create(&loop->thread, NULL, run, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (!*failure) return loop;
  particles_loop_free(loop);
  return NULL;
}

int particles_loop_port(const particles_loop *loop) { return loop->port; }

void particles_loop_wake(particles_loop *loop) {
  // A full pipe wakes the thread as well.
  if (write(loop->wake[1], "", 1) < 0) return;
}

void particles_loop_end(particles_loop *loop) { event_base_loopbreak(loop->base); }

void particles_loop_join(particles_loop *loop) { pthread_join(loop->thread, NULL); }
