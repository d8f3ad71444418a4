// A certificate for localhost, signed by itself, with its key: made anew at
// each run, so that no key lies in the repository.
import { generateKeyPairSync, sign } from "node:crypto";

interface Certificate {
  /** PEM. */
  certificate: string;
  key: string;
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const COMMON_NAME = objectIdentifier([0x55, 0x04, 0x03]);
const SUBJECT_ALTERNATIVE_NAMES = objectIdentifier([0x55, 0x1d, 0x11]);

/** X.509 version 3 (RFC 5280), valid until 2049. */
export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from("localhost")))));
  const alternatives = sequence(element(0x82, Buffer.from("localhost")), element(0x87, Buffer.of(127, 0, 0, 1)));
  const toBeSigned = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    name,
    sequence(element(0x17, Buffer.from("200101000000Z")), element(0x17, Buffer.from("491231235959Z"))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAMES, element(0x04, alternatives)))),
  );
  const signature = element(0x03, Buffer.concat([Buffer.of(0), sign("sha256", toBeSigned, privateKey)]));
  const der = sequence(toBeSigned, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function sequence(...elements: readonly Uint8Array[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

function objectIdentifier(bytes: readonly number[]): Buffer {
  return element(0x06, Buffer.from(bytes));
}

/** DER: tag, length, content. */
function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
