#ifndef PARTICLES_CDEFLATE_SHIM_H
#define PARTICLES_CDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
