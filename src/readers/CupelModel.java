// Reads a Cupel model and scores rows by it: one class, Java 11 or newer, no dependency. The format is described in docs/model-format.md.
//
//   java CupelModel.java MODEL.cupel NEW.csv [--out FILE]      scores a CSV file
//   java CupelModel.java MODEL.cupel --check MODEL.check.json  proves that this machine gives the answers that Cupel gave
//
//   CupelModel model = CupelModel.load(Path.of("model.cupel"));
//   CupelModel.Score score = model.score(Map.of("age", 42, "city", "Bern"));
//
// A loaded model never changes, so that any number of threads may score at once. Cells are read as the training file wrote them.

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Reader;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

public final class CupelModel {
  /** The answer for one row. */
  public static final class Score {
    public final String label;
    /** The label's probability. */
    public final double confidence;
    /** One for each of `labels()`. */
    public final double[] probabilities;

    private Score(String label, double confidence, double[] probabilities) {
      this.label = label;
      this.confidence = confidence;
      this.probabilities = probabilities;
    }
  }

  /** A file or a row that cannot be read; the message says what to do. */
  public static final class ReadException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReadException(String message) {
      super(message);
    }
  }

  private static final String MAGIC = "CUPELMDL";
  private static final int NEWEST_VERSION = 8;
  private static final int MISSING = 0;
  private static final int UNSEEN = 1;
  /** Codes of values begin here. */
  private static final int FIRST = 2;

  private final List<String> labels;
  private final Column[] columns;
  private final Feature[] features;
  /** Those of two columns. */
  private final List<Feature> differences = new ArrayList<>();
  private final Text[] texts;
  private final Form form;
  private final double temperature;
  /** Multiply the labels' probabilities before the largest decides; null for none. */
  private final double[] classWeights;
  /** Costs of wrong decisions, by actual and decided label: without weights, the lowest expected cost decides. Null for none. */
  private final double[][] costs;

  // ---- Loading

  public static CupelModel load(Path path) throws IOException {
    return load(Files.readAllBytes(path));
  }

  public static CupelModel load(InputStream stream) throws IOException {
    return load(stream.readAllBytes());
  }

  /** Throws ReadException where the bytes are no model, a damaged one, or one of a newer format. */
  public static CupelModel load(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!new String(bytes, 0, Math.min(8, bytes.length), StandardCharsets.ISO_8859_1).equals(MAGIC))
      throw new ReadException("This is not a Cupel model: it does not begin with " + MAGIC + ".");
    if (bytes.length < 20) throw damaged("it ends too early");
    long version = buffer.getInt(8) & 0xffffffffL;
    if (version > NEWEST_VERSION)
      throw new ReadException("This Cupel model has format " + version + "; this reader reads up to " + NEWEST_VERSION
          + ". Take the reader from a newer Cupel.");
    int size = bytes.length - 4;
    CRC32 checksum = new CRC32();
    checksum.update(bytes, 0, size);
    if ((int) checksum.getValue() != buffer.getInt(size)) throw damaged("its checksum does not match");
    long headLength = buffer.getInt(12) & 0xffffffffL;
    if (16 + headLength > size) throw damaged("it says that it holds what it does not");
    try {
      Map<String, Object> json = object(new Json(new String(bytes, 16, (int) headLength, StandardCharsets.UTF_8)).read());
      return new CupelModel(object(json.get("head")), new Shelf(buffer, size, 16 + headLength, list(json.get("arrays"))));
    } catch (ClassCastException | NullPointerException | IndexOutOfBoundsException | BufferUnderflowException
        | IllegalArgumentException | NegativeArraySizeException error) {
      throw damaged("its parts do not fit together");
    }
  }

  private CupelModel(Map<String, Object> head, Shelf shelf) {
    labels = List.copyOf(strings(head.get("labels")));
    Set<String> markers = new HashSet<>(List.of(""));
    for (String marker : strings(head.get("missingMarkers"))) markers.add(trim(marker));
    List<Object> columnList = list(head.get("columns"));
    columns = new Column[columnList.size()];
    for (int i = 0; i < columns.length; i++) columns[i] = new Column(object(columnList.get(i)), markers);
    List<Object> featureList = list(head.get("features"));
    List<Object> textList = head.get("texts") == null ? List.of() : list(head.get("texts"));
    features = new Feature[featureList.size()];
    int[] codeCounts = new int[features.length];
    for (int i = 0; i < features.length; i++) {
      features[i] = new Feature(i, object(featureList.get(i)), shelf);
      codeCounts[i] = features[i].codeCount;
    }
    texts = new Text[textList.size()];
    int[] termCounts = new int[texts.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new Text(i, object(textList.get(i)), shelf);
      columns[texts[i].column].text = texts[i];
      termCounts[i] = texts[i].termCount;
    }
    for (Feature feature : features) place(feature);
    shelf.plainCounts = Arrays.stream(texts).mapToInt(text -> text.plainCount).toArray();
    Map<String, Object> model = object(head.get("model"));
    require(count(model.get("classCount")) == labels.size() && labels.size() >= 2);
    form = readForm(model, codeCounts, termCounts, shelf, "");
    temperature = head.get("temperature") == null ? 1 : (Double) head.get("temperature");
    classWeights = head.get("classWeights") == null ? null : numbers(head.get("classWeights"));
    require(temperature > 0 && (classWeights == null || classWeights.length == labels.size()));
    costs = head.get("costs") == null ? null : list(head.get("costs")).stream().map(CupelModel::numbers).toArray(double[][]::new);
    require(costs == null || costs.length == labels.size());
    for (int k = 0; costs != null && k < costs.length; k++) require(costs[k].length == costs.length);
  }

  /** Gives a feature to its column, or to the text that it is made of; a difference has two columns. */
  private void place(Feature feature) {
    Column column = columns[feature.column];
    if (feature.isDifference) {
      require(column.kind != 'c' && column.kind == columns[feature.minus].kind);
      differences.add(feature);
      return;
    }
    if (feature.kind == 's' || (feature.kind == 'n' && isTextPart(feature.part))) {
      require(column.text != null && (feature.weights == null || feature.weights.length <= column.text.termCount));
      column.text.features.add(feature);
      return;
    }
    boolean isDatePart = DATE_PARTS.contains(String.valueOf(feature.part));
    require(feature.kind == 'c' || column.kind == 'n' || (column.kind == 'd' && isDatePart));
    column.features.add(feature);
  }

  private static ReadException damaged(String what) {
    return new ReadException("This Cupel model is damaged: " + what + ". Copy it again from where it was made.");
  }

  private static void require(boolean fits) {
    if (!fits) throw new IllegalArgumentException();
  }

  // ---- Scoring

  /** The names of the columns that a row has, in the order of the cells. */
  public List<String> columns() {
    List<String> names = new ArrayList<>();
    for (Column column : columns) names.add(column.name);
    return names;
  }

  public List<String> labels() {
    return labels;
  }

  /** Scores the text cells of a row, in the order of `columns()`. A cell of null is missing. */
  public Score score(String[] cells) {
    return score((Object[]) cells);
  }

  /**
   * Scores typed values or text cells by column name: numbers, texts, truth values, null for a missing one; dates of java.time, java.sql
   * and java.util (these in the zone of the machine), and LocalTime and Duration where the training file has times. Other names are ignored.
   */
  public Score score(Map<String, ?> row) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      if (!row.containsKey(columns[i].name))
        throw new ReadException("The row lacks column \"" + columns[i].name + "\". Where there is no value, give null.");
      values[i] = row.get(columns[i].name);
    }
    return score(values);
  }

  private Score score(Object[] values) {
    return decide(code(values));
  }

  /** A row as models read it: a code for each feature, and the terms of each text. */
  private static final class Row {
    final int[] codes;
    final int[][] terms;
    final int[][] counts;

    Row(int featureCount, int textCount) {
      codes = new int[featureCount];
      terms = new int[textCount][];
      counts = new int[textCount][];
    }
  }

  private Row code(Object[] values) {
    if (values.length != columns.length)
      throw new ReadException("A row has " + columns.length + " cells; this one has " + values.length + ".");
    Row row = new Row(features.length, texts.length);
    double[] amounts = new double[columns.length];
    for (int i = 0; i < columns.length; i++) amounts[i] = columns[i].code(values[i], row);
    for (Feature feature : differences) row.codes[feature.index] = feature.codeOf(amounts[feature.column] - amounts[feature.minus]);
    return row;
  }

  private Score decide(Row row) {
    double[] probabilities = new double[labels.size()];
    form.score(row, row.codes, probabilities);
    int decided = largest(probabilities);
    if (temperature != 1) temper(probabilities, temperature);
    if (classWeights != null || costs != null) decided = largest(weighed(probabilities));
    return new Score(labels.get(decided), probabilities[decided], probabilities);
  }

  /** The probabilities by weight, or what deciding costs, negated. */
  private double[] weighed(double[] probabilities) {
    double[] found = new double[probabilities.length];
    for (int actual = 0; actual < found.length; actual++) {
      if (classWeights != null) found[actual] = probabilities[actual] * classWeights[actual];
      else for (int k = 0; k < found.length; k++) found[k] -= probabilities[actual] * costs[actual][k];
    }
    return found;
  }

  /** The first of equals. */
  private static int largest(double[] scores) {
    int best = 0;
    for (int k = 1; k < scores.length; k++) if (scores[k] > scores[best]) best = k;
    return best;
  }

  private static void temper(double[] probabilities, double temperature) {
    double most = 0;
    for (double own : probabilities) most = Math.max(most, own);
    double sum = 0;
    for (int k = 0; k < probabilities.length; k++) {
      probabilities[k] = Math.pow(probabilities[k] / most, 1 / temperature);
      sum += probabilities[k];
    }
    for (int k = 0; k < probabilities.length; k++) probabilities[k] /= sum;
  }

  // ---- From cells to codes

  private static final List<String> ORDERS = List.of("ymd", "dmy", "mdy", "unix");
  private static final List<String> DATE_PARTS = List.of("year", "month", "day", "weekday", "hour");
  private static final List<String> TEXT_PARTS = List.of("characters", "words", "capitals", "digits", "punctuation");

  private static boolean isTextPart(String part) {
    return part != null && (part.startsWith("number") || part.startsWith("character") || part.startsWith("ending")
        || TEXT_PARTS.contains(part));
  }

  private static final class Column {
    final String name;
    /** n: number, d: date, c: category. */
    final char kind;
    final char decimal;
    final String grouping;
    final String affix;
    /** What each unit is worth in the affix, where the column has several; else null. */
    final Map<String, Double> units;
    final String order;
    final Set<String> missing;
    /** Numbers whose text counts as missing. */
    final Set<Double> missingNumbers = new HashSet<>();
    /** Made of the cell's value. */
    final List<Feature> features = new ArrayList<>();
    Text text;

    Column(Map<String, Object> head, Set<String> markers) {
      name = (String) head.get("name");
      require(name != null);
      Map<String, Object> reading = object(head.get("reading"));
      kind = ((String) reading.get("kind")).charAt(0);
      require("ndc".indexOf(kind) >= 0);
      Map<String, Object> how = kind == 'c' ? Map.of() : object(reading.get("form"));
      decimal = kind == 'n' ? ((String) how.get("decimal")).charAt(0) : '.';
      grouping = kind == 'n' ? (String) how.get("grouping") : "";
      affix = kind == 'n' ? (String) how.get("affix") : "";
      units = how.get("units") == null ? null : new HashMap<>();
      if (units != null) object(how.get("units")).forEach((unit, size) -> units.put(unit, ((Number) size).doubleValue()));
      order = kind == 'd' ? (String) how.get("order") : "";
      require(grouping.length() <= 1 && affix != null && (kind != 'd' || ORDERS.contains(order)));
      missing = new HashSet<>(markers);
      if (reading.get("missingTexts") != null) missing.addAll(strings(reading.get("missingTexts")));
      for (String text : missing) {
        double value = kind == 'n' ? number(text) : Double.NaN;
        if (Double.isFinite(value) && numberText(value).equals(text)) missingNumbers.add(value);
      }
    }

    /** Writes the codes of a value for all features of the column. Returns the amount, of which differences are made; NaN for none. */
    double code(Object value, Row row) {
      if (kind == 'd' && isMoment(value)) return codeDate(readDate(isoText(value), "ymd"), row);
      if (kind == 'n' && isClock(affix) && (value instanceof LocalTime || value instanceof Duration)) value = clockNumber(value);
      if (kind == 'n' && (value instanceof Number || value instanceof Boolean)) {
        double number = value instanceof Boolean ? ((Boolean) value ? 1 : 0) : ((Number) value).doubleValue();
        // Beyond it no text is a time.
        boolean tooLarge = isClock(affix) && Math.abs(number) >= (affix.equals("h:mm") ? 6e10 : 3.6e12);
        return codeNumber(tooLarge || missingNumbers.contains(number + 0.0) ? Double.NaN : number, row);
      }
      // Nobody would see that such a value is missing.
      if (kind != 'c' && !(value == null || value instanceof CharSequence || value instanceof Number || value instanceof Boolean))
        throw new ReadException("Column \"" + name + "\" holds " + (kind == 'd' ? "dates" : "numbers") + " and takes no "
            + value.getClass().getSimpleName() + ". Give a text as in a file.");
      String cell = value == null ? "" : trim(textOf(value));
      boolean isMissing = missing.contains(cell);
      if (text != null) text.code(isMissing ? "" : cell, row);
      if (isMissing) {
        for (Feature feature : features) row.codes[feature.index] = MISSING;
        return Double.NaN;
      }
      // A column of numbers or dates has no categories but its own.
      for (Feature feature : features) if (feature.kind == 'c') row.codes[feature.index] = feature.codeOfText(cell);
      return kind == 'd' ? codeDate(readDate(cell, order), row) : kind == 'n' ? codeNumber(number(cell), row) : Double.NaN;
    }

    private double codeNumber(double value, Row row) {
      for (Feature feature : features) if (feature.kind == 'n') row.codes[feature.index] = feature.codeOf(value);
      return value;
    }

    /** A time of day, or how long something took, in minutes or seconds as the column counts. */
    private double clockNumber(Object value) {
      Duration time = value instanceof Duration ? (Duration) value : Duration.ofNanos(((LocalTime) value).toNanoOfDay());
      return (time.getSeconds() + time.getNano() / 1e9) / (affix.equals("h:mm") ? 60 : 1);
    }

    private double codeDate(int[] date, Row row) {
      for (Feature feature : features)
        if (feature.kind == 'n') row.codes[feature.index] = feature.codeOf(date == null ? Double.NaN : datePart(date, feature.part));
      return date == null ? Double.NaN : dateAmount(date);
    }

    /** The value of a trimmed text in the column's form, NaN where it is none. */
    private double number(String text) {
      return number(text, decimal, grouping.isEmpty() ? 0 : grouping.charAt(0));
    }

    private double number(String text, char point, int group) {
      char first = text.isEmpty() ? ' ' : text.charAt(0);
      boolean isSigned = "<>\u2264\u2265".indexOf(first) >= 0;
      boolean isOrMore = !isSigned && OR_MORE.matcher(text).matches();
      if (!isSigned && !isOrMore) return exactNumber(text, point, group);
      int at = isOrMore ? 0 : skipSpaces(text, text.startsWith("=", 1) ? 2 : 1);
      double value = exactNumber(text.substring(at, text.length() - (isOrMore ? 1 : 0)), point, group);
      // An upper bound lies just below its number, a lower one just above it.
      double distance = (value == 0 ? 1 : Math.abs(value)) / 65536;
      return first == '<' || first == '\u2264' ? value - distance : value + distance;
    }

    private double exactNumber(String text, char point, int group) {
      double value = bareNumber(text, point, group);
      String bare = Double.isNaN(value) ? CupelModel.bareNumber(text) : text;
      return bare.equals(text) ? value : bareNumber(bare, point, group);
    }

    private double bareNumber(String text, char point, int group) {
      if (units != null) return quantity(text, point, group);
      String body = affix.isEmpty() ? text : isClock(affix) ? clockBody(text, affix) : withoutAffix(text, affix);
      return body == null ? Double.NaN : Decimal.valueOf(body, point, group);
    }

    /** The sum of `1h 20m`, of which each unit is less than the one before; NaN where the text is none. */
    private double quantity(String text, char point, int group) {
      int length = text.length();
      boolean isNegative = text.startsWith("-");
      int at = isNegative || text.startsWith("+") ? 1 : 0;
      double sum = 0;
      double last = Double.POSITIVE_INFINITY;
      while (at < length || last == Double.POSITIVE_INFINITY) {
        int start = skipSpaces(text, at);
        int end = numberEnd(text, start);
        int unit = skipSpaces(text, end);
        for (at = unit; at < length && !isDigit(text, at) && !isSpace(text.charAt(at)) && ".,+-".indexOf(text.charAt(at)) < 0;) at++;
        Double size = units.get(text.substring(unit, at));
        double value = size == null || size >= last ? Double.NaN : Decimal.valueOf(text.substring(start, end), point, group);
        if (Double.isNaN(value)) return value;
        sum += value * size;
        last = size;
      }
      return isNegative ? 0.0 - sum : sum;
    }

    /** A number as the training file writes it. */
    private String numberText(double value) {
      if (isClock(affix)) return clockText(value, affix);
      if (grouping.isEmpty()) return shortest(value).replace('.', decimal) + affix;
      BigDecimal exact = new BigDecimal(shortest(value)).setScale(20, RoundingMode.HALF_EVEN).stripTrailingZeros();
      String[] halves = exact.abs().toPlainString().split("\\.");
      String whole = halves[0].replaceAll("(?<=\\d)(?=(?:\\d{3})+$)", grouping);
      return (exact.signum() < 0 ? "-" : "") + whole + (halves.length > 1 ? decimal + halves[1] : "") + affix;
    }

    /** A value as a file would contain it. */
    private String textOf(Object value) {
      if (value instanceof Number) return shortest(((Number) value).doubleValue());
      if (!(value instanceof Boolean)) return value.toString();
      // A truth value as the training data wrote it, such as "TRUE".
      for (Feature feature : features) {
        if (feature.kind != 'c') continue;
        for (String known : feature.names) if (known.toLowerCase(Locale.ROOT).equals(value.toString())) return known;
      }
      return value.toString();
    }
  }

  /** How a code is made of a value. */
  private static final class Feature {
    final int index;
    final int column;
    final int codeCount;
    /** n: number, s: score of a text, c: category. */
    final char kind;
    final String part;
    final boolean isDifference;
    /** The column that a difference takes from its own. */
    final int minus;
    double[] cutPoints;
    double bias;
    float[] weights;
    List<String> names;
    Map<String, Integer> codeOfName;
    /** Where every category is a plain number, `1.0` is also read as `1`. Null where they are not. */
    Map<Double, Integer> codeOfNumber;
    int codeOfOthers;

    Feature(int index, Map<String, Object> head, Shelf shelf) {
      this.index = index;
      column = count(head.get("column"));
      codeCount = count(head.get("codeCount"));
      kind = ((String) head.get("kind")).charAt(0);
      part = (String) head.get("part");
      isDifference = kind == 'n' && "difference".equals(part);
      minus = isDifference ? count(head.get("minus")) : 0;
      require("nsc".indexOf(kind) >= 0 && codeCount <= 65_535);
      if (kind == 'c') readCategories(head, shelf.chars("codes." + index));
      else cutPoints = shelf.doubles("cutPoints." + index);
      require(kind == 'c' || FIRST + cutPoints.length < codeCount);
      if (kind != 's') return;
      bias = (Double) head.get("bias");
      weights = shelf.floats("scoreWeights." + index);
    }

    private void readCategories(Map<String, Object> head, char[] codes) {
      names = strings(head.get("names"));
      codeOfOthers = count(head.get("codeOfOthers"));
      require(codes.length == names.size() && codeOfOthers < codeCount);
      codeOfName = new HashMap<>(2 * codes.length);
      codeOfNumber = codes.length == 0 ? null : new HashMap<>(2 * codes.length);
      for (int i = 0; i < codes.length; i++) {
        require(codes[i] < codeCount);
        codeOfName.put(names.get(i), (int) codes[i]);
        double value = Decimal.ofCode(names.get(i));
        if (Double.isNaN(value) || !shortest(value).equals(names.get(i))) codeOfNumber = null;
        if (codeOfNumber != null) codeOfNumber.put(value, (int) codes[i]);
      }
    }

    /** How many cut points lie below the value, past the reserved codes. */
    int codeOf(double value) {
      if (!Double.isFinite(value)) return MISSING;
      int low = 0;
      int high = cutPoints.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (cutPoints[middle] < value) low = middle + 1;
        else high = middle;
      }
      return FIRST + low;
    }

    int codeOfText(String text) {
      Integer code = codeOfName.get(text);
      if (code != null) return code >= FIRST ? code : codeOfOthers;
      Integer alias = codeOfNumber == null ? null : codeOfNumber.get(Decimal.ofCode(text));
      return alias == null ? codeOfOthers : alias;
    }
  }

  /** Digits of a number text: 0.digits times 10^exponent, digits without zeros at either end. */
  private static final class Decimal {
    private static final int MOST_EXPONENT = 1_000_000;

    /** The value of `-12`, `+3`, `.5`, `5.`, `1e5` with this decimal sign; NaN for other texts. With a grouping sign (0 for none)
     *  thousands are grouped, and there is no exponent. */
    static double valueOf(String text, char decimal, int grouping) {
      int length = text.length();
      int at = length > 0 && (text.charAt(0) == '+' || text.charAt(0) == '-') ? 1 : 0;
      StringBuilder plain = new StringBuilder(text.substring(0, at));
      int start = at;
      while (at < length && isDigit(text, at)) plain.append(text.charAt(at++));
      int digits = at - start;
      if (grouping != 0) {
        boolean hasGroups = at < length && text.charAt(at) == grouping;
        if (digits < 1 || digits > 3 || (hasGroups && text.charAt(start) == '0')) return Double.NaN;
        for (; at < length && text.charAt(at) == grouping; at += 4) {
          if (!isDigit(text, at + 1) || !isDigit(text, at + 2) || !isDigit(text, at + 3)) return Double.NaN;
          plain.append(text, at + 1, at + 4);
        }
      }
      if (at < length && text.charAt(at) == decimal) {
        plain.append('.');
        for (at++; at < length && isDigit(text, at); digits++) plain.append(text.charAt(at++));
      }
      if (digits == 0) return Double.NaN;
      if (grouping == 0 && at < length && (text.charAt(at) | 32) == 'e') {
        int from = at++;
        if (at < length && (text.charAt(at) == '+' || text.charAt(at) == '-')) at++;
        if (at == length) return Double.NaN;
        while (at < length && isDigit(text, at)) at++;
        plain.append(text, from, at);
      }
      return at == length ? Double.parseDouble(plain.toString()) + 0.0 : Double.NaN;
    }

    /** The value of a plain number that another text may stand for; NaN where its zeros carry meaning, or a double cannot tell it. */
    static double ofCode(String text) {
      int at = !text.isEmpty() && (text.charAt(0) == '+' || text.charAt(0) == '-') ? 1 : 0;
      if (isDigit(text, at) && text.charAt(at) == '0' && isDigit(text, at + 1)) return Double.NaN;
      double value = valueOf(text, '.', 0);
      if (!Double.isFinite(value)) return Double.NaN;
      int first = -1;
      int last = -1;
      int places = 0;
      for (; at < text.length() && (text.charAt(at) | 32) != 'e'; at++) {
        char own = text.charAt(at);
        if (own == '.') continue;
        places++;
        if (own == '0') continue;
        if (first < 0) first = places;
        last = places;
      }
      int digits = first < 0 ? 0 : last - first + 1;
      return digits > 15 || (value == 0 && digits > 0) ? Double.NaN : value;
    }
  }

  private static boolean isDigit(String text, int at) {
    return at >= 0 && at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static final Pattern OR_MORE = Pattern.compile("[^+]*\\d\\+");
  private static final Pattern CLOCK_TIME = Pattern.compile(
      "(?:(\\d{1,9}) days?,? |([+-]))?(\\d{1,9}):([0-5]\\d)(?::([0-5]\\d))?(?:[.,](\\d+))?(?: ?([AaPp])[Mm])?");

  private static boolean isClock(String affix) {
    return affix.equals("h:mm") || affix.equals("h:mm:ss");
  }

  /** The number that a time of day or a duration stands for; null where the text is none that is written so. */
  private static String clockBody(String text, String affix) {
    Matcher found = CLOCK_TIME.matcher(text);
    if (!found.matches() || (found.group(5) == null) != affix.equals("h:mm")) return null;
    long hours = Long.parseLong(found.group(3));
    if (found.group(7) != null) {
      if (hours < 1 || hours > 12) return null;
      hours = hours % 12 + (found.group(7).equalsIgnoreCase("p") ? 12 : 0);
    }
    if (found.group(1) != null) hours += 24 * Long.parseLong(found.group(1));
    long whole = hours * 60 + Long.parseLong(found.group(4));
    if (found.group(5) != null) whole = whole * 60 + Long.parseLong(found.group(5));
    return (found.group(2) == null ? "" : found.group(2)) + whole + (found.group(6) == null ? "" : "." + found.group(6));
  }

  private static String clockText(double value, String affix) {
    String[] halves = new BigDecimal(shortest(Math.abs(value))).setScale(20, RoundingMode.HALF_EVEN).toPlainString().split("\\.");
    long whole = Long.parseLong(halves[0]);
    String latter = String.format(Locale.ROOT, "%02d", whole % 60);
    String text = affix.equals("h:mm") ? whole / 60 + ":" + latter
        : whole / 3600 + String.format(Locale.ROOT, ":%02d:", whole / 60 % 60) + latter;
    String fraction = halves.length > 1 ? halves[1].replaceAll("0+$", "") : "";
    return (value < 0 ? "-" : "") + text + (fraction.isEmpty() ? "" : "." + fraction);
  }

  /** Takes off a unit behind, or a currency in front or behind; null where it is not there. */
  private static String withoutAffix(String text, String affix) {
    if (text.endsWith(affix)) {
      int end = text.length() - affix.length();
      while (end > 0 && isSpace(text.charAt(end - 1))) end--;
      return isBody(text, 0, end) ? text.substring(0, end) : null;
    }
    int at = !text.isEmpty() && (text.charAt(0) == '+' || text.charAt(0) == '-') ? 1 : 0;
    String sign = text.substring(0, at);
    while (at < text.length() && isSpace(text.charAt(at))) at++;
    if (!affix.matches("[A-Z]{0,2}" + CURRENCY_SIGNS + "|[A-Z]{3}") || !text.startsWith(affix, at)) return null;
    at += affix.length();
    while (at < text.length() && isSpace(text.charAt(at))) at++;
    return isBody(text, at, text.length()) ? sign + text.substring(at) : null;
  }

  private static final String CURRENCY_SIGNS = "[$\u00a2-\u00a5\u20a0-\u20cf]";
  private static final String BETWEEN = "[ \u00a0\u2009\u202f'\u2019]";
  private static final String MINUS = "\u2212\u2013";
  private static final Pattern MAY_BE_DRESSED = Pattern.compile("\\d" + BETWEEN + "\\d{3}|[" + MINUS + "(]|-\\z|^[~\u2248c]");
  private static final Pattern GROUPS =
      Pattern.compile("(?<![\\d.,])[1-9]\\d{0,2}(" + BETWEEN + ")\\d{3}(?:\\1\\d{3})*(?!\\d)");
  private static final Pattern ABOUT = Pattern.compile("^(?:[~\u2248]|ca\\.) ?(?=[\\d.," + MINUS + "-])");
  private static final String HAS_MONEY = "(?=[^.,$\u00a2-\u00a5\u20a0-\u20cf]*(?:[.,]|" + CURRENCY_SIGNS + "))";
  private static final Pattern IN_BRACKETS = Pattern.compile(
      HAS_MONEY + "([^()\\d+" + MINUS + "-]{0,5})\\(([^()\\d+" + MINUS + "-]*\\d[^()+" + MINUS + "-]*)\\)");
  private static final Pattern MINUS_BEHIND = Pattern.compile("([^()+" + MINUS + "-]*[.,]\\d{2,}) ?-");
  private static final Pattern OTHER_MINUS =
      Pattern.compile("^([^\\d+" + MINUS + "-]{0,5})[" + MINUS + "](?=[\\d.,]|" + CURRENCY_SIGNS + ")");

  /** The text without blanks or apostrophes between thousands, and with a minus before it for brackets and other signs. */
  private static String bareNumber(String text) {
    if (text.length() > 100 || !MAY_BE_DRESSED.matcher(text).find()) return text;
    String bare = ABOUT.matcher(text).replaceFirst("");
    Matcher found = IN_BRACKETS.matcher(bare);
    if (found.matches()) bare = "-" + found.group(1) + found.group(2);
    found = MINUS_BEHIND.matcher(bare);
    if (found.matches()) bare = "-" + found.group(1);
    found = OTHER_MINUS.matcher(bare);
    if (found.find()) bare = "-" + found.group(1) + bare.substring(found.end());
    found = GROUPS.matcher(bare);
    return found.find() ? bare.substring(0, found.start()) + found.group().replace(found.group(1), "") + bare.substring(found.end()) : bare;
  }

  private static int skipSpaces(String text, int from) {
    int at = from;
    while (at < text.length() && isSpace(text.charAt(at))) at++;
    return at;
  }

  /** Behind digits, points and commas, and an exponent. */
  private static int numberEnd(String text, int from) {
    int at = from;
    while (at < text.length() && (isDigit(text, at) || ".,".indexOf(text.charAt(at)) >= 0)) at++;
    if (at == from || at >= text.length() || "eE".indexOf(text.charAt(at)) < 0) return at;
    int digits = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0 ? at + 2 : at + 1;
    int end = digits;
    while (isDigit(text, end)) end++;
    return end > digits ? end : at;
  }

  private static boolean isBody(String text, int from, int to) {
    int first = from < to && (text.charAt(from) == '+' || text.charAt(from) == '-') ? from + 1 : from;
    if (first >= to || (!isDigit(text, first) && ".,".indexOf(text.charAt(first)) < 0)) return false;
    for (int at = first; at < to; at++) if (isSpace(text.charAt(at))) return false;
    return true;
  }

  /** The shortest text that reads back as this number, in the way of JavaScript. */
  static String shortest(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) return Long.toString((long) value);
    if (!Double.isFinite(value)) return String.valueOf(value);
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < 17; digits++) {
      BigDecimal down = exact.round(new MathContext(digits, RoundingMode.DOWN));
      BigDecimal up = exact.round(new MathContext(digits, RoundingMode.UP));
      boolean isDown = down.doubleValue() == value;
      boolean isUp = up.doubleValue() == value;
      if (!isDown && !isUp) continue;
      boolean isDownNearer = exact.subtract(down).abs().compareTo(up.subtract(exact).abs()) <= 0;
      return plainText(isUp && !(isDown && isDownNearer) ? up : down);
    }
    return plainText(exact.round(new MathContext(17, RoundingMode.HALF_EVEN)));
  }

  private static String plainText(BigDecimal value) {
    if (value.signum() == 0) return "0";
    BigDecimal stripped = value.stripTrailingZeros();
    String digits = stripped.unscaledValue().abs().toString();
    int point = digits.length() - stripped.scale();
    String sign = value.signum() < 0 ? "-" : "";
    if (point > 21 || point <= -6) {
      String rest = digits.length() > 1 ? "." + digits.substring(1) : "";
      return sign + digits.charAt(0) + rest + (point > 0 ? "e+" : "e-") + Math.abs(point - 1);
    }
    if (point >= digits.length()) return sign + digits + "0".repeat(point - digits.length());
    if (point > 0) return sign + digits.substring(0, point) + "." + digits.substring(point);
    return sign + "0." + "0".repeat(-point) + digits;
  }

  /** White space as JavaScript's. */
  private static boolean isSpace(char unit) {
    return (unit >= 9 && unit <= 13) || unit == ' ' || unit == 0xa0 || unit == 0x1680 || (unit >= 0x2000 && unit <= 0x200a)
        || unit == 0x2028 || unit == 0x2029 || unit == 0x202f || unit == 0x205f || unit == 0x3000 || unit == 0xfeff;
  }

  static String trim(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isSpace(text.charAt(from))) from++;
    while (to > from && isSpace(text.charAt(to - 1))) to--;
    return text.substring(from, to);
  }

  // ---- Dates

  private static final int[] MONTH_DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final int NO_HOUR = 24;
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})([-/.])(\\d{1,2})\\2(\\d{1,4})(?!\\d)");
  private static final Pattern COMPACT = Pattern.compile("((?:19|20)\\d\\d|9999)(\\d\\d)(\\d\\d)(?!\\d)");
  private static final Pattern COMPACT_TIME =
      Pattern.compile("((?:19|20)\\d\\d|9999)(\\d\\d)(\\d\\d)T?([01]\\d|2[0-3])([0-5]\\d)([0-5]\\d)?Z?");
  private static final Pattern MONTH_YEAR = Pattern.compile("(\\d{1,2})[-/]((?:19|20)\\d\\d)");
  private static final Pattern YEAR_MONTH = Pattern.compile("((?:1[89]|20)\\d\\d)-(\\d\\d)");
  private static final String LETTER = "[A-Za-z\u00c0-\u024f]";
  private static final Pattern NAME_SECOND = Pattern.compile(
      "(\\d{1,4})(?:st|nd|rd|th|er)?(?: de |[-/. ]{0,2})(" + LETTER + "{3,10})\\.?(?: de |[-/., ]{0,2})(\\d{1,4})(?!\\d)");
  private static final Pattern NAME_FIRST = Pattern.compile("(" + LETTER
      + "{3,10})\\.?,?[-/ ]{1,2}(?:(\\d{1,2})(?:st|nd|rd|th)?(?:, ?|[-/ ]{1,2}))?(\\d{4}|\\d\\d)(?!\\d)");
  private static final Pattern LETTER_AND_DIGIT = Pattern.compile(LETTER + "\\D*\\d");
  private static final Pattern WEEKDAY = Pattern.compile("(" + LETTER + "{2,10})[.,]{0,2} +");
  /** The time behind a date. */
  private static final Pattern CLOCK = Pattern.compile("(?:T|,? +|:)(\\d{1,2})([:.h])([0-5]\\d)(?:\\2([0-5]\\d|60)(?:[.,]\\d+)?)?"
      + "(?: ?([AaPp])\\.?[Mm]\\.?)?(?: ?(?:Z|UTC|GMT)?(?:[+-]\\d\\d?(?::?[0-5]\\d)?)?)?");
  /** Three letters or more of a name will do. */
  private static final String[][] MONTH_NAMES = {
      "january januar janvier janeiro januari enero gennaio".split(" "),
      "february februar f\u00e9vrier fevrier febrero febbraio fevereiro februari".split(" "),
      "march m\u00e4rz maerz mrz mars marzo mar\u00e7o marco maart mrt".split(" "),
      "april avril abril aprile".split(" "),
      "may mai mayo maggio maio mei".split(" "),
      "june juni juin junio giugno junho".split(" "),
      "july juli juillet julio luglio julho".split(" "),
      "august ao\u00fbt aout agosto augustus".split(" "),
      "september septembre septiembre setiembre settembre setembro".split(" "),
      "october oktober octobre octubre ottobre outubro".split(" "),
      "november novembre noviembre novembro".split(" "),
      "december dezember d\u00e9cembre decembre diciembre dicembre dezembro".split(" ")};
  private static final List<String> WEEKDAYS = List.of("mo di mi do fr sa so mon tue wed thu fri sat sun die mit don fre sam son lun mar mer jeu ven dim jue vie s\u00e1b dom gio".split(" "));

  /** Whether a value is a day or a moment. */
  private static boolean isMoment(Object value) {
    boolean hasDay = value instanceof TemporalAccessor && ((TemporalAccessor) value).isSupported(ChronoField.EPOCH_DAY);
    return hasDay || value instanceof Instant || value instanceof java.util.Date;
  }

  /** The classes of java.sql write ISO texts themselves. */
  private static String isoText(Object value) {
    if (value.getClass() != java.util.Date.class) return value.toString().replaceFirst("\\[.*", "");
    return LocalDateTime.ofInstant(((java.util.Date) value).toInstant(), ZoneId.systemDefault()).toString();
  }

  /** Year, month, day, hour (24 for none) and the seconds past it; null where the text is no date in this order. A time zone is not applied. */
  private static int[] readDate(String text, String order) {
    if (order.equals("unix")) return unixDate(text);
    Written found = Written.of(text);
    if (found == null || !found.orders.contains(order)) return null;
    boolean dayFirst = order.equals("dmy");
    return date(found.year, dayFirst ? found.second : found.first, dayFirst ? found.first : found.second, found.hour, found.past);
  }

  /** The date by UTC of a number of seconds or milliseconds since 1970, by its size. */
  private static int[] unixDate(String text) {
    double value = Decimal.valueOf(text, '.', 0);
    double unit = value >= 1e9 && value <= 2147483648.0 ? 1 : value >= 1e12 && value <= 2147483648000.0 ? 1000 : 0;
    if (unit == 0) return null;
    var time = java.time.Instant.ofEpochMilli((long) (value / unit * 1000)).atOffset(java.time.ZoneOffset.UTC);
    int past = 60 * time.getMinute() + time.getSecond();
    return new int[] {time.getYear(), time.getMonthValue(), time.getDayOfMonth(), time.getHour(), past};
  }

  /** What a text says of the day; the calendar may not have it. */
  private static final class Written {
    /** In which it may be read. */
    final String orders;
    final int year;
    /** The numbers beside the year; month and day, but by "dmy" day and month. */
    final int first;
    final int second;
    /** 24 for none, -1 where the text behind the date is no time. */
    final int hour;
    /** Seconds past the hour. */
    final int past;

    private Written(String text, int end, String orders, String year, int first, int second) {
      int number = Integer.parseInt(year);
      this.orders = orders;
      // Years of two digits turn at 1930, as in spreadsheets.
      this.year = year.length() == 4 ? number : number + (number < 30 ? 2000 : 1900);
      this.first = first;
      this.second = second;
      Matcher clock = CLOCK.matcher(text.substring(end));
      boolean hasTime = clock.matches();
      hour = end == text.length() ? NO_HOUR : hasTime ? hourOf(clock) : -1;
      past = hasTime ? 60 * number(clock, 3) + (clock.group(4) == null ? 0 : number(clock, 4)) : 0;
    }

    static Written of(String text) {
      if (isDigit(text, 0)) return digitsFirst(text);
      if (!LETTER_AND_DIGIT.matcher(text).lookingAt()) return null;
      Written found = nameFirst(text);
      Matcher weekday = WEEKDAY.matcher(text);
      if (found != null || !weekday.lookingAt()) return found;
      String day = weekday.group(1).toLowerCase(Locale.ROOT);
      if (!WEEKDAYS.contains(day.substring(0, Math.min(3, day.length())))) return null;
      String rest = text.substring(weekday.end());
      return isDigit(rest, 0) ? digitsFirst(rest) : nameFirst(rest);
    }

    private static Written nameFirst(String text) {
      Matcher found = NAME_FIRST.matcher(text);
      int month = found.lookingAt() ? monthOf(found.group(1)) : 0;
      if (month == 0) return null;
      String year = found.group(3);
      if (year.length() == 4 && !isUsual(year)) return null;
      if (found.group(2) != null) return whole(new Written(text, found.end(), "mdy", year, month, number(found, 2)));
      return year.length() < 4 ? null : whole(new Written(text, found.end(), "dmy", year, 1, month));
    }

    private static Written digitsFirst(String text) {
      Matcher found = NUMBERS.matcher(text);
      if (found.lookingAt()) {
        int one = found.group(1).length();
        int three = found.group(4).length();
        int two = found.group(3).length();
        if (one == 4 && three <= 2) {
          boolean isIso = found.group(2).equals("-") && two == 2 && three == 2;
          if (!isIso && !isUsual(found.group(1))) return null;
          return whole(new Written(text, found.end(), "ymd", found.group(1), number(found, 3), number(found, 4)));
        }
        // Spreadsheets leave zeros out only where they write slashes; 7.4.33 and 15-5-20 are versions and codes.
        boolean isShort = three == 2 && (found.group(2).equals("/") || one + two == 4);
        boolean isDate = one <= 2 && (three == 4 || isShort);
        return isDate ? whole(new Written(text, found.end(), "dmy mdy", found.group(4), number(found, 1), number(found, 3))) : null;
      }
      found = YEAR_MONTH.matcher(text);
      if (found.matches()) return whole(new Written(text, found.end(), "ymd", found.group(1), number(found, 2), 1));
      found = MONTH_YEAR.matcher(text);
      if (found.matches()) return whole(new Written(text, found.end(), "dmy", found.group(2), 1, number(found, 1)));
      found = COMPACT_TIME.matcher(text);
      if (found.matches()) {
        String day = text.substring(0, 8) + "T" + found.group(4) + ":" + found.group(5) + (found.group(6) == null ? "" : ":" + found.group(6));
        return whole(new Written(day, 8, "ymd", found.group(1), number(found, 2), number(found, 3)));
      }
      found = COMPACT.matcher(text);
      if (found.lookingAt()) return whole(new Written(text, found.end(), "ymd", found.group(1), number(found, 2), number(found, 3)));
      found = NAME_SECOND.matcher(text);
      int month = found.lookingAt() ? monthOf(found.group(2)) : 0;
      if (month == 0) return null;
      int one = found.group(1).length();
      int three = found.group(3).length();
      if ((one == 4 && !isUsual(found.group(1))) || (three == 4 && !isUsual(found.group(3)))) return null;
      if (one == 4) return three > 2 ? null : whole(new Written(text, found.end(), "ymd", found.group(1), month, number(found, 3)));
      boolean isDate = one <= 2 && (three == 2 || three == 4);
      return isDate ? whole(new Written(text, found.end(), "dmy", found.group(3), number(found, 1), month)) : null;
    }

    private static Written whole(Written found) {
      return found.hour < 0 ? null : found;
    }

    private static int number(Matcher found, int group) {
      return Integer.parseInt(found.group(group));
    }

    private static int hourOf(Matcher clock) {
      int hour = number(clock, 1);
      if (clock.group(5) == null) return hour < 24 ? hour : -1;
      if (hour < 1 || hour > 12) return -1;
      return hour % 12 + (clock.group(5).equalsIgnoreCase("p") ? 12 : 0);
    }

    private static int monthOf(String word) {
      String name = word.toLowerCase(Locale.ROOT);
      for (int month = 1; month <= 12; month++)
        for (String known : MONTH_NAMES[month - 1]) if (known.startsWith(name)) return month;
      return 0;
    }

    /** Dates of other years are codes, but for the one that means "for ever". */
    private static boolean isUsual(String year) {
      int number = Integer.parseInt(year);
      return (number >= 1800 && number < 2200) || number == 9999;
    }
  }

  private static int[] date(int year, int month, int day, int hour, int past) {
    if (month < 1 || month > 12 || day < 1 || day > MONTH_DAYS[month - 1]) return null;
    boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && day == 29 && !isLeap ? null : new int[] {year, month, day, hour, past};
  }

  /** Weekdays from 0 for Monday. */
  private static double datePart(int[] date, String part) {
    int at = DATE_PARTS.indexOf(part);
    if (at < 3) return date[at];
    if (at == 4) return date[3] == NO_HOUR ? Double.NaN : date[3];
    return (dayNumber(date) + 1) % 7;
  }

  /** Counts days from the first of March 400 years before the year 0, by years that begin in March. */
  private static int dayNumber(int[] date) {
    int y = date[0] + 400 - (date[1] < 3 ? 1 : 0);
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * ((date[1] + 9) % 12) + 2) / 5 + date[2];
  }

  /** In seconds. */
  private static double dateAmount(int[] date) {
    return 86400.0 * dayNumber(date) + 3600 * (date[3] % NO_HOUR) + date[4];
  }

  // ---- Texts

  /** A column that is read as text: the terms that the model knows, each by a hash of 64 bits. */
  private static final class Text {
    private static final List<String> LIST_PARTS = List.of("numberLast", "numberLeast", "numberLargest", "numberMean");
    private static final Pattern OF_CODE = Pattern.compile(LETTER + "\\z");
    private static final Pattern OF_AMOUNT = Pattern.compile("[.,$\u00a2-\u00a5\u20a0-\u20cf]");
    private static final String FACTOR = " ?(k|K|M|B|bn|mn|Mio|Mrd|million|billion|lakh|Lakh|Cr)(?!" + LETTER + "|[0-9])";
    private static final Pattern NUMBER_INSIDE = Pattern.compile("((?<!" + LETTER + ")(?<![0-9)])-)?"
        + "(?:((?<![0-9],)[0-9]{1,3}(?:,[0-9]{2,3}){0,4},[0-9]{3}(?![0-9,])(?:\\.[0-9]{1,15})?)"
        + "|([0-9]{1,3}(?:\\.[0-9]{3}){1,5},[0-9]{1,15}|(?<![0-9],)[0-9]{1,15},[0-9]{1,15}(?![0-9]{0,15},[0-9]))"
        + "|((?<![0-9]\\.)[0-9]{1,15}\\.[0-9]{1,15}(?![0-9]{0,15}\\.[0-9])|[0-9]{1,15}))"
        + "(?:" + FACTOR + "|(?= ?[-\u2013] ?[0-9.,]{1,20}" + FACTOR + ")|)");
    private static final Map<String, Double> FACTORS = Map.ofEntries(
        Map.entry("k", 1e3), Map.entry("K", 1e3), Map.entry("lakh", 1e5), Map.entry("Lakh", 1e5), Map.entry("M", 1e6),
        Map.entry("mn", 1e6), Map.entry("Mio", 1e6), Map.entry("million", 1e6), Map.entry("Cr", 1e7), Map.entry("B", 1e9),
        Map.entry("bn", 1e9), Map.entry("Mrd", 1e9), Map.entry("billion", 1e9));
    final int index;
    final int column;
    final int plainCount;
    final int termCount;
    final List<Feature> features = new ArrayList<>();
    private final Map<Long, Integer> numberOf;

    Text(int index, Map<String, Object> head, Shelf shelf) {
      this.index = index;
      column = count(head.get("column"));
      plainCount = count(head.get("plainCount"));
      int[] keys = shelf.ints("keys." + index);
      termCount = keys.length / 2;
      numberOf = new HashMap<>(keys.length);
      for (int at = 0; at < keys.length; at += 2) numberOf.putIfAbsent(Terms.key(keys[at], keys[at + 1]), numberOf.size());
      require(keys.length % 2 == 0 && plainCount <= termCount);
    }

    void code(String text, Row row) {
      TreeMap<Integer, Integer> found = new TreeMap<>();
      Terms scanned = new Terms(text, key -> {
        Integer number = numberOf.get(key);
        if (number != null) found.merge(number, 1, Integer::sum);
      });
      int[] terms = new int[found.size()];
      int[] counts = new int[terms.length];
      int at = 0;
      for (var entry : found.entrySet()) {
        terms[at] = entry.getKey();
        counts[at++] = Math.min(255, entry.getValue());
      }
      row.terms[index] = terms;
      row.counts[index] = counts;
      for (Feature feature : features) {
        double value = feature.kind == 's' ? score(terms, feature) : shape(text, scanned.wordCount, feature.part);
        row.codes[feature.index] = feature.codeOf(value);
      }
    }

    /** NaN where no term weighs anything. */
    private static double score(int[] terms, Feature feature) {
      double sum = feature.bias;
      boolean isKnown = false;
      for (int term : terms) {
        if (term >= feature.weights.length) break;
        sum += feature.weights[term];
        isKnown |= feature.weights[term] != 0;
      }
      return isKnown ? sum : Double.NaN;
    }

    private static double shape(String text, int wordCount, String part) {
      if (text.isEmpty()) return Double.NaN;
      if (part.equals("characters")) return text.length();
      if (part.equals("words")) return wordCount;
      if (part.startsWith("character")) {
        int place = Integer.parseInt(part.substring(9));
        return place <= text.length() ? text.charAt(place - 1) : Double.NaN;
      }
      if (part.startsWith("ending")) {
        int at = text.length() - Integer.parseInt(part.substring(6));
        return at >= 0 ? text.charAt(at) : Double.NaN;
      }
      if (LIST_PARTS.contains(part)) return listPart(text, part);
      if (part.startsWith("number")) return numberInside(text, Integer.parseInt(part.substring(6)));
      double count = text.codePoints().filter(point -> isOf(part, Character.getType(point))).count();
      return count / text.length();
    }

    /** The number with this place among those inside the text, from 1; NaN where it has fewer. */
    private static double numberInside(String text, int place) {
      Matcher found = NUMBER_INSIDE.matcher(text);
      for (int at = 0; at < place; at++) if (!found.find()) return Double.NaN;
      return valueOf(text, found);
    }

    /** What all numbers inside the text make; NaN without one. */
    private static double listPart(String text, String part) {
      Matcher found = NUMBER_INSIDE.matcher(text);
      double last = Double.NaN, least = Double.POSITIVE_INFINITY, largest = Double.NEGATIVE_INFINITY, sum = 0;
      int count = 0;
      for (; found.find(); count++) {
        last = valueOf(text, found);
        least = Math.min(least, last);
        largest = Math.max(largest, last);
        sum += last;
      }
      if (count == 0 || part.equals("numberLast")) return last;
      if (part.equals("numberLeast")) return least;
      return part.equals("numberLargest") ? largest : sum / count;
    }

    private static double valueOf(String text, Matcher found) {
      String digits = found.group(4);
      if (digits == null && found.group(2) != null) digits = found.group(2).replace(",", "");
      if (digits == null) digits = found.group(3).replace(".", "").replace(',', '.');
      String factor = found.group(5) == null ? found.group(6) : found.group(5);
      String before = text.substring(0, found.start());
      boolean isOfCode = factor != null && factor.length() == 1
          && (OF_CODE.matcher(before).find() || (factor.equals("B") && !OF_AMOUNT.matcher(text).find()));
      double value = Double.parseDouble(digits) * (factor == null || isOfCode ? 1 : FACTORS.get(factor));
      return found.group(1) == null ? value : 0 - value;
    }

    private static boolean isOf(String part, int type) {
      if (part.equals("capitals")) return type == Character.UPPERCASE_LETTER;
      if (part.equals("digits")) return Terms.isNumber(type);
      return (type >= Character.DASH_PUNCTUATION && type <= Character.OTHER_PUNCTUATION)
          || type == Character.INITIAL_QUOTE_PUNCTUATION || type == Character.FINAL_QUOTE_PUNCTUATION;
    }
  }

  /** Finds the terms of a text: words, pairs of neighbouring words, pieces of words, and words with each digit as 0. O(length). */
  private static final class Terms {
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_WORD = 40;
    private static final int WORD_SEED = 0x2545f491;
    private static final int PAIR_SEED = 0x1b873593;
    private static final int PIECE_SEED = 0x6a09e667;
    /** Letters, marks and numerals of scripts without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar). */
    private static final int[] UNSPACED = ranges(
        "2bc 303 305 323 331 e01-e3a e40-e4e e50-e59 e81-e82 e84 e86-e8a e8c-ea3 ea5 ea7-ebd ec0-ec4 ec6 ec8-ece ed0-ed9 "
            + "edc-edf 1000-1049 1050-109d 1780-17d3 17d7 17dc-17dd 17e0-17e9 17f0-17f9 3005-3007 3021-302d 3031-3035 "
            + "3038-303c 3041-3096 3099-309a 309d-309f 30a1-30fa 30fc-30ff 3192-3195 31f0-31ff 3220-3229 3280-3289 3400-4dbf "
            + "4e00-9fff a9e0-a9fe aa60-aa76 aa7a-aa7f f900-fa6d fa70-fad9 ff66-ff9f 116d0-116e3 16fe3 16ff0-16ff6 "
            + "1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000-1b122 1b132 1b150-1b152 1b155 1b164-1b167 1d360-1d371 20000-2a6df "
            + "2a700-2b81d 2b820-2cead 2ceb0-2ebe0 2ebf0-2ee5d 2f800-2fa1d 30000-3134a 31350-33479");
    /** Unicode's Extended_Pictographic. */
    private static final int[] PICTURES = ranges(
        "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0 "
            + "25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 "
            + "2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab "
            + "26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 "
            + "2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 "
            + "27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f02c-1f02f 1f094-1f09f "
            + "1f0af-1f0b0 1f0c0 1f0cf-1f0d0 1f0f6-1f0ff 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 1f201-1f20f "
            + "1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f 1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b 1f39e-1f3f0 "
            + "1f3f3-1f3f5 1f3f7-1f3fa 1f400-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a 1f587 "
            + "1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 "
            + "1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6e5 1f6e9 1f6eb-1f6f0 1f6f3-1f6ff "
            + "1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af 1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff "
            + "1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff 1fc00-1fffd");

    int wordCount = 0;
    private final String text;
    private final java.util.function.LongConsumer take;
    /** Whether the text may have pictures, or letters of scripts without spaces. */
    private final boolean hasOthers;
    private boolean hasLast = false;
    private int lastLow;
    private int lastHigh;

    /** `take` gets the hash of each term, repeated ones too. */
    Terms(String cell, java.util.function.LongConsumer take) {
      this.take = take;
      String normal = Normalizer.normalize(cell, Normalizer.Form.NFKC);
      text = withSmallSigmas(normal.substring(0, Math.min(MOST_CHARACTERS, normal.length()))).toLowerCase(Locale.ROOT);
      hasOthers = text.chars().anyMatch(unit -> (unit >= 0xe00 && unit <= 0x1fff) || unit >= 0x2070);
      for (int at = 0; at < text.length(); ) at = takeFrom(at);
    }

    /** Each capital sigma as the small one of its place, by Unicode's rule; Java's own asks where words break. O(length). */
    private static String withSmallSigmas(String text) {
      if (text.indexOf('\u03a3') < 0) return text;
      StringBuilder found = new StringBuilder(text);
      // Whether a cased letter stands before, and behind, marks and the like left out.
      boolean[] isBehind = new boolean[text.length()];
      boolean isCased = false;
      for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
        isBehind[at] = isCased;
        isCased = isCasedAfter(isCased, text.codePointAt(at));
      }
      isCased = false;
      for (int at = text.length(); at > 0; ) {
        int point = text.codePointBefore(at);
        at -= Character.charCount(point);
        if (point == 0x3a3) found.setCharAt(at, isBehind[at] && !isCased ? '\u03c2' : '\u03c3');
        isCased = isCasedAfter(isCased, point);
      }
      return found.toString();
    }

    private static boolean isCasedAfter(boolean isCased, int point) {
      int type = Character.getType(point);
      boolean isIgnored = type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT
          || type == Character.MODIFIER_LETTER || type == Character.MODIFIER_SYMBOL
          || "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a".indexOf(point) >= 0;
      if (isIgnored) return isCased;
      return Character.isUpperCase(point) || Character.isLowerCase(point) || Character.isTitleCase(point);
    }

    static long key(int low, int high) {
      return ((long) high << 32) | (low & 0xffffffffL);
    }

    static boolean isNumber(int type) {
      return type >= Character.DECIMAL_DIGIT_NUMBER && type <= Character.OTHER_NUMBER;
    }

    /** Takes the word that begins here, if one does; returns where to look next. */
    private int takeFrom(int start) {
      int end = wordEnd(start);
      int point = text.codePointAt(start);
      boolean isPicture = end == start && hasOthers && isIn(PICTURES, point);
      if (end == start && hasOthers) end = unspacedEnd(start);
      if (isPicture) end = start + Character.charCount(point);
      if (end == start) return start + Character.charCount(point);
      wordCount++;
      // A mark that such scripts share with others may begin a word of others too.
      boolean isUnspaced = isPicture || isUnspaced(point);
      int shownEnd = isUnspaced ? end : Math.min(end, start + MOST_WORD);
      if (isUnspaced) for (int at = start; at < end; at = text.offsetByCodePoints(at, 1)) takeUnit(at, text.offsetByCodePoints(at, 1));
      else takeUnit(start, shownEnd);
      takePieces(start, shownEnd);
      if (hasNumber(start, end)) takeShape(start, shownEnd);
      return end;
    }

    private int unspacedEnd(int start) {
      int at = start;
      while (at < text.length() && isUnspaced(text.codePointAt(at))) at += Character.charCount(text.codePointAt(at));
      return at;
    }

    /** Letters and digits, with hyphens and apostrophes inside; numbers with points, colons and commas inside. */
    private int wordEnd(int start) {
      int end = lettersEnd(start);
      while (end > start && end < text.length()) {
        char sign = text.charAt(end);
        boolean joinsWords = sign == '\'' || sign == '\u2019' || sign == '-';
        boolean joinsNumbers = (sign == '.' || sign == ':' || sign == ',') && isNumber(Character.getType(text.codePointBefore(end)))
            && end + 1 < text.length() && isNumber(Character.getType(text.codePointAt(end + 1)));
        int next = joinsWords || joinsNumbers ? lettersEnd(end + 1) : end + 1;
        if (next <= end + 1) break;
        end = next;
      }
      return end;
    }

    private int lettersEnd(int start) {
      int at = start;
      while (at < text.length() && isLetter(text.codePointAt(at))) at += Character.charCount(text.codePointAt(at));
      return at;
    }

    /** A letter, mark or numeral. */
    private boolean isLetter(int point) {
      int type = Character.getType(point);
      if (type < Character.UPPERCASE_LETTER || type > Character.OTHER_NUMBER) return false;
      return !hasOthers || !(point == 0xfe0e || point == 0xfe0f || isUnspaced(point));
    }

    private static boolean isUnspaced(int point) {
      return isIn(UNSPACED, point);
    }

    private boolean hasNumber(int start, int end) {
      return text.substring(start, end).codePoints().anyMatch(point -> isNumber(Character.getType(point)));
    }

    /** A word, and its pair with the one before. */
    private void takeUnit(int start, int end) {
      int low = WORD_SEED;
      int high = ~WORD_SEED;
      for (int at = start; at < end; at++) {
        low = stir(low, text.charAt(at));
        high = stirOther(high, text.charAt(at));
      }
      low = finish(low);
      high = finish(high);
      take.accept(key(low, high));
      if (hasLast) take.accept(key(finish((lastLow * 31) ^ low ^ PAIR_SEED), finish((lastHigh * 33) ^ high)));
      hasLast = true;
      lastLow = low;
      lastHigh = high;
    }

    private void takeShape(int start, int end) {
      int low = WORD_SEED + 1;
      int high = ~WORD_SEED + 1;
      for (int at = start; at < end; at++) {
        int shown = isDigit(text, at) ? '0' : text.charAt(at);
        low = stir(low, shown);
        high = stirOther(high, shown);
      }
      take.accept(key(finish(low), finish(high)));
    }

    /** Three to five characters of the word between two blanks. */
    private void takePieces(int start, int end) {
      for (int first = start - 1; first <= end - 2; first++) {
        int low = PIECE_SEED;
        int high = ~PIECE_SEED;
        for (int at = first; at <= Math.min(end, first + 4); at++) {
          int unit = at < start || at == end ? ' ' : text.charAt(at);
          low = stir(low, unit);
          high = stirOther(high, unit);
          if (at - first >= 2) take.accept(key(finish(low), finish(high)));
        }
      }
    }

    private static int stir(int hash, int unit) {
      return (hash ^ unit) * 0x01000193;
    }

    private static int stirOther(int hash, int unit) {
      return (((hash ^ unit) + 0x7f4a7c15) * 0x9e3779b1) ^ (hash >>> 15);
    }

    private static int finish(int hash) {
      int mixed = (hash ^ (hash >>> 16)) * 0x85ebca6b;
      mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
      return mixed ^ (mixed >>> 16);
    }

    /** First and last code point of each range, ascending. */
    private static int[] ranges(String text) {
      return Arrays.stream(text.split(" "))
          .flatMap(range -> Arrays.stream(range.contains("-") ? range.split("-") : new String[] {range, range}))
          .mapToInt(point -> Integer.parseInt(point, 16)).toArray();
    }

    private static boolean isIn(int[] ranges, int point) {
      if (point < ranges[0]) return false;
      int found = Arrays.binarySearch(ranges, point);
      return found >= 0 || (-found - 1) % 2 == 1;
    }
  }

  // ---- Models

  /** A fitted model. `codes`: of the row's features, or of the coarser view that a member of a stack reads. */
  private interface Form {
    void score(Row row, int[] codes, double[] out);
  }

  private static Form readForm(Map<String, Object> head, int[] codeCounts, int[] termCounts, Shelf shelf, String prefix) {
    int classCount = count(head.get("classCount"));
    switch ((String) head.get("kind")) {
      case "forest": return new Forest(classCount, codeCounts.length, shelf, prefix);
      case "additive trees": return new BoostedTrees(classCount, codeCounts.length, shelf, prefix);
      case "additive": return new Tables(head, codeCounts, shelf, prefix);
      case "paired": return new Paired(head, codeCounts, shelf, prefix);
      case "networks": return new Networks(head, codeCounts, shelf, prefix);
      case "hidden layer": return new HiddenLayer(head, codeCounts, shelf, prefix);
      case "terms": return new TermWeights(head, codeCounts, termCounts, shelf, prefix);
      case "stack": return new Stack(head, codeCounts, termCounts, shelf, prefix);
      default: throw new ReadException("This reader knows no models of kind \"" + head.get("kind") + "\". Take the reader from a newer Cupel.");
    }
  }

  /** Scores of one class against the other where there are two, else one of each class. */
  private static int outputsOf(int classCount) {
    return classCount == 2 ? 1 : classCount;
  }

  /** Turns scores into probabilities; of two classes, the log-odds of class 1 stand in its place. */
  private static void toProbabilities(double[] cells) {
    if (cells.length > 2) {
      softmax(cells);
      return;
    }
    cells[0] = logistic(-cells[1]);
    cells[1] = logistic(cells[1]);
  }

  private static double logistic(double z) {
    if (z >= 0) return 1 / (1 + Math.exp(-z));
    double odds = Math.exp(z);
    return odds / (1 + odds);
  }

  private static void softmax(double[] scores) {
    double highest = scores[0];
    for (double own : scores) if (own > highest) highest = own;
    double sum = 0;
    for (int k = 0; k < scores.length; k++) {
      scores[k] = Math.exp(scores[k] - highest);
      sum += scores[k];
    }
    for (int k = 0; k < scores.length; k++) scores[k] /= sum;
  }

  private static final class Trees {
    private static final int MISSING_RIGHT = 0x8000;
    final int[] roots;
    final int[] children;
    private final char[] features;
    private final char[] thresholds;

    Trees(int featureCount, int leafCount, Shelf shelf, String prefix) {
      roots = shelf.ints(prefix + "roots");
      features = shelf.chars(prefix + "features");
      thresholds = shelf.chars(prefix + "thresholds");
      children = shelf.ints(prefix + "children");
      require(features.length == children.length && thresholds.length == children.length);
      require(roots.length == 0 || roots[0] == 0);
      for (int tree = 0; tree < roots.length; tree++) {
        int end = tree + 1 < roots.length ? roots[tree + 1] : children.length;
        require(roots[tree] >= 0 && roots[tree] < end && end <= children.length);
        for (int node = roots[tree]; node < end; node++) {
          int child = children[node];
          require(child < 0 ? ~child < leafCount : child > node && child + 1 < end && features[node] < featureCount);
        }
      }
    }

    int leafOf(int tree, int[] codes) {
      int node = roots[tree];
      for (int child = children[node]; child >= 0; child = children[node]) {
        int code = codes[features[node]];
        int threshold = thresholds[node];
        boolean isRight = code < FIRST ? (threshold & MISSING_RIGHT) != 0 : code > (threshold & ~MISSING_RIGHT);
        node = isRight ? child + 1 : child;
      }
      return node;
    }
  }

  private static final class Forest implements Form {
    private final float[] shares;
    private final Trees trees;

    Forest(int classCount, int featureCount, Shelf shelf, String prefix) {
      shares = shelf.floats(prefix + "distributions");
      trees = new Trees(featureCount, shares.length / classCount, shelf, prefix);
      require(trees.roots.length > 0);
    }

    public void score(Row row, int[] codes, double[] out) {
      for (int tree = 0; tree < trees.roots.length; tree++) {
        int from = ~trees.children[trees.leafOf(tree, codes)] * out.length;
        for (int k = 0; k < out.length; k++) out[k] += shares[from + k];
      }
      double scale = 1.0 / trees.roots.length;
      for (int k = 0; k < out.length; k++) out[k] *= scale;
    }
  }

  private static final class BoostedTrees implements Form {
    private final double[] intercepts;
    private final float[] values;
    private final Trees trees;

    BoostedTrees(int classCount, int featureCount, Shelf shelf, String prefix) {
      intercepts = shelf.doubles(prefix + "intercepts");
      values = shelf.floats(prefix + "values");
      trees = new Trees(featureCount, Integer.MAX_VALUE, shelf, prefix);
      require(intercepts.length == outputsOf(classCount) && values.length == trees.children.length);
      require(trees.roots.length % intercepts.length == 0);
    }

    public void score(Row row, int[] codes, double[] out) {
      int first = out.length - intercepts.length;
      System.arraycopy(intercepts, 0, out, first, intercepts.length);
      for (int tree = 0; tree < trees.roots.length; tree++) out[first + tree % intercepts.length] += values[trees.leafOf(tree, codes)];
      toProbabilities(out);
    }
  }

  /** Score tables: one of contributions for each feature that takes part. */
  private static final class Tables implements Form {
    final int outputCount;
    final double[] intercepts;
    private final double[][] tables;

    Tables(Map<String, Object> head, int[] codeCounts, Shelf shelf, String prefix) {
      outputCount = outputsOf(count(head.get("classCount")));
      intercepts = shelf.doubles(prefix + "intercepts");
      List<Object> hasTable = list(head.get("hasTable"));
      require(intercepts.length == outputCount && hasTable.size() == codeCounts.length);
      tables = new double[codeCounts.length][];
      for (int i = 0; i < tables.length; i++) {
        if (!(Boolean) hasTable.get(i)) continue;
        tables[i] = shelf.doubles(prefix + "table." + i);
        require(tables[i].length == codeCounts[i] * outputCount);
      }
    }

    /** Adds the intercepts and the contributions of these codes. */
    void add(int[] codes, double[] scores, int first) {
      for (int k = 0; k < outputCount; k++) scores[first + k] += intercepts[k];
      for (int i = 0; i < tables.length; i++) {
        if (tables[i] == null) continue;
        int from = codes[i] * outputCount;
        for (int k = 0; k < outputCount; k++) scores[first + k] += tables[i][from + k];
      }
    }

    public void score(Row row, int[] codes, double[] out) {
      add(codes, out, out.length - outputCount);
      toProbabilities(out);
    }
  }

  /** Few groups of neighbouring codes for some features. */
  private static final class Groups {
    final char[] features;
    final char[] counts;
    private final int[] starts;
    private final byte[] groupOfCode;

    Groups(int[] codeCounts, Shelf shelf, String prefix) {
      features = shelf.chars(prefix + "columns.features");
      counts = shelf.chars(prefix + "groupCounts");
      groupOfCode = shelf.bytes(prefix + "groupOfCode");
      starts = new int[features.length + 1];
      require(counts.length == features.length);
      for (int column = 0; column < features.length; column++) {
        starts[column + 1] = starts[column] + codeCounts[features[column]];
        require(counts[column] <= 256 && starts[column + 1] <= groupOfCode.length);
        for (int at = starts[column]; at < starts[column + 1]; at++) require((groupOfCode[at] & 255) < counts[column]);
      }
      require(starts[features.length] == groupOfCode.length);
    }

    int groupOf(int column, int[] codes) {
      return groupOfCode[starts[column] + codes[features[column]]] & 255;
    }
  }

  /** Score tables of the features and, behind them, of pairs of coarse columns. */
  private static final class Paired implements Form {
    private final Groups groups;
    private final char[] firsts;
    private final char[] seconds;
    private final int featureCount;
    private final Tables tables;

    Paired(Map<String, Object> head, int[] codeCounts, Shelf shelf, String prefix) {
      groups = new Groups(codeCounts, shelf, prefix);
      firsts = shelf.chars(prefix + "firsts");
      seconds = shelf.chars(prefix + "seconds");
      require(firsts.length == seconds.length);
      featureCount = codeCounts.length;
      int[] widened = Arrays.copyOf(codeCounts, featureCount + firsts.length);
      for (int pair = 0; pair < firsts.length; pair++) {
        int first = groups.counts[firsts[pair]];
        int second = groups.counts[seconds[pair]];
        require(first >= 2 && second >= 2);
        widened[featureCount + pair] = FIRST + rank(first) * rank(second);
      }
      Map<String, Object> own = object(head.get("additive"));
      require(own.get("classCount").equals(head.get("classCount")));
      tables = new Tables(own, widened, shelf, prefix + "additive.");
    }

    /** A group's place among all but the unseen one, missing first; of a count, the count without the unseen one. */
    private static int rank(int group) {
      return group == MISSING ? 0 : group - 1;
    }

    public void score(Row row, int[] codes, double[] out) {
      int[] widened = Arrays.copyOf(codes, featureCount + firsts.length);
      for (int pair = 0; pair < firsts.length; pair++) {
        int first = groups.groupOf(firsts[pair], codes);
        int second = groups.groupOf(seconds[pair], codes);
        boolean isUnseen = first == UNSEEN || second == UNSEEN;
        widened[featureCount + pair] =
            isUnseen ? UNSEEN : FIRST + rank(first) * rank(groups.counts[seconds[pair]]) + rank(second);
      }
      tables.score(row, widened, out);
    }
  }

  /** Bayesian networks, in which a column depends on the class and up to two others, and the mean of what they say. */
  private static final class Networks implements Form {
    private final int outputCount;
    private final boolean isGeometric;
    private final Groups groups;
    private final double[] logPriors;
    private final int[] memberStarts;
    private final char[] nodeColumns;
    private final char[] firstParents;
    private final char[] secondParents;
    private final int[] contextStarts;
    private final int[] contexts;
    private final float[] terms;

    Networks(Map<String, Object> head, int[] codeCounts, Shelf shelf, String prefix) {
      outputCount = outputsOf(count(head.get("classCount")));
      isGeometric = head.get("pooling").equals("geometric");
      groups = new Groups(codeCounts, shelf, prefix);
      logPriors = shelf.doubles(prefix + "logPriors");
      memberStarts = shelf.ints(prefix + "memberStarts");
      nodeColumns = shelf.chars(prefix + "nodeColumns");
      firstParents = shelf.chars(prefix + "firstParents");
      secondParents = shelf.chars(prefix + "secondParents");
      contexts = shelf.ints(prefix + "contexts");
      terms = shelf.floats(prefix + "terms");
      contextStarts = new int[nodeColumns.length + 1];
      check();
    }

    private void check() {
      int columnCount = groups.features.length;
      int nodeCount = nodeColumns.length;
      require(logPriors.length == outputCount && firstParents.length == nodeCount && secondParents.length == nodeCount);
      require(memberStarts.length >= 2 && memberStarts[0] == 0 && memberStarts[memberStarts.length - 1] == nodeCount);
      for (int member = 1; member < memberStarts.length; member++) require(memberStarts[member] >= memberStarts[member - 1]);
      for (int node = 0; node < nodeCount; node++) {
        require(firstParents[node] <= columnCount && secondParents[node] <= columnCount);
        contextStarts[node + 1] = contextStarts[node] + groupCount(firstParents[node]) * groupCount(secondParents[node]);
        int length = groups.counts[nodeColumns[node]] * outputCount;
        for (int at = contextStarts[node]; at < contextStarts[node + 1]; at++)
          require(contexts[at] >= 0 && contexts[at] <= terms.length - length);
      }
      require(contextStarts[nodeCount] == contexts.length);
    }

    /** The number of columns stands for no parent. */
    private int groupCount(int parent) {
      return parent == groups.features.length ? 1 : groups.counts[parent];
    }

    public void score(Row row, int[] codes, double[] out) {
      int[] own = new int[groups.features.length + 1];
      for (int column = 0; column < groups.features.length; column++) own[column] = groups.groupOf(column, codes);
      double[] scores = new double[outputCount];
      int first = out.length - outputCount;
      int memberCount = memberStarts.length - 1;
      for (int member = 0; member < memberCount; member++) {
        System.arraycopy(logPriors, 0, scores, 0, outputCount);
        for (int node = memberStarts[member]; node < memberStarts[member + 1]; node++) {
          int context = own[firstParents[node]] * groupCount(secondParents[node]) + own[secondParents[node]];
          int from = contexts[contextStarts[node] + context] + own[nodeColumns[node]] * outputCount;
          for (int k = 0; k < outputCount; k++) scores[k] += terms[from + k];
        }
        if (!isGeometric && outputCount == 1) scores[0] = logistic(scores[0]);
        else if (!isGeometric) softmax(scores);
        for (int k = 0; k < outputCount; k++) out[first + k] += scores[k];
      }
      for (int k = 0; k < outputCount; k++) out[first + k] /= memberCount;
      if (isGeometric) toProbabilities(out);
      else if (outputCount == 1) out[0] = 1 - out[1];
    }
  }

  /** Every code stands for an input and its value; a row's inputs make the values of units, and these the scores. */
  private static final class HiddenLayer implements Form {
    private final int unitCount;
    private final int[] codeCounts;
    private final int[] codeInputs;
    private final double[] codeValues;
    private final float[] unitWeights;
    private final double[] unitIntercepts;
    private final double[] outputWeights;
    private final double[] intercepts;

    HiddenLayer(Map<String, Object> head, int[] codeCounts, Shelf shelf, String prefix) {
      unitCount = count(head.get("unitCount"));
      this.codeCounts = codeCounts;
      codeInputs = shelf.ints(prefix + "codeInputs");
      codeValues = shelf.doubles(prefix + "codeValues");
      unitWeights = shelf.floats(prefix + "unitWeights");
      unitIntercepts = shelf.doubles(prefix + "unitIntercepts");
      outputWeights = shelf.doubles(prefix + "outputWeights");
      intercepts = shelf.doubles(prefix + "intercepts");
      require(unitCount > 0 && unitIntercepts.length == unitCount && intercepts.length == outputsOf(count(head.get("classCount"))));
      require(outputWeights.length == (long) unitCount * intercepts.length && codeValues.length == codeInputs.length);
      require(Arrays.stream(codeCounts).asLongStream().sum() == codeInputs.length);
      int inputCount = unitWeights.length / unitCount;
      for (int at = 0; at < codeInputs.length; at++)
        require(codeValues[at] == 0 || codeInputs[at] >= 0 && codeInputs[at] < inputCount);
    }

    public void score(Row row, int[] codes, double[] out) {
      double[] sums = unitIntercepts.clone();
      for (int i = 0, start = 0; i < codeCounts.length; start += codeCounts[i++]) {
        double value = codeValues[start + codes[i]];
        if (value == 0) continue;
        int from = codeInputs[start + codes[i]] * unitCount;
        for (int u = 0; u < unitCount; u++) sums[u] += value * unitWeights[from + u];
      }
      int first = out.length - intercepts.length;
      System.arraycopy(intercepts, 0, out, first, intercepts.length);
      for (int u = 0; u < unitCount; u++) {
        double unit = Math.tanh(sums[u]);
        for (int k = 0; k < intercepts.length; k++) out[first + k] += unit * outputWeights[u * intercepts.length + k];
      }
      toProbabilities(out);
    }
  }

  /** Score tables, and weights of the terms of texts. */
  private static final class TermWeights implements Form {
    private final Tables tables;
    private final boolean[] isLog;
    private final boolean[] isNormalised;
    private final float[][] scales;
    private final float[][] weights;
    private final int[] plainCounts;

    TermWeights(Map<String, Object> head, int[] codeCounts, int[] termCounts, Shelf shelf, String prefix) {
      Map<String, Object> own = object(head.get("tables"));
      require(own.get("classCount").equals(head.get("classCount")));
      tables = new Tables(own, codeCounts, shelf, prefix + "tables.");
      List<Object> texts = list(head.get("texts"));
      require(texts.size() == termCounts.length);
      isLog = new boolean[termCounts.length];
      isNormalised = new boolean[termCounts.length];
      scales = new float[termCounts.length][];
      weights = new float[termCounts.length][];
      plainCounts = shelf.plainCounts;
      for (int i = 0; i < termCounts.length; i++) {
        isLog[i] = object(texts.get(i)).get("counting").equals("log");
        isNormalised[i] = (Boolean) object(texts.get(i)).get("isNormalised");
        scales[i] = shelf.floats(prefix + "text." + i + ".scales");
        weights[i] = shelf.floats(prefix + "text." + i + ".termWeights");
        require(scales[i].length == termCounts[i] && weights[i].length == termCounts[i] * tables.outputCount);
      }
    }

    public void score(Row row, int[] codes, double[] out) {
      int first = out.length - tables.outputCount;
      tables.add(codes, out, first);
      for (int i = 0; i < scales.length; i++) addTerms(i, row.terms[i], row.counts[i], out, first);
      toProbabilities(out);
    }

    /** Values are rounded to 32 bits, as when the weights were fitted. */
    private void addTerms(int text, int[] terms, int[] counts, double[] scores, int first) {
      float[] values = new float[terms.length];
      double plainSquares = 0;
      double pieceSquares = 0;
      for (int i = 0; i < terms.length; i++) {
        float counted = isLog[text] ? (float) (1 + Math.log(counts[i])) : 1;
        double value = (double) counted * scales[text][terms[i]];
        values[i] = (float) value;
        if (terms[i] < plainCounts[text]) plainSquares += value * value;
        else pieceSquares += value * value;
      }
      double plain = plainSquares > 0 ? 1 / Math.sqrt(plainSquares) : 0;
      double pieces = pieceSquares > 0 ? 1 / Math.sqrt(pieceSquares) : 0;
      for (int i = 0; i < terms.length; i++) {
        float value = values[i];
        if (isNormalised[text]) value = (float) (value * (terms[i] < plainCounts[text] ? plain : pieces));
        if (value == 0) continue;
        int from = terms[i] * tables.outputCount;
        for (int k = 0; k < tables.outputCount; k++) scores[first + k] += (double) value * weights[text][from + k];
      }
    }
  }

  /** Models by weight, each on its own merge of the codes, and tables on top. */
  private static final class Stack implements Form {
    private static final double LEAST_SHARE = 0.002;
    private final double[] weights;
    private final double[] intercepts;
    /** By view and feature. */
    private final char[][][] merges;
    private final Form[] members;
    private final int[] viewOf;
    private final Tables mains;
    private final int viewOfMains;

    Stack(Map<String, Object> head, int[] codeCounts, int[] termCounts, Shelf shelf, String prefix) {
      weights = shelf.doubles(prefix + "weights");
      intercepts = shelf.doubles(prefix + "intercepts");
      List<Object> countList = list(head.get("mergedCodeCounts"));
      int[][] merged = new int[countList.size()][];
      merges = new char[merged.length][codeCounts.length][];
      for (int view = 0; view < merged.length; view++) {
        List<Object> counts = list(countList.get(view));
        require(counts.size() == codeCounts.length);
        merged[view] = new int[codeCounts.length];
        for (int i = 0; i < codeCounts.length; i++) {
          merged[view][i] = count(counts.get(i));
          merges[view][i] = shelf.chars(prefix + "merge." + view + "." + i);
          require(merges[view][i].length == codeCounts[i]);
          for (char code : merges[view][i]) require(code < merged[view][i]);
        }
      }
      List<Object> memberList = list(head.get("members"));
      members = new Form[memberList.size()];
      viewOf = new int[members.length];
      require(weights.length == members.length && members.length > 0 && intercepts.length == count(head.get("classCount")));
      for (int i = 0; i < members.length; i++) {
        Map<String, Object> member = object(memberList.get(i));
        Map<String, Object> own = object(member.get("model"));
        require(own.get("classCount").equals(head.get("classCount")) && !own.get("kind").equals("stack"));
        viewOf[i] = member.get("merge") == null ? -1 : count(member.get("merge"));
        members[i] = readForm(own, viewOf[i] < 0 ? codeCounts : merged[viewOf[i]], termCounts, shelf, prefix + "member." + i + ".");
      }
      Map<String, Object> top = head.get("mains") == null ? null : object(head.get("mains"));
      viewOfMains = top == null || top.get("merge") == null ? -1 : count(top.get("merge"));
      int[] countsOfMains = viewOfMains < 0 ? codeCounts : merged[viewOfMains];
      mains = top == null ? null : new Tables(object(top.get("tables")), countsOfMains, shelf, prefix + "mains.");
      require(mains == null || mains.outputCount == outputsOf(intercepts.length));
    }

    public void score(Row row, int[] codes, double[] out) {
      int[][] views = new int[merges.length][codes.length];
      for (int view = 0; view < views.length; view++)
        for (int i = 0; i < codes.length; i++) views[view][i] = merges[view][i][codes[i]];
      System.arraycopy(intercepts, 0, out, 0, out.length);
      double[] own = new double[out.length];
      for (int member = 0; member < members.length; member++) {
        if (weights[member] == 0) continue;
        Arrays.fill(own, 0);
        members[member].score(row, viewOf[member] < 0 ? codes : views[viewOf[member]], own);
        double sum = 0;
        for (double share : own) sum += Math.log(share + LEAST_SHARE);
        for (int k = 0; k < out.length; k++) out[k] += weights[member] * (Math.log(own[k] + LEAST_SHARE) - sum / out.length);
      }
      softmax(out);
      if (mains == null) return;
      for (int k = 0; k < out.length; k++) out[k] = Math.log(Math.max(Double.MIN_VALUE, out[k]));
      double[] added = new double[mains.outputCount];
      mains.add(viewOfMains < 0 ? codes : views[viewOfMains], added, 0);
      for (int k = 0; k < added.length; k++) out[added.length == 1 ? 1 : k] += added[k];
      softmax(out);
    }
  }

  // ---- The container

  /** The arrays of a file by name. One that is missing, or of another type, is a fault of the file. */
  private static final class Shelf {
    private static final Map<String, Integer> WIDTHS = Map.of("Uint8Array", 1, "Uint16Array", 2, "Uint32Array", 4, "Int32Array", 4,
        "Float32Array", 4, "Float64Array", 8);
    private final Map<String, ByteBuffer> arrays = new HashMap<>();
    private final Map<String, String> types = new HashMap<>();
    /** One for each text, filled in by the head. */
    int[] plainCounts;

    Shelf(ByteBuffer buffer, int size, long headEnd, List<Object> directory) {
      long offset = aligned(headEnd);
      for (Object item : directory) {
        Map<String, Object> entry = object(item);
        long bytes = (long) count(entry.get("length")) * WIDTHS.get(entry.get("type"));
        require(offset + bytes <= size);
        buffer.limit((int) (offset + bytes)).position((int) offset);
        arrays.put((String) entry.get("name"), buffer.slice().order(ByteOrder.LITTLE_ENDIAN));
        types.put((String) entry.get("name"), (String) entry.get("type"));
        offset = aligned(offset + bytes);
      }
    }

    private static long aligned(long offset) {
      return (offset + 7) / 8 * 8;
    }

    private ByteBuffer take(String name, String... allowed) {
      require(Arrays.asList(allowed).contains(types.get(name)));
      return arrays.get(name).duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] bytes(String name) {
      ByteBuffer buffer = take(name, "Uint8Array");
      byte[] found = new byte[buffer.remaining()];
      buffer.get(found);
      return found;
    }

    char[] chars(String name) {
      var buffer = take(name, "Uint16Array").asCharBuffer();
      char[] found = new char[buffer.remaining()];
      buffer.get(found);
      return found;
    }

    /** Unsigned ones beyond 2^31 come out negative, and no check lets these through. */
    int[] ints(String name) {
      var buffer = take(name, "Uint32Array", "Int32Array").asIntBuffer();
      int[] found = new int[buffer.remaining()];
      buffer.get(found);
      return found;
    }

    float[] floats(String name) {
      var buffer = take(name, "Float32Array").asFloatBuffer();
      float[] found = new float[buffer.remaining()];
      buffer.get(found);
      return found;
    }

    double[] doubles(String name) {
      var buffer = take(name, "Float64Array").asDoubleBuffer();
      double[] found = new double[buffer.remaining()];
      buffer.get(found);
      return found;
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) java.util.Objects.requireNonNull((Map<?, ?>) value);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object value) {
    return (List<Object>) java.util.Objects.requireNonNull((List<?>) value);
  }

  private static List<String> strings(Object value) {
    List<String> found = new ArrayList<>();
    for (Object item : list(value)) found.add((String) item);
    return found;
  }

  private static double[] numbers(Object value) {
    return list(value).stream().mapToDouble(item -> (Double) item).toArray();
  }

  private static int count(Object value) {
    double number = (Double) value;
    require(number >= 0 && number <= Integer.MAX_VALUE && number == Math.rint(number));
    return (int) number;
  }

  /** Objects as maps, arrays as lists, numbers as doubles. O(length). */
  private static final class Json {
    private static final int MOST_DEPTH = 100;
    private final String text;
    private int at = 0;
    private int depth = 0;

    Json(String text) {
      this.text = text;
    }

    Object read() {
      Object value = value();
      space();
      require(at == text.length());
      return value;
    }

    private Object value() {
      space();
      require(++depth < MOST_DEPTH);
      char sign = text.charAt(at);
      Object found = sign == '{' ? map() : sign == '[' ? items() : sign == '"' ? string() : literal();
      depth--;
      return found;
    }

    private Map<String, Object> map() {
      Map<String, Object> found = new HashMap<>();
      at++;
      if (isNext('}')) return found;
      do {
        space();
        String name = string();
        require(isNext(':'));
        found.put(name, value());
      } while (isNext(','));
      require(isNext('}'));
      return found;
    }

    private List<Object> items() {
      List<Object> found = new ArrayList<>();
      at++;
      if (isNext(']')) return found;
      do found.add(value());
      while (isNext(','));
      require(isNext(']'));
      return found;
    }

    private String string() {
      require(text.charAt(at) == '"');
      int from = ++at;
      while (text.charAt(at) != '"' && text.charAt(at) != '\\') at++;
      if (text.charAt(at) == '"') return text.substring(from, at++);
      StringBuilder found = new StringBuilder(text.substring(from, at));
      for (; text.charAt(at) != '"'; at++) {
        char own = text.charAt(at);
        if (own == '\\') {
          own = text.charAt(++at);
          int plain = "\"\\/bfnrt".indexOf(own);
          require(plain >= 0 || own == 'u');
          if (plain >= 0) own = "\"\\/\b\f\n\r\t".charAt(plain);
          else own = (char) Integer.parseInt(text.substring(at + 1, (at += 4) + 1), 16);
        }
        found.append(own);
      }
      at++;
      return found.toString();
    }

    private Object literal() {
      int from = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
      String word = text.substring(from, at);
      if (word.equals("null")) return null;
      return word.equals("true") ? Boolean.TRUE : word.equals("false") ? Boolean.FALSE : Double.valueOf(word);
    }

    private void space() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean isNext(char sign) {
      space();
      boolean isIt = at < text.length() && text.charAt(at) == sign;
      if (isIt) at++;
      return isIt;
    }
  }

  // ---- The command

  private static final int BAD_INPUT = 3;

  public static void main(String[] arguments) throws IOException {
    List<String> words = new ArrayList<>(Arrays.asList(arguments));
    String check = option(words, "--check");
    String out = option(words, "--out");
    if (words.size() != (check == null ? 2 : 1) || words.get(0).startsWith("-")) {
      System.err.println("Usage: java CupelModel.java MODEL.cupel NEW.csv [--out FILE]\n"
          + "       java CupelModel.java MODEL.cupel --check CHECK.json");
      System.exit(2);
    }
    try {
      CupelModel model = load(Path.of(words.get(0)));
      if (check != null) System.exit(model.passes(check) ? 0 : 1);
      model.scoreFile(Path.of(words.get(1)), out == null ? null : Path.of(out));
    } catch (ReadException error) {
      fail(error.getMessage());
    } catch (NoSuchFileException error) {
      fail("There is no file " + error.getMessage() + ".");
    } catch (FileAlreadyExistsException error) {
      fail("The file " + error.getMessage() + " exists. Name another one, or remove it.");
    } catch (java.nio.charset.CharacterCodingException error) {
      fail("The file is not UTF-8. Save it as UTF-8.");
    }
  }

  private static void fail(String message) {
    System.err.println(message);
    System.exit(BAD_INPUT);
  }

  /** Takes an option with its value out of the words; null where it is not there. */
  private static String option(List<String> words, String name) {
    int at = words.indexOf(name);
    if (at < 0 || at + 1 >= words.size()) return null;
    words.remove(at);
    return words.remove(at);
  }

  /** Compares the answers to those of a check file, and prints what it found. */
  private boolean passes(String path) throws IOException {
    Map<String, Object> check;
    try {
      check = object(new Json(Files.readString(Path.of(path))).read());
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException error) {
      throw new ReadException(path + " is no check file of Cupel.");
    }
    List<String> names = strings(check.get("columns"));
    List<Object> rows = list(check.get("rows"));
    double worst = 0;
    int otherLabels = 0;
    int otherCodes = 0;
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> cells = new HashMap<>();
      for (int at = 0; at < names.size(); at++) cells.put(names.get(at), list(rows.get(i)).get(at));
      Object[] values = columns().stream().map(cells::get).toArray();
      Row row = code(values);
      if (check.get("codes") != null && !Arrays.equals(row.codes, ints(list(check.get("codes")).get(i)))) otherCodes++;
      Score score = decide(row);
      double[] expected = numbers(list(check.get("probabilities")).get(i));
      if (!score.label.equals(list(check.get("labels")).get(i))) otherLabels++;
      for (int k = 0; k < expected.length; k++) {
        double difference = Math.abs(score.probabilities[k] - expected[k]);
        worst = difference <= worst ? worst : difference;
      }
    }
    boolean isSame = !rows.isEmpty() && otherLabels + otherCodes == 0 && worst <= 1e-12;
    System.out.println((isSame ? "The same answers: " : "OTHER ANSWERS: ") + rows.size() + " rows, " + otherLabels
        + " with another label, " + otherCodes + " with other codes; largest difference of a probability " + worst);
    return isSame;
  }

  private static int[] ints(Object value) {
    return Arrays.stream(numbers(value)).mapToInt(item -> (int) item).toArray();
  }

  /** Writes each line with the decision, its confidence and the probability of each label behind it, as `cupel predict` does. */
  private void scoreFile(Path input, Path output) throws IOException {
    if (output != null && Files.exists(output)) throw new FileAlreadyExistsException(output.toString());
    var decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    Path part = output == null ? null : output.resolveSibling(output.getFileName() + ".part");
    boolean isDone = false;
    try (Reader reader = new BufferedReader(new InputStreamReader(Files.newInputStream(input), decoder), 1 << 16);
        Writer writer = new BufferedWriter(new OutputStreamWriter(
            part == null ? new PrintStream(System.out) : Files.newOutputStream(part), StandardCharsets.UTF_8), 1 << 16)) {
      scoreLines(new Csv(reader), writer);
      isDone = true;
    } finally {
      if (part != null && !isDone) Files.deleteIfExists(part);
    }
    if (part != null) Files.move(part, output);
  }

  private void scoreLines(Csv csv, Writer writer) throws IOException {
    List<String> names = csv.header(columns());
    int[] positions = new int[columns.length];
    for (int i = 0; i < positions.length; i++) positions[i] = names.indexOf(columns[i].name);
    List<String> heading = new ArrayList<>(csv.headerCells);
    List<String> added = new ArrayList<>(List.of("prediction", "confidence"));
    for (String label : labels) added.add("probability_" + label);
    Set<String> taken = new HashSet<>(names);
    for (String name : added) heading.add(Csv.freeName(name, taken));
    Csv.write(heading, writer);
    String[] cells = new String[columns.length];
    CellCheck[] checks = Arrays.stream(columns).map(CellCheck::new).toArray(CellCheck[]::new);
    for (List<String> record = csv.record(); record != null; record = csv.record()) {
      if (record.size() != names.size())
        throw new ReadException("Line " + csv.recordLine + " has " + record.size() + " cells; the header has " + names.size() + ".");
      for (int i = 0; i < cells.length; i++) {
        cells[i] = record.get(positions[i]);
        checks[i].add(trim(cells[i]), csv.recordLine);
      }
      Score score = score(cells);
      List<String> line = new ArrayList<>(record);
      line.add(score.label);
      line.add(sixDigits(score.confidence));
      for (double probability : score.probabilities) line.add(sixDigits(probability));
      Csv.write(line, writer);
    }
    CellCheck.require(checks);
  }

  /** Whether a file writes the numbers or dates of a column as the model reads them: if not, its cells would count as missing. */
  private static final class CellCheck {
    private static final int LEAST_VALUES = 10;
    private static final double READABLE_SHARE = 0.05;
    private static final int MOST_NAMES = 10;
    private final Column column;
    private int total;
    private int read;
    private int readOtherwise;
    private int firstUnread;

    CellCheck(Column column) {
      this.column = column;
    }

    void add(String text, int line) {
      if (column.kind == 'c' || column.missing.contains(text)) return;
      total++;
      if (isRead(text)) {
        read++;
        return;
      }
      if (firstUnread == 0) firstUnread = line;
      if (isReadOtherwise(text)) readOtherwise++;
    }

    private boolean isRead(String text) {
      return column.kind == 'd' ? readDate(text, column.order) != null : Double.isFinite(column.number(text));
    }

    private boolean isReadOtherwise(String text) {
      if (column.kind == 'd') return ORDERS.stream().anyMatch(order -> readDate(text, order) != null);
      return Double.isFinite(column.number(text, '.', 0)) || Double.isFinite(column.number(text, ',', 0))
          || Double.isFinite(column.number(text, '.', ',')) || Double.isFinite(column.number(text, ',', '.'));
    }

    private boolean isRefused() {
      return readOtherwise > read || (total >= LEAST_VALUES && read <= READABLE_SHARE * total);
    }

    private String example() {
      if (column.order.equals("ymd")) return "dates such as 2024-12-31";
      if (column.order.equals("dmy")) return "dates with the day first, such as 31.12.2024 or 31/12/2024";
      if (column.order.equals("mdy")) return "dates with the month first, such as 12/31/2024";
      if (column.order.equals("unix")) return "times since 1970, such as 1735689599";
      if (isClock(column.affix)) return column.affix.equals("h:mm") ? "times such as 14:05" : "times such as 1:02:03";
      return "numbers such as 1" + column.grouping + "234" + column.decimal + "5" + column.affix;
    }

    static void require(CellCheck[] checks) {
      List<CellCheck> refused = new ArrayList<>();
      for (CellCheck check : checks) if (check.isRefused()) refused.add(check);
      if (refused.isEmpty()) return;
      CellCheck first = refused.get(0);
      List<String> others = new ArrayList<>();
      for (CellCheck other : refused.subList(1, Math.min(MOST_NAMES, refused.size()))) others.add('"' + other.column.name + '"');
      String also = others.isEmpty() ? "" : " So it is with " + String.join(", ", others) + (refused.size() > MOST_NAMES ? ", \u2026." : ".");
      throw new ReadException(first.total - first.read + " of the " + first.total + " values in column \"" + first.column.name
          + "\" cannot be read as " + first.example() + ", the first in line " + first.firstUnread + "." + also
          + " Write them so, or correct the names of the columns; where there is no value, leave the cell empty.");
    }
  }

  private static String sixDigits(double value) {
    return plainText(new BigDecimal(value).round(new MathContext(6, RoundingMode.HALF_UP)));
  }

  /** Records of a CSV file, RFC 4180, one after the other in constant memory; blank lines are left out. */
  private static final class Csv {
    private static final String DELIMITERS = ",;\t|";
    private final Reader reader;
    private int line = 1;
    private char delimiter = ',';
    /** One character that was read too far, or -2. */
    private int ahead = -2;
    int recordLine = 1;
    List<String> headerCells;

    Csv(Reader reader) {
      this.reader = reader;
    }

    /** Reads the first line and finds the delimiter by the names that are needed. */
    List<String> header(List<String> needed) throws IOException {
      if ((ahead = reader.read()) == 0xfeff) ahead = -2;
      List<String> best = List.of();
      List<String> lacking = needed;
      char chosen = ',';
      String first = recordText();
      if (first == null) throw new ReadException("The file is empty.");
      for (char own : DELIMITERS.toCharArray()) {
        Csv csv = new Csv(new java.io.StringReader(first));
        csv.delimiter = own;
        List<String> cells = csv.recordOrNone();
        List<String> names = columnNames(cells);
        List<String> missing = new ArrayList<>(needed);
        missing.removeAll(names);
        if (headerCells != null && missing.size() >= lacking.size()) continue;
        best = names;
        lacking = missing;
        chosen = own;
        headerCells = cells;
      }
      if (!lacking.isEmpty())
        throw new ReadException("The file lacks " + lacking.size() + " of the " + needed.size() + " columns that the model needs: \""
            + String.join("\", \"", lacking.subList(0, Math.min(10, lacking.size()))) + "\". Names must match exactly.");
      delimiter = chosen;
      return best;
    }

    /** Every name once: the first column with a name keeps it, and one without is called by its number. */
    private static List<String> columnNames(List<String> cells) {
      List<String> trimmed = new ArrayList<>();
      for (String cell : cells) trimmed.add(trim(cell));
      Set<String> taken = new HashSet<>(trimmed);
      Set<String> seen = new HashSet<>(List.of(""));
      List<String> names = new ArrayList<>();
      for (String name : trimmed)
        names.add(seen.add(name) ? name : freeName(name.isEmpty() ? "column_" + (names.size() + 1) : name, taken));
      return names;
    }

    /** The name, or the first of it with _2, _3 and so on that is not taken; takes it. */
    static String freeName(String name, Set<String> taken) {
      String free = name;
      for (int suffix = 2; !taken.add(free); suffix++) free = name + "_" + suffix;
      return free;
    }

    /** The first record that is not blank, as it stands in the file. */
    private String recordText() throws IOException {
      StringBuilder text = new StringBuilder();
      boolean isQuoted = false;
      for (int own = next(); own >= 0; own = next()) {
        if (own == '"') isQuoted = !isQuoted;
        boolean isEnd = !isQuoted && (own == '\n' || own == '\r');
        if (isEnd && own == '\r' && (ahead = reader.read()) == '\n') ahead = -2;
        if (own == '\n' || own == '\r') line++;
        if (isEnd && !text.toString().isBlank()) return text.toString();
        if (isEnd) text.setLength(0);
        else text.append((char) own);
      }
      return text.toString().isBlank() ? null : text.toString();
    }

    private int next() throws IOException {
      int own = ahead != -2 ? ahead : reader.read();
      ahead = -2;
      return own;
    }

    /** The next record; empty where its quotes do not fit the delimiter. */
    private List<String> recordOrNone() throws IOException {
      try {
        return record();
      } catch (ReadException error) {
        return List.of();
      }
    }

    /** The next record; null at the end. */
    List<String> record() throws IOException {
      List<String> cells = new ArrayList<>();
      StringBuilder cell = new StringBuilder();
      boolean isQuoted = false;
      boolean wasQuoted = false;
      recordLine = line;
      for (int own = next(); ; own = next()) {
        if (own < 0 && isQuoted) throw new ReadException("The quote in the record of line " + recordLine + " is never closed.");
        if (isQuoted) {
          if (own == '"' && (ahead = reader.read()) == '"') ahead = -2;
          else if (own == '"') isQuoted = false;
          if (own == '\n') line++;
          if (isQuoted) cell.append((char) own);
        } else if (own == '"' && cell.length() == 0 && !wasQuoted) {
          isQuoted = true;
          wasQuoted = true;
        } else if (own == delimiter || own == '\n' || own == '\r' || own < 0) {
          boolean isBlank = cells.isEmpty() && !wasQuoted && cell.toString().isBlank() && own != delimiter;
          cells.add(cell.toString());
          cell.setLength(0);
          wasQuoted = false;
          if (own == delimiter) continue;
          if (own == '\r' && (ahead = reader.read()) == '\n') ahead = -2;
          if (own >= 0) line++;
          if (!isBlank) return cells;
          if (own < 0) return null;
          cells.clear();
          recordLine = line;
        } else if (wasQuoted) {
          throw new ReadException("Line " + line + ": behind a closing quote comes the next cell or the end of the line.");
        } else cell.append((char) own);
      }
    }

    static void write(List<String> cells, Writer writer) throws IOException {
      for (int i = 0; i < cells.size(); i++) {
        if (i > 0) writer.write(',');
        String cell = cells.get(i);
        boolean needsQuotes = cell.startsWith("\ufeff") || cell.chars().anyMatch(own -> own == ',' || own == '"' || own == '\n' || own == '\r');
        writer.write(needsQuotes ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
      }
      writer.write('\n');
    }
  }
}
