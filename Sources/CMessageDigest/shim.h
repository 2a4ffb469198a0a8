#ifndef PARTICLES_CMESSAGEDIGEST_SHIM_H
#define PARTICLES_CMESSAGEDIGEST_SHIM_H

#include <sys/types.h>
#include <sha2.h>

#endif
