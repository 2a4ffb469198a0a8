/* Draws a picture of an effect as a PAM file, or an animation as a GIF.
     draw FILE PICTURE.pam
     draw FILE ANIMATION.gif */
#include <particles.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 256 };

static int write_bytes(void *file, const void *bytes, size_t count) {
  return fwrite(bytes, 1, count, file) != count;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: draw FILE PICTURE.pam | draw FILE ANIMATION.gif\n");
    return 64;
  }
  particles_effect *effect;
  int status = particles_effect_open(arguments[1], 0, &effect);
  FILE *file = status ? 0 : fopen(arguments[2], "wb");
  if (!file) {
    fprintf(stderr, "draw: %s\n", status ? particles_error_text(effect) : "cannot write the picture");
    particles_effect_close(effect);
    return 2;
  }
  particles_plan plan;
  particles_plan_init(&plan, sizeof plan);
  plan.width = plan.height = SIZE;
  if (strstr(arguments[2], ".gif")) {
    plan.duration = 1;
    status = particles_effect_render(effect, &plan, "gif", write_bytes, 0, file, 0);
  } else {
    uint8_t *pixels = malloc(SIZE * SIZE * 4);
    status = pixels ? particles_effect_draw(effect, &plan, pixels, SIZE * 4) : PARTICLES_NOMEM;
    if (status == PARTICLES_OK) {
      fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", SIZE, SIZE);
      fwrite(pixels, 1, SIZE * SIZE * 4, file);
    }
    free(pixels);
  }
  if (status) fprintf(stderr, "draw: %s\n", particles_error_text(effect));
  fclose(file);
  particles_effect_close(effect);
  return status ? 2 : 0;
}
