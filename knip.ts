// What counts as used: with --production only what product code calls, so that code that only tests call is reported.
import type { KnipConfig } from "knip";

const config: KnipConfig = {
  entry: [
    "workers/worker.ts!",
    "src/screens/main.tsx!",
    "src/readers/javascript/reader.ts!",
    "src/clients/typescript/cupel.ts!",
    "src/packaging/{build,clients,kernels,licenses}.ts!",
    "engine/kernels/{boosting,columns,forest,hidden-layer,reading/reading,walking}.ts!",
    "test/**/*.test.ts",
    "test/fuzz/campaign.ts",
    "test/binary/{crash,no-network}.ts",
    "test/bench/*.ts",
    "test/support/*.ts",
  ],
  project: ["{src,engine,workers,data}/**/*.{ts,tsx}!", "test/**/*.{ts,tsx}"],
  // Tests may look at the parts of a file that only the file itself calls.
  ignoreExportsUsedInFile: process.argv.includes("--production"),
};

// biome-ignore lint/style/noDefaultExport: knip reads its configuration from there.
export default config;
