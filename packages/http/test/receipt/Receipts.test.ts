/** Receipts on the wire: whoever has the keys of the log and the receipt needs nothing else. */
import * as Dsse from "@attestry/core/Dsse"
import { EXPIRES_IN } from "@attestry/core/ReceiptLimits"
import * as Timestamp from "@attestry/core/Timestamp"
import { Either, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { attest, BAD, fill, GOOD, readerOf, report, reportTo } from "./ReceiptWorld.js"

const BASE = "http://127.0.0.1:8080"

interface Predicate {
  readonly verificationResult: string
  readonly verifiedLevels: ReadonlyArray<string>
  readonly properties: ReadonlyArray<string>
  readonly inputAttestations: ReadonlyArray<{
    readonly uri: string
    readonly digest: { readonly sha256: string }
  }>
}

const predicateIn = (envelope: string): Predicate =>
  JSON.parse(Option.getOrThrow(Dsse.parse(envelope)).payload).predicate

onBothStores("receipts of decisions", (server) => {
  const reader = readerOf(server)
  const { ofAssertion, ofSnapshot, proved, said, text, verify } = reader

  beforeAll(() => fill(server))

  it("LOG-22: prove that a snapshot is compliant, with the same bytes each time", async () => {
    const answer = await ofSnapshot("prod#1")
    assert.strictEqual(answer.headers.get("content-type"), "application/vnd.in-toto.vsa+dsse")
    const envelope = text(answer)
    const receipt = await proved(envelope, {
      org: "acme",
      environment: "prod",
      subject: GOOD,
      resource: `${BASE}/acme/environments/prod`
    })
    assert.deepInclude(receipt, { snapshot: 1, verdict: "Compliant", expiresAt: null })
    assert.deepStrictEqual(
      receipt.policies.map(({ name, version }) => ({ name, version })),
      [{ name: "known", version: 1 }]
    )
    const [own] = receipt.chain
    assert.strictEqual(own?.index, receipt.log.size - 1)
    await attest(server, "later")
    assert.strictEqual(text(await ofSnapshot("prod#1")), envelope)
    assert.strictEqual(text(await ofSnapshot("prod#-1")), envelope)
  })

  it("name the attestations and the newest entry of the trail for one artifact", async () => {
    const envelope = text(await ofSnapshot("prod#1", `?fingerprint=${GOOD}`))
    const receipt = await proved(envelope, { subject: GOOD })
    const trail = receipt.chain.find(({ subject }) => subject.type === "trail")
    assert.isBelow(trail?.index ?? Number.POSITIVE_INFINITY, receipt.log.size)
    const { inputAttestations } = predicateIn(envelope)
    assert.lengthOf(inputAttestations, 1)
    const entry = inputAttestations[0]?.uri.split("/").at(-1) ?? ""
    const { body } = await server.call("GET /log/{org}/entries/{entry}", { path: { entry } })
    const bytes = Buffer.from((body as { readonly entry: string }).entry, "base64")
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex")
    assert.strictEqual(inputAttestations[0]?.digest.sha256, digest)
  })

  it("say FAILED for what is not compliant, and for what is unknown", async () => {
    const unknown = text(await ofSnapshot("open#1"))
    assert.strictEqual(said(unknown).verdict, "Unknown")
    assert.deepInclude(predicateIn(unknown), {
      verificationResult: "FAILED",
      verifiedLevels: ["FAILED"]
    })
    assert.deepStrictEqual(await verify(unknown), Either.left("failed"))
    await report(server, "prod", [GOOD, BAD])
    const failed = text(await ofSnapshot("prod#2"))
    assert.deepInclude(said(failed), { verdict: "NonCompliant", snapshot: 2 })
    assert.deepStrictEqual(await verify(failed), Either.left("failed"))
    const row = text(await ofSnapshot("prod#2", `?fingerprint=${GOOD}`))
    assert.strictEqual((await proved(row, { subject: GOOD })).verdict, "Compliant")
    assert.deepStrictEqual(await verify(row, { subject: BAD }), Either.left("subject"))
  })

  it("are written as Simple Verification Results", async () => {
    const answer = await ofSnapshot("prod#1", "?predicate=svr")
    assert.strictEqual(answer.headers.get("content-type"), "application/vnd.in-toto.svr+dsse")
    assert.strictEqual((await proved(text(answer), { subject: GOOD })).predicate, "svr")
    assert.deepStrictEqual(predicateIn(text(answer)).properties, ["ATTESTRY_COMPLIANT"])
    const unknown = text(await ofSnapshot("open#1", "?predicate=svr"))
    assert.deepStrictEqual(predicateIn(unknown).properties, [])
  })

  it("prove an assertion until they end, and name the log and the chain", async () => {
    const envelope = text(await ofAssertion(GOOD, "?environment_name=prod"))
    const receipt = await proved(envelope, { subject: GOOD, environment: "prod" })
    assert.strictEqual(receipt.expiresAt, Timestamp.plusSeconds(receipt.at, EXPIRES_IN))
    const { body: log } = await server.call("GET /log/{org}")
    const { origin, size, root } = log as { origin: string; size: number; root: string }
    assert.deepStrictEqual(receipt.log, { origin, size, root })
    const { body } = await server.call("GET /events/{org}", { query: "?limit=1000" })
    const { events } = body as {
      readonly events: ReadonlyArray<{
        readonly subject: { readonly id: string }
        readonly index: number
      }>
    }
    const [end] = receipt.chain
    const newest = events.filter(({ subject }) => subject.id === end?.subject.id)
    assert.strictEqual(end?.index, newest.at(-1)?.index)
    const over = { now: Timestamp.plusSeconds(receipt.at, EXPIRES_IN) }
    assert.deepStrictEqual(await verify(envelope, over), Either.left("expired"))
  })

  it("are about the scope that was asked", async () => {
    const ofPolicy = text(await ofAssertion(GOOD, "?policy_name=known"))
    assert.strictEqual((await proved(ofPolicy)).resource, `${BASE}/acme/policies`)
    assert.deepStrictEqual(
      await verify(ofPolicy, { environment: "prod" }),
      Either.left("environment")
    )
    const ofFlow = text(await ofAssertion(GOOD, "?flow_name=shop"))
    assert.strictEqual((await proved(ofFlow)).resource, `${BASE}/acme/flows/shop`)
    const bad = text(await ofAssertion(BAD, "?environment_name=prod"))
    assert.deepStrictEqual(await verify(bad, { subject: BAD }), Either.left("failed"))
    const both = await ofAssertion(GOOD, "?policy_name=known&environment_name=prod")
    assert.strictEqual(both.status, 400)
  })

  it("are valid for 60 seconds to a day", async () => {
    for (const seconds of [60, 86_400]) {
      const receipt = said(text(await ofAssertion(GOOD, `?expires_in=${seconds}`)))
      assert.strictEqual(receipt.expiresAt, Timestamp.plusSeconds(receipt.at, seconds))
    }
    for (const seconds of [59, 86_401]) {
      assert.strictEqual((await ofAssertion(GOOD, `?expires_in=${seconds}`)).status, 400)
    }
  })

  it("are refused by the keys of another org", async () => {
    const path = { org: "globex" }
    const body = { name: "other", description: "" }
    await server.call("PUT /flows/{org}", { path, body, as: "foreigner" })
    await server.call("GET /log/{org}", { path, as: "foreigner" })
    const foreign = await reader.keys("foreigner", "globex")
    const envelope = text(await ofSnapshot("prod#1"))
    assert.deepStrictEqual(await verify(envelope, { keys: foreign }), Either.left("unknown-key"))
  })

  it.each([
    ["nothing#1", "", "Environment named 'nothing' does not exist for organization 'acme'"],
    ["prod#9", "", "resolves to 'prod#9'"],
    ["prod#1", `?fingerprint=${BAD}`, `'${BAD}' does not run in snapshot 'prod#1'`]
  ])("are not there for %s%s", async (snapshot, query, message) => {
    const { body, status } = await ofSnapshot(snapshot, query)
    assert.strictEqual(status, 404)
    assert.include(JSON.stringify(body), message)
  })

  it("are not there for a snapshot without a known fingerprint", async () => {
    await report(server, "open", [])
    const { body, status } = await ofSnapshot("open#2")
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Snapshot 'open#2' runs no artifact with a known fingerprint"
    })
  })

  it("name every trail of the artifact, also those that no longer decide", async () => {
    const before = await proved(text(await ofAssertion(GOOD, "?environment_name=prod")))
    await reportTo(server, "t2")
    const after = said(text(await ofAssertion(GOOD, "?environment_name=prod")))
    assert.lengthOf(before.chain, 1)
    assert.lengthOf(after.chain, 2)
    assert.deepInclude(after.chain, before.chain[0])
    assert.lengthOf(said(text(await ofAssertion(GOOD, "?flow_name=shop"))).chain, 2)
  })

  it("are for members of the org", async () => {
    assert.strictEqual((await ofSnapshot("prod#1", "", "nobody")).status, 401)
    assert.strictEqual((await ofSnapshot("prod#1", "", "foreigner")).status, 403)
    assert.strictEqual((await ofAssertion(GOOD, "", "foreigner")).status, 403)
  })
})

onBothStores(
  "receipts of an org without a key",
  (server) => {
    it("are 503 and say what the operator does", async () => {
      await fill(server)
      const { ofAssertion, ofSnapshot } = readerOf(server)
      for (const { body, status } of [await ofSnapshot("prod#1"), await ofAssertion(GOOD)]) {
        assert.strictEqual(status, 503)
        assert.deepStrictEqual(body, {
          message: "The log has no signing key; the operator sets ATTESTRY_LOG_KEY_FILE"
        })
      }
    })
  },
  { isSigned: false }
)
