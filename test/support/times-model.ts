// A model of dates with the day first and of two kinds of times, for values that are no texts.
import { readCsvText } from "./csv-table.ts";
import { FOREST, fileOf } from "./text-models.ts";

/** Its columns: `day` (`31.12.2024 7:05`), `start` (`7:05`) and `took` (`1:02:03`). */
export function timesModel() {
  const two = (value: number) => String(value).padStart(2, "0");
  const lines = Array.from({ length: 900 }, (_, row) => {
    const [day, month, hour, minute, second] = [row % 28, row % 12, (row * 5) % 24, (row * 7) % 60, (row * 11) % 60];
    const start = (row * 13) % 24;
    const label = (hour < 12 ? 1 : 0) + (start < 8 ? 1 : 0) + (month < 6 ? 1 : 0) + (minute < 30 ? 1 : 0);
    return (
      `${two(day + 1)}.${two(month + 1)}.${2019 + (row % 5)} ${hour}:${two(minute)},${start}:${two(second)},` +
      `${hour % 4}:${two(minute)}:${two(second)},${label % 2 === 0 ? "even" : label}`
    );
  });
  return fileOf(readCsvText(`day,start,took,label\n${lines.join("\n")}\n`), FOREST);
}
