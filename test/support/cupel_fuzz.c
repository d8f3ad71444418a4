/*
 * Loads and scores damaged copies of a model, without its checksum to stop them: for a build with sanitizers, which end the program where something is
 * read or written outside. Usage: cupel_fuzz MODEL.cupel RUNS SEED. Prints how many copies were refused and how many scored.
 */
#define CUPEL_UNCHECKED_SUM
#include "../../src/readers/cupel.c"

static uint32_t state;

static uint32_t draw(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return below == 0 ? 0 : state % below;
}

static const char *const CELLS[] = {"", "1", "-1e308", "2024-02-29", "Biscoe", "1.234,5", "NA", "no checking", "$ 5", "\xe2\x82\xac"};

/* 1 where the copy was scored. The blocks have exactly the sizes that are asked for, so that a sanitizer sees any step outside. */
static int outcome_of(const unsigned char *bytes, size_t length) {
  unsigned char *copy = malloc(length + 1);
  memcpy(copy, bytes, length);
  size_t size = cupel_memory(copy, length);
  void *memory = malloc(size + 1);
  cupel_model *model;
  cupel_status status = cupel_load(&model, copy, length, memory, size);
  if (status == CUPEL_OK) {
    double *probabilities = malloc(cupel_label_count(model) * sizeof(double));
    for (size_t row = 0; row < 20; row++) {
      cupel_begin(model);
      for (size_t i = 0; i < cupel_column_count(model); i++) {
        const char *cell = CELLS[(row + i) % 10];
        if (row < 10) cupel_set_text(model, (int)i, cell, strlen(cell));
        else cupel_set_number(model, (int)i, row < 15 ? (double)row * 1e3 : NAN);
      }
      int decided = cupel_score(model, probabilities);
      if (decided < 0 || (size_t)decided >= cupel_label_count(model)) abort();
    }
    free(probabilities);
  }
  free(memory);
  free(copy);
  return status == CUPEL_OK;
}

/* Changes some bytes, rather in the head than in the arrays: to others, to a neighbour, to those from elsewhere in the file. */
static void spoil(unsigned char *bytes, size_t length) {
  size_t head = PREFIX_BYTES + field_at(bytes + 12);
  if (head > length) head = length;
  for (uint32_t changes = 1 + draw(4); changes > 0; changes--) {
    size_t at = draw(3) > 0 ? draw((uint32_t)head) : draw((uint32_t)length);
    uint32_t way = draw(5);
    if (way == 0) bytes[at] = (unsigned char)draw(256);
    else if (way == 1) bytes[at] = (unsigned char)(bytes[at] ^ 1u << draw(8));
    else if (way == 2) bytes[at] = (unsigned char)"0123456789\"\\[]{},:-"[draw(19)];
    else if (way == 3) bytes[at] = 0xff;
    else {
      size_t from = draw((uint32_t)length);
      size_t count = draw(24);
      if (from + count <= length && at + count <= length) memmove(bytes + at, bytes + from, count);
    }
  }
}

int main(int count, char **words) {
  if (count != 4) return 2;
  FILE *file = fopen(words[1], "rb");
  if (file == NULL) return 2;
  static unsigned char whole[4 << 20];
  static unsigned char copy[4 << 20];
  size_t length = fread(whole, 1, sizeof whole, file);
  fclose(file);
  state = (uint32_t)strtoul(words[3], NULL, 10) | 1;
  unsigned long scored = 0;
  unsigned long runs = strtoul(words[2], NULL, 10);
  /* The whole model has to load in just the memory that it asks for. */
  if (!outcome_of(whole, length)) return 1;
  for (unsigned long run = 0; run < runs; run++) {
    memcpy(copy, whole, length);
    int is_cut = draw(8) == 0;
    if (!is_cut) spoil(copy, length);
    scored += (unsigned long)outcome_of(copy, is_cut ? draw((uint32_t)length) : length);
  }
  printf("%lu refused, %lu scored\n", runs - scored, scored);
  return 0;
}
