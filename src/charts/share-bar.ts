// A share from 0 to 1 as a bar beside its figure.
import { formatPercent } from "../common/format.ts";
import { html, type Markup } from "../common/markup.ts";

export function shareBar(share: number, isQuiet = false): Markup {
  return html`<span class="share-bar"><svg viewBox="0 0 100 8" width="100" height="8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8" rx="2"/><rect class="${isQuiet ? "bar quiet" : "bar"}" width="${Math.max(1, 100 * share)}" height="8" rx="2"/></svg><span class="num">${formatPercent(share)}</span></span>`;
}
