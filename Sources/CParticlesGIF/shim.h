#ifndef CPARTICLES_GIF_SHIM_H
#define CPARTICLES_GIF_SHIM_H

#include <gif_lib.h>

#endif
