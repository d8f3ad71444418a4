// The forest's growth once more in C, loop by loop as in engine/kernels, for two classes and codes without missing ones:
// what the machine gives a compiler. Compile with `gcc -O3` or, to use all of the machine, `gcc -O3 -march=native`.
// Usage: kernel_native DATA KERNEL TOOL TRAIN_ROWS TEST_ROWS FEATURES BUCKETS TREES; prints figures as JSON
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 4, FEW_ITEMS = 4, FRAME_COUNT = 34, FIRST_CODE = 2, PRESENT_LEFT = 0x7fff };

typedef int64_t Longs __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(16)));

typedef struct {
  int32_t node, from, to, depth;
  int64_t mark;
} Frame;

typedef struct {
  uint16_t *features, *thresholds;
  int32_t *children;
  int32_t count;
} Nodes;

static int rowCount, featureCount, codeCount, histogramCodes, featuresPerSplit;
static const uint8_t *codes;
static const uint8_t *classes;
static int32_t *drawn;
static uint64_t *items[2];
static int64_t *histograms;
static uint64_t occupied[4];
static int32_t *order;
static uint32_t stateA, stateB, stateC, stateD;
static int64_t nodeMark, bestLeft;
static double bestScore, perfectScore;
static int bestFeature, bestThreshold;

static uint32_t rotate(uint32_t value, int by) { return (value << by) | (value >> (32 - by)); }

static uint32_t nextUint32(void) {
  uint32_t result = rotate(stateB * 5, 7) * 9, shifted = stateB << 9;
  stateC ^= stateA;
  stateD ^= stateB;
  stateB ^= stateC;
  stateA ^= stateD;
  stateC ^= shifted;
  stateD = rotate(stateD, 11);
  return result;
}

static int nextBelow(int bound) { return (int)(((uint64_t)nextUint32() * (uint64_t)bound) >> 32); }

static int64_t markOf(uint64_t item) {
  uint64_t weight = (item >> 32) & 0xffffff;
  return (int64_t)(weight | ((weight * (item >> 56)) << 32));
}

static void scoreCut(int64_t left, int code, double *score, int *cut, int64_t *cutLeft) {
  int64_t weight = nodeMark & 0xffffffff, leftWeight = left & 0xffffffff, rightWeight = weight - leftWeight;
  double change = (double)((left >> 32) * weight - (nodeMark >> 32) * leftWeight);
  double square = change * change, product = (double)(leftWeight * rightWeight);
  if (square < *score * product * (1 - 1e-12)) return;
  double own = square / product;
  if (own > *score && leftWeight >= 1 && rightWeight >= 1) {
    *score = own;
    *cut = code;
    *cutLeft = left;
  }
}

static void keepCut(int feature, double score, int cut, int next, int64_t left) {
  bestScore = score;
  bestFeature = feature;
  bestThreshold = next < 0 ? PRESENT_LEFT : (cut + next) >> 1;
  bestLeft = left;
}

static Doubles doublesOf(Longs numbers) {
  const Doubles unit = {0x1p52, 0x1p52};
  return (Doubles)(numbers | (Longs)unit) - unit;
}

static int scoreHistogram(int feature, int64_t *histogram, int first) {
  if (histogram[first] == nodeMark) {
    histogram[first] = 0;
    return 0;
  }
  double weight = (double)(nodeMark & 0xffffffff), second = (double)(nodeMark >> 32);
  Doubles best = {bestScore, bestScore};
  Longs bestCodes = {-1, -1}, codesHere = {0, 1};
  int64_t left = 0;
  for (int code = 0; code < codeCount; code += 2) {
    int64_t one = left + histogram[code];
    left = one + histogram[code + 1];
    Longs marks = {one, left};
    *(Longs *)(histogram + code) = marks;
    Doubles leftWeight = doublesOf(marks & 0xffffffff), leftSecond = doublesOf((Longs)(marks >> 32));
    Doubles rightWeight = weight - leftWeight, change = leftSecond * weight - second * leftWeight;
    Doubles scores = change * change / (leftWeight * rightWeight);
    Longs isBest = (scores > best) & (leftWeight >= 1.0) & (rightWeight >= 1.0);
    best = (Doubles)(((Longs)scores & isBest) | ((Longs)best & ~isBest));
    bestCodes = (codesHere & isBest) | (bestCodes & ~isBest);
    codesHere += 2;
  }
  int lane = best[1] > best[0] || (best[1] == best[0] && bestCodes[1] < bestCodes[0]);
  int cut = (int)bestCodes[lane];
  if (cut >= 0) {
    int next = cut + 1;
    while (next < codeCount && histogram[next] == histogram[cut]) next++;
    keepCut(feature, best[lane], cut, next >= codeCount ? -1 : next, histogram[cut]);
  }
  memset(histogram, 0, sizeof(int64_t) * histogramCodes);
  return 1;
}

static int scoreOccupied(int feature, int64_t *histogram, uint64_t *words, int first) {
  int varies = histogram[first] != nodeMark;
  double score = bestScore;
  int cut = -1, last = -1, next = -1;
  int64_t left = 0, cutLeft = 0;
  for (int word = 0; word < (codeCount + 63) >> 6; word++) {
    uint64_t bits = words[word];
    words[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      int code = (word << 6) | __builtin_ctzll(bits);
      int64_t mark = histogram[code];
      histogram[code] = 0;
      if (!varies) continue;
      if (cut == last) next = code;
      last = code;
      left += mark;
      scoreCut(left, code, &score, &cut, &cutLeft);
    }
  }
  if (cut >= 0) keepCut(feature, score, cut, cut == last ? -1 : next, cutLeft);
  return varies;
}

static int searchFew(int feature, const uint64_t *rows, int from, int to) {
  const uint8_t *own = codes + (size_t)feature * rowCount;
  for (int at = from; at < to; at++) {
    int code = own[(uint32_t)rows[at]];
    histograms[code] += markOf(rows[at]);
    occupied[code >> 6] |= 1ull << (code & 63);
  }
  return scoreOccupied(feature, histograms, occupied, own[(uint32_t)rows[from]]);
}

static int searchPair(int feature, const uint64_t *rows, int from) {
  const uint8_t *own = codes + (size_t)feature * rowCount;
  int one = own[(uint32_t)rows[from]], other = own[(uint32_t)rows[from + 1]];
  if (one == other) return 0;
  double score = bestScore;
  int cut = -1, low = one < other ? one : other;
  int64_t cutLeft = 0;
  scoreCut(markOf(rows[from + (one > other)]), low, &score, &cut, &cutLeft);
  if (cut >= 0) keepCut(feature, score, low, one + other - low, cutLeft);
  return 1;
}

static int isVaried(int feature, const uint64_t *rows, int from, int to) {
  const uint8_t *own = codes + (size_t)feature * rowCount;
  for (int at = from + 1; at < to; at++)
    if (own[(uint32_t)rows[at]] != own[(uint32_t)rows[from]]) return 1;
  return 0;
}

static int searchOne(int feature, const uint64_t *rows, int from, int to) {
  if (bestScore == perfectScore) return isVaried(feature, rows, from, to);
  if (to - from == 2) return searchPair(feature, rows, from);
  if ((to - from) * 2 < codeCount) return searchFew(feature, rows, from, to);
  const uint8_t *own = codes + (size_t)feature * rowCount;
  for (int at = from; at < to; at++) histograms[own[(uint32_t)rows[at]]] += markOf(rows[at]);
  return scoreHistogram(feature, histograms, own[(uint32_t)rows[from]]);
}

static int searchFour(const int *features, const uint64_t *rows, int from, int to) {
  int varying = 0, hasFew = (to - from) * 2 < codeCount;
  if (hasFew && codeCount > 64) {
    for (int index = 0; index < BATCH; index++) varying += searchFew(features[index], rows, from, to);
    return varying;
  }
  const uint8_t *own[BATCH];
  uint64_t bits[BATCH] = {0};
  for (int index = 0; index < BATCH; index++) own[index] = codes + (size_t)features[index] * rowCount;
  for (int at = from; at < to; at++) {
    uint32_t row = (uint32_t)rows[at];
    int64_t mark = markOf(rows[at]);
    for (int index = 0; index < BATCH; index++) histograms[index * histogramCodes + own[index][row]] += mark;
    if (hasFew)
      for (int index = 0; index < BATCH; index++) bits[index] |= 1ull << own[index][row];
  }
  for (int index = 0; index < BATCH; index++) {
    int64_t *histogram = histograms + index * histogramCodes;
    int first = own[index][(uint32_t)rows[from]];
    varying += hasFew ? scoreOccupied(features[index], histogram, &bits[index], first)
                      : scoreHistogram(features[index], histogram, first);
  }
  return varying;
}

static int drawFeature(int place) {
  int other = place + nextBelow(featureCount - place), feature = order[other];
  order[other] = order[place];
  order[place] = feature;
  return feature;
}

static void searchSplit(const uint64_t *rows, int from, int to) {
  int tried = 0, place = 0;
  while (place < featureCount && tried < featuresPerSplit) {
    if (to - from > FEW_ITEMS && featureCount - place >= BATCH && featuresPerSplit - tried >= BATCH) {
      int features[BATCH];
      for (int index = 0; index < BATCH; index++) features[index] = drawFeature(place++);
      tried += searchFour(features, rows, from, to);
    } else {
      tried += searchOne(drawFeature(place++), rows, from, to);
    }
  }
}

static int divide(const uint64_t *source, uint64_t *target, int from, int to) {
  const uint8_t *own = codes + (size_t)bestFeature * rowCount;
  int left = from, right = to - 1;
  for (int at = from; at < to; at++) {
    int goesRight = (bestThreshold - own[(uint32_t)source[at]]) >> 31;
    target[left + ((right - left) & goesRight)] = source[at];
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}

// Leaves hold ~(share of class 1 in 2^-30) instead of an index of shares.
static void growTree(Nodes *nodes) {
  Frame stack[FRAME_COUNT], *open = stack, at = {nodes->count, 0, 0, 0, 0};
  memset(drawn, 0, sizeof(int32_t) * rowCount);
  for (int draw = 0; draw < rowCount; draw++) drawn[nextBelow(rowCount)]++;
  for (int feature = 0; feature < featureCount; feature++) order[feature] = feature;
  for (int row = 0; row < rowCount; row++) {
    uint64_t item = (uint64_t)row | ((uint64_t)drawn[row] << 32) | ((uint64_t)classes[row] << 56);
    items[0][at.to] = item;
    at.mark += markOf(item);
    at.to += drawn[row] > 0;
  }
  nodes->count++;
  for (;;) {
    const uint64_t *rows = items[at.depth & 1];
    nodeMark = at.mark;
    bestFeature = -1;
    bestScore = 0;
    int64_t weight = nodeMark & 0xffffffff, second = nodeMark >> 32;
    perfectScore = weight > 4096 ? INFINITY : (double)(second * (weight - second));
    if (second > 0 && second < weight) searchSplit(rows, at.from, at.to);
    if (bestFeature < 0) {
      nodes->children[at.node] = ~(int32_t)((double)second / (double)weight * (1 << 30));
      if (open == stack) return;
      at = *--open;
      continue;
    }
    int middle = divide(rows, items[1 - (at.depth & 1)], at.from, at.to);
    int left = nodes->count;
    nodes->count += 2;
    nodes->features[at.node] = (uint16_t)bestFeature;
    nodes->thresholds[at.node] = (uint16_t)bestThreshold;
    nodes->children[at.node] = left;
    at.depth++;
    Frame below = {left, at.from, middle, at.depth, bestLeft}, above = {left + 1, middle, at.to, at.depth, at.mark - bestLeft};
    int belowIsSmaller = middle - at.from <= at.to - middle;
    *open++ = belowIsSmaller ? above : below;
    at = belowIsSmaller ? below : above;
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *reserve(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL) exit(1);
  return memory;
}

int main(int argc, char **argv) {
  if (argc != 9) return 2;
  rowCount = atoi(argv[4]);
  int testRows = atoi(argv[5]), buckets = atoi(argv[7]), treeCount = atoi(argv[8]), allRows = rowCount + testRows;
  featureCount = atoi(argv[6]);
  codeCount = buckets + FIRST_CODE;
  histogramCodes = (codeCount + 1) & ~1;
  featuresPerSplit = (int)sqrt((double)featureCount);
  FILE *file = fopen(argv[1], "rb");
  if (file == NULL || codeCount > 256) return 1;
  float *values = reserve(allRows, sizeof(float));
  uint8_t *own = reserve((size_t)rowCount * featureCount, 1), *others = reserve((size_t)testRows * featureCount, 1);
  for (int feature = 0; feature < featureCount; feature++) {
    if (fread(values, sizeof(float), allRows, file) != (size_t)allRows) return 1;
    for (int row = 0; row < allRows; row++) {
      uint8_t code = (uint8_t)(FIRST_CODE + (int)floor((double)values[row] * buckets));
      if (row < rowCount) own[(size_t)feature * rowCount + row] = code;
      else others[(size_t)(row - rowCount) * featureCount + feature] = code;
    }
  }
  uint8_t *all = reserve(allRows, 1);
  if (fread(all, 1, allRows, file) != (size_t)allRows) return 1;
  codes = own;
  classes = all;
  double begun = now();
  drawn = reserve(rowCount, sizeof(int32_t));
  items[0] = reserve(rowCount, sizeof(uint64_t));
  items[1] = reserve(rowCount, sizeof(uint64_t));
  histograms = reserve((size_t)BATCH * histogramCodes, sizeof(int64_t));
  order = reserve(featureCount, sizeof(int32_t));
  stateA = 1, stateB = 2, stateC = 3, stateD = 4;
  size_t capacity = (size_t)rowCount * 2 * treeCount;
  Nodes nodes = {reserve(capacity, 2), reserve(capacity, 2), reserve(capacity, 4), 0};
  int32_t *roots = reserve(treeCount, sizeof(int32_t));
  for (int tree = 0; tree < treeCount; tree++) {
    roots[tree] = nodes.count;
    growTree(&nodes);
  }
  double fitSeconds = now() - begun, loss = 0;
  begun = now();
  int correct = 0;
  for (int row = 0; row < testRows; row++) {
    double sum = 0;
    for (int tree = 0; tree < treeCount; tree++) {
      int node = roots[tree];
      while (nodes.children[node] >= 0)
        node = nodes.children[node] + (others[(size_t)row * featureCount + nodes.features[node]] > nodes.thresholds[node]);
      sum += ~nodes.children[node] / (double)(1 << 30);
    }
    double share = fmin(fmax(sum / treeCount, 1e-15), 1 - 1e-15);
    int label = all[rowCount + row];
    correct += (share > 0.5) == label;
    loss -= log(label ? share : 1 - share);
  }
  double scoreSeconds = now() - begun;
  printf("{\"fitSeconds\":%.6f,\"fittedRows\":%d,\"scoreSeconds\":%.6f,\"accuracy\":%.6f,\"logLoss\":%.6f}\n", fitSeconds,
         rowCount, scoreSeconds, (double)correct / testRows, loss / testRows);
  return 0;
}
