/** Receipts as of an earlier instant, with build levels, and on both sides of their limits. */
import * as Dsse from "@attestry/core/Dsse"
import { INPUTS_MAX, SUBJECTS_MAX } from "@attestry/core/ReceiptLimits"
import { Either, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import * as PlainReader from "../evidence/PlainReader.js"
import { onBothStores } from "../shared/TestServer.js"
import { attest, fill, GOOD, readerOf, reportTo } from "./ReceiptWorld.js"

interface Predicate {
  readonly verifiedLevels: ReadonlyArray<string>
  readonly properties: ReadonlyArray<string>
  readonly inputAttestations?: ReadonlyArray<unknown>
}

const predicateIn = (envelope: string): Predicate =>
  JSON.parse(Option.getOrThrow(Dsse.parse(envelope)).payload).predicate

const TRUST = `_schema: https://example.org/schemas/trust-policy/v1
keys:
  - id: k
    public_key: |
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
      -----END PUBLIC KEY-----
rules:
  - name: any
    kinds: [provenance]
    signer: { keys: [k] }
`

onBothStores("receipts as of an earlier instant", (server) => {
  const { ofAssertion, proved, said, text, verify } = readerOf(server)
  let then = 0
  const at = (query = "") => ofAssertion(GOOD, `?environment_name=prod${query}`)

  beforeAll(async () => {
    await fill(server)
    const { body } = await server.call("GET /events/{org}", { query: "?limit=1000" })
    const { events } = body as { readonly events: ReadonlyArray<{ readonly at: number }> }
    then = Math.max(...events.map((event) => event.at))
    const refused = await server.call(
      "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
      {
        path: { flow_name: "shop", trail_name: "t1" },
        body: { attestation_name: "review", is_compliant: false }
      }
    )
    assert.strictEqual(refused.status, 201)
    await reportTo(server, "t2")
  })

  it("LOG-22: say what was true then, and are refused by a holder who asks about now", async () => {
    const now = text(await at())
    assert.deepStrictEqual(await verify(now, { environment: "prod" }), Either.left("failed"))
    const earlier = text(await at(`&as_of=${then.toFixed(6)}`))
    assert.deepStrictEqual(await verify(earlier, { environment: "prod" }), Either.left("earlier"))
    const receipt = await proved(earlier, { environment: "prod", allowsEarlier: true })
    assert.isTrue(receipt.isEarlier)
    assert.strictEqual(receipt.at, Math.round(then * 1_000_000))
    assert.isNotNull(receipt.expiresAt)
    // What came later is neither looked at nor named.
    assert.lengthOf(receipt.chain, 1)
    assert.lengthOf(said(now).chain, 2)
    assert.isBelow(receipt.chain[0]?.index ?? 0, said(now).chain[0]?.index ?? 0)
    assert.lengthOf(predicateIn(earlier).inputAttestations ?? [], 1)
    // The newest record is in a trail without attestations.
    assert.lengthOf(predicateIn(now).inputAttestations ?? [], 0)
  })

  it("are those of now for now and the future, and 404 before there was anything", async () => {
    for (const asOf of ["now", String(Math.ceil(Date.now() / 1_000) + 3_600)]) {
      assert.isFalse(said(text(await at(`&as_of=${asOf}`))).isEarlier)
    }
    assert.strictEqual((await at("&as_of=1000000000")).status, 404)
    assert.strictEqual((await at("&as_of=yesterday")).status, 400)
  })

  it("LOG-24: do not change with what is recorded later", async () => {
    const facts = async () => {
      const envelope = text(await at(`&as_of=${then.toFixed(6)}`))
      const { expiresAt: _, log: __, ...rest } = said(envelope)
      return rest
    }
    const before = await facts()
    await attest(server, "another")
    assert.deepStrictEqual(await facts(), before)
  })
})

onBothStores(
  "the build level of receipts",
  (server) => {
    const { ofAssertion, ofSnapshot, proved, text } = readerOf(server)
    const send = async (line: PlainReader.PlainLine, name: string) => {
      const raw = PlainReader.fileOf({ kind: "provenance", subjects: [{ sha256: GOOD }], ...line })
      const query = `?flow_name=shop&trail_name=t1&name=${name}`
      const answer = await server.call("POST /evidence/{org}", { raw, query, as: "member" })
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    }
    const levels = async () => {
      const envelope = text(await ofAssertion(GOOD, "?environment_name=prod"))
      await proved(envelope, { environment: "prod" })
      return predicateIn(envelope).verifiedLevels
    }

    beforeAll(async () => {
      await fill(server)
      const saved = await server.call("PUT /trust-policy/{org}", { body: { trust_yaml: TRUST } })
      assert.isBelow(saved.status, 300)
    })

    it("is that of verified provenance alone, the newest of each name", async () => {
      assert.deepStrictEqual(await levels(), ["ATTESTRY_COMPLIANT"])
      await send({ level: 3, salt: "unsigned" }, "built")
      assert.deepStrictEqual(await levels(), ["ATTESTRY_COMPLIANT"])
      await send({ rule: "any", level: 2, salt: "two" }, "built")
      assert.deepStrictEqual(await levels(), ["ATTESTRY_COMPLIANT", "SLSA_BUILD_LEVEL_2"])
      await send({ rule: "any", level: 3, salt: "three" }, "other")
      assert.deepStrictEqual(await levels(), ["ATTESTRY_COMPLIANT", "SLSA_BUILD_LEVEL_3"])
      await send({ state: "failed", level: 3, salt: "four" }, "other")
      assert.deepStrictEqual(await levels(), ["ATTESTRY_COMPLIANT", "SLSA_BUILD_LEVEL_2"])
    })

    it("is what was known before the snapshot, and told in both predicates", async () => {
      const row = (index: number, more = "") =>
        ofSnapshot(`prod#${index}`, `?fingerprint=${GOOD}${more}`)
      assert.deepStrictEqual(predicateIn(text(await row(1))).verifiedLevels, ["ATTESTRY_COMPLIANT"])
      const { body } = await server.call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "prod" },
        body: {
          type: "docker",
          artifacts: [
            { digests: { "shop:0": GOOD }, creationTimestamp: 1 },
            { digests: { "shop:1": GOOD }, creationTimestamp: 2 }
          ]
        }
      })
      const levelled = ["ATTESTRY_COMPLIANT", "SLSA_BUILD_LEVEL_2"]
      const next = text(await row(2))
      assert.deepStrictEqual(predicateIn(next).verifiedLevels, levelled, JSON.stringify(body))
      assert.deepStrictEqual(predicateIn(text(await row(2, "&predicate=svr"))).properties, levelled)
      const whole = predicateIn(text(await ofSnapshot("prod#2")))
      assert.deepStrictEqual(whole.verifiedLevels, ["ATTESTRY_COMPLIANT"])
    })
  },
  { services: PlainReader.layer }
)

onBothStores("the limits of receipts", (server) => {
  const { ofAssertion, ofSnapshot, said, text } = readerOf(server)

  it("has as many artifacts as the limit, and no more without a fingerprint", async () => {
    const put = await server.call("PUT /environments/{org}", {
      body: { name: "large", type: "docker", description: "" }
    })
    assert.isBelow(put.status, 300)
    const report = async (count: number) => {
      const artifacts = Array.from({ length: count }, (_, at) => ({
        digests: { [`shop:${at}`]: at.toString(16).padStart(64, "0") },
        creationTimestamp: 1
      }))
      const { status, body } = await server.call(
        "PUT /environments/{org}/{env_name}/report/docker",
        { path: { env_name: "large" }, body: { type: "docker", artifacts } }
      )
      assert.isBelow(status, 300, JSON.stringify(body))
    }
    await report(SUBJECTS_MAX)
    assert.lengthOf(said(text(await ofSnapshot("large#1"))).subjects, SUBJECTS_MAX)
    await report(SUBJECTS_MAX + 1)
    const refused = await ofSnapshot("large#2")
    assert.strictEqual(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /query\.fingerprint.*more than 5000 artifacts/)
    const one = text(await ofSnapshot("large#2", `?fingerprint=${"0".repeat(64)}`))
    assert.lengthOf(said(one).subjects, 1)
  }, 60_000)

  it("names as many attestations as the limit, and none beyond it", async () => {
    await fill(server)
    const inputs = async () =>
      predicateIn(text(await ofAssertion(GOOD, "?environment_name=prod"))).inputAttestations
    for (let made = 1; made < INPUTS_MAX; made++) await attest(server, `a${made}`)
    assert.lengthOf((await inputs()) ?? [], INPUTS_MAX)
    await attest(server, "last")
    assert.isUndefined(await inputs())
  }, 120_000)
})
