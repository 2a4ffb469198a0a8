#ifndef PARTICLES_CEXPAT_SHIM_H
#define PARTICLES_CEXPAT_SHIM_H

#include <expat.h>

#endif
