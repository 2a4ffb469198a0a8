#ifndef CPARTICLES_WEBP_SHIM_H
#define CPARTICLES_WEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#endif
