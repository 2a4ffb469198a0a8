#ifndef CPARTICLES_DEFLATE_SHIM_H
#define CPARTICLES_DEFLATE_SHIM_H

#include <libdeflate.h>

#endif
