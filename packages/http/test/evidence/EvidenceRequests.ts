/** Requests, files and generated cases for the laws of evidence files on the wire. */
import { createHash } from "node:crypto"
import { FastCheck } from "effect"
import { assert } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import type { CallOptions, TestServer } from "../shared/TestServer.js"

/** How many cases of a law a run tries. */
export const RUNS = lengthForRun({ quick: 8, full: 20, deep: 200 })
export const TIMEOUT = 300_000
export const COMMIT = "1".repeat(40)

export const sha256 = (content: string | Uint8Array) =>
  createHash("sha256").update(content).digest("hex")

/** A trust policy with these rules beside `base`. */
const trustOf = (failOn: string, rules: ReadonlyArray<string>): string =>
  [
    "_schema: https://example.org/schemas/trust-policy/v1",
    `scan: { fail_on: ${failOn} }`,
    "keys:",
    "  - id: k",
    "    public_key: |",
    "      -----BEGIN PUBLIC KEY-----",
    "      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=",
    "      -----END PUBLIC KEY-----",
    "rules:",
    ...["base", ...rules].flatMap((name) => [
      `  - name: ${name}`,
      "    kinds: [sbom, provenance, scan, vex]",
      "    signer: { keys: [k] }"
    ]),
    ""
  ].join("\n")

interface Link {
  readonly flow_name: string
  readonly trail_name: string
  readonly artifact_fingerprint: string | null
  readonly created: boolean
}

export interface Submitted {
  readonly documents: ReadonlyArray<{
    readonly digest: string
    readonly waiting: ReadonlyArray<string>
    readonly links: ReadonlyArray<Link>
  }>
}

export type Attestation = { readonly [member: string]: unknown }

export const documentsOf = (body: unknown) => (body as Submitted).documents

/** Requests that the laws make. */
export const requests = ({ call }: TestServer) => {
  const send = (file: string, query = "", options: CallOptions = {}) =>
    call("POST /evidence/{org}", { query, raw: file, as: "member", ...options })
  return {
    send,
    accepted: async (file: string, query = "") => {
      const { body, status } = await send(file, query)
      assert.oneOf(status, [200, 201], JSON.stringify(body))
      return { status, documents: documentsOf(body) }
    },
    report: async (flow_name: string, trail_name: string, fingerprint: string) => {
      const { body, status } = await call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name },
        body: {
          fingerprint,
          filename: "shop.tar",
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1",
          git_commit: COMMIT,
          trail_name,
          template_reference_name: "app"
        }
      })
      assert.oneOf(status, [200, 201], JSON.stringify(body))
    },
    trust: async (failOn: string, rules: ReadonlyArray<string>) => {
      const body = { trust_yaml: trustOf(failOn, rules) }
      const { body: answer, status } = await call("PUT /trust-policy/{org}", { body })
      assert.oneOf(status, [200, 201], JSON.stringify(answer))
    },
    judge: async (digest: string) => {
      const { body, status } = await call("POST /evidence/{org}/{digest}/judge", {
        path: { digest },
        as: "member"
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
    },
    /** The attestations of a flow, oldest first. */
    attestations: async (flow_name: string): Promise<ReadonlyArray<Attestation>> => {
      const { body } = await call("GET /attestations/{org}/{flow_name}", {
        path: { flow_name },
        query: "?per_page=100"
      })
      return [...(body as { readonly data: ReadonlyArray<Attestation> }).data].reverse()
    },
    status: async (flow_name: string, trail_name: string) => {
      const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
        path: { flow_name, trail_name }
      })
      return (body as { readonly compliance_status: unknown }).compliance_status
    },
    template: async (name: string) => {
      const template_file = [
        "version: 1",
        "trail:",
        "  artifacts:",
        "    - name: app",
        "      attestations:",
        ...["sbom", "scan", "provenance"].flatMap((kind) => [
          `        - name: ${kind}`,
          `          type: custom:attestry-${kind}`
        ])
      ].join("\n")
      const body = { name, description: "", template_file }
      const { status } = await call("PUT /flows/{org}/template_file", { body })
      assert.strictEqual(status, 201)
    }
  }
}

/** Checks a law on generated cases. */
export const check = <A>(
  arbitrary: FastCheck.Arbitrary<A>,
  property: (value: A) => Promise<void>,
  numRuns = RUNS
): Promise<void> =>
  FastCheck.assert(FastCheck.asyncProperty(arbitrary, property), { numRuns, endOnFailure: true })
