/*
 * Scores rows by a Cupel model: C99, nothing but libc and libm. The format is described in docs/model-format.md.
 *
 *   size_t size = cupel_memory(bytes, length);
 *   cupel_model *model;
 *   cupel_status status = cupel_load(&model, bytes, length, memory, size);
 *   if (status != CUPEL_OK) puts(cupel_message(status));
 *
 *   cupel_begin(model);
 *   cupel_set_number(model, cupel_column(model, "age"), 42);
 *   cupel_set_text(model, cupel_column(model, "city"), "Bern", 4);
 *   int decided = cupel_score(model, probabilities);
 *
 * The bytes stay where they are, in flash for example, and must lie there unchanged as long as the model is used. All else lies in
 * the one block of memory that the caller gives: nothing here allocates. What a file says is checked when it is loaded, so that no
 * row makes scoring read elsewhere. A model holds the row that it works on, so each thread loads one of its own; the bytes may be shared.
 *
 * Doubles must be of 64 bits and the machine little-endian. Models that read free text are refused: score these with Python, Java or
 * JavaScript, or with Cupel itself.
 */
#ifndef CUPEL_H
#define CUPEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cupel_model cupel_model;

typedef enum {
  CUPEL_OK,
  CUPEL_NOT_A_MODEL,
  CUPEL_TOO_NEW,
  CUPEL_DAMAGED,
  /* It reads free text. */
  CUPEL_READS_TEXT,
  /* The model or the memory does not begin at a multiple of 8. */
  CUPEL_NOT_ALIGNED,
  CUPEL_LITTLE_MEMORY
} cupel_status;

/* Says in English what went wrong and what to do. */
const char *cupel_message(cupel_status status);

/* Bytes of memory that a model needs beside its own; 0 where it cannot be loaded, and `cupel_load` says why. */
size_t cupel_memory(const void *bytes, size_t length);

/* Checks a model and lays it out in the memory. Bytes and memory begin at multiples of 8, as those of malloc do. */
cupel_status cupel_load(cupel_model **model, const void *bytes, size_t length, void *memory, size_t memory_length);

size_t cupel_column_count(const cupel_model *model);
/* UTF-8, without a NUL at its end. */
const char *cupel_column_name(const cupel_model *model, size_t column, size_t *length);
/* -1 where there is none of this name. */
int cupel_column(const cupel_model *model, const char *name);
size_t cupel_label_count(const cupel_model *model);
/* UTF-8, without a NUL at its end. */
const char *cupel_label(const cupel_model *model, size_t label, size_t *length);

/* Begins a row: every cell is missing until it is set. */
void cupel_begin(cupel_model *model);
/* Sets a cell to a text as a CSV file has it, in UTF-8. 0 where there is no such column: the row then lacks the cell. */
int cupel_set_text(cupel_model *model, int column, const char *text, size_t length);
/* Sets a cell to a number; NaN and infinite ones are missing. 0 where there is no such column. */
int cupel_set_number(cupel_model *model, int column, double value);
/* Writes a probability for each label, `cupel_label_count` of them, and returns the decided one. */
int cupel_score(cupel_model *model, double *probabilities);

/* The features of a row and the codes that its cells became when it was scored: for tests of readers. */
size_t cupel_feature_count(const cupel_model *model);
unsigned cupel_code(const cupel_model *model, size_t feature);

#ifdef __cplusplus
}
#endif

#endif
