/* The table of handles behind particles.h. A handle is no address: it is a number with the place in the table, the
   kind and a count. So a handle that is closed, of another kind or made up is found out without reading memory
   that it names. */
#ifndef CPARTICLES_HANDLES_H
#define CPARTICLES_HANDLES_H

#include <stdint.h>

/* Kinds are from 1 to 15. */
enum { CPARTICLES_ANY_KIND = 0 };

/* Returns a new handle for an object, or 0 if there is no memory or there are more than 16 million. It is in use
   from the beginning if `entered` is not 0. */
void *cparticles_handle_make(void *object, unsigned kind, int entered);
/* Begins a call on a handle of this kind and returns the object. Returns 0 for any other value, and for a handle that
   another call uses. */
void *cparticles_handle_enter(const void *handle, unsigned kind);
/* Ends a call that has begun. Returns the object if the handle was closed meanwhile, for the caller to release. */
void *cparticles_handle_leave(const void *handle);
/* Whether the last call of this thread on a handle was refused because the handle was in use. */
int cparticles_handle_refused(const void *handle);
/* Returns the object of a handle that may be in use, or 0: calls `retain` with it before the handle can be closed. */
void *cparticles_handle_retained(const void *handle, unsigned kind, void (*retain)(void *));
/* Closes a handle of this kind. Returns the object for the caller to release. Returns 0 for any other value, and for
   a handle that is in use: the call that uses it gets the object when it leaves. */
void *cparticles_handle_close(const void *handle, unsigned kind);
/* Remembers that the library has started threads that a forked process will not have. */
void cparticles_threads_started(void);
/* Whether this process was forked from one in which the library had started such threads. */
int cparticles_is_forked(void);
/* Returns the number of handles that are open. */
int64_t cparticles_handle_count(void);

#endif
