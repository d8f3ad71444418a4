/*
 * Loads and scores damaged copies of a model, without its checksum to stop them: for a build with sanitizers, which end the program where something is
 * read or written outside. Usage: cupel_fuzz MODEL.cupel RUNS SEED. Prints how many copies were refused and how many scored.
 */
#define CHECKS_SUM 0
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

/* Where the arrays of the whole model lie: each is as likely to be spoiled, however short it is. */
static struct {
  size_t at, bytes, width;
} arrays[4096];
static uint32_t array_count;

static void find_arrays(const unsigned char *bytes) {
  const char *head = (const char *)bytes + PREFIX_BYTES;
  json all = {head, head + field_at(bytes + 12)};
  size_t at = aligned(PREFIX_BYTES + field_at(bytes + 12));
  for (json entry = json_first(json_find(all, "arrays"), '['); entry.at != NULL && array_count < 4096; entry = json_next(entry)) {
    size_t width = WIDTHS[place_of(json_find(entry, "type"), TYPE_NAMES, 6)];
    size_t count = 0;
    (void)read_count(json_find(entry, "length"), 1e9, &count);
    arrays[array_count].at = at;
    arrays[array_count].width = width;
    arrays[array_count++].bytes = count * width;
    at = aligned(at + count * width);
  }
}

/* Sets an element of an array, or all of them, to a small number or all ones, or one to a neighbour of what it is. */
static void spoil_array(unsigned char *bytes) {
  uint32_t index = draw(array_count);
  size_t width = arrays[index].width;
  if (arrays[index].bytes == 0) return;
  unsigned char *at = bytes + arrays[index].at + draw((uint32_t)(arrays[index].bytes / width)) * width;
  uint32_t way = draw(6);
  if (way == 0) memset(at, 0xff, width);
  else if (way == 4) memset(bytes + arrays[index].at, 0xff, arrays[index].bytes);
  else if (way == 5) {
    unsigned char number = (unsigned char)draw(64);
    for (size_t i = 0; i < arrays[index].bytes; i++) bytes[arrays[index].at + i] = i % width == 0 ? number : 0;
  } else if (way == 1) at[0] = (unsigned char)(at[0] + 1);
  else if (way == 2) at[0] = (unsigned char)(at[0] - 1);
  else {
    memset(at, 0, width);
    at[0] = (unsigned char)draw(256);
  }
}

/* Changes some bytes of the head: to others, to another digit, to those from elsewhere in the file. */
static void spoil_head(unsigned char *bytes, size_t length) {
  size_t head = PREFIX_BYTES + field_at(bytes + 12);
  size_t at = draw((uint32_t)(head < length ? head : length));
  uint32_t way = draw(6);
  if (way == 0) bytes[at] = (unsigned char)draw(256);
  else if (way == 1) bytes[at] = (unsigned char)(bytes[at] ^ 1u << draw(8));
  else if (way == 2) bytes[at] = (unsigned char)"0123456789\"\\[]{},:-"[draw(19)];
  else if (way == 3) {
    size_t from = draw((uint32_t)length);
    size_t count = draw(24);
    if (from + count <= length && at + count <= length) memmove(bytes + at, bytes + from, count);
  } else {
    while (at < length && !is_digit((char)bytes[at])) at++;
    if (at < length) bytes[at] = (unsigned char)('0' + draw(10));
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
  find_arrays(whole);
  for (unsigned long run = 0; run < runs; run++) {
    memcpy(copy, whole, length);
    int is_cut = draw(8) == 0;
    for (uint32_t changes = is_cut ? 0 : 1 + draw(3); changes > 0; changes--) {
      if (draw(2) == 0) spoil_array(copy);
      else spoil_head(copy, length);
    }
    scored += (unsigned long)outcome_of(copy, is_cut ? draw((uint32_t)length) : length);
  }
  printf("%lu refused, %lu scored\n", runs - scored, scored);
  return 0;
}
