/** An artifact with evidence that runs in an environment with a policy, and the reading of receipts about it. */
import * as Receipt from "@attestry/core/Receipt"
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import { ReceiptVerifier } from "@attestry/core/ReceiptVerifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Layer, Option } from "effect"
import { assert } from "vitest"
import type { Answer, Caller, TestServer } from "../shared/TestServer.js"

/** The artifact with provenance. */
export const GOOD = "a".repeat(64)

/** An artifact that no flow knows. */
export const BAD = "b".repeat(64)

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
  attestations:
    - name: review
      type: generic
`

/** Makes calls that must succeed. */
const make =
  ({ call }: Pick<TestServer, "call">) =>
  async (operation: string, path: { readonly [name: string]: string }, body: unknown) => {
    const { status, body: answer } = await call(operation, { path, body })
    assert.isBelow(status, 300, `${operation}: ${JSON.stringify(answer)}`)
  }

/** Reports what runs in an environment. */
export const report = (
  server: Pick<TestServer, "call">,
  env_name: string,
  fingerprints: ReadonlyArray<string>
) =>
  make(server)(
    "PUT /environments/{org}/{env_name}/report/docker",
    { env_name },
    {
      type: "docker",
      artifacts: fingerprints.map((fingerprint, at) => ({
        digests: { [`shop:${at}`]: fingerprint },
        creationTimestamp: 1
      }))
    }
  )

/** Attests the trail of the artifact. */
export const attest = (server: Pick<TestServer, "call">, attestation_name: string) =>
  make(server)(
    "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
    { flow_name: "shop", trail_name: "t1" },
    { attestation_name, is_compliant: true }
  )

/** Reports the artifact to a new trail. */
export const reportTo = async (server: Pick<TestServer, "call">, trail_name: string) => {
  const put = make(server)
  const shop = { flow_name: "shop" }
  await put("PUT /trails/{org}/{flow_name}", shop, { name: trail_name, description: "x" })
  await put("POST /artifacts/{org}/{flow_name}", shop, {
    fingerprint: GOOD,
    filename: "shop",
    trail_name,
    template_reference_name: "shop",
    git_commit: "c".repeat(40),
    build_url: "https://ci.example.org/1",
    commit_url: "https://git.example.org/1"
  })
}

/** The environments `prod`, with a policy and a compliant artifact, and `open`, without a policy. */
export const fill = async (server: Pick<TestServer, "call">): Promise<void> => {
  const put = make(server)
  await put("PUT /flows/{org}", {}, { name: "shop", description: "x" })
  await reportTo(server, "t1")
  await attest(server, "review")
  await put("PUT /policies/{org}/{name}", { name: "known" }, { policy_yaml: POLICY })
  for (const name of ["prod", "open"]) {
    await put("PUT /environments/{org}", {}, { name, type: "docker", description: "" })
  }
  await put(
    "POST /environments/{org}/{env_name}/policies",
    { env_name: "prod" },
    { policy_names: ["known"] }
  )
  await report(server, "prod", [GOOD])
  await report(server, "open", [GOOD])
}

const verifying = Layer.provide(ReceiptVerifier.Default, SignaturesWebCrypto.layer)

/** Reads receipts and the keys of a server. */
export const readerOf = ({ call }: Pick<TestServer, "call">) => {
  const ask =
    (operation: string, path: { readonly [name: string]: string }, query: string) =>
    (as: Caller): Promise<Answer> =>
      call(operation, { path, query, as })
  const ofSnapshot = (snapshot: string, query = "", as: Caller = "reader") => {
    const [env_name = "", snapshot_expression = ""] = snapshot.split("#")
    const path = { env_name, snapshot_expression }
    return ask("GET /receipts/{org}/snapshots/{env_name}/{snapshot_expression}", path, query)(as)
  }
  const ofAssertion = (fingerprint: string, query = "", as: Caller = "reader") =>
    ask("GET /receipts/{org}/asserts/{fingerprint}", { fingerprint }, query)(as)
  /** The envelope of an answer. */
  const text = ({ body, status }: Answer): string => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return String(body)
  }
  const keys = async (as: Caller = "reader", org = "acme") => {
    const { body } = await call("GET /keys", { query: `?org=${org}`, as })
    return Option.getOrThrow(ReceiptKeySet.parse(String(body)))
  }
  const verify = async (envelope: string, expected: Partial<Receipt.Expected> = {}) => {
    const now = Timestamp.fromMillis(Date.now())
    const all = { now, keys: expected.keys ?? (await keys()), ...expected }
    return Effect.runPromise(
      Effect.provide(
        Effect.flatMap(ReceiptVerifier, (verifier) => verifier.verify(envelope, all)),
        verifying
      )
    )
  }
  /** What a true receipt says. */
  const proved = async (envelope: string, expected: Partial<Receipt.Expected> = {}) =>
    Either.getOrThrowWith(await verify(envelope, expected), (refusal) => new Error(refusal)).receipt
  const said = (envelope: string) => Option.getOrThrow(Receipt.read(envelope))
  return { ofSnapshot, ofAssertion, text, keys, verify, proved, said }
}
