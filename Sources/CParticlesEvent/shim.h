#ifndef CPARTICLES_EVENT_SHIM_H
#define CPARTICLES_EVENT_SHIM_H

// The headers of libevent define types of the system anew, with other macros than those of other modules. Swift needs
// this function alone; CParticlesHTTP has the rest.

/// The version of the library.
extern const char *event_get_version(void);

#endif
