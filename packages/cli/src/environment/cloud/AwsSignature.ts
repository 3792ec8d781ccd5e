/** AWS Signature Version 4, for AWS and compatible services. Pure. */
import { createHash, createHmac } from "node:crypto"

/** The credentials and the scope of a signature. */
export interface SigningKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** The request to sign. */
export interface Signable {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly service: string
  readonly region: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest()

/** Percent-encodes everything except unreserved characters. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** WHY once for S3 and twice elsewhere: the protocol requires it. The path of a URL is encoded already. */
const pathOf = ({ url, service }: Signable): string =>
  service === "s3" ? url.pathname : url.pathname.split("/").map(encode).join("/")

const queryOf = ({ url }: Signable): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&")

/** An instant as `20150830T123600Z`. */
const stampOf = (nowMs: number): string =>
  new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, "")

/** The headers of a request, including its signature. */
export const sign = (
  request: Signable,
  key: SigningKey,
  nowMs: number
): { readonly [name: string]: string } => {
  const { method, url, body, service, region } = request
  const stamp = stampOf(nowMs)
  const digest = sha256(body)
  const headers: { readonly [name: string]: string } = {
    ...request.headers,
    host: url.host,
    "x-amz-date": stamp,
    ...(service === "s3" ? { "x-amz-content-sha256": digest } : {}),
    ...(key.sessionToken === undefined ? {} : { "x-amz-security-token": key.sessionToken })
  }
  const names = Object.keys(headers).sort()
  const lines = names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}\n`)
  const signed = names.join(";")
  const canonical = [method, pathOf(request), queryOf(request), lines.join(""), signed, digest]
  const day = stamp.slice(0, 8)
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ["AWS4-HMAC-SHA256", stamp, scope, sha256(canonical.join("\n"))].join("\n")
  const dayKey = hmac(hmac(hmac(`AWS4${key.secretAccessKey}`, day), region), service)
  const signature = createHmac("sha256", hmac(dayKey, "aws4_request")).update(text).digest("hex")
  return {
    ...headers,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, ` +
      `SignedHeaders=${signed}, Signature=${signature}`
  }
}
