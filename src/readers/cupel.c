/*
 * Scores rows by a Cupel model; see cupel.h. With -DCUPEL_MAIN it is a program too:
 *
 *   cc -std=c99 -O2 -DCUPEL_MAIN cupel.c -o cupel -lm
 *   ./cupel MODEL.cupel NEW.csv > SCORED.csv
 *   ./cupel MODEL.cupel --check CHECK.json
 */
#include "cupel.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Cupel models are little-endian: this machine is not."
#endif
typedef char cupel_needs_doubles_of_64_bits[sizeof(double) == 8 && sizeof(float) == 4 ? 1 : -1];

enum { NEWEST_VERSION = 8, PREFIX_BYTES = 16, CHECKSUM_BYTES = 4, ALIGNMENT = 8, MOST_CODES = 65535, MOST_CLASSES = 255 };
enum { MISSING = 0, UNSEEN = 1, FIRST = 2 };
/* Tests that spoil models switch it off. */
#ifndef CHECKS_SUM
#define CHECKS_SUM 1
#endif
/* Nesting of the head; real ones have some 8. Bounds the stack. */
enum { MOST_DEPTH = 32 };
/* Digits of a number that count; what lies behind decides no rounding but that it is there. */
enum { MOST_DIGITS = 800 };

typedef struct {
  const char *at;
  size_t length;
} text;

/* ---- JSON, read where it lies. All of it is checked once by `json_skip` from the top; the other functions rely on that. */

static const char *json_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at;
}

static int is_digit(char sign) {
  return sign >= '0' && sign <= '9';
}

static int hex_digit(char sign) {
  if (is_digit(sign)) return sign - '0';
  sign = (char)(sign | 32);
  return sign >= 'a' && sign <= 'f' ? sign - 'a' + 10 : -1;
}

/* Behind the string that begins here; NULL where it is none. */
static const char *json_skip_string(const char *at, const char *end) {
  if (at >= end || *at != '"') return NULL;
  for (at++; at < end && *at != '"'; at++) {
    if (*at != '\\') continue;
    if (++at >= end) return NULL;
    if (*at == 'u') {
      if (end - at < 5) return NULL;
      for (int i = 1; i <= 4; i++)
        if (hex_digit(at[i]) < 0) return NULL;
      at += 4;
    } else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL) return NULL;
  }
  return at < end ? at + 1 : NULL;
}

static const char *json_skip_word(const char *at, const char *end) {
  const char *from = at;
  while (at < end && (is_digit(*at) || (*at >= 'a' && *at <= 'z') || *at == 'E' || *at == '+' || *at == '-' || *at == '.')) at++;
  return at > from ? at : NULL;
}

/* Behind the value that begins here; NULL where it is not sound. */
static const char *json_skip(const char *at, const char *end, int depth) {
  at = json_space(at, end);
  if (at >= end || depth > MOST_DEPTH) return NULL;
  if (*at == '"') return json_skip_string(at, end);
  if (*at != '{' && *at != '[') return json_skip_word(at, end);
  char close = *at == '{' ? '}' : ']';
  at = json_space(at + 1, end);
  if (at < end && *at == close) return at + 1;
  for (;; at++) {
    if (close == '}') {
      at = json_skip_string(json_space(at, end), end);
      if (at == NULL) return NULL;
      at = json_space(at, end);
      if (at >= end || *at++ != ':') return NULL;
    }
    at = json_skip(at, end, depth + 1);
    if (at == NULL) return NULL;
    at = json_space(at, end);
    if (at >= end) return NULL;
    if (*at == close) return at + 1;
    if (*at != ',') return NULL;
  }
}

/* A value of the JSON; `at` is NULL where there is none. */
typedef struct {
  const char *at;
  const char *end;
} json;

static const json NOTHING = {NULL, NULL};

/* The first value of a list, or the first name of an object. */
static json json_first(json container, char open) {
  if (container.at == NULL || *container.at != open) return NOTHING;
  json first = {json_space(container.at + 1, container.end), container.end};
  return *first.at == open + 2 ? NOTHING : first;
}

/* The one behind a value of a list, or behind a name the value. */
static json json_next(json value) {
  json next = {json_space(json_skip(value.at, value.end, 0), value.end), value.end};
  if (*next.at != ',' && *next.at != ':') return NOTHING;
  next.at = json_space(next.at + 1, next.end);
  return next;
}

/* How many values a list has; 0 for what is no list. */
static size_t json_count(json list) {
  size_t count = 0;
  for (json item = json_first(list, '['); item.at != NULL; item = json_next(item)) count++;
  return count;
}

static int json_is(json value, const char *word) {
  size_t length = strlen(word);
  if (value.at == NULL) return 0;
  if (*value.at == '"') value.at++;
  return (size_t)(value.end - value.at) > length && memcmp(value.at, word, length) == 0 && strchr("\",]} \t\r\n", value.at[length]) != NULL;
}

static int json_is_string(json value) {
  return value.at != NULL && *value.at == '"';
}

/* The value of this name; nothing for what is no object or has none. */
static json json_find(json object, const char *name) {
  for (json key = json_first(object, '{'); key.at != NULL;) {
    json value = json_next(key);
    if (json_is(key, name)) return value;
    key = json_next(value);
  }
  return NOTHING;
}

/* A null counts as nothing. */
static json json_find_value(json object, const char *name) {
  json value = json_find(object, name);
  return json_is(value, "null") && !json_is_string(value) ? NOTHING : value;
}

/* Writes a code point as UTF-8; returns how many bytes that took. */
static size_t put_point(unsigned long point, char *out) {
  if (point < 0x80) {
    out[0] = (char)point;
    return 1;
  }
  size_t count = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (size_t i = count - 1; i > 0; i--, point >>= 6) out[i] = (char)(0x80 | (point & 0x3f));
  out[0] = (char)((0xf00u >> count & 0xf0) | point);
  return count;
}

static unsigned long hex_unit(const char *at) {
  unsigned long unit = 0;
  for (int i = 0; i < 4; i++) unit = unit << 4 | (unsigned long)hex_digit(at[i]);
  return unit;
}

/* The raw length of a string's content. */
static size_t json_length(json string) {
  return (size_t)(json_skip_string(string.at, string.end) - string.at) - 2;
}

static int json_has_escapes(json string) {
  return memchr(string.at + 1, '\\', json_length(string)) != NULL;
}

/* Decodes a string; never longer than its raw length. */
static size_t json_decode(json string, char *out) {
  const char *at = string.at + 1;
  const char *end = at + json_length(string);
  size_t length = 0;
  while (at < end) {
    if (*at != '\\') {
      out[length++] = *at++;
      continue;
    }
    char sign = at[1];
    at += 2;
    if (sign == 'u') {
      unsigned long point = hex_unit(at);
      at += 4;
      if (point >= 0xd800 && point < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        unsigned long low = hex_unit(at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
          point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
          at += 6;
        }
      }
      length += put_point(point, out + length);
    } else {
      const char *known = strchr("bfnrt", sign);
      out[length++] = known == NULL || sign == '\0' ? sign : "\b\f\n\r\t"[known - "bfnrt"];
    }
  }
  return length;
}

/* ---- Numbers in text */

/* 0.digits * 10^point, without zeros at either end. `is_cut`: digits that are not 0 were left out. */
typedef struct {
  char digits[MOST_DIGITS + 1];
  int count;
  long point;
  int is_negative;
  int is_cut;
  /* A zero in front with a digit behind. */
  int has_leading_zero;
} decimal;

static void add_digit(decimal *number, char digit, int is_behind) {
  if (number->count == 0 && digit == '0') {
    if (is_behind) number->point--;
    return;
  }
  if (!is_behind) number->point++;
  if (number->count < MOST_DIGITS) number->digits[number->count++] = digit;
  else if (digit != '0') number->is_cut = 1;
}

/* Takes `-12`, `+3`, `.5`, `5.`, `1e5` apart, with this decimal sign; 0 for other texts. With a grouping sign thousands are grouped, and there is no
 * exponent. */
static int scan_decimal(const char *at, const char *end, char sign, char grouping, decimal *number) {
  number->count = number->is_negative = number->is_cut = 0;
  number->point = 0;
  if (at < end && (*at == '+' || *at == '-')) number->is_negative = *at++ == '-';
  const char *start = at;
  number->has_leading_zero = end - at > 1 && at[0] == '0' && is_digit(at[1]);
  for (; at < end && is_digit(*at); at++) add_digit(number, *at, 0);
  size_t digits = (size_t)(at - start);
  if (grouping != 0) {
    if (digits < 1 || digits > 3 || (at < end && *at == grouping && *start == '0')) return 0;
    for (; at < end && *at == grouping; at += 4) {
      if (end - at < 4 || !is_digit(at[1]) || !is_digit(at[2]) || !is_digit(at[3])) return 0;
      for (int i = 1; i <= 3; i++) add_digit(number, at[i], 0);
    }
  }
  if (at < end && *at == sign)
    for (at++; at < end && is_digit(*at); at++, digits++) add_digit(number, *at, 1);
  if (digits == 0) return 0;
  if (grouping == 0 && at < end && (*at == 'e' || *at == 'E')) {
    int is_negative = 0;
    if (++at < end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
    if (at >= end) return 0;
    long exponent = 0;
    for (; at < end && is_digit(*at); at++)
      if (exponent < 100000000) exponent = 10 * exponent + *at - '0';
    number->point += is_negative ? -exponent : exponent;
  }
  if (at != end) return 0;
  if (!number->is_cut)
    while (number->count > 0 && number->digits[number->count - 1] == '0') number->count--;
  return 1;
}

/* The nearest double, whatever the locale's decimal sign; infinite where it is too large. */
static double decimal_value(const decimal *number) {
  char buffer[MOST_DIGITS + 32];
  double value = 0;
  int count = number->count;
  if (count > 0 && number->point > 400) value = HUGE_VAL;
  else if (count > 0 && number->point > -400) {
    memcpy(buffer, number->digits, (size_t)count);
    if (number->is_cut) buffer[count++] = '1';
    snprintf(buffer + count, 24, "e%ld", number->point - count);
    value = strtod(buffer, NULL);
  }
  return (number->is_negative ? -value : value) + 0.0;
}

/* The shortest digits that read back as a positive number. */
static void shortest_digits(double value, decimal *number) {
  char buffer[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    number->count = 0;
    const char *at = buffer;
    for (; *at != 'e' && *at != '\0'; at++)
      if (is_digit(*at)) number->digits[number->count++] = *at;
    number->point = *at == 'e' ? strtol(at + 1, NULL, 10) + 1 : 1;
    number->is_negative = number->is_cut = 0;
    if (digits == 17 || decimal_value(number) == value) return;
  }
}

/* Writes digits in the way of JavaScript; 32 bytes suffice for 17 digits. Returns the length. */
static size_t put_decimal(const decimal *number, char *out) {
  int count = number->count;
  long point = number->point;
  char *at = out;
  while (count > 0 && number->digits[count - 1] == '0') count--;
  if (count == 0) {
    *at = '0';
    return 1;
  }
  if (number->is_negative) *at++ = '-';
  if (point > 21 || point <= -6) {
    *at++ = number->digits[0];
    if (count > 1) *at++ = '.';
    memcpy(at, number->digits + 1, (size_t)count - 1);
    at += count - 1;
    return (size_t)(at - out) + (size_t)snprintf(at, 12, "e%+ld", point - 1);
  }
  if (point <= 0) {
    *at++ = '0';
    *at++ = '.';
    for (long i = point; i < 0; i++) *at++ = '0';
  }
  for (int i = 0; i < count; i++) {
    *at++ = number->digits[i];
    if (i + 1 == point && i + 1 < count) *at++ = '.';
  }
  for (long i = count; i < point; i++) *at++ = '0';
  return (size_t)(at - out);
}

/* The text of a finite number in the way of JavaScript. */
static size_t number_text(double value, char *out) {
  decimal number;
  if (value == 0) {
    out[0] = '0';
    return 1;
  }
  shortest_digits(fabs(value), &number);
  number.is_negative = value < 0;
  return put_decimal(&number, out);
}

/* Digits of any integer that a double tells from its neighbours. */
enum { EXACT_DIGITS = 15 };

/* Reads a plain number that another text may stand for; 0 where its zeros carry meaning, or a double cannot tell it. */
static int read_code_number(text cell, decimal *number, double *value) {
  if (!scan_decimal(cell.at, cell.at + cell.length, '.', 0, number) || number->has_leading_zero) return 0;
  *value = decimal_value(number);
  return isfinite(*value) && number->count <= EXACT_DIGITS && !(*value == 0 && number->count > 0);
}

/* The value of a name that is a number in its one and shortest form; 0 where it is not. */
static int read_canonical(text name, double *value) {
  decimal number;
  char shortest[64];
  if (name.length > 40 || !read_code_number(name, &number, value)) return 0;
  size_t length = number_text(*value, shortest);
  return length == name.length && memcmp(shortest, name.at, length) == 0;
}

/* ---- Texts of cells */

/* Bytes of the white space (JavaScript's) that begins here; 0 for none. */
static size_t space_length(const char *cell, const char *end) {
  const unsigned char *at = (const unsigned char *)cell;
  size_t left = (size_t)(end - cell);
  if (left == 0) return 0;
  if ((at[0] >= 9 && at[0] <= 13) || at[0] == ' ') return 1;
  if (left >= 2 && at[0] == 0xc2 && at[1] == 0xa0) return 2;
  if (left < 3) return 0;
  if (at[0] == 0xe1) return at[1] == 0x9a && at[2] == 0x80 ? 3 : 0;
  if (at[0] == 0xe3) return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
  if (at[0] == 0xef) return at[1] == 0xbb && at[2] == 0xbf ? 3 : 0;
  if (at[0] != 0xe2) return 0;
  if (at[1] == 0x81) return at[2] == 0x9f ? 3 : 0;
  return at[1] == 0x80 && ((at[2] >= 0x80 && at[2] <= 0x8a) || at[2] == 0xa8 || at[2] == 0xa9 || at[2] == 0xaf) ? 3 : 0;
}

static const char *skip_spaces(const char *at, const char *end) {
  for (size_t length = space_length(at, end); length > 0; length = space_length(at, end)) at += length;
  return at;
}

static const char *skip_spaces_back(const char *at, const char *end) {
  for (;;) {
    size_t length = 0;
    for (size_t tried = 1; tried <= 3 && length == 0; tried++)
      if ((size_t)(end - at) >= tried && space_length(end - tried, end) == tried) length = tried;
    if (length == 0) return end;
    end -= length;
  }
}

static text trimmed(const char *at, size_t length) {
  const char *from = skip_spaces(at, at + length);
  text found = {from, (size_t)(skip_spaces_back(from, at + length) - from)};
  return found;
}

static int is_same(text one, text other) {
  return one.length == other.length && (one.length == 0 || memcmp(one.at, other.at, one.length) == 0);
}

static int compare_texts(text one, text other) {
  size_t shared = one.length < other.length ? one.length : other.length;
  int order = shared == 0 ? 0 : memcmp(one.at, other.at, shared);
  return order != 0 ? order : (one.length > other.length) - (one.length < other.length);
}

/* ---- Dates */

enum { YEAR, MONTH, DAY, WEEKDAY, HOUR, DIFFERENCE, NO_PART };
enum { YMD, DMY, MDY, UNIX };
enum { NO_HOUR = 24 };
static const char *const PART_NAMES[] = {"year", "month", "day", "weekday", "hour", "difference"};
static const char *const ORDER_NAMES[] = {"ymd", "dmy", "mdy", "unix"};
static const int MONTH_DAYS[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

/* `past`: the seconds past the hour. */
typedef struct {
  int year, month, day, hour, past;
} date;

/* The number that so many digits make; -1 where one is none. */
static int digits_at(text cell, size_t from, size_t count) {
  int value = 0;
  if (from + count > cell.length) return -1;
  for (size_t at = from; at < from + count; at++) {
    if (!is_digit(cell.at[at])) return -1;
    value = 10 * value + cell.at[at] - '0';
  }
  return value;
}

static char sign_at(text cell, size_t at) {
  return at < cell.length ? cell.at[at] : '\0';
}

/* What a text says of the day; the calendar may not have it. The numbers beside the year are month and day, by DMY the other way round. */
typedef struct {
  /* A bit for each order in which it may be read. */
  int orders;
  int year, first, second, hour, past;
} written;

static size_t digit_run(text cell, size_t at) {
  size_t from = at;
  while (is_digit(sign_at(cell, at))) at++;
  return at - from;
}

/* Bytes of the Latin letter that stands here, as far as U+024F; 0 for none. */
static size_t letter_length(text cell, size_t at) {
  unsigned char sign = (unsigned char)sign_at(cell, at);
  if ((sign | 32) >= 'a' && (sign | 32) <= 'z') return 1;
  unsigned char next = (unsigned char)sign_at(cell, at + 1);
  if (sign >= 0xc3 && sign <= 0xc8) return 2;
  return sign == 0xc9 && next <= 0x8f ? 2 : 0;
}

/* Behind the letters that begin here; 0 where they are not so many. */
static size_t word_end(text cell, size_t at, int least, int most) {
  int count = 0;
  for (size_t length = letter_length(cell, at); length > 0; length = letter_length(cell, at), count++) at += length;
  return count >= least && count <= most ? at : 0;
}

static int starts_with(text cell, size_t at, const char *word) {
  size_t length = strlen(word);
  return at + length <= cell.length && memcmp(cell.at + at, word, length) == 0;
}

/* Behind at most so many of these signs. */
static size_t skip_signs(text cell, size_t at, const char *signs, int most) {
  while (most-- > 0 && sign_at(cell, at) != '\0' && strchr(signs, sign_at(cell, at)) != NULL) at++;
  return at;
}

/* The word from here to there in small letters, and a blank behind it. Returns its length; 0 for one that is too long. */
static size_t small_word(text cell, size_t at, size_t end, char *small) {
  size_t length = 0;
  if (end - at > 20) return 0;
  while (at < end) {
    size_t width = letter_length(cell, at);
    unsigned char last = (unsigned char)cell.at[at + width - 1];
    int has_small = width == 1 || ((unsigned char)cell.at[at] == 0xc3 && last <= 0x9e && last != 0x97);
    if (width == 2) small[length++] = cell.at[at];
    small[length++] = (char)(has_small ? last | 32 : last);
    at += width;
  }
  return length;
}

/* Whether a word of this list begins so; each ends with a blank. */
static int is_opening(const char *list, const char *word, size_t length) {
  for (const char *known = list; *known != '\0'; known = strchr(known, ' ') + 1)
    if (strncmp(known, word, length) == 0) return 1;
  return 0;
}

/* 1 to 12; 0 where the letters from here to there are no name of a month, nor its first ones. */
static int month_at(text cell, size_t at, size_t end) {
  static const char *const NAMES[] = {
      "january januar janvier janeiro januari enero gennaio ",
      "february februar f\xc3\xa9" "vrier fevrier febrero febbraio fevereiro februari ",
      "march m\xc3\xa4" "rz maerz mrz mars marzo mar\xc3\xa7" "o marco maart mrt ",
      "april avril abril aprile ",
      "may mai mayo maggio maio mei ",
      "june juni juin junio giugno junho ",
      "july juli juillet julio luglio julho ",
      "august ao\xc3\xbb" "t aout agosto augustus ",
      "september septembre septiembre setiembre settembre setembro ",
      "october oktober octobre octubre ottobre outubro ",
      "november novembre noviembre novembro ",
      "december dezember d\xc3\xa9" "cembre decembre diciembre dicembre dezembro "};
  char small[24];
  size_t length = small_word(cell, at, end, small);
  for (int month = 0; month < 12 && length > 0; month++)
    if (is_opening(NAMES[month], small, length)) return month + 1;
  return 0;
}

/* By its first three letters, or by both of two. */
static int is_weekday(text cell, size_t at, size_t end) {
  static const char LIST[] = "mo di mi do fr sa so mon tue wed thu fri sat sun die mit don fre sam son lun mar mer jeu ven dim jue vie s\xc3\xa1" "b dom gio ";
  char small[24];
  size_t third = at;
  for (int letters = 0; letters < 3 && third < end; letters++) third += letter_length(cell, third);
  size_t length = small_word(cell, at, third, small);
  small[length++] = ' ';
  return is_opening(LIST, small, length);
}

/* Dates of other years are codes, but for the one that means "for ever". */
static int is_usual(int year) {
  return (year >= 1800 && year < 2200) || year == 9999;
}

/* Reads the time behind a date, of 24 hours, or of 12 with AM or PM; NO_HOUR where the text ends here. 0 where it is none. */
static int read_clock(text cell, size_t at, written *found) {
  found->hour = NO_HOUR;
  found->past = 0;
  if (at == cell.length) return 1;
  if (sign_at(cell, at) == 'T' || sign_at(cell, at) == ':') at++;
  else {
    size_t from = skip_signs(cell, at, ",", 1);
    at = skip_signs(cell, from, " ", INT_MAX);
    if (at == from) return 0;
  }
  size_t width = digit_run(cell, at);
  int hour = width == 1 || width == 2 ? digits_at(cell, at, width) : -1;
  char between = sign_at(cell, at += width);
  if (hour < 0 || (between != ':' && between != '.' && between != 'h')) return 0;
  int minutes = digits_at(cell, at + 1, 2);
  if (minutes < 0 || minutes > 59) return 0;
  at += 3;
  if (sign_at(cell, at) == between) {
    int seconds = digits_at(cell, at + 1, 2);
    if (seconds < 0 || seconds > 60) return 0;
    found->past = seconds;
    at += 3;
    if ((sign_at(cell, at) == '.' || sign_at(cell, at) == ',') && is_digit(sign_at(cell, at + 1))) at += 1 + digit_run(cell, at + 1);
  }
  size_t half_at = skip_signs(cell, at, " ", 1);
  char half = (char)(sign_at(cell, half_at) | 32);
  size_t m_at = skip_signs(cell, half_at + 1, ".", 1);
  if ((half == 'a' || half == 'p') && (sign_at(cell, m_at) | 32) == 'm') {
    if (hour < 1 || hour > 12) return 0;
    hour = hour % 12 + (half == 'p' ? 12 : 0);
    at = skip_signs(cell, m_at + 1, ".", 1);
  }
  at = skip_signs(cell, at, " ", 1);
  if (starts_with(cell, at, "Z")) at++;
  else if (starts_with(cell, at, "UTC") || starts_with(cell, at, "GMT")) at += 3;
  if (sign_at(cell, at) == '+' || sign_at(cell, at) == '-') {
    size_t zone_width = digit_run(cell, at + 1) % 2 == 1 ? 1 : 2;
    if (digits_at(cell, at + 1, zone_width) < 0) return 0;
    at += 1 + zone_width;
    if (at < cell.length) {
      at = skip_signs(cell, at, ":", 1);
      int of_zone = digits_at(cell, at, 2);
      if (of_zone < 0 || of_zone > 59) return 0;
      at += 2;
    }
  }
  found->hour = hour;
  found->past += 60 * minutes;
  return at == cell.length && hour < 24;
}

/* `end`: where the time begins. 0 where it is none. */
static int is_written(text cell, size_t end, int orders, size_t year_at, size_t year_digits, int first, int second, written *found) {
  int number = digits_at(cell, year_at, year_digits);
  /* Years of two digits turn at 1930, as in spreadsheets. */
  int century = year_digits == 4 ? 0 : number < 30 ? 2000 : 1900;
  *found = (written){orders, century + number, first, second, NO_HOUR, 0};
  return read_clock(cell, end, found);
}

/* `Feb 3, 2023`, or `Feb 2023`; 0 for other texts. */
static int split_name_first(text cell, size_t start, written *found) {
  size_t at = word_end(cell, start, 3, 10);
  int month = at == 0 ? 0 : month_at(cell, start, at);
  if (month == 0) return 0;
  at = skip_signs(cell, skip_signs(cell, at, ".", 1), ",", 1);
  size_t day_at = skip_signs(cell, at, "-/ ", 2);
  if (day_at == at) return 0;
  size_t day_digits = digit_run(cell, day_at);
  size_t behind = day_at + day_digits;
  if (day_digits == 1 || day_digits == 2) {
    size_t suffix = starts_with(cell, behind, "st") || starts_with(cell, behind, "nd") || starts_with(cell, behind, "rd") || starts_with(cell, behind, "th");
    at = behind + 2 * suffix;
    size_t year_at = sign_at(cell, at) == ',' ? skip_signs(cell, at + 1, " ", 1) : skip_signs(cell, at, "-/ ", 2);
    size_t year_digits = digit_run(cell, year_at);
    if (year_at > at && (year_digits == 2 || year_digits == 4))
      return (year_digits == 2 || is_usual(digits_at(cell, year_at, 4))) && is_written(cell, year_at + year_digits, 1 << MDY, year_at, year_digits, month, digits_at(cell, day_at, day_digits), found);
  }
  return day_digits == 4 && is_usual(digits_at(cell, day_at, 4)) && is_written(cell, behind, 1 << DMY, day_at, 4, 1, month, found);
}

/* Behind a number: `st` and the like, then ` de ` or two signs at most. */
static size_t name_start(text cell, size_t at) {
  static const char *const SUFFIXES[] = {"st", "nd", "rd", "th", "er"};
  for (int i = 0; i < 5; i++)
    if (starts_with(cell, at, SUFFIXES[i])) {
      at += 2;
      break;
    }
  return starts_with(cell, at, " de ") ? at + 4 : skip_signs(cell, at, "-/. ", 2);
}

static int split_digits_first(text cell, size_t start, written *found) {
  size_t one = digit_run(cell, start);
  size_t second_at = start + one + 1;
  char separator = sign_at(cell, start + one);
  size_t two = digit_run(cell, second_at);
  size_t third_at = second_at + two + 1;
  size_t three = sign_at(cell, second_at + two) == separator ? digit_run(cell, third_at) : 0;
  /* Spreadsheets leave zeros out only where they write slashes; 7.4.33 and 15-5-20 are versions and codes. */
  int is_year_last = three == 4 || (three == 2 && (separator == '/' || one + two == 4));
  int is_iso = separator == '-' && two == 2 && three == 2;
  if (separator != '\0' && strchr("-/.", separator) != NULL && one <= 4 && two >= 1 && two <= 2 && three >= 1 && three <= 4) {
    int first = digits_at(cell, one == 4 && three <= 2 ? second_at : start, one == 4 && three <= 2 ? two : one);
    if (one == 4 && three <= 2) return (is_iso || is_usual(digits_at(cell, start, 4))) && is_written(cell, third_at + three, 1 << YMD, start, 4, first, digits_at(cell, third_at, three), found);
    if (one > 2 || !is_year_last) return 0;
    return is_written(cell, third_at + three, 1 << DMY | 1 << MDY, third_at, three, first, digits_at(cell, second_at, two), found);
  }
  int century = digits_at(cell, start, 2);
  if (one == 4 && separator == '-' && two == 2 && cell.length == start + 7)
    return century >= 18 && century <= 20 && is_written(cell, cell.length, 1 << YMD, start, 4, digits_at(cell, second_at, 2), 1, found);
  int month_century = digits_at(cell, second_at, 2);
  if ((one == 1 || one == 2) && (separator == '-' || separator == '/') && two == 4 && second_at + 4 == cell.length)
    return month_century >= 19 && month_century <= 20 && is_written(cell, cell.length, 1 << DMY, second_at, 4, 1, digits_at(cell, start, one), found);
  if ((century == 19 || century == 20 || digits_at(cell, start, 4) == 9999) && (one == 8 || one == 12 || one == 14)) {
    size_t clock = start + 8 + (one == 8 && separator == 'T');
    size_t digits = digit_run(cell, clock);
    size_t end = skip_signs(cell, clock + digits, "Z", 1);
    int month = digits_at(cell, start + 4, 2);
    int day = digits_at(cell, start + 6, 2);
    int hour = digits_at(cell, clock, 2);
    int minutes = digits_at(cell, clock + 2, 2);
    int seconds = digits == 6 ? digits_at(cell, clock + 4, 2) : 0;
    if (end == cell.length && (digits == 4 || digits == 6) && hour < 24 && minutes < 60 && seconds < 60) {
      *found = (written){1 << YMD, digits_at(cell, start, 4), month, day, hour, 60 * minutes + seconds};
      return 1;
    }
    return one == 8 && is_written(cell, start + 8, 1 << YMD, start, 4, month, day, found);
  }
  if (one > 4) return 0;
  size_t name_at = name_start(cell, start + one);
  size_t at = word_end(cell, name_at, 3, 10);
  int month = at == 0 ? 0 : month_at(cell, name_at, at);
  if (month == 0) return 0;
  at = skip_signs(cell, at, ".", 1);
  at = starts_with(cell, at, " de ") ? at + 4 : skip_signs(cell, at, "-/., ", 2);
  size_t last = digit_run(cell, at);
  int number = digits_at(cell, start, one);
  if (last < 1 || last > 4 || (one == 4 && !is_usual(number)) || (last == 4 && !is_usual(digits_at(cell, at, 4)))) return 0;
  if (one == 4) return last <= 2 && is_written(cell, at + last, 1 << YMD, start, 4, month, digits_at(cell, at, last), found);
  return one <= 2 && (last == 2 || last == 4) && is_written(cell, at + last, 1 << DMY, at, last, number, month, found);
}

/* 0 where the text says no day. */
static int split_date(text cell, written *found) {
  if (is_digit(sign_at(cell, 0))) return split_digits_first(cell, 0, found);
  if (split_name_first(cell, 0, found)) return 1;
  /* The day of the week. */
  size_t at = word_end(cell, 0, 2, 10);
  if (at == 0 || !is_weekday(cell, 0, at)) return 0;
  size_t blank = skip_signs(cell, at, ".,", 2);
  at = skip_signs(cell, blank, " ", INT_MAX);
  if (at == blank) return 0;
  return is_digit(sign_at(cell, at)) ? split_digits_first(cell, at, found) : split_name_first(cell, at, found);
}

static int is_date(const date *found) {
  if (found->month < 1 || found->month > 12 || found->day < 1) return 0;
  int is_leap = found->year % 4 == 0 && (found->year % 100 != 0 || found->year % 400 == 0);
  return found->day <= MONTH_DAYS[found->month - 1] && !(found->month == 2 && found->day == 29 && !is_leap);
}

/* The date by UTC of a number of seconds or milliseconds since 1970, by its size; by Howard Hinnant's civil_from_days. */
static int read_unix(text cell, date *found) {
  decimal number;
  if (!scan_decimal(cell.at, cell.at + cell.length, '.', 0, &number)) return 0;
  double value = decimal_value(&number);
  double unit = value >= 1e9 && value <= 2147483648.0 ? 1 : value >= 1e12 && value <= 2147483648000.0 ? 1000 : 0;
  if (unit == 0) return 0;
  long long seconds = (long long)(value / unit * 1000) / 1000;
  long days = (long)(seconds / 86400);
  /* Days since March of 2000, of years that begin in March. */
  long of_era = days - 11017;
  long year = (of_era - of_era / 1460) / 365;
  long of_year = of_era - (365 * year + year / 4);
  long month = (5 * of_year + 2) / 153;
  found->day = (int)(of_year - (153 * month + 2) / 5 + 1);
  found->month = (int)(month < 10 ? month + 3 : month - 9);
  found->year = (int)(2000 + year + (month >= 10));
  found->hour = (int)(seconds % 86400 / 3600);
  found->past = (int)(seconds % 3600);
  return 1;
}

/* 0 where the text is no date in this order. A time zone is not applied. */
static int read_date(text cell, int order, date *found) {
  written said;
  if (order == UNIX) return read_unix(cell, found);
  if (!split_date(cell, &said) || (said.orders & 1 << order) == 0) return 0;
  *found = (date){said.year, order == DMY ? said.second : said.first, order == DMY ? said.first : said.second, said.hour, said.past};
  return is_date(found);
}

/* Counts days from the first of March 400 years before the year 0, by years that begin in March. */
static int day_number(const date *found) {
  int y = found->year + 400 - (found->month < 3 ? 1 : 0);
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * ((found->month + 9) % 12) + 2) / 5 + found->day;
}

/* Seconds, of which differences are made. */
static double date_amount(const date *found) {
  return 86400.0 * day_number(found) + (found->hour == NO_HOUR ? 0 : 3600 * found->hour) + found->past;
}

/* Weekdays from 0 for Monday. -1 for an hour that is not there. */
static int date_part(const date *found, int part) {
  if (part == YEAR) return found->year;
  if (part == MONTH) return found->month;
  if (part == DAY) return found->day;
  if (part == HOUR) return found->hour == NO_HOUR ? -1 : found->hour;
  return (day_number(found) + 1) % 7;
}

/* ---- The parts of a model */

enum { NUMBER, DATE, CATEGORY };
enum { FOREST, BOOSTED, TABLES, PAIRED, NETWORKS, HIDDEN_LAYER, STACK };

/* A category, and its place among the model's. */
typedef struct {
  text name;
  uint32_t index;
} category;

typedef struct {
  double value;
  uint32_t index;
} number_category;

typedef struct {
  int kind;
  int part;
  /* The column, and of a difference the one that is taken from it. */
  uint32_t column;
  uint32_t minus;
  uint32_t code_count;
  /* The next feature of the same column, or the next difference; -1 for none. */
  int32_t next;
  const double *cut_points;
  uint32_t cut_count;
  /* In the order of their names. */
  category *names;
  uint32_t name_count;
  const uint16_t *codes;
  uint32_t code_of_others;
  /* In the order of values, where every category is a plain number, so that `1.0` is also read as `1`; NULL where not. */
  number_category *numbers;
} feature;

typedef struct {
  text name;
  int kind;
  int order;
  char decimal;
  char grouping;
  text affix;
  /* What each unit is worth in the affix, where the column has several. */
  json units;
  /* Texts that count as missing beside the empty one and the model's markers, and numbers whose text does. */
  text *missing;
  uint32_t missing_count;
  double *missing_numbers;
  uint32_t missing_number_count;
  int32_t first_feature;
} column;

typedef struct {
  text name;
  char type;
  size_t length;
  const void *at;
} array;

typedef struct form form;
struct form {
  int kind;
  uint32_t class_count;
  /* One score for two classes, else one for each. */
  uint32_t output_count;
  uint32_t feature_count;
  /* Trees. */
  const uint32_t *roots;
  const uint16_t *split_features;
  const uint16_t *thresholds;
  const int32_t *children;
  uint32_t tree_count;
  /* Shares or values of leaves, terms of networks, or weights of inputs. */
  const float *values;
  /* Intercepts or logarithms of priors. */
  const double *intercepts;
  const double **tables;
  /* Coarse columns: groups of a feature's codes. */
  uint32_t column_count;
  const uint16_t *column_features;
  const uint16_t *group_counts;
  const uint8_t *group_of_code;
  size_t *group_starts;
  uint8_t *groups;
  /* Pairs of coarse columns. */
  uint32_t pair_count;
  const uint16_t *firsts;
  const uint16_t *seconds;
  /* Networks. */
  int is_geometric;
  uint32_t member_count;
  const uint32_t *member_starts;
  const uint16_t *node_columns;
  const uint16_t *first_parents;
  const uint16_t *second_parents;
  size_t *context_starts;
  const uint32_t *contexts;
  /* Hidden layers. */
  const uint32_t *code_counts;
  const uint32_t *code_inputs;
  const double *code_values;
  size_t unit_count;
  const double *unit_intercepts;
  const double *output_weights;
  double *units;
  /* Stacks: members on views, tables on top. */
  const double *weights;
  form **members;
  int32_t *view_of;
  const uint16_t ***merges;
  form *mains;
  int32_t view_of_mains;
  double *scores;
};

struct cupel_model {
  column *columns;
  size_t column_count;
  feature *features;
  size_t feature_count;
  text *labels;
  size_t label_count;
  text *markers;
  size_t marker_count;
  form *top;
  double temperature;
  /* Multiply the labels' probabilities before the largest decides; NULL for none. */
  double *class_weights;
  /* Costs of wrong decisions, by actual and decided label: without weights, the lowest expected cost decides. NULL for none. */
  double *costs;
  /* The current row, and the view that a member of a stack reads. */
  uint16_t *codes;
  uint16_t *merged;
  /* What differences are made of, for each column; NaN for none. */
  double *amounts;
  int32_t first_difference;
};

/* ---- Loading */

typedef struct {
  const unsigned char *bytes;
  size_t size;
  json head;
  array *arrays;
  size_t array_count;
  unsigned char *memory;
  size_t memory_length;
  size_t used;
  cupel_status status;
  int needs_memory;
} loader;

static size_t aligned(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Memory for so many items, all zeros; NULL where there is not enough, which ends the loading. */
static void *take(loader *load, size_t count, size_t size) {
  size_t left = load->memory_length - load->used;
  if (count > left / size || aligned(count * size) > left) {
    load->needs_memory = 1;
    return NULL;
  }
  size_t bytes = aligned(count * size);
  void *found = load->memory + load->used;
  load->used += bytes;
  if (bytes > 0) memset(found, 0, bytes);
  return found;
}

/* A string where it lies, or a copy where it has escapes; its `at` is NULL where there is none. */
static text take_string(loader *load, json value) {
  text found = {NULL, 0};
  if (!json_is_string(value)) return found;
  if (!json_has_escapes(value)) {
    found.at = value.at + 1;
    found.length = json_length(value);
    return found;
  }
  char *copy = take(load, json_length(value), 1);
  if (copy == NULL) return found;
  found.at = copy;
  found.length = json_decode(value, copy);
  return found;
}

/* A list of strings; 0 where it is none. */
static int take_strings(loader *load, json list, text **found, size_t *count) {
  if (list.at == NULL || *list.at != '[') return 0;
  *count = json_count(list);
  *found = take(load, *count, sizeof(text));
  if (*found == NULL) return 0;
  size_t at = 0;
  for (json item = json_first(list, '['); item.at != NULL; item = json_next(item)) {
    (*found)[at] = take_string(load, item);
    if ((*found)[at++].at == NULL) return 0;
  }
  return 1;
}

static int read_double(json value, double *found) {
  decimal number;
  if (value.at == NULL || json_is_string(value)) return 0;
  const char *end = json_skip_word(value.at, value.end);
  if (end == NULL || !scan_decimal(value.at, end, '.', 0, &number)) return 0;
  *found = decimal_value(&number);
  return isfinite(*found);
}

/* A whole number up to `most`; 0 where it is none. */
static int read_count(json value, double most, size_t *found) {
  double number;
  if (!read_double(value, &number) || number < 0 || number > most || floor(number) != number) return 0;
  *found = (size_t)number;
  return 1;
}

/* The place of a word in a list of names; -1 where it is none of them. */
static int place_of(json value, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (json_is_string(value) && json_is(value, names[i])) return i;
  return -1;
}

/* Sorts in place, in the order of `compare`: a heap sort, since qsort may allocate. */
static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *base = items;
  char held[64];
  for (size_t start = count / 2, end = count; end > 1;) {
    if (start > 0) start--;
    else {
      end--;
      memcpy(held, base, size);
      memcpy(base, base + end * size, size);
      memcpy(base + end * size, held, size);
    }
    for (size_t at = start, child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
      if (child + 1 < end && compare(base + child * size, base + (child + 1) * size) < 0) child++;
      if (compare(base + at * size, base + child * size) >= 0) break;
      memcpy(held, base + at * size, size);
      memcpy(base + at * size, base + child * size, size);
      memcpy(base + child * size, held, size);
    }
  }
}

static int by_name(const void *one, const void *other) {
  const category *a = one;
  const category *b = other;
  int order = compare_texts(a->name, b->name);
  return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static int by_value(const void *one, const void *other) {
  const number_category *a = one;
  const number_category *b = other;
  if (a->value != b->value) return a->value > b->value ? 1 : -1;
  return (a->index > b->index) - (a->index < b->index);
}

static int by_array_name(const void *one, const void *other) {
  return compare_texts(((const array *)one)->name, ((const array *)other)->name);
}

static const char *const TYPE_NAMES[] = {"Uint8Array", "Uint16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array"};
static const char TYPES[] = "bhuifd";
static const size_t WIDTHS[] = {1, 2, 4, 4, 4, 8};

static int read_arrays(loader *load, json directory, size_t offset) {
  if (directory.at == NULL || *directory.at != '[') return 0;
  load->array_count = json_count(directory);
  load->arrays = take(load, load->array_count, sizeof(array));
  if (load->arrays == NULL) return 0;
  array *at = load->arrays;
  for (json entry = json_first(directory, '['); entry.at != NULL; entry = json_next(entry), at++) {
    int type = place_of(json_find(entry, "type"), TYPE_NAMES, 6);
    at->name = take_string(load, json_find(entry, "name"));
    if (at->name.at == NULL || type < 0 || offset > load->size) return 0;
    if (!read_count(json_find(entry, "length"), (double)((load->size - offset) / WIDTHS[type]), &at->length)) return 0;
    at->type = TYPES[type];
    at->at = load->bytes + offset;
    offset = aligned(offset + at->length * WIDTHS[type]);
  }
  sort(load->arrays, load->array_count, sizeof(array), by_array_name);
  return 1;
}

/* An array of this type (see `TYPES`), whose length must be as given, or is written where it is SIZE_MAX; NULL where there is none. */
static const void *find_array(loader *load, const char *prefix, const char *name, char type, size_t *length) {
  char whole[160];
  int size = snprintf(whole, sizeof whole, "%s%s", prefix, name);
  if (size < 0 || (size_t)size >= sizeof whole) return NULL;
  text wanted = {whole, (size_t)size};
  size_t low = 0;
  size_t high = load->array_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_texts(load->arrays[middle].name, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  if (low == load->array_count || !is_same(load->arrays[low].name, wanted) || load->arrays[low].type != type) return NULL;
  const array *found = &load->arrays[low];
  if (*length == SIZE_MAX) *length = found->length;
  return found->length == *length && found->length <= UINT32_MAX / 2 ? found->at : NULL;
}

/* The same of a numbered array. */
static const void *find_numbered(loader *load, const char *prefix, const char *name, size_t index, char type, size_t *length) {
  char numbered[96];
  snprintf(numbered, sizeof numbered, "%s.%lu", name, (unsigned long)index);
  return find_array(load, prefix, numbered, type, length);
}

/* The value of a cell in a column's form; NaN where it is none. */
static double read_number(const column *own, text cell);

static int is_clock(text affix) {
  return (affix.length == 4 && memcmp(affix.at, "h:mm", 4) == 0) || (affix.length == 7 && memcmp(affix.at, "h:mm:ss", 7) == 0);
}

/* Writes a number as a time; 0 where it is one with an exponent. 64 bytes suffice. */
static size_t clock_text(double value, int has_seconds, char *out) {
  char shortest[64];
  size_t length = number_text(fabs(value), shortest);
  size_t digits = 0;
  shortest[length] = '\0';
  while (digits < length && is_digit(shortest[digits])) digits++;
  if (digits > 15 || (digits < length && shortest[digits] != '.') || memchr(shortest, 'e', length) != NULL) return 0;
  long long whole = strtoll(shortest, NULL, 10);
  size_t size = (size_t)(value < 0 ? snprintf(out, 2, "-") : 0);
  if (has_seconds) size += (size_t)snprintf(out + size, 32, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  else size += (size_t)snprintf(out + size, 32, "%lld:%02lld", whole / 60, whole % 60);
  memcpy(out + size, shortest + digits, length - digits);
  return size + length - digits;
}

/* Notes the numbers whose text in the column's form counts as missing: one in such a form is "-999", but not "-999.0". */
static void note_missing_number(column *own, text marker) {
  char plain[64];
  char shortest[64];
  size_t length = 0;
  double value = read_number(own, marker);
  if (!isfinite(value) || marker.length >= sizeof plain || marker.length < own->affix.length) return;
  if (is_clock(own->affix)) {
    length = clock_text(value, own->affix.length > 4, shortest);
    if (length == marker.length && memcmp(shortest, marker.at, length) == 0)
      own->missing_numbers[own->missing_number_count++] = value;
    return;
  }
  size_t body = marker.length - own->affix.length;
  text tail = {marker.at + body, own->affix.length};
  if (!is_same(tail, own->affix)) return;
  for (size_t i = 0; i < body; i++)
    if (marker.at[i] != own->grouping || own->grouping == 0) plain[length++] = marker.at[i] == own->decimal ? '.' : marker.at[i];
  if (number_text(value, shortest) == length && memcmp(shortest, plain, length) == 0)
    own->missing_numbers[own->missing_number_count++] = value;
}

static int read_column(loader *load, const cupel_model *model, json head, column *own) {
  static const char *const KINDS[] = {"number", "date", "category"};
  json reading = json_find(head, "reading");
  json how = json_find(reading, "form");
  own->name = take_string(load, json_find(head, "name"));
  own->kind = place_of(json_find(reading, "kind"), KINDS, 3);
  own->first_feature = -1;
  own->decimal = '.';
  if (own->name.at == NULL || own->kind < 0) return 0;
  if (own->kind == DATE && (own->order = place_of(json_find(how, "order"), ORDER_NAMES, 4)) < 0) return 0;
  json texts = json_find_value(reading, "missingTexts");
  size_t count = 0;
  if (texts.at != NULL && !take_strings(load, texts, &own->missing, &count)) return 0;
  own->missing_count = (uint32_t)count;
  if (own->kind != NUMBER) return 1;
  own->decimal = json_is(json_find(how, "decimal"), ",") ? ',' : '.';
  own->grouping = json_is(json_find(how, "grouping"), ",") ? ',' : json_is(json_find(how, "grouping"), ".") ? '.' : 0;
  own->affix = take_string(load, json_find(how, "affix"));
  own->units = json_find_value(how, "units");
  if (own->affix.at == NULL) return 0;
  own->missing_numbers = take(load, model->marker_count + count, sizeof(double));
  if (own->missing_numbers == NULL) return 0;
  for (size_t i = 0; i < model->marker_count; i++) note_missing_number(own, model->markers[i]);
  for (size_t i = 0; i < count; i++) note_missing_number(own, own->missing[i]);
  return 1;
}

static int read_categories(loader *load, json head, size_t index, feature *own) {
  size_t count = json_count(json_find(head, "names"));
  size_t others;
  own->codes = find_numbered(load, "", "codes", index, 'h', &count);
  own->names = take(load, count, sizeof(category));
  number_category *numbers = take(load, count, sizeof(number_category));
  if (own->codes == NULL || own->names == NULL || numbers == NULL) return 0;
  if (!read_count(json_find(head, "codeOfOthers"), own->code_count - 1.0, &others)) return 0;
  own->code_of_others = (uint32_t)others;
  own->name_count = (uint32_t)count;
  own->numbers = count > 0 ? numbers : NULL;
  uint32_t at = 0;
  for (json item = json_first(json_find(head, "names"), '['); item.at != NULL; item = json_next(item), at++) {
    own->names[at].name = take_string(load, item);
    own->names[at].index = numbers[at].index = at;
    if (own->names[at].name.at == NULL || own->codes[at] >= own->code_count) return 0;
    if (own->numbers != NULL && !read_canonical(own->names[at].name, &numbers[at].value)) own->numbers = NULL;
  }
  sort(own->names, count, sizeof(category), by_name);
  if (own->numbers != NULL) sort(own->numbers, count, sizeof(number_category), by_value);
  return 1;
}

static int read_feature(loader *load, cupel_model *model, json head, size_t index) {
  static const char *const KINDS[] = {"number", "", "category"};
  feature *own = &model->features[index];
  size_t column_index;
  size_t code_count;
  own->kind = place_of(json_find(head, "kind"), KINDS, 3);
  if (own->kind < 0 || own->kind == DATE || !read_count(json_find(head, "column"), INT32_MAX, &column_index)) return 0;
  if (column_index >= model->column_count || !read_count(json_find(head, "codeCount"), MOST_CODES, &code_count) || code_count < 1) return 0;
  column *source = &model->columns[column_index];
  own->column = (uint32_t)column_index;
  own->code_count = (uint32_t)code_count;
  own->part = own->kind == NUMBER ? place_of(json_find(head, "part"), PART_NAMES, NO_PART) : -1;
  int32_t *first = own->part == DIFFERENCE ? &model->first_difference : &source->first_feature;
  own->next = *first;
  *first = (int32_t)index;
  if (own->kind == CATEGORY) return read_categories(load, head, index, own);
  if (source->kind == CATEGORY || (source->kind == DATE && own->part < 0)) return 0;
  if (own->part == DIFFERENCE) {
    size_t minus;
    if (!read_count(json_find(head, "minus"), (double)model->column_count - 1, &minus) || model->columns[minus].kind != source->kind) return 0;
    own->minus = (uint32_t)minus;
  }
  size_t cut_count = SIZE_MAX;
  own->cut_points = find_numbered(load, "", "cutPoints", index, 'd', &cut_count);
  own->cut_count = (uint32_t)cut_count;
  return own->cut_points != NULL && FIRST + cut_count < code_count;
}

static uint32_t outputs_of(size_t class_count) {
  return class_count == 2 ? 1 : (uint32_t)class_count;
}

/* Whether every walk ends in a leaf that exists. `leaf_count`: entries that leaves point at. */
static int read_trees(loader *load, form *own, const char *prefix, size_t leaf_count, size_t *node_count) {
  size_t tree_count = SIZE_MAX;
  *node_count = SIZE_MAX;
  own->roots = find_array(load, prefix, "roots", 'u', &tree_count);
  own->children = find_array(load, prefix, "children", 'i', node_count);
  own->split_features = find_array(load, prefix, "features", 'h', node_count);
  own->thresholds = find_array(load, prefix, "thresholds", 'h', node_count);
  if (own->roots == NULL || own->children == NULL || own->split_features == NULL || own->thresholds == NULL) return 0;
  own->tree_count = (uint32_t)tree_count;
  if (tree_count > 0 && own->roots[0] != 0) return 0;
  for (size_t tree = 0; tree < tree_count; tree++) {
    size_t end = tree + 1 < tree_count ? own->roots[tree + 1] : *node_count;
    if (own->roots[tree] >= end || end > *node_count) return 0;
    for (size_t node = own->roots[tree]; node < end; node++) {
      int32_t child = own->children[node];
      if (child < 0 ? (size_t)~child >= leaf_count : (size_t)child <= node || (size_t)child + 1 >= end || own->split_features[node] >= own->feature_count)
        return 0;
    }
  }
  return 1;
}

static int read_forest(loader *load, form *own, const char *prefix) {
  size_t share_count = SIZE_MAX;
  size_t node_count;
  own->values = find_array(load, prefix, "distributions", 'f', &share_count);
  if (own->values == NULL) return 0;
  return read_trees(load, own, prefix, share_count / own->class_count, &node_count) && own->tree_count > 0;
}

static int read_boosted(loader *load, form *own, const char *prefix) {
  size_t output_count = own->output_count;
  size_t node_count;
  own->intercepts = find_array(load, prefix, "intercepts", 'd', &output_count);
  if (own->intercepts == NULL || !read_trees(load, own, prefix, SIZE_MAX, &node_count)) return 0;
  own->values = find_array(load, prefix, "values", 'f', &node_count);
  return own->values != NULL && own->tree_count % own->output_count == 0;
}

/* Score tables of features with these code counts. */
static int read_tables(loader *load, json head, form *own, const uint32_t *code_counts, size_t count, const char *prefix) {
  size_t output_count = own->output_count;
  size_t at = 0;
  own->feature_count = (uint32_t)count;
  own->intercepts = find_array(load, prefix, "intercepts", 'd', &output_count);
  own->tables = take(load, count, sizeof(double *));
  if (own->intercepts == NULL || own->tables == NULL || json_count(json_find(head, "hasTable")) != count) return 0;
  for (json has = json_first(json_find(head, "hasTable"), '['); has.at != NULL; has = json_next(has), at++) {
    size_t length = (size_t)code_counts[at] * output_count;
    if (!json_is(has, "true")) continue;
    own->tables[at] = find_numbered(load, prefix, "table", at, 'd', &length);
    if (own->tables[at] == NULL) return 0;
  }
  return 1;
}

static int read_groups(loader *load, form *own, const uint32_t *code_counts, const char *prefix) {
  size_t count = SIZE_MAX;
  size_t code_total = SIZE_MAX;
  own->column_features = find_array(load, prefix, "columns.features", 'h', &count);
  own->group_counts = find_array(load, prefix, "groupCounts", 'h', &count);
  own->group_of_code = find_array(load, prefix, "groupOfCode", 'b', &code_total);
  if (own->column_features == NULL || own->group_counts == NULL || own->group_of_code == NULL) return 0;
  own->column_count = (uint32_t)count;
  own->group_starts = take(load, count + 1, sizeof(size_t));
  own->groups = take(load, count + 1, 1);
  if (own->group_starts == NULL || own->groups == NULL) return 0;
  for (size_t i = 0; i < count; i++) {
    size_t start = own->group_starts[i];
    if (own->column_features[i] >= own->feature_count || own->group_counts[i] > 256) return 0;
    size_t end = start + code_counts[own->column_features[i]];
    if (end > code_total) return 0;
    for (size_t at = start; at < end; at++)
      if (own->group_of_code[at] >= own->group_counts[i]) return 0;
    own->group_starts[i + 1] = end;
  }
  return own->group_starts[count] == code_total;
}

/* A group's place among all but the unseen one, missing first; of a count, the count without the unseen one. */
static uint32_t rank_of(uint32_t group) {
  return group == MISSING ? 0 : group - 1;
}

static int join_prefix(char *out, size_t size, const char *prefix, const char *name) {
  int length = snprintf(out, size, "%s%s", prefix, name);
  return length > 0 && (size_t)length < size;
}

static int read_paired(loader *load, json head, form *own, const uint32_t *code_counts, const char *prefix) {
  size_t count = SIZE_MAX;
  size_t class_count;
  char inner[128];
  if (!read_groups(load, own, code_counts, prefix)) return 0;
  own->firsts = find_array(load, prefix, "firsts", 'h', &count);
  own->seconds = find_array(load, prefix, "seconds", 'h', &count);
  if (own->firsts == NULL || own->seconds == NULL || !join_prefix(inner, sizeof inner, prefix, "additive.")) return 0;
  own->pair_count = (uint32_t)count;
  uint32_t *widened = take(load, own->feature_count + count, sizeof(uint32_t));
  if (widened == NULL) return 0;
  if (own->feature_count > 0) memcpy(widened, code_counts, own->feature_count * sizeof(uint32_t));
  for (size_t i = 0; i < count; i++) {
    if (own->firsts[i] >= own->column_count || own->seconds[i] >= own->column_count) return 0;
    uint32_t first = own->group_counts[own->firsts[i]];
    uint32_t second = own->group_counts[own->seconds[i]];
    if (first < FIRST || second < FIRST) return 0;
    widened[own->feature_count + i] = FIRST + rank_of(first) * rank_of(second);
  }
  json additive = json_find(head, "additive");
  if (!read_count(json_find(additive, "classCount"), own->class_count, &class_count) || class_count != own->class_count) return 0;
  uint32_t feature_count = own->feature_count;
  int is_sound = read_tables(load, additive, own, widened, feature_count + count, inner);
  own->feature_count = feature_count;
  return is_sound;
}

/* The number of columns stands for no parent. */
static size_t group_count(const form *own, uint32_t parent) {
  return parent == own->column_count ? 1 : own->group_counts[parent];
}

static int read_networks(loader *load, json head, form *own, const uint32_t *code_counts, const char *prefix) {
  size_t output_count = own->output_count;
  size_t start_count = SIZE_MAX;
  size_t node_count = SIZE_MAX;
  size_t context_count = SIZE_MAX;
  size_t term_count = SIZE_MAX;
  if (!read_groups(load, own, code_counts, prefix)) return 0;
  own->is_geometric = json_is(json_find(head, "pooling"), "geometric");
  own->intercepts = find_array(load, prefix, "logPriors", 'd', &output_count);
  own->member_starts = find_array(load, prefix, "memberStarts", 'u', &start_count);
  own->node_columns = find_array(load, prefix, "nodeColumns", 'h', &node_count);
  own->first_parents = find_array(load, prefix, "firstParents", 'h', &node_count);
  own->second_parents = find_array(load, prefix, "secondParents", 'h', &node_count);
  own->contexts = find_array(load, prefix, "contexts", 'u', &context_count);
  own->values = find_array(load, prefix, "terms", 'f', &term_count);
  if (own->intercepts == NULL || own->member_starts == NULL || own->node_columns == NULL || own->first_parents == NULL) return 0;
  if (own->second_parents == NULL || own->contexts == NULL || own->values == NULL || start_count < 2) return 0;
  own->member_count = (uint32_t)(start_count - 1);
  own->scores = take(load, own->output_count, sizeof(double));
  own->context_starts = take(load, node_count, sizeof(size_t));
  if (own->scores == NULL || own->context_starts == NULL) return 0;
  for (size_t i = 0; i <= own->member_count; i++)
    if (own->member_starts[i] < (i == 0 ? 0 : own->member_starts[i - 1]) || own->member_starts[i] > node_count) return 0;
  if (own->member_starts[0] != 0 || own->member_starts[own->member_count] != node_count) return 0;
  size_t start = 0;
  for (size_t node = 0; node < node_count; node++) {
    if (own->node_columns[node] >= own->column_count) return 0;
    if (own->first_parents[node] > own->column_count || own->second_parents[node] > own->column_count) return 0;
    size_t length = (size_t)own->group_counts[own->node_columns[node]] * output_count;
    size_t end = start + group_count(own, own->first_parents[node]) * group_count(own, own->second_parents[node]);
    if (end > context_count || length > term_count) return 0;
    for (size_t at = start; at < end; at++)
      if (own->contexts[at] > term_count - length) return 0;
    own->context_starts[node] = start;
    start = end;
  }
  return start == context_count;
}

static int read_hidden_layer(loader *load, json head, form *own, const uint32_t *code_counts, const char *prefix) {
  size_t output_count = own->output_count;
  size_t code_total = 0;
  size_t weight_count = SIZE_MAX;
  for (size_t i = 0; i < own->feature_count; i++)
    if ((code_total += code_counts[i]) > UINT32_MAX / 2) return 0;
  if (!read_count(json_find(head, "unitCount"), UINT32_MAX / MOST_CLASSES, &own->unit_count) || own->unit_count == 0) return 0;
  size_t output_total = own->unit_count * output_count;
  own->code_counts = code_counts;
  own->code_inputs = find_array(load, prefix, "codeInputs", 'u', &code_total);
  own->code_values = find_array(load, prefix, "codeValues", 'd', &code_total);
  own->values = find_array(load, prefix, "unitWeights", 'f', &weight_count);
  own->unit_intercepts = find_array(load, prefix, "unitIntercepts", 'd', &own->unit_count);
  own->output_weights = find_array(load, prefix, "outputWeights", 'd', &output_total);
  own->intercepts = find_array(load, prefix, "intercepts", 'd', &output_count);
  if (own->code_inputs == NULL || own->code_values == NULL || own->values == NULL) return 0;
  if (own->unit_intercepts == NULL || own->output_weights == NULL || own->intercepts == NULL) return 0;
  for (size_t at = 0; at < code_total; at++)
    if (own->code_values[at] != 0 && own->code_inputs[at] >= weight_count / own->unit_count) return 0;
  own->units = take(load, own->unit_count, sizeof(double));
  return own->units != NULL;
}

static form *read_form(loader *load, json head, const uint32_t *code_counts, size_t feature_count, const char *prefix, int is_member);

/* The code counts of each view, and how codes become those of it. */
static int read_merges(loader *load, json head, form *own, const uint32_t *code_counts, uint32_t ***counts, size_t *view_count) {
  json views = json_find(head, "mergedCodeCounts");
  *view_count = json_count(views);
  *counts = take(load, *view_count, sizeof(uint32_t *));
  own->merges = take(load, *view_count, sizeof(uint16_t **));
  if (views.at == NULL || *counts == NULL || own->merges == NULL) return 0;
  size_t view = 0;
  for (json list = json_first(views, '['); list.at != NULL; list = json_next(list), view++) {
    (*counts)[view] = take(load, own->feature_count, sizeof(uint32_t));
    own->merges[view] = take(load, own->feature_count, sizeof(uint16_t *));
    if ((*counts)[view] == NULL || own->merges[view] == NULL || json_count(list) != own->feature_count) return 0;
    size_t at = 0;
    for (json item = json_first(list, '['); item.at != NULL; item = json_next(item), at++) {
      char name[48];
      size_t code_count;
      size_t length = code_counts[at];
      snprintf(name, sizeof name, "merge.%lu", (unsigned long)view);
      const uint16_t *codes = find_numbered(load, "", name, at, 'h', &length);
      if (codes == NULL || !read_count(item, MOST_CODES, &code_count)) return 0;
      for (size_t code = 0; code < length; code++)
        if (codes[code] >= code_count) return 0;
      own->merges[view][at] = codes;
      (*counts)[view][at] = (uint32_t)code_count;
    }
  }
  return 1;
}

/* A view of a stack: -1 for the codes themselves; 0 where there is no such view. */
static int read_view(json head, size_t view_count, int32_t *view) {
  json merge = json_find(head, "merge");
  size_t found;
  *view = -1;
  if (merge.at == NULL || json_is(merge, "null")) return merge.at != NULL;
  if (!read_count(merge, INT32_MAX, &found) || found >= view_count) return 0;
  *view = (int32_t)found;
  return 1;
}

static int read_stack(loader *load, json head, form *own, const uint32_t *code_counts) {
  json members = json_find(head, "members");
  json mains = json_find_value(head, "mains");
  size_t member_count = json_count(members);
  size_t class_count = own->class_count;
  size_t view_count;
  uint32_t **counts;
  own->weights = find_array(load, "", "weights", 'd', &member_count);
  own->intercepts = find_array(load, "", "intercepts", 'd', &class_count);
  own->members = take(load, member_count, sizeof(form *));
  own->view_of = take(load, member_count, sizeof(int32_t));
  own->scores = take(load, own->class_count, sizeof(double));
  if (own->weights == NULL || own->intercepts == NULL || own->members == NULL || own->view_of == NULL || own->scores == NULL) return 0;
  if (member_count == 0 || !read_merges(load, head, own, code_counts, &counts, &view_count)) return 0;
  own->member_count = (uint32_t)member_count;
  size_t at = 0;
  for (json member = json_first(members, '['); member.at != NULL; member = json_next(member), at++) {
    char prefix[48];
    snprintf(prefix, sizeof prefix, "member.%lu.", (unsigned long)at);
    if (!read_view(member, view_count, &own->view_of[at])) return 0;
    const uint32_t *seen = own->view_of[at] < 0 ? code_counts : counts[own->view_of[at]];
    own->members[at] = read_form(load, json_find(member, "model"), seen, own->feature_count, prefix, 1);
    if (own->members[at] == NULL || own->members[at]->class_count != own->class_count) return 0;
  }
  if (mains.at == NULL) return 1;
  if (!read_view(mains, view_count, &own->view_of_mains)) return 0;
  const uint32_t *seen = own->view_of_mains < 0 ? code_counts : counts[own->view_of_mains];
  own->mains = read_form(load, json_find(mains, "tables"), seen, own->feature_count, "mains.", 1);
  return own->mains != NULL && own->mains->kind == TABLES && own->mains->class_count == own->class_count;
}

/* NULL where the parts do not fit together. */
static form *read_form(loader *load, json head, const uint32_t *code_counts, size_t feature_count, const char *prefix, int is_member) {
  static const char *const KINDS[] = {"forest", "additive trees", "additive", "paired", "networks", "hidden layer", "stack"};
  int kind = place_of(json_find(head, "kind"), KINDS, 7);
  size_t class_count;
  form *own = take(load, 1, sizeof(form));
  if (own == NULL || !read_count(json_find(head, "classCount"), MOST_CLASSES, &class_count) || class_count < 2) return NULL;
  own->kind = kind;
  own->class_count = (uint32_t)class_count;
  own->output_count = outputs_of(class_count);
  own->feature_count = (uint32_t)feature_count;
  int is_sound = 0;
  if (json_is(json_find(head, "kind"), "terms")) load->status = CUPEL_READS_TEXT;
  if (kind == FOREST) is_sound = read_forest(load, own, prefix);
  if (kind == BOOSTED) is_sound = read_boosted(load, own, prefix);
  if (kind == TABLES) is_sound = read_tables(load, head, own, code_counts, feature_count, prefix);
  if (kind == PAIRED) is_sound = read_paired(load, head, own, code_counts, prefix);
  if (kind == NETWORKS) is_sound = read_networks(load, head, own, code_counts, prefix);
  if (kind == HIDDEN_LAYER) is_sound = read_hidden_layer(load, head, own, code_counts, prefix);
  if (kind == STACK && !is_member) is_sound = read_stack(load, head, own, code_counts);
  return is_sound ? own : NULL;
}

/* So many numbers of a list; 0 where it has others. */
static int read_doubles(json list, size_t count, double *found) {
  if (json_count(list) != count) return 0;
  for (json item = json_first(list, '['); item.at != NULL; item = json_next(item))
    if (!read_double(item, found++)) return 0;
  return 1;
}

static int read_decision(loader *load, cupel_model *model) {
  json weights = json_find_value(load->head, "classWeights");
  json costs = json_find_value(load->head, "costs");
  json temperature = json_find_value(load->head, "temperature");
  size_t count = model->label_count;
  model->temperature = 1;
  if (temperature.at != NULL && (!read_double(temperature, &model->temperature) || model->temperature <= 0)) return 0;
  if (weights.at != NULL) {
    model->class_weights = take(load, count, sizeof(double));
    return model->class_weights != NULL && read_doubles(weights, count, model->class_weights);
  }
  if (costs.at == NULL) return 1;
  model->costs = take(load, count * count, sizeof(double));
  if (model->costs == NULL || json_count(costs) != count) return 0;
  double *at = model->costs;
  for (json row = json_first(costs, '['); row.at != NULL; row = json_next(row), at += count)
    if (!read_doubles(row, count, at)) return 0;
  return 1;
}

static cupel_model *read_model(loader *load) {
  cupel_model *model = take(load, 1, sizeof(cupel_model));
  json columns = json_find(load->head, "columns");
  json features = json_find(load->head, "features");
  if (model == NULL || !take_strings(load, json_find(load->head, "labels"), &model->labels, &model->label_count)) return NULL;
  if (!take_strings(load, json_find(load->head, "missingMarkers"), &model->markers, &model->marker_count)) return NULL;
  for (size_t i = 0; i < model->marker_count; i++) model->markers[i] = trimmed(model->markers[i].at, model->markers[i].length);
  model->column_count = json_count(columns);
  model->feature_count = json_count(features);
  model->columns = take(load, model->column_count, sizeof(column));
  model->features = take(load, model->feature_count, sizeof(feature));
  model->codes = take(load, model->feature_count, sizeof(uint16_t));
  model->merged = take(load, model->feature_count, sizeof(uint16_t));
  model->amounts = take(load, model->column_count, sizeof(double));
  model->first_difference = -1;
  uint32_t *code_counts = take(load, model->feature_count, sizeof(uint32_t));
  if (model->columns == NULL || model->features == NULL || model->codes == NULL || model->merged == NULL || model->amounts == NULL || code_counts == NULL)
    return NULL;
  size_t at = 0;
  for (json head = json_first(columns, '['); head.at != NULL; head = json_next(head))
    if (!read_column(load, model, head, &model->columns[at++])) return NULL;
  at = 0;
  for (json head = json_first(features, '['); head.at != NULL; head = json_next(head), at++) {
    if (!read_feature(load, model, head, at)) return NULL;
    code_counts[at] = model->features[at].code_count;
  }
  model->top = read_form(load, json_find(load->head, "model"), code_counts, model->feature_count, "", 0);
  return model->top != NULL && model->top->class_count == model->label_count && read_decision(load, model) ? model : NULL;
}

static uint32_t checksum_of(const unsigned char *bytes, size_t length) {
  uint32_t table[16];
  uint32_t value = 0xffffffffu;
  for (uint32_t i = 0; i < 16; i++) {
    table[i] = i;
    for (int bit = 0; bit < 4; bit++) table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
  }
  for (size_t i = 0; i < length; i++) {
    value = value >> 4 ^ table[(value ^ bytes[i]) & 15];
    value = value >> 4 ^ table[(value ^ bytes[i] >> 4) & 15];
  }
  return value ^ 0xffffffffu;
}

static uint32_t field_at(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Checks the container, and finds the JSON and where the arrays begin. */
static cupel_status open_container(const void *model, size_t length, loader *load, json *all, size_t *offset) {
  const unsigned char *bytes = model;
  if (length < 8 || memcmp(bytes, "CUPELMDL", 8) != 0) return CUPEL_NOT_A_MODEL;
  if ((uintptr_t)bytes % ALIGNMENT != 0) return CUPEL_NOT_ALIGNED;
  if (length < PREFIX_BYTES + CHECKSUM_BYTES) return CUPEL_DAMAGED;
  if (field_at(bytes + 8) > NEWEST_VERSION) return CUPEL_TOO_NEW;
  size_t size = length - CHECKSUM_BYTES;
  if (CHECKS_SUM && checksum_of(bytes, size) != field_at(bytes + size)) return CUPEL_DAMAGED;
  size_t head_length = field_at(bytes + 12);
  if (head_length > size - PREFIX_BYTES) return CUPEL_DAMAGED;
  all->at = (const char *)bytes + PREFIX_BYTES;
  all->end = all->at + head_length;
  const char *behind = json_skip(all->at, all->end, 0);
  if (behind == NULL || json_space(behind, all->end) != all->end) return CUPEL_DAMAGED;
  all->at = json_space(all->at, all->end);
  load->bytes = bytes;
  load->size = size;
  load->head = json_find(*all, "head");
  *offset = aligned(PREFIX_BYTES + head_length);
  return json_find_value(load->head, "texts").at == NULL ? CUPEL_OK : CUPEL_READS_TEXT;
}

/* Memory for what follows from lists and objects of a model's head, whatever its kind. */
static size_t form_memory(json value, size_t label_count) {
  size_t size = 0;
  if (value.at == NULL) return 0;
  if (*value.at == '{') {
    size = aligned(sizeof(form)) + label_count * sizeof(double);
    for (json key = json_first(value, '{'); key.at != NULL;) {
      json own = json_next(key);
      size += form_memory(own, label_count);
      key = json_next(own);
    }
  } else if (*value.at == '[') {
    size = 4 * ALIGNMENT;
    for (json item = json_first(value, '['); item.at != NULL; item = json_next(item)) size += 2 * ALIGNMENT + form_memory(item, label_count);
  }
  return size;
}

/* Memory for a list of strings, those with escapes copied. */
static size_t strings_memory(json list, size_t size) {
  size_t bytes = ALIGNMENT;
  for (json item = json_first(list, '['); item.at != NULL; item = json_next(item)) {
    bytes += size;
    if (json_is_string(item) && json_has_escapes(item)) bytes += aligned(json_length(item));
  }
  return bytes;
}

static size_t string_memory(json string) {
  return json_is_string(string) ? aligned(json_length(string)) : 0;
}

size_t cupel_memory(const void *bytes, size_t length) {
  loader load;
  json all;
  size_t offset;
  if (open_container(bytes, length, &load, &all, &offset) != CUPEL_OK) return 0;
  json markers = json_find(load.head, "missingMarkers");
  size_t marker_count = json_count(markers);
  size_t label_count = json_count(json_find(load.head, "labels"));
  size_t feature_count = json_count(json_find(load.head, "features"));
  size_t size = aligned(sizeof(cupel_model)) + label_count * sizeof(double);
  if (json_find_value(load.head, "costs").at != NULL) size += label_count * label_count * sizeof(double);
  size += strings_memory(json_find(load.head, "labels"), sizeof(text)) + strings_memory(markers, sizeof(text));
  size += feature_count * (sizeof(feature) + 2 * sizeof(uint16_t) + sizeof(uint32_t)) + 8 * ALIGNMENT;
  for (json head = json_first(json_find(load.head, "columns"), '['); head.at != NULL; head = json_next(head)) {
    json reading = json_find(head, "reading");
    json texts = json_find(reading, "missingTexts");
    size += sizeof(column) + sizeof(double) + string_memory(json_find(head, "name")) + string_memory(json_find(json_find(reading, "form"), "affix"));
    size += strings_memory(texts, sizeof(text)) + (marker_count + json_count(texts) + 1) * sizeof(double);
  }
  for (json head = json_first(json_find(load.head, "features"), '['); head.at != NULL; head = json_next(head))
    size += strings_memory(json_find(head, "names"), sizeof(category) + sizeof(number_category)) + 2 * ALIGNMENT;
  for (json entry = json_first(json_find(all, "arrays"), '['); entry.at != NULL; entry = json_next(entry)) {
    size_t items = 0;
    size += sizeof(array) + string_memory(json_find(entry, "name"));
    /* Coarse columns, pairs and nodes of networks have a start, a group or a code count each, units of hidden layers a sum. */
    if (!read_count(json_find(entry, "length"), (double)(length / 2), &items)) continue;
    text name = {json_find(entry, "name").at, 0};
    if (!json_is_string(json_find(entry, "name"))) continue;
    name.length = json_length(json_find(entry, "name")) + 1;
    static const char *const COUNTED[] = {"groupCounts", "nodeColumns", "firsts", "unitIntercepts"};
    for (int i = 0; i < 4; i++) {
      size_t word = strlen(COUNTED[i]);
      if (name.length > word && memcmp(name.at + name.length - word, COUNTED[i], word) == 0)
        size += (items + 1) * (sizeof(double) + 1) + feature_count * sizeof(uint32_t) + 4 * ALIGNMENT;
    }
  }
  return aligned(size + form_memory(json_find(load.head, "model"), label_count));
}

cupel_status cupel_load(cupel_model **model, const void *bytes, size_t length, void *memory, size_t memory_length) {
  loader load;
  json all;
  size_t offset;
  memset(&load, 0, sizeof load);
  *model = NULL;
  cupel_status status = open_container(bytes, length, &load, &all, &offset);
  if (status != CUPEL_OK) return status;
  if ((uintptr_t)memory % ALIGNMENT != 0) return CUPEL_NOT_ALIGNED;
  load.memory = memory;
  load.memory_length = memory == NULL ? 0 : memory_length;
  load.status = CUPEL_DAMAGED;
  if (read_arrays(&load, json_find(all, "arrays"), offset)) *model = read_model(&load);
  if (*model == NULL) return load.needs_memory ? CUPEL_LITTLE_MEMORY : load.status;
  cupel_begin(*model);
  return CUPEL_OK;
}

const char *cupel_message(cupel_status status) {
  switch (status) {
    case CUPEL_OK: return "The model is loaded.";
    case CUPEL_NOT_A_MODEL: return "This is not a Cupel model: it does not begin with CUPELMDL.";
    case CUPEL_TOO_NEW: return "This Cupel model has a newer format than this reader knows. Take the reader from a newer Cupel.";
    case CUPEL_DAMAGED: return "This Cupel model is damaged: its parts do not fit together. Copy it again from where it was made.";
    case CUPEL_READS_TEXT:
      return "This Cupel model reads free text, which this reader does not. Use the reader for Python, Java or JavaScript, or Cupel itself.";
    case CUPEL_NOT_ALIGNED: return "The model and the memory must begin at a multiple of 8.";
    case CUPEL_LITTLE_MEMORY: return "The memory is too small: cupel_memory tells how much the model needs.";
  }
  return "Unknown status.";
}

size_t cupel_column_count(const cupel_model *model) {
  return model->column_count;
}

const char *cupel_column_name(const cupel_model *model, size_t index, size_t *length) {
  *length = model->columns[index].name.length;
  return model->columns[index].name.at;
}

int cupel_column(const cupel_model *model, const char *name) {
  text wanted = {name, strlen(name)};
  for (size_t i = 0; i < model->column_count; i++)
    if (is_same(model->columns[i].name, wanted)) return (int)i;
  return -1;
}

size_t cupel_label_count(const cupel_model *model) {
  return model->label_count;
}

const char *cupel_label(const cupel_model *model, size_t label, size_t *length) {
  *length = model->labels[label].length;
  return model->labels[label].at;
}

size_t cupel_feature_count(const cupel_model *model) {
  return model->feature_count;
}

unsigned cupel_code(const cupel_model *model, size_t index) {
  return model->codes[index];
}

/* ---- From cells to codes */

/* The number that begins here, behind an optional sign, and has no white space. */
static int is_body(const char *at, const char *end) {
  if (at < end && (*at == '+' || *at == '-')) at++;
  if (at >= end || !(is_digit(*at) || *at == '.' || *at == ',')) return 0;
  for (; at < end; at++)
    if (space_length(at, end) > 0) return 0;
  return 1;
}

static double body_value(const column *own, const char *at, const char *end) {
  decimal number;
  return scan_decimal(at, end, own->decimal, own->grouping, &number) ? decimal_value(&number) : NAN;
}

/* Bytes of the currency sign that stands here: $, U+00A2 to U+00A5 and U+20A0 to U+20CF; 0 for none. */
static size_t currency_length(const char *at, const char *end) {
  const unsigned char *sign = (const unsigned char *)at;
  size_t left = (size_t)(end - at);
  if (left >= 1 && sign[0] == '$') return 1;
  if (left >= 2 && sign[0] == 0xc2 && sign[1] >= 0xa2 && sign[1] <= 0xa5) return 2;
  if (left < 3 || sign[0] != 0xe2) return 0;
  return (sign[1] == 0x82 && sign[2] >= 0xa0) || (sign[1] == 0x83 && sign[2] <= 0x8f) ? 3 : 0;
}

/* A currency stands in front too: three capital letters, or a sign with two capital letters before it at most. */
static int may_lead(text affix) {
  const char *at = affix.at;
  const char *end = at + affix.length;
  while (at < end && *at >= 'A' && *at <= 'Z') at++;
  if (at == end) return affix.length == 3;
  return at - affix.at <= 2 && currency_length(at, end) == (size_t)(end - at);
}

/* One to `most` digits; moves `*at` behind them. -1 where there is none, or one more. */
static long long read_digits(const char **at, const char *end, int most) {
  long long value = 0;
  int count = 0;
  for (; *at < end && is_digit(**at); ++*at)
    if (++count > most) return -1;
    else value = 10 * value + **at - '0';
  return count == 0 ? -1 : value;
}

/* Two digits below 60 behind a colon. */
static long long read_sixtieth(const char **at, const char *end) {
  const char *start = *at + 1;
  if (end - *at < 3 || **at != ':') return -1;
  *at = start;
  long long value = read_digits(at, end, 2);
  return *at - start == 2 && value < 60 ? value : -1;
}

/* The number that a time of day or a duration stands for: `14:05` is 845, `1 days 00:03:12.5` 86592.5. NAN where the text is none. */
static double clock_number(const char *at, const char *end, int has_seconds) {
  char plain[24];
  long long days = 0;
  int has_sign = at < end && (*at == '+' || *at == '-');
  int is_negative = has_sign && *at == '-';
  at += has_sign;
  long long hours = read_digits(&at, end, 9);
  if (hours >= 0 && !has_sign && end - at >= 5 && memcmp(at, " day", 4) == 0) {
    at += at[4] == 's' ? 5 : 4;
    if (at < end && *at == ',') at++;
    if (at >= end || *at++ != ' ') return NAN;
    days = hours;
    hours = read_digits(&at, end, 9);
  }
  long long minutes = hours < 0 ? -1 : read_sixtieth(&at, end);
  long long seconds = minutes < 0 || !has_seconds ? 0 : read_sixtieth(&at, end);
  if (minutes < 0 || seconds < 0) return NAN;
  const char *fraction = at;
  if (at < end && (*at == '.' || *at == ',')) {
    for (at++; at < end && is_digit(*at);) at++;
    if (at - fraction == 1) return NAN;
  }
  size_t fraction_length = (size_t)(at - fraction);
  if (at < end) {
    if (*at == ' ') at++;
    if (end - at != 2 || (at[1] | 32) != 'm' || hours < 1 || hours > 12) return NAN;
    int is_afternoon = (*at | 32) == 'p';
    if (!is_afternoon && (*at | 32) != 'a') return NAN;
    hours = hours % 12 + (is_afternoon ? 12 : 0);
  }
  long long whole = (days * 24 + hours) * 60 + minutes;
  if (has_seconds) whole = whole * 60 + seconds;
  decimal number = {.is_negative = is_negative};
  int length = snprintf(plain, sizeof plain, "%lld", whole);
  for (int i = 0; i < length; i++) add_digit(&number, plain[i], 0);
  for (size_t i = 1; i < fraction_length; i++) add_digit(&number, fraction[i], 1);
  return decimal_value(&number);
}

/* Behind digits, points and commas, and an exponent. */
static const char *number_end(const char *at, const char *end) {
  const char *start = at;
  while (at < end && (is_digit(*at) || *at == '.' || *at == ',')) at++;
  if (at == start || at >= end || (*at | 32) != 'e') return at;
  const char *digits = at + 1 < end && (at[1] == '+' || at[1] == '-') ? at + 2 : at + 1;
  const char *last = digits;
  while (last < end && is_digit(*last)) last++;
  return last > digits ? last : at;
}

/* What this unit is worth; NAN where the column has none of this name. */
static double unit_size(const column *own, const char *at, const char *end) {
  char name[32];
  double size;
  if (at == end || (size_t)(end - at) >= sizeof name) return NAN;
  memcpy(name, at, (size_t)(end - at));
  name[end - at] = '\0';
  return read_double(json_find(own->units, name), &size) ? size : NAN;
}

/* The sum of `1h 20m`, of which each unit is less than the one before; NAN where the text is none. */
static double quantity(const column *own, const char *at, const char *end) {
  int is_negative = at < end && *at == '-';
  double sum = 0;
  double last = INFINITY;
  if (at < end && (*at == '+' || *at == '-')) at++;
  while (at < end || last == INFINITY) {
    const char *start = skip_spaces(at, end);
    const char *behind = number_end(start, end);
    const char *unit = skip_spaces(behind, end);
    for (at = unit; at < end && !is_digit(*at) && space_length(at, end) == 0 && strchr(".,+-", *at) == NULL;) at++;
    double size = unit_size(own, unit, at);
    if (!(size < last)) return NAN;
    sum += body_value(own, start, behind) * size;
    if (isnan(sum)) return NAN;
    last = size;
  }
  return is_negative ? 0.0 - sum : sum;
}

/* Longer texts are no numbers with signs around them. */
enum { MOST_BARE_CHARACTERS = 100, MOST_BARE_BYTES = 3 * MOST_BARE_CHARACTERS + 1 };

/* Bytes of a minus that is not the hyphen of ASCII; 0 for none. */
static size_t other_minus_length(const char *at, const char *end) {
  if (end - at < 3) return 0;
  return memcmp(at, "\xe2\x88\x92", 3) == 0 || memcmp(at, "\xe2\x80\x93", 3) == 0 ? 3 : 0;
}

/* Bytes of a blank or an apostrophe that may stand between thousands; 0 for none. */
static size_t between_length(const char *at, const char *end) {
  static const char *const SIGNS[] = {" ", "'", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};
  for (int i = 0; i < 6; i++)
    if ((size_t)(end - at) >= strlen(SIGNS[i]) && memcmp(at, SIGNS[i], strlen(SIGNS[i])) == 0) return strlen(SIGNS[i]);
  return 0;
}

/* Behind at most so many characters that are no digit, no sign of a number and no bracket. */
static const char *affix_end(const char *at, const char *end, const char *others, int most) {
  while (most-- > 0 && at < end && strchr(others, *at) == NULL && other_minus_length(at, end) == 0)
    for (at++; at < end && (*at & 0xc0) == 0x80;) at++;
  return at;
}

/* Puts a minus, the bytes before `left_out` and those behind it. */
static text with_minus(text cell, const char *left_out, size_t length, char *out) {
  size_t before = (size_t)(left_out - cell.at);
  text bare = {out, cell.length - length + 1};
  memmove(out + 1 + before, left_out + length, cell.length - before - length);
  memmove(out + 1, cell.at, before);
  out[0] = '-';
  return bare;
}

static int has_digit(const char *at, const char *end) {
  while (at < end && !is_digit(*at)) at++;
  return at < end;
}

/* `~45` and `ca. 45`. */
static text without_about(text cell) {
  const char *end = cell.at + cell.length;
  size_t length = starts_with(cell, 0, "~") ? 1 : starts_with(cell, 0, "\xe2\x89\x88") || starts_with(cell, 0, "ca.") ? 3 : 0;
  if (length == 0) return cell;
  const char *next = cell.at + length;
  if (next < end && *next == ' ') next++;
  if (next == end || !(is_digit(*next) || strchr(".,-", *next) != NULL || other_minus_length(next, end) > 0)) return cell;
  text exact = {next, (size_t)(end - next)};
  return exact;
}

/* `(1,234.50)` and `$(12)`. */
static text without_brackets(text cell, char *out) {
  const char *end = cell.at + cell.length;
  const char *open = affix_end(cell.at, end, "()+-0123456789", 5);
  if (open == end || *open != '(' || end[-1] != ')') return cell;
  if (affix_end(open + 1, end, "()+-", INT_MAX) != end - 1 || !has_digit(open + 1, end - 1)) return cell;
  /* Without a separator or a currency it may be a footnote or a year. */
  int has_money = 0;
  for (const char *at = cell.at; at < end; at++) has_money |= *at == '.' || *at == ',' || currency_length(at, end) > 0;
  if (!has_money) return cell;
  text shorter = {cell.at, cell.length - 1};
  return with_minus(shorter, open, 1, out);
}

/* `1.234,50-`; grades such as `3-` and open ranges such as `1990-` are none. */
static text without_minus_behind(text cell, char *out) {
  const char *end = cell.at + cell.length;
  if (cell.length < 2 || end[-1] != '-') return cell;
  const char *last = end - 1 - (end[-2] == ' ');
  if (last == cell.at || !is_digit(last[-1]) || affix_end(cell.at, last, "()+-", INT_MAX) != last) return cell;
  const char *decimals = last;
  while (decimals > cell.at && is_digit(decimals[-1])) decimals--;
  if (last - decimals < 2 || decimals == cell.at || (decimals[-1] != '.' && decimals[-1] != ',')) return cell;
  text shorter = {cell.at, (size_t)(last - cell.at)};
  return with_minus(shorter, last, 0, out);
}

static text with_plain_minus(text cell, char *out) {
  const char *end = cell.at + cell.length;
  const char *minus = affix_end(cell.at, end, "+-0123456789", 5);
  size_t length = other_minus_length(minus, end);
  const char *next = minus + length;
  if (length == 0 || next == end || !(is_digit(*next) || *next == '.' || *next == ',' || currency_length(next, end) > 0)) return cell;
  return with_minus(cell, minus, length, out);
}

/* Without the mark between groups of three digits, as in `1 234 567,8`; the first number only. */
static text without_groups(text cell, char *out) {
  const char *end = cell.at + cell.length;
  for (const char *at = cell.at; at < end; at++) {
    if (*at < '1' || *at > '9' || (at > cell.at && (is_digit(at[-1]) || at[-1] == '.' || at[-1] == ','))) continue;
    const char *behind = at;
    while (behind < end && is_digit(*behind)) behind++;
    size_t width = between_length(behind, end);
    if (behind - at > 3 || width == 0) continue;
    const char *mark = behind;
    size_t kept = (size_t)(behind - cell.at);
    char *to = out + kept;
    const char *from = behind;
    while ((size_t)(end - from) >= width + 3 && memcmp(from, mark, width) == 0 && is_digit(from[width]) && is_digit(from[width + 1]) &&
           is_digit(from[width + 2]) && !(from + width + 3 < end && is_digit(from[width + 3]))) {
      memmove(to, from + width, 3);
      to += 3;
      from += width + 3;
    }
    if (from == behind) continue;
    memmove(to, from, (size_t)(end - from));
    memmove(out, cell.at, kept);
    text bare = {out, (size_t)(to - out) + (size_t)(end - from)};
    return bare;
  }
  return cell;
}

/* A text as the plain digits of its number would be written, in one of two buffers; itself where it has nothing to take. */
static text bare_number(text cell, char *one, char *other) {
  size_t characters = 0;
  for (size_t i = 0; i < cell.length; i++) characters += (cell.at[i] & 0xc0) != 0x80;
  if (characters > MOST_BARE_CHARACTERS || cell.length >= MOST_BARE_BYTES) return cell;
  text bare = without_brackets(without_about(cell), one);
  bare = without_minus_behind(bare, bare.at == one ? other : one);
  bare = with_plain_minus(bare, bare.at == one ? other : one);
  return without_groups(bare, bare.at == one ? other : one);
}

static double written_number(const column *own, text cell) {
  const char *at = cell.at;
  const char *end = at + cell.length;
  size_t width = own->affix.length;
  if (own->units.at != NULL) return quantity(own, at, end);
  if (is_clock(own->affix)) return clock_number(at, end, width > 4);
  if (width == 0) return body_value(own, at, end);
  if (cell.length >= width && memcmp(end - width, own->affix.at, width) == 0) {
    end = skip_spaces_back(at, end - width);
    return is_body(at, end) ? body_value(own, at, end) : NAN;
  }
  /* Behind a sign or before one. */
  int has_sign = at < end && (*at == '+' || *at == '-');
  int is_negative = has_sign && *at == '-';
  at = skip_spaces(at + has_sign, end);
  if (!may_lead(own->affix) || (size_t)(end - at) < width || memcmp(at, own->affix.at, width) != 0) return NAN;
  at = skip_spaces(at + width, end);
  if (!is_body(at, end) || (has_sign && (*at == '+' || *at == '-'))) return NAN;
  double value = body_value(own, at, end);
  return is_negative ? 0.0 - value : value;
}

static double exact_number(const column *own, text cell) {
  char one[MOST_BARE_BYTES + 1];
  char other[MOST_BARE_BYTES + 1];
  double value = written_number(own, cell);
  if (!isnan(value)) return value;
  text bare = bare_number(cell, one, other);
  return bare.at == cell.at ? value : written_number(own, bare);
}

/* The bytes of `<`, `>` or one of the two as "or equal" in UTF-8, with an equals sign behind it; 0 where the cell begins with none. */
static size_t bound_length(text cell, int *is_upper) {
  int is_short = cell.length >= 1 && (*cell.at == '<' || *cell.at == '>');
  int is_long = cell.length >= 3 && (memcmp(cell.at, "\xe2\x89\xa4", 3) == 0 || memcmp(cell.at, "\xe2\x89\xa5", 3) == 0);
  if (!is_short && !is_long) return 0;
  *is_upper = is_short ? *cell.at == '<' : cell.at[2] == '\xa4';
  size_t length = is_short ? 1 : 3;
  return cell.length > length && cell.at[length] == '=' ? length + 1 : length;
}

/* `89+` is a lower bound. */
static int is_or_more(text cell) {
  if (cell.length < 2 || cell.at[cell.length - 1] != '+' || !is_digit(cell.at[cell.length - 2])) return 0;
  return memchr(cell.at, '+', cell.length - 1) == NULL;
}

/* An upper bound lies just below its number, a lower one just above it. */
static double read_number(const column *own, text cell) {
  int is_upper = 0;
  size_t length = bound_length(cell, &is_upper);
  size_t last = is_or_more(cell) && length == 0;
  if (length == 0 && last == 0) return exact_number(own, cell);
  const char *at = length == 0 ? cell.at : skip_spaces(cell.at + length, cell.at + cell.length);
  text number = {at, (size_t)(cell.at + cell.length - at) - last};
  double value = exact_number(own, number);
  double distance = (value == 0 ? 1 : fabs(value)) / 65536;
  return is_upper ? value - distance : value + distance;
}

/* How many cut points lie below the value, past the reserved codes. */
static uint16_t code_of_value(const feature *own, double value) {
  uint32_t low = 0;
  uint32_t high = own->cut_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (own->cut_points[middle] < value) low = middle + 1;
    else high = middle;
  }
  return (uint16_t)(FIRST + low);
}

/* The last of equal names counts. */
static uint16_t code_of_text(const feature *own, text cell) {
  uint32_t low = 0;
  uint32_t high = own->name_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_texts(own->names[middle].name, cell) <= 0) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && is_same(own->names[low - 1].name, cell)) {
    uint16_t code = own->codes[own->names[low - 1].index];
    return code >= FIRST ? code : (uint16_t)own->code_of_others;
  }
  decimal number;
  double value;
  if (own->numbers == NULL || !read_code_number(cell, &number, &value)) return (uint16_t)own->code_of_others;
  low = 0;
  high = own->name_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (own->numbers[middle].value <= value) low = middle + 1;
    else high = middle;
  }
  if (low == 0 || own->numbers[low - 1].value != value) return (uint16_t)own->code_of_others;
  return own->codes[own->numbers[low - 1].index];
}

static int is_missing(const cupel_model *model, const column *own, text cell) {
  if (cell.length == 0) return 1;
  for (size_t i = 0; i < model->marker_count; i++)
    if (is_same(model->markers[i], cell)) return 1;
  for (uint32_t i = 0; i < own->missing_count; i++)
    if (is_same(own->missing[i], cell)) return 1;
  return 0;
}

void cupel_begin(cupel_model *model) {
  if (model->feature_count > 0) memset(model->codes, 0, model->feature_count * sizeof(uint16_t));
  for (size_t i = 0; i < model->column_count; i++) model->amounts[i] = NAN;
}

int cupel_set_number(cupel_model *model, int column_index, double value) {
  if (column_index < 0 || (size_t)column_index >= model->column_count) return 0;
  const column *own = &model->columns[column_index];
  char shortest[64];
  if (own->kind != NUMBER && isfinite(value)) return cupel_set_text(model, column_index, shortest, number_text(value, shortest));
  int is_read = isfinite(value);
  /* Beyond it no text is a time. */
  if (own->kind == NUMBER && is_clock(own->affix) && fabs(value) >= (own->affix.length > 4 ? 3.6e12 : 6e10)) is_read = 0;
  for (uint32_t i = 0; i < own->missing_number_count; i++)
    if (own->missing_numbers[i] == value) is_read = 0;
  model->amounts[column_index] = is_read ? value : NAN;
  for (int32_t at = own->first_feature; at >= 0; at = model->features[at].next)
    model->codes[at] = is_read && model->features[at].kind == NUMBER ? code_of_value(&model->features[at], value) : MISSING;
  return 1;
}

int cupel_set_text(cupel_model *model, int column_index, const char *cell_text, size_t length) {
  if (column_index < 0 || (size_t)column_index >= model->column_count) return 0;
  const column *own = &model->columns[column_index];
  text cell = trimmed(cell_text, length);
  int has_value = !is_missing(model, own, cell);
  double value = has_value && own->kind == NUMBER ? read_number(own, cell) : NAN;
  date found;
  int has_date = has_value && own->kind == DATE && read_date(cell, own->order, &found);
  model->amounts[column_index] = has_date ? date_amount(&found) : value;
  for (int32_t at = own->first_feature; at >= 0; at = model->features[at].next) {
    const feature *source = &model->features[at];
    int part = has_date && source->part >= 0 ? date_part(&found, source->part) : -1;
    uint16_t code = MISSING;
    if (has_value && source->kind == CATEGORY) code = code_of_text(source, cell);
    else if (has_date && part >= 0) code = code_of_value(source, part);
    else if (own->kind == NUMBER && isfinite(value)) code = code_of_value(source, value);
    model->codes[at] = code;
  }
  return 1;
}

static void code_differences(cupel_model *model) {
  for (int32_t at = model->first_difference; at >= 0; at = model->features[at].next) {
    const feature *own = &model->features[at];
    double value = model->amounts[own->column] - model->amounts[own->minus];
    model->codes[at] = isfinite(value) ? code_of_value(own, value) : MISSING;
  }
}

/* ---- Scoring */

static double logistic(double z) {
  if (z >= 0) return 1 / (1 + exp(-z));
  double odds = exp(z);
  return odds / (1 + odds);
}

static void softmax(double *scores, uint32_t count) {
  double highest = scores[0];
  double sum = 0;
  for (uint32_t k = 1; k < count; k++)
    if (scores[k] > highest) highest = scores[k];
  for (uint32_t k = 0; k < count; k++) {
    scores[k] = exp(scores[k] - highest);
    sum += scores[k];
  }
  for (uint32_t k = 0; k < count; k++) scores[k] /= sum;
}

/* With two classes, the log-odds of class 1 stand in its place. */
static void to_probabilities(const form *own, double *out) {
  if (own->class_count > 2) {
    softmax(out, own->class_count);
    return;
  }
  out[0] = logistic(-out[1]);
  out[1] = logistic(out[1]);
}

static uint32_t leaf_of(const form *own, uint32_t tree, const uint16_t *codes) {
  uint32_t node = own->roots[tree];
  for (int32_t child = own->children[node]; child >= 0; child = own->children[node]) {
    unsigned code = codes[own->split_features[node]];
    unsigned threshold = own->thresholds[node];
    int is_right = code < FIRST ? (threshold & 0x8000u) != 0 : code > (threshold & 0x7fffu);
    node = (uint32_t)child + (uint32_t)is_right;
  }
  return node;
}

static void score_forest(const form *own, const uint16_t *codes, double *out) {
  uint32_t count = own->class_count;
  double scale = 1.0 / own->tree_count;
  for (uint32_t tree = 0; tree < own->tree_count; tree++) {
    const float *shares = own->values + (size_t)~own->children[leaf_of(own, tree, codes)] * count;
    for (uint32_t k = 0; k < count; k++) out[k] += shares[k];
  }
  for (uint32_t k = 0; k < count; k++) out[k] *= scale;
}

static void score_boosted(const form *own, const uint16_t *codes, double *out) {
  double *scores = out + (own->class_count - own->output_count);
  memcpy(scores, own->intercepts, own->output_count * sizeof(double));
  uint32_t output = 0;
  for (uint32_t tree = 0; tree < own->tree_count; tree++) {
    scores[output] += own->values[leaf_of(own, tree, codes)];
    if (++output == own->output_count) output = 0;
  }
  to_probabilities(own, out);
}

static void add_table(const form *own, uint32_t table, uint32_t code, double *scores) {
  const double *added = own->tables[table];
  if (added == NULL) return;
  added += (size_t)code * own->output_count;
  for (uint32_t k = 0; k < own->output_count; k++) scores[k] += added[k];
}

static void add_tables(const form *own, const uint16_t *codes, double *scores) {
  for (uint32_t k = 0; k < own->output_count; k++) scores[k] += own->intercepts[k];
  for (uint32_t i = 0; i < own->feature_count; i++) add_table(own, i, codes[i], scores);
}

static void find_groups(const form *own, const uint16_t *codes) {
  for (uint32_t i = 0; i < own->column_count; i++)
    own->groups[i] = own->group_of_code[own->group_starts[i] + codes[own->column_features[i]]];
}

static void score_paired(const form *own, const uint16_t *codes, double *out) {
  double *scores = out + (own->class_count - own->output_count);
  add_tables(own, codes, scores);
  find_groups(own, codes);
  for (uint32_t pair = 0; pair < own->pair_count; pair++) {
    uint32_t first = own->groups[own->firsts[pair]];
    uint32_t second = own->groups[own->seconds[pair]];
    uint32_t code = UNSEEN;
    if (first != UNSEEN && second != UNSEEN)
      code = FIRST + rank_of(first) * rank_of(own->group_counts[own->seconds[pair]]) + rank_of(second);
    add_table(own, own->feature_count + pair, code, scores);
  }
  to_probabilities(own, out);
}

static void score_networks(const form *own, const uint16_t *codes, double *out) {
  uint32_t count = own->output_count;
  double *pooled = out + (own->class_count - count);
  double *scores = own->scores;
  find_groups(own, codes);
  own->groups[own->column_count] = 0;
  for (uint32_t member = 0; member < own->member_count; member++) {
    memcpy(scores, own->intercepts, count * sizeof(double));
    for (uint32_t node = own->member_starts[member]; node < own->member_starts[member + 1]; node++) {
      uint32_t second = own->second_parents[node];
      size_t context = own->groups[own->first_parents[node]] * group_count(own, second) + own->groups[second];
      const float *terms = own->values + own->contexts[own->context_starts[node] + context] + (size_t)own->groups[own->node_columns[node]] * count;
      for (uint32_t k = 0; k < count; k++) scores[k] += terms[k];
    }
    if (!own->is_geometric && count == 1) scores[0] = logistic(scores[0]);
    else if (!own->is_geometric) softmax(scores, count);
    for (uint32_t k = 0; k < count; k++) pooled[k] += scores[k];
  }
  for (uint32_t k = 0; k < count; k++) pooled[k] /= own->member_count;
  if (own->is_geometric) to_probabilities(own, out);
  else if (count == 1) out[0] = 1 - out[1];
}

static void score_hidden_layer(const form *own, const uint16_t *codes, double *out) {
  double *scores = out + (own->class_count - own->output_count);
  size_t start = 0;
  memcpy(own->units, own->unit_intercepts, own->unit_count * sizeof(double));
  for (uint32_t i = 0; i < own->feature_count; start += own->code_counts[i++]) {
    double value = own->code_values[start + codes[i]];
    if (value == 0) continue;
    const float *weights = own->values + own->code_inputs[start + codes[i]] * own->unit_count;
    for (size_t u = 0; u < own->unit_count; u++) own->units[u] += value * weights[u];
  }
  memcpy(scores, own->intercepts, own->output_count * sizeof(double));
  for (size_t u = 0; u < own->unit_count; u++) {
    double unit = tanh(own->units[u]);
    for (uint32_t k = 0; k < own->output_count; k++) scores[k] += unit * own->output_weights[u * own->output_count + k];
  }
  to_probabilities(own, out);
}

static void score_member(const form *own, const uint16_t *codes, double *out) {
  memset(out, 0, own->class_count * sizeof(double));
  if (own->kind == FOREST) score_forest(own, codes, out);
  if (own->kind == BOOSTED) score_boosted(own, codes, out);
  if (own->kind == PAIRED) score_paired(own, codes, out);
  if (own->kind == NETWORKS) score_networks(own, codes, out);
  if (own->kind == HIDDEN_LAYER) score_hidden_layer(own, codes, out);
  if (own->kind == TABLES) {
    add_tables(own, codes, out + (own->class_count - own->output_count));
    to_probabilities(own, out);
  }
}

/* The row's codes, or those of a coarser view. */
static const uint16_t *codes_of_view(const cupel_model *model, int32_t view) {
  if (view < 0) return model->codes;
  for (size_t i = 0; i < model->feature_count; i++) model->merged[i] = model->top->merges[view][i][model->codes[i]];
  return model->merged;
}

static void score_stack(const cupel_model *model, double *out) {
  static const double LEAST_SHARE = 0.002;
  const form *own = model->top;
  uint32_t count = own->class_count;
  double *scores = own->scores;
  memcpy(out, own->intercepts, count * sizeof(double));
  for (uint32_t member = 0; member < own->member_count; member++) {
    double sum = 0;
    if (own->weights[member] == 0) continue;
    score_member(own->members[member], codes_of_view(model, own->view_of[member]), scores);
    for (uint32_t k = 0; k < count; k++) sum += log(scores[k] + LEAST_SHARE);
    for (uint32_t k = 0; k < count; k++) out[k] += own->weights[member] * (log(scores[k] + LEAST_SHARE) - sum / count);
  }
  softmax(out, count);
  if (own->mains == NULL) return;
  /* A share of 0 counts as the least positive double. */
  for (uint32_t k = 0; k < count; k++) out[k] = log(out[k] > 0 ? out[k] : 4.9406564584124654e-324);
  memset(scores, 0, count * sizeof(double));
  add_tables(own->mains, codes_of_view(model, own->view_of_mains), scores);
  if (own->mains->output_count == 1) out[1] += scores[0];
  else
    for (uint32_t k = 0; k < count; k++) out[k] += scores[k];
  softmax(out, count);
}

/* The value that a label is compared by: its probability times its weight if there are weights, or its negated expected cost. */
static double weighed(const cupel_model *model, const double *probabilities, size_t label) {
  size_t count = model->label_count;
  double score = 0;
  if (model->class_weights != NULL) return probabilities[label] * model->class_weights[label];
  if (model->costs == NULL) return probabilities[label];
  for (size_t actual = 0; actual < count; actual++) score -= probabilities[actual] * model->costs[actual * count + label];
  return score;
}

/* The first of equals. */
static int largest(const cupel_model *model, const double *probabilities) {
  int best = 0;
  double most = weighed(model, probabilities, 0);
  for (size_t k = 1; k < model->label_count; k++) {
    double own = weighed(model, probabilities, k);
    if (!(own > most)) continue;
    best = (int)k;
    most = own;
  }
  return best;
}

/* The decision without weights and costs, before probabilities are tempered. */
static int most_probable(const cupel_model *model, const double *probabilities) {
  int best = 0;
  for (size_t k = 1; k < model->label_count; k++)
    if (probabilities[k] > probabilities[best]) best = (int)k;
  return best;
}

int cupel_score(cupel_model *model, double *probabilities) {
  code_differences(model);
  if (model->top->kind == STACK) score_stack(model, probabilities);
  else score_member(model->top, model->codes, probabilities);
  int decided = most_probable(model, probabilities);
  if (model->temperature != 1) {
    double most = 0;
    double sum = 0;
    for (size_t k = 0; k < model->label_count; k++)
      if (probabilities[k] > most) most = probabilities[k];
    for (size_t k = 0; k < model->label_count; k++) {
      probabilities[k] = pow(probabilities[k] / most, 1 / model->temperature);
      sum += probabilities[k];
    }
    for (size_t k = 0; k < model->label_count; k++) probabilities[k] /= sum;
  }
  return model->class_weights == NULL && model->costs == NULL ? decided : largest(model, probabilities);
}

#ifdef CUPEL_MAIN

/* ---- The program */

enum { USAGE = 2, BAD_INPUT = 3 };

static void fail(const char *message, const char *detail) {
  fprintf(stderr, message, detail);
  fputc('\n', stderr);
  exit(BAD_INPUT);
}

static void *grown(void *block, size_t size) {
  void *larger = realloc(block, size == 0 ? 1 : size);
  if (larger == NULL) fail("There is not enough memory.", "");
  return larger;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("%s cannot be opened. Check its name.", path);
  size_t room = 1 << 16;
  char *bytes = grown(NULL, room);
  *length = 0;
  for (size_t count = 1; count > 0; *length += count) {
    if (*length == room) bytes = grown(bytes, room *= 2);
    count = fread(bytes + *length, 1, room - *length, file);
  }
  if (ferror(file)) fail("%s cannot be read.", path);
  fclose(file);
  return bytes;
}

/* Records of a CSV file (RFC 4180), one after the other; blank lines are left out. */
typedef struct {
  FILE *file;
  /* Read instead of the file where there is no file. */
  text rest;
  int ahead;
  int has_ahead;
  char delimiter;
  unsigned long line;
  unsigned long record_line;
  char *bytes;
  size_t size;
  size_t room;
  /* Where the cells of the record begin, and behind the last of them the end. */
  size_t *starts;
  size_t count;
  size_t starts_room;
} csv;

static int next_byte(csv *in) {
  if (in->has_ahead) {
    in->has_ahead = 0;
    return in->ahead;
  }
  if (in->file != NULL) return getc(in->file);
  if (in->rest.length == 0) return EOF;
  in->rest.length--;
  return (unsigned char)*in->rest.at++;
}

/* Takes the next byte if it is this one. */
static int takes(csv *in, char wanted) {
  int byte = next_byte(in);
  if (byte == (unsigned char)wanted) return 1;
  in->ahead = byte;
  in->has_ahead = 1;
  return 0;
}

static void put_byte(csv *in, int byte) {
  if (in->size == in->room) in->bytes = grown(in->bytes, in->room = 2 * in->room + 256);
  in->bytes[in->size++] = (char)byte;
}

static void put_start(csv *in) {
  if (in->count + 1 >= in->starts_room) in->starts = grown(in->starts, (in->starts_room = 2 * in->starts_room + 64) * sizeof(size_t));
  in->starts[in->count++] = in->size;
}

static int is_blank(const char *at, size_t length) {
  return trimmed(at, length).length == 0;
}

static void fail_at(const char *message, unsigned long line) {
  fprintf(stderr, "Line %lu: %s\n", line, message);
  exit(BAD_INPUT);
}

/* Neither a delimiter nor an end. */
static int is_other(const csv *in, int byte) {
  return byte != in->delimiter && byte != '\n' && byte != '\r' && byte != EOF;
}

/* 0 at the end of the file, and for a text whose quotes do not fit the delimiter. */
static int read_record(csv *in) {
  int is_quoted = 0;
  int was_quoted = 0;
  in->size = in->count = 0;
  in->record_line = in->line;
  put_start(in);
  for (;;) {
    int byte = next_byte(in);
    size_t start = in->starts[in->count - 1];
    if (in->file == NULL && ((is_quoted && byte == EOF) || (was_quoted && !is_quoted && is_other(in, byte)))) return 0;
    if (is_quoted) {
      if (byte == EOF) fail_at("the quote of this record is never closed.", in->record_line);
      if (byte == '\n') in->line++;
      if (byte != '"' || takes(in, '"')) put_byte(in, byte);
      else is_quoted = 0;
    } else if (byte == '"' && in->size == start && !was_quoted) {
      is_quoted = was_quoted = 1;
    } else if (byte == in->delimiter) {
      was_quoted = 0;
      put_start(in);
    } else if (byte == '\n' || byte == '\r' || byte == EOF) {
      int is_empty = in->count == 1 && !was_quoted && is_blank(in->bytes, in->size);
      if (byte == '\r') (void)takes(in, '\n');
      if (byte != EOF) in->line++;
      if (!is_empty) {
        in->starts[in->count] = in->size;
        return 1;
      }
      if (byte == EOF) return 0;
      in->size = 0;
      in->record_line = in->line;
    } else if (was_quoted) {
      fail_at("behind a closing quote comes the next cell or the end of the line.", in->line);
    } else put_byte(in, byte);
  }
}

static int is_utf8(const char *at, size_t length) {
  const unsigned char *bytes = (const unsigned char *)at;
  for (size_t i = 0; i < length;) {
    unsigned char first = bytes[i++];
    if (first < 0x80) continue;
    size_t more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (first < 0xc2 || first > 0xf4 || length - i < more) return 0;
    /* Longer forms of shorter characters, surrogates, and what is beyond the last character. */
    if ((first == 0xe0 && bytes[i] < 0xa0) || (first == 0xed && bytes[i] > 0x9f)) return 0;
    if ((first == 0xf0 && bytes[i] < 0x90) || (first == 0xf4 && bytes[i] > 0x8f)) return 0;
    for (; more > 0; more--)
      if ((bytes[i++] & 0xc0) != 0x80) return 0;
  }
  return 1;
}

static void require_utf8(const char *at, size_t length, const char *path) {
  if (!is_utf8(at, length)) fail("%s is not UTF-8. Save it as UTF-8.", path);
}

static text cell_at(const csv *in, size_t index) {
  text cell = {in->bytes + in->starts[index], in->starts[index + 1] - in->starts[index]};
  return cell;
}

/* The place of a name among those of a header, the first of equal ones; -1 where it is not there. */
static long position_of(const csv *names, text name) {
  for (size_t i = 0; i < names->count; i++) {
    text cell = cell_at(names, i);
    if (is_same(trimmed(cell.at, cell.length), name)) return (long)i;
  }
  return -1;
}

static text add_name(csv *names, text name) {
  put_start(names);
  for (size_t i = 0; i < name.length; i++) put_byte(names, name.at[i]);
  names->starts[names->count] = names->size;
  return cell_at(names, names->count - 1);
}

/* Adds a name, with `_2`, `_3`, … where a cell of the header or one of the names has it. */
static text add_free_name(csv *names, const csv *header, text plain) {
  char *name = grown(NULL, plain.length + 24);
  text own = {name, plain.length};
  memcpy(name, plain.at, plain.length);
  for (unsigned long suffix = 2; position_of(header, own) >= 0 || position_of(names, own) >= 0; suffix++)
    own.length = plain.length + (size_t)snprintf(name + plain.length, 24, "_%lu", suffix);
  own = add_name(names, own);
  free(name);
  return own;
}

/* Every name once: the first column with a name keeps it, and one without is called by its number. */
static csv column_names(const csv *header) {
  csv names = {0};
  for (size_t i = 0; i < header->count; i++) {
    char numbered[32];
    text cell = cell_at(header, i);
    text name = trimmed(cell.at, cell.length);
    int is_empty = name.length == 0;
    if (is_empty) {
      name.at = numbered;
      name.length = (size_t)snprintf(numbered, sizeof numbered, "column_%lu", (unsigned long)i + 1);
    }
    if (is_empty || position_of(&names, name) >= 0) (void)add_free_name(&names, header, name);
    else (void)add_name(&names, name);
  }
  return names;
}

/* The first record that is not blank, as it stands in the file. */
static text first_record(csv *in) {
  csv text_of = {0};
  int is_quoted = 0;
  for (int byte = next_byte(in); byte != EOF; byte = next_byte(in)) {
    if (byte == '"') is_quoted = !is_quoted;
    int is_end = !is_quoted && (byte == '\n' || byte == '\r');
    if (is_end && byte == '\r') (void)takes(in, '\n');
    if (byte == '\n' || is_end) in->line++;
    if (is_end && !is_blank(text_of.bytes, text_of.size)) break;
    if (is_end) text_of.size = 0;
    else put_byte(&text_of, byte);
  }
  text found = {text_of.bytes, text_of.size};
  if (found.length >= 3 && memcmp(found.at, "\xef\xbb\xbf", 3) == 0) {
    found.at += 3;
    found.length -= 3;
  }
  if (is_blank(found.at, found.length)) fail("The file is empty.", "");
  return found;
}

/* Reads the first line, finds the delimiter by the columns that the model needs, and where these stand among its `names`. */
static csv read_header(csv *in, const cupel_model *model, csv *names, long *positions, const char *path) {
  text first = first_record(in);
  require_utf8(first.at, first.length, path);
  /* English names in UTF-16 are valid UTF-8, with a NUL beside each letter. */
  if (memchr(first.at, '\0', first.length) != NULL) fail("%s is not UTF-8: it may be UTF-16. Save it as UTF-8.", path);
  csv best = {0};
  size_t least = SIZE_MAX;
  for (const char *delimiter = ",;\t|"; *delimiter != '\0'; delimiter++) {
    csv header = {0};
    header.rest = first;
    header.delimiter = *delimiter;
    header.line = 1;
    size_t lacking = 0;
    if (!read_record(&header)) header.count = 0;
    csv own_names = column_names(&header);
    for (size_t i = 0; i < model->column_count; i++) lacking += position_of(&own_names, model->columns[i].name) < 0;
    if (lacking >= least) continue;
    least = lacking;
    best = header;
    *names = own_names;
  }
  for (size_t i = 0; i < model->column_count; i++) {
    positions[i] = position_of(names, model->columns[i].name);
    if (positions[i] >= 0) continue;
    fprintf(stderr, "The file lacks column \"%.*s\", which the model needs. Names must match exactly.\n", (int)model->columns[i].name.length,
            model->columns[i].name.at);
    exit(BAD_INPUT);
  }
  in->delimiter = best.delimiter;
  return best;
}

static void write_cell(const char *at, size_t length) {
  int needs_quotes = length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0;
  for (size_t i = 0; i < length && !needs_quotes; i++) needs_quotes = at[i] == ',' || at[i] == '"' || at[i] == '\n' || at[i] == '\r';
  if (!needs_quotes) {
    fwrite(at, 1, length, stdout);
    return;
  }
  putchar('"');
  for (size_t i = 0; i < length; i++) {
    if (at[i] == '"') putchar('"');
    putchar(at[i]);
  }
  putchar('"');
}

static void write_record(const csv *record) {
  for (size_t i = 0; i < record->count; i++) {
    text cell = cell_at(record, i);
    if (i > 0) putchar(',');
    write_cell(cell.at, cell.length);
  }
}

/* Six significant digits, halves upwards. */
static void write_share(double value) {
  char buffer[64];
  char out[64];
  decimal number;
  const char *at = buffer;
  if (value == 0) {
    fputs(",0", stdout);
    return;
  }
  snprintf(buffer, sizeof buffer, "%.30e", value);
  for (number.count = 0; *at != 'e'; at++)
    if (is_digit(*at)) number.digits[number.count++] = *at;
  number.point = strtol(at + 1, NULL, 10) + 1;
  number.is_negative = number.is_cut = 0;
  int place = 5;
  int is_up = number.digits[6] >= '5';
  number.count = 6;
  for (; is_up && place >= 0 && ++number.digits[place] > '9'; place--) number.digits[place] = '0';
  if (is_up && place < 0) {
    number.digits[0] = '1';
    number.point++;
  }
  size_t length = put_decimal(&number, out);
  printf(",%.*s", (int)length, out);
}

/* A column of the answer, whose name no column of the file has. */
static void write_added_name(csv *names, const char *begin, text label) {
  size_t length = strlen(begin);
  char *name = grown(NULL, length + label.length + 1);
  memcpy(name, begin, length);
  if (label.length > 0) memcpy(name + length, label.at, label.length);
  text plain = {name, length + label.length};
  text added = add_free_name(names, names, plain);
  putchar(',');
  write_cell(added.at, added.length);
  free(name);
}

/* How many cells of a column of numbers or dates were read, and could be read in another form. */
typedef struct {
  unsigned long total;
  unsigned long read;
  unsigned long read_otherwise;
  unsigned long first_unread;
} cell_check;

static int is_read(const column *own, text cell) {
  date found;
  return own->kind == DATE ? read_date(cell, own->order, &found) : isfinite(read_number(own, cell));
}

static int is_read_otherwise(const column *own, text cell) {
  column other = *own;
  for (int i = 0; i < 4; i++) {
    other.decimal = i % 2 == 0 ? '.' : ',';
    other.grouping = (char)(i < 2 ? 0 : i == 2 ? ',' : '.');
    other.order = i;
    if (is_read(&other, cell)) return 1;
  }
  return 0;
}

static void check_cell(const cupel_model *model, const column *own, text raw, unsigned long line, cell_check *seen) {
  text cell = trimmed(raw.at, raw.length);
  if (own->kind == CATEGORY || is_missing(model, own, cell)) return;
  seen->total++;
  if (is_read(own, cell)) {
    seen->read++;
    return;
  }
  if (seen->first_unread == 0) seen->first_unread = line;
  seen->read_otherwise += (unsigned long)is_read_otherwise(own, cell);
}

/* Nearly no cell was read, or more could be in another form. */
static int is_refused(const cell_check *seen) {
  return seen->read_otherwise > seen->read || (seen->total >= 10 && (double)seen->read <= 0.05 * (double)seen->total);
}

/* Refuses a file that writes its numbers or dates otherwise than the model reads them: its cells would count as missing. */
static void require_read(const cupel_model *model, const cell_check *seen) {
  static const char *const DATES[] = {"dates such as 2024-12-31", "dates with the day first, such as 31.12.2024 or 31/12/2024",
                                      "dates with the month first, such as 12/31/2024", "times since 1970, such as 1735689599"};
  size_t first = 0;
  while (first < model->column_count && !is_refused(&seen[first])) first++;
  if (first == model->column_count) return;
  const column *own = &model->columns[first];
  fflush(stdout);
  fprintf(stderr, "%lu of the %lu values in column \"%.*s\" cannot be read as ", seen[first].total - seen[first].read, seen[first].total,
          (int)own->name.length, own->name.at);
  if (own->kind == DATE) fputs(DATES[own->order], stderr);
  else if (is_clock(own->affix)) fputs(own->affix.length > 4 ? "times such as 1:02:03" : "times such as 14:05", stderr);
  else fprintf(stderr, "numbers such as 1%.1s234%c5%.*s", &own->grouping, own->decimal, (int)own->affix.length, own->affix.at);
  fprintf(stderr, ", the first in line %lu.", seen[first].first_unread);
  int others = 0;
  for (size_t i = first + 1; i < model->column_count; i++) {
    if (!is_refused(&seen[i]) || others++ >= 9) continue;
    fprintf(stderr, "%s\"%.*s\"", others == 1 ? " So it is with " : ", ", (int)model->columns[i].name.length, model->columns[i].name.at);
  }
  if (others > 0) fputs(others > 9 ? ", \xe2\x80\xa6." : ".", stderr);
  fputs(" Write them so, or correct the names of the columns; where there is no value, leave the cell empty.\n", stderr);
  exit(BAD_INPUT);
}

static int score_file(cupel_model *model, const char *path) {
  csv in = {0};
  long *positions = grown(NULL, model->column_count * sizeof(long));
  double *probabilities = grown(NULL, model->label_count * sizeof(double));
  cell_check *seen = grown(NULL, model->column_count * sizeof(cell_check));
  text none = {"", 0};
  in.file = fopen(path, "rb");
  in.line = 1;
  if (in.file == NULL) fail("%s cannot be opened. Check its name.", path);
  csv names = {0};
  csv header = read_header(&in, model, &names, positions, path);
  size_t width = header.count;
  write_record(&header);
  write_added_name(&names, "prediction", none);
  write_added_name(&names, "confidence", none);
  for (size_t k = 0; k < model->label_count; k++) write_added_name(&names, "probability_", model->labels[k]);
  putchar('\n');
  memset(seen, 0, model->column_count * sizeof(cell_check));
  while (read_record(&in)) {
    if (in.count != width) fail_at("it has another number of cells than the header.", in.record_line);
    require_utf8(in.bytes, in.size, path);
    cupel_begin(model);
    for (size_t i = 0; i < model->column_count; i++) {
      text cell = cell_at(&in, (size_t)positions[i]);
      cupel_set_text(model, (int)i, cell.at, cell.length);
      check_cell(model, &model->columns[i], cell, in.record_line, &seen[i]);
    }
    int decided = cupel_score(model, probabilities);
    write_record(&in);
    putchar(',');
    write_cell(model->labels[decided].at, model->labels[decided].length);
    write_share(probabilities[decided]);
    for (size_t k = 0; k < model->label_count; k++) write_share(probabilities[k]);
    putchar('\n');
  }
  if (ferror(in.file)) fail("%s cannot be read to its end.", path);
  require_read(model, seen);
  if (fflush(stdout) != 0) fail("The result cannot be written. Is the disk full?", "");
  return 0;
}

/* Sets a cell of a check file: a text, a number or null; 0 where it is none. */
static int set_cell(cupel_model *model, int column_index, json cell, char *buffer) {
  double value;
  if (json_is_string(cell)) return cupel_set_text(model, column_index, buffer, json_decode(cell, buffer));
  if (json_is(cell, "null")) return 1;
  return read_double(cell, &value) && cupel_set_number(model, column_index, value);
}

/* Sets the cells of a row of a check file; 0 where it is none. */
static int set_cells(cupel_model *model, json columns, json row, char *buffer) {
  json cell = json_first(row, '[');
  cupel_begin(model);
  for (json name = json_first(columns, '['); name.at != NULL; name = json_next(name)) {
    if (!json_is_string(name) || cell.at == NULL) return 0;
    buffer[json_decode(name, buffer)] = '\0';
    if (!set_cell(model, cupel_column(model, buffer), cell, buffer)) return 0;
    cell = json_next(cell);
  }
  return 1;
}

/* Compares the answers to those of a check file, and prints what it found. */
static int check(cupel_model *model, const char *path) {
  size_t length;
  char *bytes = read_file(path, &length);
  json all = {bytes, bytes + length};
  const char *behind = json_skip(all.at, all.end, 0);
  all.at = json_space(all.at, all.end);
  char *buffer = grown(NULL, length + 1);
  double *probabilities = grown(NULL, model->label_count * sizeof(double));
  double worst = 0;
  unsigned long rows = 0;
  unsigned long other_labels = 0;
  unsigned long other_codes = 0;
  if (behind == NULL) fail("%s is no check file of Cupel.", path);
  json columns = json_find(all, "columns");
  json label = json_first(json_find(all, "labels"), '[');
  json expected = json_first(json_find(all, "probabilities"), '[');
  json codes = json_first(json_find(all, "codes"), '[');
  for (json row = json_first(json_find(all, "rows"), '['); row.at != NULL; row = json_next(row), rows++) {
    if (!json_is_string(label) || json_count(expected) != model->label_count || !set_cells(model, columns, row, buffer))
      fail("%s is no check file of this model.", path);
    int decided = cupel_score(model, probabilities);
    text wanted = {buffer, json_decode(label, buffer)};
    if (!is_same(wanted, model->labels[decided])) other_labels++;
    double *own = probabilities;
    for (json item = json_first(expected, '['); item.at != NULL; item = json_next(item)) {
      double share = NAN;
      (void)read_double(item, &share);
      double difference = fabs(*own++ - share);
      if (!(difference <= worst)) worst = difference;
    }
    size_t feature_index = 0;
    int has_others = 0;
    for (json item = json_first(codes, '['); item.at != NULL; item = json_next(item), feature_index++) {
      size_t code = SIZE_MAX;
      (void)read_count(item, MOST_CODES, &code);
      if (feature_index >= model->feature_count || code != cupel_code(model, feature_index)) has_others = 1;
    }
    if (codes.at != NULL && feature_index != model->feature_count) has_others = 1;
    other_codes += (unsigned long)has_others;
    label = json_next(label);
    expected = json_next(expected);
    if (codes.at != NULL) codes = json_next(codes);
  }
  int is_same_answer = rows > 0 && other_labels + other_codes == 0 && worst <= 1e-12;
  printf("%s: %lu rows, %lu with another label, %lu with other codes; largest difference of a probability %g\n",
         is_same_answer ? "The same answers" : "OTHER ANSWERS", rows, other_labels, other_codes, worst);
  return is_same_answer ? 0 : 1;
}

int main(int count, char **words) {
  int is_check = count == 4 && strcmp(words[2], "--check") == 0;
  size_t length;
  if (count != 3 && !is_check) {
    fprintf(stderr, "Usage: %s MODEL.cupel NEW.csv > SCORED.csv\n       %s MODEL.cupel --check CHECK.json\n", words[0], words[0]);
    return USAGE;
  }
  char *bytes = read_file(words[1], &length);
  size_t size = cupel_memory(bytes, length);
  cupel_model *model;
  cupel_status status = cupel_load(&model, bytes, length, grown(NULL, size), size);
  if (status != CUPEL_OK) fail("%s", cupel_message(status));
  if (!is_check) return score_file(model, words[2]);
  int result = check(model, words[3]);
  printf("cupel_load takes %lu bytes of memory for this model on this machine.\n", (unsigned long)size);
  return result;
}

#endif
