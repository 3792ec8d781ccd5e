/** The certificate authorities that outbound TLS connections trust. */
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { rootCertificates } from "node:tls"

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const certificatesIn = (pem: string): ReadonlyArray<string> => {
  const found = pem.match(CERTIFICATE) ?? []
  if (found.length === 0) throw new Error("no certificate found")
  return found.map((block) => new X509Certificate(block).toString())
}

const environmentCa = (): ReadonlyArray<string> => {
  const file = process.env.NODE_EXTRA_CA_CERTS
  try {
    return file === undefined || file === "" ? [] : certificatesIn(readFileSync(file, "utf8"))
  } catch {
    // WHY: Node itself ignores a file that it cannot read, after a warning.
    return []
  }
}

/** The TLS options for certificates in PEM beside Node's; throws when there is none in the text, or an invalid one. */
export const options = (extraCa: string | undefined): { readonly ca?: Array<string> } =>
  extraCa === undefined
    ? {}
    : // WHY: `ca` replaces Node's certificates, so the list includes them.
      { ca: [...rootCertificates, ...environmentCa(), ...certificatesIn(extraCa)] }
