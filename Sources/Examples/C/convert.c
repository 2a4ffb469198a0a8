/* Converts an effect to another format, and reports each loss.
     convert FILE FORMAT NAME FOLDER */
#include <particles.h>
#include <stdio.h>

static int show(void *context, const particles_finding *finding) {
  (void)context;
  fprintf(stderr, "%s\n", finding->text);
  return 0;
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: convert FILE FORMAT NAME FOLDER\n");
    return 64;
  }
  particles_effect *effect;
  particles_export *files;
  if (particles_effect_open(arguments[1], 0, &effect)) {
    fprintf(stderr, "convert: %s\n", particles_error_text(effect));
    particles_effect_close(effect);
    return 2;
  }
  particles_effect_findings(effect, show, 0);

  /* The difference is measured by running both effects. */
  particles_export_options options = {.size = sizeof options, .measure = 1};
  int status = particles_effect_export(effect, arguments[2], arguments[3], &options, &files);
  particles_effect_close(effect);
  if (status == PARTICLES_OK) status = particles_export_losses(files, show, 0);
  if (status == PARTICLES_OK) status = particles_export_write(files, arguments[4], PARTICLES_OVERWRITE);
  if (status != PARTICLES_OK) fprintf(stderr, "convert: %s\n", particles_error_text(files));

  const char *name;
  for (int64_t i = 0; status == PARTICLES_OK && particles_export_file(files, i, &name, 0, 0) == PARTICLES_OK; i++)
    printf("%s\n", name);
  double difference;
  if (status == PARTICLES_OK && particles_export_difference(files, &difference, 0) == PARTICLES_OK)
    printf("difference %.3f\n", difference);
  particles_export_close(files);
  return status == PARTICLES_OK ? 0 : 2;
}
