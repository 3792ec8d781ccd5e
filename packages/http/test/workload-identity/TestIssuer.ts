/** An issuer of id tokens on a real socket: discovery, keys that can be rotated, and tokens as it signs them. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { IssuerUnreachable } from "@attestry/core/IssuerRefresh"
import { Effect } from "effect"

/** The algorithms that the tests sign with. */
export type Algorithm = "RS256" | "PS256" | "ES256" | "ES384" | "EdDSA"

interface SigningKey {
  readonly kid: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly jwk: object
}

const pairOf = (algorithm: Algorithm) => {
  switch (algorithm) {
    case "RS256":
    case "PS256":
      return generateKeyPairSync("rsa", { modulusLength: 2_048 })
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" })
    case "ES384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" })
    case "EdDSA":
      return generateKeyPairSync("ed25519")
  }
}

/** A new key. */
export const makeKey = (kid: string, algorithm: Algorithm): SigningKey => {
  const { privateKey, publicKey } = pairOf(algorithm)
  return {
    kid,
    algorithm,
    privateKey,
    jwk: { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: algorithm }
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const signatureOf = ({ algorithm, privateKey }: SigningKey, content: string): Buffer => {
  const bytes = Buffer.from(content)
  switch (algorithm) {
    case "RS256":
      return sign("sha256", bytes, privateKey)
    case "PS256":
      return sign("sha256", bytes, { key: privateKey, padding: 6, saltLength: 32 })
    case "ES256":
      return sign("sha256", bytes, { key: privateKey, dsaEncoding: "ieee-p1363" })
    case "ES384":
      return sign("sha384", bytes, { key: privateKey, dsaEncoding: "ieee-p1363" })
    case "EdDSA":
      return sign(null, bytes, privateKey)
  }
}

/** A token that a key signs; the header may lie. */
export const signed = (key: SigningKey, claims: object, header: object = {}): string => {
  const content = `${encode({ typ: "JWT", alg: key.algorithm, kid: key.kid, ...header })}.${encode(claims)}`
  return `${content}.${signatureOf(key, content).toString("base64url")}`
}

/** The name that the issuer has in tokens and rules; it is reached on loopback. */
export const ISSUER = "https://issuer.example.org"

/** A running issuer. */
export interface TestIssuer {
  /** The keys that it publishes; a test may replace them. */
  readonly published: { keys: ReadonlyArray<SigningKey>; isDown: boolean; issuer: string }
  readonly requests: Array<string>
  /** Fetches from it, as the server would from its name. */
  readonly fetchJson: (url: string) => Effect.Effect<unknown, IssuerUnreachable>
  readonly stop: () => Promise<void>
}

/** Starts an issuer. */
export const start = async (keys: ReadonlyArray<SigningKey>): Promise<TestIssuer> => {
  const published = { keys, isDown: false, issuer: ISSUER }
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? "")
    const isKnown = request.url === "/.well-known/openid-configuration"
    response.writeHead(published.isDown ? 500 : 200, { "content-type": "application/json" })
    response.end(
      JSON.stringify(
        isKnown
          ? { issuer: published.issuer, jwks_uri: `${ISSUER}/keys` }
          : { keys: [...published.keys.map(({ jwk }) => jwk), { kty: "oct", kid: "s", k: "eA" }] }
      )
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    published,
    requests,
    fetchJson: (url) =>
      Effect.tryPromise({
        try: async () => {
          const answer = await fetch(url.replace(ISSUER, base))
          if (answer.status !== 200) throw new Error(`status ${answer.status}`)
          return answer.json()
        },
        catch: () => new IssuerUnreachable({ reason: "no answer" })
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
