#ifndef CPARTICLES_PNG_SHIM_H
#define CPARTICLES_PNG_SHIM_H

#include <png.h>

#endif
