/**
 * The published conformance cases of Sigstore: one folder for each bundle, whose name says whether it verifies.
 *
 * `ATTESTRY_SIGSTORE_CONFORMANCE` is the path of their folder `bundle-verify`. Cases without a trust root of their own
 * are verified by that of the release. Without a path the test is skipped, and says so.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as BundledTrustRoots from "../../src/verification/BundledTrustRoots.js"
import * as EvidenceVerifier from "../../src/verification/EvidenceVerifier.js"
import * as TrustRoot from "../../src/verification/TrustRoot.js"
import * as Bundles from "./Bundles.js"
import * as Documents from "./Documents.js"

const folder = process.env.ATTESTRY_SIGSTORE_CONFORMANCE ?? ""
const publicGood = BundledTrustRoots.texts().get(BundledTrustRoots.PUBLIC_GOOD) ?? ""

const BEACON = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon"
const IDENTITY = `${BEACON}/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main`
const ISSUER = "https://token.actions.githubusercontent.com"

const cases =
  folder === ""
    ? []
    : readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)

/** The text of a file of a case, or of the folder of all cases. */
const textOf = (name: string, file: string, fallback: string): string => {
  const path = join(folder, name, file)
  return existsSync(path) ? readFileSync(path, "utf8").trim() : fallback
}

const rootOf = (name: string): string => textOf(name, "trusted_root.json", publicGood)

const policyOf = (name: string) => {
  const key = textOf(name, "key.pub", "")
  const san = textOf(name, "identity", IDENTITY)
  const issuer = textOf(name, "issuer", ISSUER)
  const signer =
    key === ""
      ? ({ kind: "sigstore", roots: ["root"], issuer, san, sourceRepositoryId: null } as const)
      : ({ kind: "keys", keys: ["release"], threshold: 1 } as const)
  return Documents.policyOf({
    keys: key === "" ? [] : [{ id: "release", publicKey: key, validUntil: null }],
    rules: [Documents.keyRule({ signer })]
  })
}

const artifactOf = (name: string): string => {
  const own = join(folder, name, "artifact")
  const path = existsSync(own) ? own : join(folder, "a.txt")
  return createHash("sha256").update(readFileSync(path)).digest("hex")
}

/** Whether the bundle is verified and is about the artifact. */
const isVerified = (name: string, rootText: string): boolean => {
  const root = TrustRoot.parse(rootText)
  const text = readFileSync(join(folder, name, "bundle.sigstore.json"), "utf8")
  const parsed = Either.try(() => JSON.parse(text))
  if (Either.isLeft(root) || Either.isLeft(parsed)) return false
  const document = Bundles.documentOf(parsed.right)
  const { verification } = EvidenceVerifier.verify(document, {
    policy: policyOf(name),
    roots: new Map([["root", root.right]]),
    now: Documents.NOW
  })
  const artifact = artifactOf(name)
  return (
    verification.state === "verified" &&
    document.subjects.some((subject) => subject.digest.sha256 === artifact)
  )
}

describe("the conformance cases of Sigstore", () => {
  if (folder === "")
    it.skip("are skipped: ATTESTRY_SIGSTORE_CONFORMANCE is not set", () => {
      assert.fail("a skipped test does not run")
    })
  for (const name of cases)
    it(name, () => {
      assert.strictEqual(isVerified(name, rootOf(name)), !name.endsWith("fail"))
    })
})
