/** What capsules prove and what not: with witnesses, after an erasure of what decides, and without part of a chain. */
import { Cosigning } from "@attestry/core/Cosigning"
import { OrgName } from "@attestry/core/Identifier"
import { LogPublishing, type Publishing } from "@attestry/core/LogPublishing"
import { OrgStore } from "@attestry/core/OrgStore"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Layer, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { WITNESS } from "../log/TestWitness.js"
import { attest, fill, GOOD, report } from "../receipt/ReceiptWorld.js"
import { onBothStores, onEveryStore } from "../shared/TestServer.js"
import { fileOf, heldBy, host, hostWith, reportOf, verify } from "./CapsuleWorld.js"

const PROD = { environments: [{ name: "prod", from: "1", to: "-1" }] }

const REVIEWED = `_schema: https://attestry.dev/schemas/policy/v2
artifacts:
  attestations:
    - name: pull
      type: pull_request
      where: \${{ facts.independent_reviewers >= 1 }}
`

onBothStores(
  "audit capsules after an erasure",
  (server) => {
    const { call } = server

    it("prove no verdict for which an erased fact decides", async () => {
      await fill(server)
      const pulled = await call(
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/pull_request",
        {
          path: { flow_name: "shop", trail_name: "t1" },
          body: {
            attestation_name: "pull",
            git_provider: "github",
            pull_requests: [
              {
                url: "https://git.example.com/acme/shop/pull/1",
                merge_commit: "1".repeat(40),
                state: "merged",
                author: "ada",
                approvers: [{ username: "eve", state: "APPROVED", timestamp: 1_700_000_000 }]
              }
            ]
          }
        }
      )
      assert.strictEqual(pulled.status, 201, JSON.stringify(pulled.body))
      const put = await call("PUT /policies/{org}/{name}", {
        path: { name: "reviewed" },
        body: { policy_yaml: REVIEWED }
      })
      assert.isBelow(put.status, 300, JSON.stringify(put.body))
      await call("POST /environments/{org}/{env_name}/policies", {
        path: { env_name: "open" },
        body: { policy_names: ["reviewed"] }
      })
      await report(server, "open", [])
      await report(server, "open", [GOOD])
      const asked = { environments: [{ name: "open", at: "-1" }] }
      const before = await reportOf(await fileOf(server, asked))
      assert.strictEqual(before.outcome, "proved", JSON.stringify(before.notProved))
      assert.isTrue(
        before.proved.some((claim) => claim.type === "snapshot" && claim.verdict === "Compliant")
      )
      const erased = await call("POST /erasures/{org}", {
        body: { value: "eve", reason: "asked for", preview: false }
      })
      assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
      const { notProved, outcome, proved, wrong } = await reportOf(await fileOf(server, asked))
      assert.strictEqual(outcome, "not-proved")
      assert.deepStrictEqual(wrong, [])
      assert.isFalse(proved.some(({ type }) => type === "snapshot"))
      assert.match(JSON.stringify(notProved), /facts of evidence are not shown/)
      // No fact decides in the other environment.
      const other = await reportOf(await fileOf(server, PROD))
      assert.strictEqual(other.outcome, "proved", JSON.stringify(other.notProved))
    })
  },
  { services: host }
)

onBothStores(
  "the chains of audit capsules",
  (server) => {
    let file = new Uint8Array()

    beforeAll(async () => {
      await fill(server)
      for (const name of ["scan", "tests", "license"]) await attest(server, name)
      file = Uint8Array.from(
        await fileOf(server, { trails: [{ flow_name: "shop", trail_name: "t1" }] })
      )
    }, 60_000)

    it("LOG-23: break where an entry of a trail is left out, whatever the newest is said to be", async () => {
      const { evaluate, expected, lines } = await heldBy(file)
      const chain = expected.chains.find(({ subject }) => subject.type === "trail")
      assert.isDefined(chain)
      const isOfTrail = (claim: { readonly type: string }) =>
        "subject" in claim && JSON.stringify(claim.subject) === JSON.stringify(chain?.subject)
      const whole = evaluate(lines).proved.find(isOfTrail)
      const count = whole?.type === "chain" ? whole.entries : 0
      assert.isAbove(count, 4)
      let broken = 0
      for (const line of lines) {
        const others = lines.filter((each) => each !== line)
        const { notProved } = evaluate(others)
        const found = notProved.find(({ claim }) => isOfTrail(claim))
        if (found === undefined) continue
        broken += 1
        assert.deepStrictEqual(found.reasons, [`entry ${line.index} is not shown`])
        // An earlier entry in the place of the newest leaves entries that the chain lacks.
        for (const { index } of others) {
          if (line.index === chain?.index) continue
          const chains = expected.chains.map((each) =>
            each === chain ? { ...chain, index } : each
          )
          const again = evaluate(others, { ...expected, chains })
          assert.isTrue(
            again.notProved.some(({ claim }) => isOfTrail(claim)),
            `without ${line.index}, from ${index}`
          )
        }
      }
      assert.strictEqual(broken, count)
    })
  },
  { services: host }
)

const POLICY = `witness w ${WITNESS.vkey} https://witness.example/w\nquorum w\n`
const OTHER = `witness w ${WITNESS.vkey} https://witness.example/w\ngroup none-of-it 1 w\nquorum none\n`

onEveryStore(
  "audit capsules with witnesses",
  (server) => {
    const policyOf = (text: string) => Either.getOrThrow(WitnessPolicy.parse(text))
    const publishing: Publishing = {
      policy: Option.some(policyOf(POLICY)),
      mode: "signed"
    }
    const cosign = () =>
      server.run(
        Effect.gen(function* () {
          const org = Option.getOrThrow(
            yield* (yield* OrgStore).find({ name: OrgName.make(server.org) })
          )
          return Object.fromEntries(yield* (yield* Cosigning).cosign(org.id, WITNESS.submit))
        }).pipe(
          Effect.provide(
            Cosigning.Default.pipe(
              Layer.provide(Layer.succeed(LogPublishing, publishing)),
              Layer.provide(SignaturesWebCrypto.layer)
            )
          )
        )
      )

    it("are refused without a quorum, and prove with one", async () => {
      await fill(server)
      const alone = await fileOf(server, PROD)
      assert.deepStrictEqual(await verify(alone), Either.left("quorum"))
      // A holder with a policy of their own decides by theirs.
      const own = await reportOf(alone, { keys: [], policy: policyOf(OTHER) })
      assert.deepInclude(own.trust, { witnesses: [], quorum: true })
      assert.deepStrictEqual(await cosign(), { w: "cosigned" })
      const { outcome, trust } = await reportOf(await fileOf(server, PROD))
      assert.strictEqual(outcome, "proved")
      assert.deepInclude(trust, { witnesses: ["w"], quorum: true })
    })
  },
  { services: hostWith({ witnesses: Option.some(POLICY) }), publishing: WITNESS.publishing }
)
