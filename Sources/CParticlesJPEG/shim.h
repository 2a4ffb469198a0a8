#ifndef CPARTICLES_JPEG_SHIM_H
#define CPARTICLES_JPEG_SHIM_H

// libjpeg jumps out of its functions after an error, which code in Swift does not survive. CParticlesJPEGReader includes its
// headers. Swift needs the library alone.

#endif
