#include "CParticlesHTTP.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/// The most headers that are handed over; evhttp bounds their bytes.
#define MOST_HEADERS 256

/// A connection. evhttp has no limit for them, and does not tell when one without a request ends: its bufferevent is
/// retained, and has lost its functions when evhttp has freed it.
struct connection {
  particles_http *server;
  struct bufferevent *stream;
  /// Ends a request that takes too long.
  struct event *slow;
  int is_answering;
};

/// A request that was handed over.
struct waiting {
  struct waiting *next;
  particles_http *server;
  uint64_t number;
  struct evhttp_request *request;
  struct connection *connection;
  int is_stream;
  /// Whether evhttp has all of the answer, and frees the request.
  int is_answered;
};

/// An order of another thread.
struct order {
  struct order *next;
  uint64_t number;
  int status, is_stream, is_more;
  char *reason, *headers;
  void *body;
  size_t size;
};

struct particles_http {
  struct event_base *base;
  struct evhttp *http;
  particles_http_limits limits;
  particles_http_calls calls;
  int port;
  pthread_t thread;
  int wake[2];
  struct event *woken, *signals[3];
  struct connection *connections;
  struct waiting *waiting;
  uint64_t last;

  pthread_mutex_t lock;
  struct order *first, **end;
  int is_stopping;
};

// MARK: Connections

static int is_free(struct bufferevent *stream) {
  bufferevent_data_cb read, write;
  bufferevent_event_cb event;
  void *argument;
  bufferevent_getcb(stream, &read, &write, &event, &argument);
  return event == NULL;
}

static void release(struct connection *connection) {
  if (connection->stream) bufferevent_decref(connection->stream);
  if (connection->slow) event_free(connection->slow);
  connection->stream = NULL;
  connection->slow = NULL;
}

static void begin_clock(struct connection *connection) {
  int milliseconds = connection->server->limits.milliseconds;
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  if (!event_pending(connection->slow, EV_TIMEOUT, NULL)) event_add(connection->slow, &time);
}

static void bytes_came(
  struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *argument) {
  struct connection *connection = argument;
  (void)buffer;
  if (info->n_added && !connection->is_answering && connection->slow) begin_clock(connection);
}

static void is_too_slow(evutil_socket_t none, short what, void *argument) {
  struct connection *connection = argument;
  (void)none, (void)what;
  // evhttp then reads the end, and frees the connection.
  if (!is_free(connection->stream) && !connection->is_answering)
    shutdown(bufferevent_getfd(connection->stream), SHUT_RDWR);
}

static void refuse(evutil_socket_t none, short what, void *argument) {
  static const char answer[] =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  struct bufferevent *stream = argument;
  (void)none, (void)what;
  if (!is_free(stream)) {
    int socket = bufferevent_getfd(stream);
    char unread[4096];
    // Closing a connection with unread bytes may discard the answer.
    while (recv(socket, unread, sizeof unread, MSG_DONTWAIT) > 0);
    send(socket, answer, sizeof answer - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(socket, SHUT_RDWR);
  }
  bufferevent_decref(stream);
}

static struct bufferevent *make_stream(struct event_base *base, void *argument) {
  particles_http *server = argument;
  // evhttp closes the socket itself.
  struct bufferevent *stream = bufferevent_socket_new(base, -1, 0);
  struct connection *place = NULL;
  if (!stream) return NULL;
  for (int index = 0; index < server->limits.connections; index++) {
    struct connection *connection = &server->connections[index];
    if (connection->stream && is_free(connection->stream)) release(connection);
    if (!connection->stream && !place) place = connection;
  }
  bufferevent_incref(stream);
  if (!place) {
    struct timeval now = {0, 0};
    event_base_once(base, -1, EV_TIMEOUT, refuse, stream, &now);
    return stream;
  }
  *place = (struct connection){.server = server, .stream = stream};
  place->slow = evtimer_new(base, is_too_slow, place);
  evbuffer_add_cb(bufferevent_get_input(stream), bytes_came, place);
  // A connection that sends nothing is ended by the timeout of evhttp.
  return stream;
}

// MARK: Requests

static void forget(struct waiting *waiting) {
  for (struct waiting **link = &waiting->server->waiting; *link; link = &(*link)->next) {
    if (*link != waiting) continue;
    *link = waiting->next;
    break;
  }
  free(waiting);
}

static void connection_closed(struct evhttp_connection *gone, void *argument) {
  struct waiting *waiting = argument;
  (void)gone;
  if (waiting->is_stream) waiting->server->calls.closed(waiting->server->calls.context, waiting->number);
  // One without a complete answer belongs to us, if evhttp has cut it off.
  if (!waiting->is_answered && !evhttp_request_get_connection(waiting->request))
    evhttp_request_free(waiting->request);
  forget(waiting);
}

static void answer_sent(struct evhttp_request *request, void *argument) {
  struct waiting *waiting = argument;
  struct evhttp_connection *connection = evhttp_request_get_connection(request);
  if (connection) evhttp_connection_set_closecb(connection, NULL, NULL);
  if (waiting->connection) {
    waiting->connection->is_answering = 0;
    if (waiting->connection->slow
        && evbuffer_get_length(bufferevent_get_input(waiting->connection->stream)))
      begin_clock(waiting->connection);
  }
  forget(waiting);
}

static const char *name_of(enum evhttp_cmd_type method) {
  switch (method) {
    case EVHTTP_REQ_GET: return "GET";
    case EVHTTP_REQ_HEAD: return "HEAD";
    case EVHTTP_REQ_POST: return "POST";
    default: return "OTHER";
  }
}

static void request_came(struct evhttp_request *request, void *argument) {
  particles_http *server = argument;
  struct evhttp_connection *connection = evhttp_request_get_connection(request);
  struct bufferevent *stream = evhttp_connection_get_bufferevent(connection);
  struct waiting *waiting = calloc(1, sizeof *waiting);
  const char *headers[2 * MOST_HEADERS];
  int count = 0;
  struct evkeyval *header;
  if (!waiting) return evhttp_send_error(request, 503, NULL);
  TAILQ_FOREACH(header, evhttp_request_get_input_headers(request), next) {
    if (count == MOST_HEADERS) {
      free(waiting);
      return evhttp_send_error(request, 400, NULL);
    }
    headers[2 * count] = header->key;
    headers[2 * count + 1] = header->value;
    count++;
  }
  *waiting = (struct waiting){
    .next = server->waiting, .server = server, .number = ++server->last, .request = request};
  server->waiting = waiting;
  for (int index = 0; index < server->limits.connections; index++) {
    if (server->connections[index].stream != stream) continue;
    waiting->connection = &server->connections[index];
    waiting->connection->is_answering = 1;
    if (waiting->connection->slow) event_del(waiting->connection->slow);
  }
  evhttp_connection_set_closecb(connection, connection_closed, waiting);
  evhttp_request_set_on_complete_cb(request, answer_sent, waiting);

  struct evbuffer *body = evhttp_request_get_input_buffer(request);
  size_t size = evbuffer_get_length(body);
  server->calls.request(
    server->calls.context,
    &(particles_http_request){
      .number = waiting->number,
      .method = name_of(evhttp_request_get_command(request)),
      .target = evhttp_request_get_uri(request),
      .headers = headers,
      .header_count = count,
      .body = size ? evbuffer_pullup(body, -1) : NULL,
      .body_size = size});
}

// MARK: Orders

static void free_order(struct order *order) {
  free(order->reason);
  free(order->headers);
  free(order->body);
  free(order);
}

static void free_body(const void *bytes, size_t size, void *argument) {
  (void)size, (void)argument;
  free((void *)bytes);
}

static void obey(particles_http *server, struct order *order) {
  struct waiting *waiting = server->waiting;
  while (waiting && waiting->number != order->number) waiting = waiting->next;
  if (!waiting || waiting->is_answered || order->is_more != waiting->is_stream) return;
  struct evbuffer *body = evbuffer_new();
  if (!body) return;
  if (order->size && !evbuffer_add_reference(body, order->body, order->size, free_body, NULL))
    order->body = NULL;
  if (order->is_more) {
    evhttp_send_reply_chunk(waiting->request, body);
  } else {
    struct evkeyvalq *headers = evhttp_request_get_output_headers(waiting->request);
    for (char *line = order->headers, *rest; line && *line; line = rest) {
      rest = strchr(line, '\n');
      if (rest) *rest++ = 0;
      char *value = strchr(line, ':');
      if (!value) continue;
      *value++ = 0;
      while (*value == ' ') value++;
      evhttp_add_header(headers, line, value);
    }
    waiting->is_stream = order->is_stream;
    if (order->is_stream) {
      struct evhttp_connection *connection = evhttp_request_get_connection(waiting->request);
      evhttp_send_reply_start(waiting->request, order->status, order->reason);
      // Nothing more is read from it, so that the time for requests must not end it. A client that reads nothing for 30 s is closed.
      struct timeval patience = {30, 0};
      if (connection)
        bufferevent_set_timeouts(evhttp_connection_get_bufferevent(connection), NULL, &patience);
      if (evbuffer_get_length(body)) evhttp_send_reply_chunk(waiting->request, body);
    } else {
      waiting->is_answered = 1;
      evhttp_send_reply(waiting->request, order->status, order->reason, body);
    }
  }
  evbuffer_free(body);
}

static void orders_came(evutil_socket_t pipe, short what, void *argument) {
  particles_http *server = argument;
  char unread[256];
  (void)what;
  while (read(pipe, unread, sizeof unread) == sizeof unread);
  pthread_mutex_lock(&server->lock);
  struct order *order = server->first;
  server->first = NULL;
  server->end = &server->first;
  int is_stopping = server->is_stopping;
  pthread_mutex_unlock(&server->lock);
  while (order) {
    struct order *next = order->next;
    obey(server, order);
    free_order(order);
    order = next;
  }
  if (is_stopping) {
    // Earlier answers are still written.
    int is_writing = 0;
    for (struct waiting *waiting = server->waiting; waiting; waiting = waiting->next)
      is_writing |= waiting->is_answered;
    struct timeval soon = {0, is_writing ? 200000 : 20000};
    event_base_loopexit(server->base, &soon);
  }
}

static void add(particles_http *server, struct order *order) {
  pthread_mutex_lock(&server->lock);
  int is_first = !server->first;
  *server->end = order;
  server->end = &order->next;
  pthread_mutex_unlock(&server->lock);
  // A full pipe wakes the thread as well.
  if (is_first && write(server->wake[1], "", 1) < 0) return;
}

static void *copy(const void *bytes, size_t size) {
  void *copy = size ? malloc(size) : NULL;
  if (copy) memcpy(copy, bytes, size);
  return copy;
}

void particles_http_answer(
  particles_http *server, uint64_t number, int status, const char *reason, const char *headers,
  const void *body, size_t size, int is_stream) {
  struct order *order = calloc(1, sizeof *order);
  if (!order) return;
  order->number = number;
  order->status = status;
  order->is_stream = is_stream;
  order->reason = strdup(reason);
  order->headers = strdup(headers);
  order->body = copy(body, size);
  order->size = order->body ? size : 0;
  add(server, order);
}

void particles_http_send(
  particles_http *server, uint64_t number, const void *body, size_t size) {
  struct order *order = calloc(1, sizeof *order);
  if (!order) return;
  order->number = number;
  order->is_more = 1;
  order->body = copy(body, size);
  order->size = order->body ? size : 0;
  add(server, order);
}

// MARK: The server

static void *run(void *argument) {
  particles_http *server = argument;
  event_base_dispatch(server->base);
  return NULL;
}

static void signal_came(evutil_socket_t number, short what, void *argument) {
  particles_http *server = argument;
  (void)number, (void)what;
  // The second one ends the process at once.
  for (int index = 0; index < 3; index++)
    if (server->signals[index]) event_del(server->signals[index]);
  server->calls.interrupted(server->calls.context);
}

static void free_server(particles_http *server) {
  if (server->http) evhttp_free(server->http);
  for (int index = 0; server->connections && index < server->limits.connections; index++)
    release(&server->connections[index]);
  while (server->waiting) forget(server->waiting);
  while (server->first) {
    struct order *next = server->first->next;
    free_order(server->first);
    server->first = next;
  }
  for (int index = 0; index < 3; index++)
    if (server->signals[index]) event_free(server->signals[index]);
  if (server->woken) event_free(server->woken);
  if (server->base) event_base_free(server->base);
  if (server->wake[0] >= 0) close(server->wake[0]);
  if (server->wake[1] >= 0) close(server->wake[1]);
  pthread_mutex_destroy(&server->lock);
  free(server->connections);
  free(server);
}

static int catch_signals(particles_http *server) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  for (int index = 0; index < 3; index++) {
    struct sigaction before;
    // Signals that are ignored, as by nohup, stay ignored.
    if (!sigaction(caught[index], NULL, &before) && before.sa_handler == SIG_IGN) continue;
    server->signals[index] = evsignal_new(server->base, caught[index], signal_came, server);
    if (!server->signals[index] || event_add(server->signals[index], NULL)) return ENOMEM;
  }
  return 0;
}

static int prepare(particles_http *server, int port) {
  if (pipe(server->wake)) return errno;
  for (int index = 0; index < 2; index++) {
    fcntl(server->wake[index], F_SETFD, FD_CLOEXEC);
    fcntl(server->wake[index], F_SETFL, O_NONBLOCK);
  }
  server->connections = calloc(server->limits.connections, sizeof *server->connections);
  server->base = event_base_new();
  server->http = server->base ? evhttp_new(server->base) : NULL;
  if (!server->connections || !server->http) return ENOMEM;
  server->woken = event_new(server->base, server->wake[0], EV_READ | EV_PERSIST, orders_came, server);
  if (!server->woken || event_add(server->woken, NULL)) return ENOMEM;
  evhttp_set_bevcb(server->http, make_stream, server);
  evhttp_set_gencb(server->http, request_came, server);
  evhttp_set_max_headers_size(server->http, (ev_ssize_t)server->limits.header_bytes);
  evhttp_set_max_body_size(server->http, (ev_ssize_t)server->limits.body_bytes);
  evhttp_set_default_content_type(server->http, NULL);
  // In whole seconds, rounded up.
  evhttp_set_timeout(server->http, (server->limits.milliseconds - 1) / 1000 + 1);
  evhttp_set_allowed_methods(
    server->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_PUT
      | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS | EVHTTP_REQ_PATCH);
  errno = 0;
  struct evhttp_bound_socket *bound =
    evhttp_bind_socket_with_handle(server->http, "127.0.0.1", (ev_uint16_t)port);
  if (!bound) return errno ? errno : EADDRINUSE;
  // Connections inherit it. The last bytes of an answer would wait for those before it to be acknowledged, which the other
  // side delays by 40 ms.
  int on = 1;
  if (setsockopt(evhttp_bound_socket_get_fd(bound), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) return errno;
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  if (getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &size)) return errno;
  server->port = ntohs(address.sin_port);
  return 0;
}

particles_http *particles_http_start(
  int port, particles_http_limits limits, particles_http_calls calls, int catches_signals, int *failure) {
  particles_http *server = calloc(1, sizeof *server);
  if (!server) return *failure = ENOMEM, NULL;
  server->limits = limits;
  server->calls = calls;
  server->wake[0] = server->wake[1] = -1;
  server->end = &server->first;
  pthread_mutex_init(&server->lock, NULL);
  *failure = prepare(server, port);
  if (!*failure && catches_signals) *failure = catch_signals(server);
  if (!*failure) {
    // Signals are for the other threads; a connection that has ended is an error and no signal.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *failure = pthread_create(&server->thread, NULL, run, server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (!*failure) return server;
  free_server(server);
  return NULL;
}

int particles_http_port(const particles_http *server) { return server->port; }

void particles_http_stop(particles_http *server) {
  pthread_mutex_lock(&server->lock);
  server->is_stopping = 1;
  pthread_mutex_unlock(&server->lock);
  if (write(server->wake[1], "", 1) < 0) { /* it is full, so the thread is awake */ }
  pthread_join(server->thread, NULL);
  free_server(server);
}
