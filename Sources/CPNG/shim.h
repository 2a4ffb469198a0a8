#ifndef PARTICLES_CPNG_SHIM_H
#define PARTICLES_CPNG_SHIM_H

#include <png.h>

#endif
