// Checks the TLS certificate: that it can be read, matches its key, and does not expire soon.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ServeOptions } from "../service/config.ts";
import { codeOf, type Finding, ok, problem, warning } from "./finding.ts";

const SOON_MS = 30 * 24 * 3_600_000;

/** Finds nothing where the service has no certificate. */
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
    return [
      problem(
        "certificate",
        `The key ${keyPath} does not match ${certPath}.`,
        "Give the key and certificate that were issued together.",
      ),
    ];
  }
  return [dateFinding(certificate, certPath, now), ...hostFindings(certificate, publicUrl)];
}

function dateFinding({ validFrom, validTo }: X509Certificate, path: string, now: Date): Finding {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  const until = to.toISOString().slice(0, 10);
  const remedy = "Renew it, then restart the server, which reads the files at its start.";
  if (to < now) return problem("certificate", `${path} expired on ${until}.`, remedy);
  if (from > now) {
    return problem(
      "certificate",
      `${path} is not valid before ${from.toISOString().slice(0, 10)}.`,
      "Check the clock.",
    );
  }
  if (to.getTime() - now.getTime() < SOON_MS) return warning("certificate", `${path} expires on ${until}.`, remedy);
  return ok("certificate", `${path} is valid until ${until}.`);
}

function hostFindings(certificate: X509Certificate, publicUrl: string | null): Finding[] {
  if (publicUrl === null) return [];
  const { hostname } = new URL(publicUrl);
  const name = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name);
  if (found !== undefined) return [];
  const remedy = "Clients refuse it, unless a proxy in front of the server has another one.";
  return [warning("certificate", `It is not valid for ${hostname}, the host of --public-url.`, remedy)];
}
