/** Which certificate authorities vouch for those whom we connect to? DECISION A-25 */
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
    // WHY: Node itself goes on without a file that it cannot read, and warns when it starts.
    return []
  }
}

/**
 * The TLS options for certificates in PEM beside those that Node trusts; throws when there is none in
 * the text, or one that cannot be read.
 */
export const options = (extraCa: string | undefined): { readonly ca?: Array<string> } =>
  extraCa === undefined
    ? {}
    : // WHY: naming `ca` replaces what Node trusts, so what it trusts has to be named as well.
      { ca: [...rootCertificates, ...environmentCa(), ...certificatesIn(extraCa)] }
