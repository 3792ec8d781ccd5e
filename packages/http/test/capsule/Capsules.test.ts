/** Capsules on the wire, verified as a stranger does it: with the file and the keys of the log alone. */
import * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import { assert, beforeAll, it } from "vitest"
import { attest, BAD, fill, GOOD, report, reportTo } from "../receipt/ReceiptWorld.js"
import { onBothStores } from "../shared/TestServer.js"
import { fileOf, heldBy, host, hostOf, reportOf, verify } from "./CapsuleWorld.js"

/** A line whose facts are not shown. */
const withoutFacts = (line: CapsuleEntry.CapsuleEntry): CapsuleEntry.CapsuleEntry => ({
  ...line,
  shown: [],
  inside: [],
  withheld: CapsuleEntry.digestsOf(line)
})

onBothStores(
  "audit capsules",
  (server) => {
    let file: Uint8Array = new Uint8Array()

    beforeAll(async () => {
      await fill(server)
      await report(server, "prod", [GOOD, BAD])
      await report(server, "prod", [GOOD])
      await reportTo(server, "t2")
      await attest(server, "other")
      await report(server, "prod", [])
      file = await fileOf(server, {
        environments: [{ name: "prod", from: "1", to: "-1" }],
        trails: [{ flow_name: "shop", trail_name: "t1" }],
        fingerprints: [GOOD]
      })
    }, 120_000)

    it("LOG-23: prove the verdicts that were recorded", async () => {
      const found = await reportOf(file)
      assert.deepStrictEqual(found.wrong, [])
      assert.deepStrictEqual(found.notProved, [])
      assert.strictEqual(found.outcome, "proved")
      const snapshots = found.proved.filter(({ type }) => type === "snapshot")
      assert.isAtLeast(snapshots.length, 4)
      assert.includeDeepMembers(
        snapshots.map((claim) => claim.type === "snapshot" && [claim.index, claim.verdict]),
        [
          [1, "Compliant"],
          [2, "NonCompliant"]
        ]
      )
      assert.deepInclude(found.proved, {
        type: "artifact",
        fingerprint: GOOD,
        flows: 1
      })
      assert.isTrue(found.proved.some(({ type }) => type === "chain"))
    })

    it("LOG-23: are refused with any byte changed", async () => {
      const size = file.byteLength
      for (let at = 0; at < size; at += Math.max(1, Math.floor(size / 150))) {
        const changed = Uint8Array.from(file)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        assert.strictEqual((await verify(changed))._tag, "Left", `byte ${at}`)
      }
    })

    it("LOG-23: prove nothing by an entry that is left out or not shown, and accuse nobody", async () => {
      const { evaluate, lines } = await heldBy(file)
      assert.deepStrictEqual(evaluate(lines).notProved, [])
      for (const line of lines) {
        const others = lines.filter((each) => each !== line)
        for (const changed of [
          others,
          lines.map((each) => (each === line ? withoutFacts(each) : each))
        ]) {
          const { notProved, wrong } = evaluate(changed)
          assert.isNotEmpty(notProved, `entry ${line.index}`)
          assert.deepStrictEqual(wrong, [], `entry ${line.index}`)
        }
      }
    })

    it("LOG-23: find another answer than the one that was recorded", async () => {
      const { evaluate, expected, lines } = await heldBy(file)
      const changed = {
        ...expected,
        environments: expected.environments.map((environment) => ({
          ...environment,
          snapshots: environment.snapshots.map((snapshot) =>
            snapshot.index === 2 ? { ...snapshot, begun: [] } : snapshot
          )
        }))
      }
      assert.isNotEmpty(evaluate(lines, changed).wrong)
      const status = {
        ...expected,
        trails: expected.trails.map((each) => ({ ...each, status: "X" }))
      }
      assert.isNotEmpty(evaluate(lines, status).wrong)
      const artifacts = expected.artifacts.map((each) => ({ ...each, flows: [] }))
      assert.isNotEmpty(evaluate(lines, { ...expected, artifacts }).wrong)
    })

    it("show no body with facts alone, and prove the same", async () => {
      const found = await reportOf(
        await fileOf(server, { environments: [{ name: "prod", at: "1" }], evidence: "facts" })
      )
      assert.strictEqual(found.outcome, "proved")
      assert.isAbove(found.withheld.members, 0)
    })

    it("LOG-12: prove what an erasure leaves", async () => {
      const { body } = await server.call("GET /events/{org}", {
        query: "?limit=1000&kind=trail_reported"
      })
      const { events } = body as { readonly events: ReadonlyArray<{ readonly entry: string }> }
      const erased = await server.call("POST /erasures/{org}", {
        body: {
          entries: [{ entry: events[0]?.entry, pointers: ["/facts/content/description"] }],
          reason: "asked for"
        }
      })
      assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
      const found = await reportOf(
        await fileOf(server, { environments: [{ name: "prod", from: "1", to: "-1" }] })
      )
      assert.isAbove(found.withheld.members, 0)
      assert.strictEqual(found.outcome, "proved")
    })

    it("are for whole readers, of known things", async () => {
      const status = async (body: object) =>
        (await server.call("POST /capsules/{org}", { body, as: "reader" })).status
      assert.strictEqual(await status({}), 400)
      assert.strictEqual(await status({ environments: [{ name: "absent" }] }), 404)
      assert.strictEqual(await status({ environments: [{ name: "prod", at: "999" }] }), 404)
      assert.strictEqual(await status({ environments: [{ name: "prod", from: "1" }] }), 400)
      assert.strictEqual(await status({ fingerprints: ["e".repeat(64)] }), 404)
      assert.strictEqual(
        await status({ trails: [{ flow_name: "shop", trail_name: "absent" }] }),
        404
      )
      assert.strictEqual(await status({ fingerprints: [GOOD], size: 1_000_000 }), 400)
    })

    it("are refused by other keys", async () => {
      const kid = "x".repeat(43)
      const publicKey = new Uint8Array(32)
      const origin = "127.0.0.1:8080/api/v2/log/acme"
      const refused = await verify(file, { keys: [{ kid, publicKey, origin, retiredAt: null }] })
      assert.strictEqual(refused._tag === "Left" && refused.left, "unknown-key")
    })
  },
  { services: host }
)

const LIMIT = 5

onBothStores(
  "limits of audit capsules",
  (server) => {
    const trail = (trail_name: string) => ({ trails: [{ flow_name: "shop", trail_name }] })

    it("have as many entries as the limit, and no more", async () => {
      await fill(server)
      const { body, status } = await server.call("POST /capsules/{org}", {
        body: { environments: [{ name: "prod" }] },
        as: "reader"
      })
      assert.strictEqual(status, 400)
      assert.match(JSON.stringify(body), /a capsule has at most 5: please select less/)
      // The flow and the trail have five entries until the artifact runs somewhere.
      await server.call("PUT /flows/{org}", { body: { name: "few", description: "x" } })
      const path = { flow_name: "few" }
      await server.call("PUT /trails/{org}/{flow_name}", {
        path,
        body: { name: "t", description: "" }
      })
      const attested = async (attestation_name: string) => {
        const { status: made } = await server.call(
          "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
          { path: { ...path, trail_name: "t" }, body: { attestation_name, is_compliant: true } }
        )
        assert.strictEqual(made, 201)
      }
      const few = { trails: [{ flow_name: "few", trail_name: "t" }] }
      for (const name of ["a", "b", "c"]) await attested(name)
      assert.strictEqual((await reportOf(await fileOf(server, few))).entries, LIMIT)
      await attested("d")
      const { status: refused } = await server.call("POST /capsules/{org}", { body: few })
      assert.strictEqual(refused, 400)
      assert.notStrictEqual(
        (await server.call("POST /capsules/{org}", { body: trail("t1") })).status,
        200
      )
    })
  },
  { services: hostOf({ entries: LIMIT }) }
)
