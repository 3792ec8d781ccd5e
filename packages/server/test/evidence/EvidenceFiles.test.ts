/** Evidence files on an assembled server: read in threads, verified by the trust policy, linked and judged. */
import { createHash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as BundledTrustRoots from "@attestry/evidence-intake/BundledTrustRoots"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { ROOTS_MAX, rootsOf } from "../../src/internal/EvidenceReading.js"
import { type Answer, BOM, PEM, signed, statementOf, trustOf, withHost } from "./EvidenceHost.js"

const TIMEOUT = 60_000

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** The document of an answer, and the artifacts that it is linked to. */
const seen = ({ body, status }: Answer) => {
  assert.strictEqual(status, 201, JSON.stringify(body))
  const { documents } = body as {
    readonly documents: ReadonlyArray<{
      readonly kind: string
      readonly verification: { readonly state: string; readonly reason: string | null }
      readonly links: ReadonlyArray<{
        readonly artifact_fingerprint: string | null
        readonly is_compliant: boolean
      }>
    }>
  }
  return documents.map(({ kind, links, verification }) => ({
    kind,
    state: verification.state,
    reason: verification.reason,
    links: links.map((link) => [link.artifact_fingerprint, link.is_compliant])
  }))
}

const ROOT = JSON.stringify({
  mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1"
})

/** A folder with these files. */
const folderOf = (files: { readonly [name: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-roots-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const nameRoot = (root: string) =>
  [
    "_schema: https://example.org/schemas/trust-policy/v1",
    "rules:",
    "  - name: workflows",
    "    kinds: [provenance]",
    "    signer:",
    "      sigstore:",
    `        roots: [${root}]`,
    "        issuer: https://token.actions.githubusercontent.com",
    "        san: https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
    ""
  ].join("\n")

describe("evidence files on a server", () => {
  it(
    "are verified by the trust policy, linked to their artifacts and judged",
    () =>
      withHost(async ({ report, send, submit }) => {
        const trust = await send("PUT", "/trust-policy/{org}", { trust_yaml: trustOf(PEM) })
        assert.strictEqual(trust.status, 201, JSON.stringify(trust.body))
        const [whole, forged, plain] = [sha256("whole"), sha256("forged"), sha256("plain")]
        for (const fingerprint of [whole, forged, plain]) await report(fingerprint)
        const envelope = signed(JSON.stringify(statementOf(whole)))
        assert.deepStrictEqual(seen(await submit(JSON.stringify(envelope))), [
          { kind: "sbom", state: "verified", reason: null, links: [[whole, true]] }
        ])
        const { payload, ...rest } = signed(JSON.stringify(statementOf(forged)))
        const text = Buffer.from(payload, "base64").toString().replace("4.17.21", "4.17.20")
        const changed = { ...rest, payload: Buffer.from(text).toString("base64") }
        assert.deepStrictEqual(seen(await submit(JSON.stringify(changed))), [
          { kind: "sbom", state: "failed", reason: "bad_signature", links: [[forged, false]] }
        ])
        const query = `?flow_name=shop&trail_name=run&fingerprint=${plain}`
        assert.deepStrictEqual(seen(await submit(JSON.stringify(BOM), query)), [
          { kind: "sbom", state: "unsigned", reason: null, links: [[plain, true]] }
        ])
      }),
    TIMEOUT
  )

  it(
    "are refused if they are archives, or larger than the limit",
    () =>
      withHost(
        async ({ submit }) => {
          assert.strictEqual((await submit("PK\u0003\u0004\u0014\u0000")).status, 415)
          const file = JSON.stringify(BOM)
          const fits = await submit(file.padEnd(1_024), "?flow_name=a&trail_name=b")
          assert.strictEqual(fits.status, 201, JSON.stringify(fits.body))
          const large = await submit(file.padEnd(1_025), "?flow_name=a&trail_name=b")
          assert.strictEqual(large.status, 413, JSON.stringify(large.body))
        },
        { ATTESTRY_EVIDENCE_BYTES_MAX: "1024", ATTESTRY_EVIDENCE_READERS: "1" }
      ),
    TIMEOUT
  )
})

describe("the trust roots of the release", () => {
  const textsOf = (folder: string | undefined) =>
    Effect.runPromise(rootsOf(folder === undefined ? {} : { ATTESTRY_TRUST_ROOTS_DIR: folder }))

  it("are there without a folder, and beside the roots of one", async () => {
    const released = BundledTrustRoots.texts()
    assert.deepStrictEqual(await textsOf(undefined), released)
    const own = await textsOf(folderOf({ "own.json": ROOT }))
    assert.deepStrictEqual(own, new Map([["own", ROOT], ...released]))
  })

  it("give way to a file of the same name", async () => {
    const own = await textsOf(folderOf({ "public-good.json": ROOT }))
    assert.deepStrictEqual(own, new Map([["public-good", ROOT]]))
  })
})

describe("the trust policy on a server", () => {
  const problemsOf = ({ body, status }: Answer) => {
    assert.strictEqual(status, 400, JSON.stringify(body))
    return (body as { readonly errors: { readonly [path: string]: string } }).errors
  }

  it(
    "names trust roots that there are, and keys that can verify",
    () =>
      withHost(
        async ({ send }) => {
          const put = (trust_yaml: string) => send("PUT", "/trust-policy/{org}", { trust_yaml })
          assert.strictEqual((await put(nameRoot("public-good"))).status, 201)
          assert.strictEqual((await put(nameRoot("own"))).status, 201)
          const path = "rules.0.signer.sigstore.roots.0"
          assert.match(
            problemsOf(await put(nameRoot("missing")))[path] ?? "",
            /there is no trust root `missing`: the roots are `own`, `public-good`$/
          )
          const [begin, , end] = PEM.split("\n")
          assert.match(
            problemsOf(await put(trustOf(`${begin}\nAAAA\n${end}`)))["keys.0.public_key"] ?? "",
            /this is not one public key in PEM$/
          )
        },
        {
          ATTESTRY_TRUST_ROOTS_DIR: folderOf({
            "public-good.jsonl": `${ROOT}\n${ROOT}\n`,
            "own.json": ROOT,
            "README.md": "how to renew them",
            ".hidden.json": ""
          })
        }
      ),
    TIMEOUT
  )
})

describe("a start", () => {
  const problemOf = async (folder: string): Promise<string> => {
    try {
      await withHost(async () => undefined, { ATTESTRY_TRUST_ROOTS_DIR: folder })
    } catch (cause) {
      return String(cause)
    }
    return ""
  }

  it(
    "ends with the name of a file that is no trust root, and its problem",
    async () => {
      const cases: ReadonlyArray<readonly [{ readonly [name: string]: string }, RegExp]> = [
        [{ "a.json": ROOT, "b.json": "{}" }, /b\.json`: the media type must be `application/],
        [{ "a.jsonl": `${ROOT}\n{\n` }, /a\.jsonl`: line 2: this is not JSON/],
        [{ "a b.json": ROOT }, /a b\.json`: trust policies cannot use this name/],
        [{ "a.json": ROOT, "a.jsonl": ROOT }, /a\.jsonl`: another file has the name `a`/]
      ]
      for (const [files, expected] of cases) {
        const problem = await problemOf(folderOf(files))
        assert.match(problem, /ATTESTRY_TRUST_ROOTS_DIR: `/)
        assert.match(problem, expected)
      }
      assert.match(await problemOf(join(folderOf({}), "missing")), /cannot read `.*`: ENOENT/)
    },
    TIMEOUT
  )

  it(
    "reads at most 32 trust roots",
    async () => {
      const files = (count: number) =>
        folderOf(
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}.json`, ROOT]))
        )
      assert.strictEqual(await problemOf(files(ROOTS_MAX)), "")
      assert.match(await problemOf(files(ROOTS_MAX + 1)), /has 33 trust roots; at most 32 are read/)
    },
    TIMEOUT
  )
})
