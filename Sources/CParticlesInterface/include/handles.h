/* The table of handles behind particles.h. A handle is no address: it is a number with the place in the table, the
   kind and a count, so that one that is closed, of another kind or made up is found out without reading memory
   that it names. */
#ifndef CPARTICLES_HANDLES_H
#define CPARTICLES_HANDLES_H

#include <stdint.h>

/* Kinds are from 1 to 15. */
enum { CPARTICLES_ANY_KIND = 0 };

/* Returns a new handle for an object, or 0 if there is no memory or there are more than 16 million. */
void *cparticles_handle_make(void *object, unsigned kind);
/* Returns the object of a handle of this kind; 0 for any other value. */
void *cparticles_handle_object(const void *handle, unsigned kind);
/* The same, for callers beside which another thread may close the handle: calls `retain` with the object before
   that can happen. */
void *cparticles_handle_retained(const void *handle, unsigned kind, void (*retain)(void *));
/* Forgets a handle and returns its object; 0 for any other value. */
void *cparticles_handle_remove(const void *handle, unsigned kind);
/* Returns the number of handles that are open. */
int64_t cparticles_handle_count(void);

#endif
