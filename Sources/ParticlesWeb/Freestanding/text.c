// Answers to questions of the Swift library about characters, without the tables of Unicode, which would be a tenth of
// the module. No character has a decomposition, belongs to a cluster, or has another case. So texts are equal if
// their scalars are equal, and each scalar counts as a character. That is enough: the module only looks for keys
// and cuts long texts in messages.

#include <stddef.h>
#include <stdint.h>

enum { NONE = 0xFF };

// No decompositions to point at.
const uint8_t *const _swift_stdlib_nfd_decompositions = NULL;

uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return 0; }

uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return UINT32_MAX; }

uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) { return UINT32_MAX; }

uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { return NONE; }

_Bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { return 0; }

_Bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { return 0; }

int32_t _swift_stdlib_getMapping(uint32_t scalar, uint8_t kind) { return 0; }

const uint8_t *_swift_stdlib_getSpecialMapping(uint32_t scalar, uint8_t kind, size_t *length) {
  *length = 0;
  return NULL;
}
