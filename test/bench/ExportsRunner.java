// Scores rows by CupelModel: MODEL ROWS ANSWERS. Cells end with U+001F, rows with U+001E, in both files; the last row has seconds.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public final class ExportsRunner {
  public static void main(String[] paths) throws Exception {
    List<String[]> rows = new ArrayList<>();
    for (String row : Files.readString(Path.of(paths[1])).split("\u001e")) rows.add(row.split("\u001f", -1));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    CupelModel model = CupelModel.load(Path.of(paths[0]));
    long loaded = threads.getCurrentThreadCpuTime();
    List<CupelModel.Score> scores = new ArrayList<>();
    int columns = model.columns().size();
    for (String[] row : rows) scores.add(model.score(java.util.Arrays.copyOf(row, columns)));
    long ended = threads.getCurrentThreadCpuTime();
    StringBuilder text = new StringBuilder();
    for (CupelModel.Score score : scores) {
      text.append(score.label).append('\u001f');
      for (double p : score.probabilities) text.append(p).append('\u001f');
      text.append('\u001e');
    }
    text.append((loaded - begun) / 1e9).append('\u001f').append((ended - loaded) / 1e9).append('\u001f');
    Files.writeString(Path.of(paths[2]), text);
  }
}
