/** A server in this process that reads evidence files, and files that are signed with a key of its trust policy. */
import { generateKeyPairSync, sign } from "node:crypto"
import { assert } from "vitest"
import { type Attestry, createAttestry } from "../../src/Attestry.js"

const HOST = "http://host.test"

const { privateKey, publicKey } = generateKeyPairSync("ed25519")

/** The lines of the key in PEM. */
export const PEM = publicKey.export({ type: "spki", format: "pem" }).toString()

/** A trust policy that trusts a key with bills of materials. */
export const trustOf = (pem: string): string =>
  [
    "_schema: https://example.org/schemas/trust-policy/v1",
    "keys:",
    "  - id: release",
    "    public_key: |",
    ...pem
      .trim()
      .split("\n")
      .map((line) => `      ${line}`),
    "rules:",
    "  - name: releases are signed with our key",
    "    kinds: [sbom]",
    "    signer: { keys: [release] }",
    ""
  ].join("\n")

/** A bill of materials with one component. */
export const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [
    { type: "library", name: "lodash", version: "4.17.21", purl: "pkg:npm/lodash@4.17.21" }
  ]
}

/** A statement about an artifact. */
export const statementOf = (sha256: string) => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "shop.tar", digest: { sha256 } }],
  predicateType: "https://cyclonedx.org/bom",
  predicate: BOM
})

/**
 * A payload in an envelope that the key of the policy has signed. It names the key: a wrong signature of an unnamed key
 * may be one of a key that the policy does not have.
 */
export const signed = (payload: string) => {
  const payloadType = "application/vnd.in-toto+json"
  const bytes = Buffer.from(payload)
  const head = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `)
  const sig = sign(null, Buffer.concat([head, bytes]), privateKey).toString("base64")
  return { payloadType, payload: bytes.toString("base64"), signatures: [{ keyid: "release", sig }] }
}

/** An answer: its status, and its body as JSON where it is JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A server and its org. */
export interface EvidenceHost {
  readonly send: (method: string, path: string, body?: object) => Promise<Answer>
  /** Sends an evidence file. */
  readonly submit: (file: string | Uint8Array, query?: string) => Promise<Answer>
  /** Reports an artifact to a trail `run` of the flow `shop`. */
  readonly report: (fingerprint: string) => Promise<void>
  /** The bytes of an evidence file that was accepted. */
  readonly raw: (digest: string) => Promise<Uint8Array>
  /** Another org of the same server. */
  readonly second: (org: string) => Promise<EvidenceHost>
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The most bytes that a socket delivers at once. */
const PIECE_BYTES = 65_536

/** Bytes in pieces. WHY: in a process a whole file would arrive as one piece, which no connection delivers. */
const piecesOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + PIECE_BYTES))
      at += PIECE_BYTES
    }
  })
}

const hostOf = (
  { admin, fetch }: Pick<Attestry, "admin" | "fetch">,
  { key, org }: { readonly key: string; readonly org: string }
): EvidenceHost => {
  const send: EvidenceHost["send"] = async (method, path, body) => {
    const isFile = body instanceof Uint8Array
    const answer = await fetch(
      new Request(`${HOST}/api/v2${path.replace("{org}", org)}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": isFile ? "application/octet-stream" : "application/json"
        },
        ...(isFile ? { body: piecesOf(body), duplex: "half" } : {}),
        ...(isFile || body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
    return { status: answer.status, body: parsed(await answer.text()) }
  }
  return {
    send,
    raw: async (digest) => {
      const answer = await fetch(
        new Request(`${HOST}/api/v2/evidence/${org}/${digest}/raw`, {
          headers: { authorization: `Bearer ${key}` }
        })
      )
      assert.strictEqual(answer.status, 200)
      return new Uint8Array(await answer.arrayBuffer())
    },
    second: async (name) => {
      await admin.createOrg(name)
      const user = `admin-of-${name}`
      await admin.addUser({ org: name, login: user, role: "admin" })
      const issued = await admin.issueKey({ user })
      return hostOf({ admin, fetch }, { key: issued.key, org: name })
    },
    submit: (file, query = "") =>
      send(
        "POST",
        `/evidence/{org}${query}`,
        typeof file === "string" ? new TextEncoder().encode(file) : file
      ),
    report: async (fingerprint) => {
      const { body, status } = await send("POST", "/artifacts/{org}/shop", {
        fingerprint,
        filename: "shop.tar",
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        git_commit: "1".repeat(40),
        trail_name: "run",
        template_reference_name: "app"
      })
      assert.strictEqual(status, 201, JSON.stringify(body))
    }
  }
}

/** Runs a test with a server on a store in memory. */
export const withHost = async (
  use: (host: EvidenceHost) => Promise<void>,
  settings: { readonly [variable: string]: string } = {}
): Promise<void> => {
  const attestry = await createAttestry({
    store: "memory",
    settings: { ATTESTRY_WEB: "off", ...settings }
  })
  try {
    const { first } = attestry
    if (first === undefined) throw new Error("the store is not empty")
    await use(hostOf(attestry, first))
  } finally {
    await attestry.close()
  }
}
