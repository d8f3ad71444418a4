// The settings of the server: where each comes from, and what is refused.
import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import {
  DEFAULT_PORT,
  hostNames,
  readServeOptions,
  SERVE_SETTINGS,
  type ServeFlags,
  SettingError,
} from "../../src/config.ts";

const read = (flags: ServeFlags = {}, environment: Record<string, string> = {}) =>
  readServeOptions(flags, environment, 6);

describe("readServeOptions", () => {
  test("defaults keep the server to this machine", () => {
    expect(read()).toEqual({
      host: "127.0.0.1",
      port: DEFAULT_PORT,
      basePath: "",
      publicUrl: null,
      allowedHosts: [],
      workers: 6,
      requestsPerMinute: 120_000,
      tls: null,
      dataFolder: resolve("cupel-data"),
    });
  });

  test("a flag goes before a variable, and a variable before a default; an empty variable is none", () => {
    expect(read({}, { CUPEL_PORT: "9000" }).port).toBe(9_000);
    expect(read({ port: "9001" }, { CUPEL_PORT: "9000" }).port).toBe(9_001);
    expect(read({}, { CUPEL_PORT: "" }).port).toBe(DEFAULT_PORT);
    expect(read({}, { PORT: "9000" }).port).toBe(DEFAULT_PORT);
  });

  test("every setting has a variable", () => {
    const environment = {
      CUPEL_HOST: "::",
      CUPEL_PORT: "0",
      CUPEL_BASE_PATH: "/a/b/",
      CUPEL_PUBLIC_URL: "https://Example.org/cupel/",
      CUPEL_ALLOWED_HOSTS: "nas, nas.local",
      CUPEL_WORKERS: "2",
      CUPEL_REQUESTS_PER_MINUTE: "600",
      CUPEL_TLS_CERT: "/c.pem",
      CUPEL_TLS_KEY: "/k.pem",
      CUPEL_DATA: "/srv/cupel",
    };
    expect(Object.values(SERVE_SETTINGS).map(({ variable }) => variable as string)).toEqual(Object.keys(environment));
    const options = read({}, environment);
    expect(options).toEqual({
      host: "::",
      port: 0,
      basePath: "/a/b",
      publicUrl: "https://example.org/cupel",
      allowedHosts: ["nas", "nas.local"],
      workers: 2,
      requestsPerMinute: 600,
      tls: { certPath: "/c.pem", keyPath: "/k.pem" },
      dataFolder: "/srv/cupel",
    });
    expect(hostNames(options)).toEqual(["::", "example.org", "nas", "nas.local"]);
  });

  test.each<[ServeFlags, RegExp]>([
    [{ port: "65536" }, /^--port is "65536"; it must be a whole number from 0 to 65535\.$/],
    [{ port: "80a" }, /--port/],
    [{ port: "" }, /--port/],
    [{ host: "http://x" }, /--host/],
    [{ host: "a b" }, /--host/],
    [{ basePath: "cupel" }, /--base-path/],
    [{ basePath: "/a/../b" }, /--base-path/],
    [{ basePath: "//x" }, /--base-path/],
    [{ basePath: "/a:b" }, /--base-path/],
    [{ publicUrl: "example.org" }, /--public-url/],
    [{ publicUrl: "ftp://example.org" }, /--public-url/],
    [{ publicUrl: "https://u@example.org" }, /--public-url/],
    [{ publicUrl: "https://example.org/?x" }, /--public-url/],
    [{ allowedHosts: "a,b c" }, /--allowed-hosts/],
    [{ workers: "0" }, /--workers/],
    [{ workers: "257" }, /--workers/],
    [{ tlsCert: "c.pem" }, /^--tls-cert needs --tls-key \(or CUPEL_TLS_KEY\)/],
    [{ tlsKey: "k.pem" }, /^--tls-key needs --tls-cert/],
  ])("%j is refused", (flags, message) => {
    expect(() => read(flags)).toThrow(SettingError);
    expect(() => read(flags)).toThrow(message);
  });

  test("a wrong variable is named as such", () => {
    expect(() => read({}, { CUPEL_WORKERS: "many" })).toThrow('CUPEL_WORKERS is "many"; it must be');
  });
});
