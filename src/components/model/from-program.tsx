// A model from a program: lines for curl, Python and TypeScript, ready to be copied.
import { BASE_ADDRESS } from "../../browser/address.ts";
import { models } from "../../browser/api.ts";
import { useLoad } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";
import { Section } from "../page.tsx";
import { programLines } from "./program-lines.ts";

export function FromProgram({ modelKey }: { modelKey: string }) {
  // Where there is no such row, the lines send a file.
  const example = useLoad((signal) => models.exampleRow(modelKey, 1, signal).catch(() => null), [modelKey]);
  if (example.isLoading) return null;
  const lines = programLines({ address: BASE_ADDRESS, modelKey, row: example.value?.row ?? null });
  return (
    <Section title="Use this model from a program">
      <p class="note">
        Make an API key with the scopes <code>read</code> and <code>predict</code> under{" "}
        <a href={linkTo("/account")}>Account</a>, and keep it in the environment as <code>CUPEL_KEY</code>. The clients
        are single files of this server; <a href="docs/clients">Clients for programs</a> has the rest.
      </p>
      <div class="programs">
        {lines.map(({ language, client, text }) => (
          <section key={language} aria-label={language}>
            <h3>{language}</h3>
            {client !== null && (
              <p class="note">
                Beside the program:{" "}
                <a href={client} download>
                  {client.replace(/^.*\//, "")}
                </a>
              </p>
            )}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
            <pre tabIndex={0}>
              <code>{text}</code>
            </pre>
          </section>
        ))}
      </div>
    </Section>
  );
}
