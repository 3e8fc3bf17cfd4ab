/* Trains the MLP of examples/models with the compiled step, from C. docs/aot.md has the commands.
 *
 * Usage: step INPUTS STEPS OUTPUTS
 * INPUTS holds a raw file for each argument, called after its field; OUTPUTS gets one for each
 * result of the last step.
 */
#include "step.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 16, IN = 64, HIDDEN = 128, OUT = 32 };

struct parameters {
  uint16_t b1[HIDDEN], b2[OUT], w1[IN * HIDDEN], w2[HIDDEN * OUT];
};

static void transfer(const char *folder, const char *name, void *data, size_t bytes, int writing) {
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, writing ? "wb" : "rb");
  if (!file || (writing ? fwrite(data, 1, bytes, file) : fread(data, 1, bytes, file)) != bytes ||
      fclose(file)) {
    fprintf(stderr, "%s: cannot transfer %zu bytes\n", path, bytes);
    exit(1);
  }
}

int main(int argc, char **argv) {
  static struct parameters buffers[2], gradients;
  static uint16_t x[BATCH * IN], y[BATCH * OUT];
  struct parameters *p = &buffers[0], *next = &buffers[1];
  float loss = 0;
  int i, steps;
  if (argc != 4) {
    fprintf(stderr, "usage: step INPUTS STEPS OUTPUTS\n");
    return 2;
  }
  steps = atoi(argv[2]);
  transfer(argv[1], "p_b1", p->b1, sizeof p->b1, 0);
  transfer(argv[1], "p_b2", p->b2, sizeof p->b2, 0);
  transfer(argv[1], "p_w1", p->w1, sizeof p->w1, 0);
  transfer(argv[1], "p_w2", p->w2, sizeof p->w2, 0);
  transfer(argv[1], "x", x, sizeof x, 0);
  transfer(argv[1], "y", y, sizeof y, 0);

  for (i = 0; i < steps; ++i) {
    struct step_main_arguments arguments = {.p_b1 = p->b1,
                                            .p_b2 = p->b2,
                                            .p_w1 = p->w1,
                                            .p_w2 = p->w2,
                                            .x = x,
                                            .y = y,
                                            .seed = 1,
                                            .step = (uint32_t)i};
    struct step_main_results results = {.out0 = next->b1,
                                        .out1 = next->b2,
                                        .out2 = next->w1,
                                        .out3 = next->w2,
                                        .out4 = &loss,
                                        .out5 = gradients.b1,
                                        .out6 = gradients.b2,
                                        .out7 = gradients.w1,
                                        .out8 = gradients.w2};
    struct parameters *old = p;
    int status = step_main(&arguments, &results);
    if (status != STEP_OK) {
      fprintf(stderr, "step %d: status %d of field %d\n", i, STEP_CODE(status), STEP_FIELD(status));
      return 1;
    }
    /* Results share no memory with arguments: the old parameters' buffers are the next to write. */
    p = next;
    next = old;
  }
  printf("loss of step %d: %.6f\n", steps - 1, loss);

  transfer(argv[3], "out0", p->b1, sizeof p->b1, 1);
  transfer(argv[3], "out1", p->b2, sizeof p->b2, 1);
  transfer(argv[3], "out2", p->w1, sizeof p->w1, 1);
  transfer(argv[3], "out3", p->w2, sizeof p->w2, 1);
  transfer(argv[3], "out4", &loss, sizeof loss, 1);
  transfer(argv[3], "out5", gradients.b1, sizeof gradients.b1, 1);
  transfer(argv[3], "out6", gradients.b2, sizeof gradients.b2, 1);
  transfer(argv[3], "out7", gradients.w1, sizeof gradients.w1, 1);
  transfer(argv[3], "out8", gradients.w2, sizeof gradients.w2, 1);
  return 0;
}
