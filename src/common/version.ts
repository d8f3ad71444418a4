// The version of this program, from package.json.
import { version } from "../../package.json";

export const CUPEL_VERSION: string = version;
