#ifndef CPARTICLES_MESSAGEDIGEST_SHIM_H
#define CPARTICLES_MESSAGEDIGEST_SHIM_H

#include <sys/types.h>
#include <md5.h>
#include <sha2.h>

#endif
