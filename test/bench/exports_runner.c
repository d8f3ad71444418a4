/* Scores rows by cupel.c: MODEL ROWS ANSWERS. Cells end with 0x1f, rows with 0x1e, in both files; the last row has seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cupel.h"

static char *whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *bytes;
  if (file == NULL) exit(2);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*length + 1);
  if (fread(bytes, 1, *length, file) != *length) exit(2);
  fclose(file);
  bytes[*length] = 0;
  return bytes;
}

int main(int count, char **paths) {
  size_t model_length, rows_length, label_length;
  char *bytes = whole(paths[1], &model_length);
  char *cell = whole(paths[2], &rows_length);
  const char *end = cell + rows_length;
  FILE *answers = fopen(paths[3], "wb");
  clock_t begun = clock(), loaded, scoring = 0;
  size_t memory_length = cupel_memory(bytes, model_length);
  cupel_model *model;
  cupel_status status = cupel_load(&model, bytes, model_length, malloc(memory_length), memory_length);
  double *probabilities;
  (void)count;
  if (status != CUPEL_OK) {
    fprintf(stderr, "%s\n", cupel_message(status));
    return 1;
  }
  loaded = clock();
  probabilities = malloc(sizeof(double) * cupel_label_count(model));
  while (cell < end) {
    clock_t from = clock();
    int column = 0, decided;
    size_t k;
    const char *label;
    cupel_begin(model);
    for (; *cell != 0x1e; column++) {
      size_t length = strcspn(cell, "\x1f");
      cupel_set_text(model, column, cell, length);
      cell += length + 1;
    }
    cell++;
    decided = cupel_score(model, probabilities);
    scoring += clock() - from;
    label = cupel_label(model, (size_t)decided, &label_length);
    fwrite(label, 1, label_length, answers);
    for (k = 0; k < cupel_label_count(model); k++) fprintf(answers, "\x1f%.17g", probabilities[k]);
    fputs("\x1f\x1e", answers);
  }
  fprintf(answers, "%.6f\x1f%.6f\x1f", (double)(loaded - begun) / CLOCKS_PER_SEC, (double)scoring / CLOCKS_PER_SEC);
  fclose(answers);
  return 0;
}
