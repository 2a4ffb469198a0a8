#ifndef CPARTICLES_EVENT_SHIM_H
#define CPARTICLES_EVENT_SHIM_H

// The headers of libevent define types of the system anew, with macros that differ from the macros of more modules.
// CParticlesLoop includes them. Swift needs the library alone.

#endif
