#ifndef CPARTICLES_EXPAT_SHIM_H
#define CPARTICLES_EXPAT_SHIM_H

#include <expat.h>

#endif
