#ifndef CPARTICLES_UNICODE_H
#define CPARTICLES_UNICODE_H

#include <stdint.h>

/* Canonical mappings of Unicode 15.0. The standard library has them, but publishes no function that uses them. Hangul syllables
   are not in the table, because they are computed. */

/* Sets `parts` to one or two characters, of which a character consists. The second is 0 if there is one. Returns 0 for a
   character that is not decomposed. */
int particles_unicode_decompose(uint32_t scalar, uint32_t parts[2]);

/* Returns the character that two characters compose, or 0 if there is none. */
uint32_t particles_unicode_compose(uint32_t first, uint32_t second);

#endif
