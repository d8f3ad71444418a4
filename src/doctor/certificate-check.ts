// The TLS certificate: that it can be read, is of its key, and will not end soon.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ServeOptions } from "../config.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

const SOON_MS = 30 * 24 * 3_600_000;

/** Nothing where the service has none. */
export function checkCertificate({ tls, publicUrl }: ServeOptions, now: Date): Finding[] {
  if (tls === null) return [];
  const { certPath, keyPath } = tls;
  let certificate: X509Certificate;
  let isOfKey: boolean;
  try {
    certificate = new X509Certificate(readFileSync(certPath));
    isOfKey = certificate.checkPrivateKey(createPrivateKey(readFileSync(keyPath)));
  } catch (error) {
    const text = `The certificate ${certPath} or its key ${keyPath} cannot be read (${codeOf(error)}).`;
    return [problem("certificate", text, "Both must be PEM files that the server's user may read.")];
  }
  if (!isOfKey) {
    return [problem("certificate", `The key ${keyPath} is not that of ${certPath}.`, "Give the pair that was issued.")];
  }
  return [dateFinding(certificate, certPath, now), ...hostFindings(certificate, publicUrl)];
}

function dateFinding({ validFrom, validTo }: X509Certificate, path: string, now: Date): Finding {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  const until = to.toISOString().slice(0, 10);
  const remedy = "Renew it, then start the server again: it reads the files when it starts.";
  if (to < now) return problem("certificate", `${path} has been over since ${until}.`, remedy);
  if (from > now) {
    return problem("certificate", `${path} begins on ${from.toISOString().slice(0, 10)} only.`, "Check the clock.");
  }
  if (to.getTime() - now.getTime() < SOON_MS) return warning("certificate", `${path} ends on ${until}.`, remedy);
  return ok("certificate", `${path} is good until ${until}.`);
}

function hostFindings(certificate: X509Certificate, publicUrl: string | null): Finding[] {
  if (publicUrl === null) return [];
  const { hostname } = new URL(publicUrl);
  const name = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name);
  if (found !== undefined) return [];
  const remedy = "Clients refuse it unless a proxy before the server has another one.";
  return [warning("certificate", `It is not for ${hostname}, the host of --public-url.`, remedy)];
}
