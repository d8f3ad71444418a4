// Who may read the figures, and in what form they come.
import { describe, expect, test } from "bun:test";
import { expectAnswer, type Sent, withApi } from "../../support/api.ts";

describe("the figures", () => {
  const bearer = (key: string): Sent => ({ headers: { authorization: `Bearer ${key}` } });

  test("are for administrators, by a login or an API key made for it; no address opens them", () =>
    withApi(async (api) => {
      const statusOf = async (sent: Sent) => (await api.request("GET", "/metrics", sent)).status;
      expect(await statusOf({ as: "grace" })).toBe(200);
      expect(await statusOf(bearer(api.apiKeyOf("grace", ["metrics"])))).toBe(200);
      expect(await statusOf(bearer(api.apiKeyOf("grace", ["read", "write", "predict"])))).toBe(403);
      expect(await statusOf({ as: "ada" })).toBe(403);
      expect(await statusOf(bearer(api.apiKeyOf("ada", ["metrics"])))).toBe(403);
      expect(await statusOf({})).toBe(401);
      expect((await fetch(`${api.listen().origin}/metrics`)).status).toBe(401);
      const other = bearer(api.apiKeyOf("grace", ["metrics"]));
      expect((await api.request("GET", "/api/v1/datasets", other)).status).toBe(403);
    }));

  test("come in the format that Prometheus asks for", () =>
    withApi(async (api) => {
      const accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
      const response = await api.request("GET", "/metrics", { as: "grace", headers: { accept } });
      await expectAnswer(api, response, {
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      });
      expect(await response.text()).toBe("cupel_test 1\n");
    }));
});
