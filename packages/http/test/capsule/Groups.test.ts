/** Capsules of group environments: the snapshots of members are inside, and those of the group follow from them. */
import type * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import { assert, beforeAll, it } from "vitest"
import { attest, BAD, fill, GOOD, report } from "../receipt/ReceiptWorld.js"
import { onBothStores } from "../shared/TestServer.js"
import { fileOf, heldBy, host, reportOf } from "./CapsuleWorld.js"

const SCANNED = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  attestations:
    - name: scan
      type: generic
`

const ALL = { environments: [{ name: "all", from: "1", to: "-1" }] }

onBothStores(
  "audit capsules of groups",
  (server) => {
    let file = new Uint8Array()

    const put = async (
      operation: string,
      path: { readonly [name: string]: string },
      body: unknown
    ) => {
      const answer = await server.call(operation, { path, body })
      assert.isBelow(answer.status, 300, `${operation}: ${JSON.stringify(answer.body)}`)
    }

    beforeAll(async () => {
      await fill(server)
      await put("PUT /environments/{org}", {}, { name: "late", type: "docker", description: "" })
      const group = { name: "all", type: "logical", included_environments: ["prod", "open"] }
      await put("PUT /environments/{org}", {}, group)
      await put("PUT /policies/{org}/{name}", { name: "scanned" }, { policy_yaml: SCANNED })
      const path = { env_name: "all" }
      const policies = { policy_names: ["scanned"] }
      await put("POST /environments/{org}/{env_name}/policies", path, policies)
      await put(
        "PUT /allowlists/{org}/{env_name}",
        { env_name: "open" },
        { artifact_fingerprint: BAD, artifact_name: "probe", description: "known" }
      )
      await report(server, "open", [GOOD, BAD])
      await attest(server, "scan")
      await report(server, "prod", [GOOD, BAD])
      await report(server, "prod", [GOOD])
      await put("PUT /environments/{org}/{env_name}/join", path, { physical_env_name: "late" })
      await report(server, "late", [GOOD])
      await put("PUT /environments/{org}/{env_name}/archive", { env_name: "open" }, {})
      await report(server, "prod", [])
      file = Uint8Array.from(await fileOf(server, ALL))
    }, 120_000)

    it("LOG-23: prove the group and its members, which are selected with it", async () => {
      const { notProved, outcome, proved, selection, wrong } = await reportOf(file)
      assert.deepStrictEqual(wrong, [])
      assert.deepStrictEqual(notProved, [])
      assert.strictEqual(outcome, "proved")
      assert.sameMembers(
        selection.environments.map(({ name }) => name.replace(/-archived-at-\d+$/, "")),
        ["all", "prod", "open", "late"]
      )
      const groups = proved.flatMap((claim) =>
        claim.type === "snapshot" && claim.environment === "all" ? [claim.verdict] : []
      )
      assert.isAtLeast(groups.length, 6)
      assert.include(groups, "NonCompliant")
    })

    it("LOG-23: prove nothing by an entry that is left out, and accuse nobody", async () => {
      const { evaluate, lines } = await heldBy(file)
      assert.deepStrictEqual(evaluate(lines).notProved, [])
      for (const line of lines) {
        const others = lines.filter((each) => each !== line)
        const { notProved, wrong } = evaluate(others)
        assert.isNotEmpty(notProved, `entry ${line.index}`)
        assert.deepStrictEqual(wrong, [], `entry ${line.index}`)
      }
    })

    it("LOG-23: do not prove a group without a member", async () => {
      const { evaluate, expected, lines } = await heldBy(file)
      const { selection } = await reportOf(file)
      const idOf = (name: string) =>
        selection.environments.find((each) => each.name === name)?.id ?? ""
      const member = idOf("prod")
      const without = {
        ...expected,
        environments: expected.environments.filter(({ id }) => id !== member)
      }
      const { notProved, proved } = evaluate(lines, without)
      assert.isFalse(
        proved.some((claim) => claim.type === "snapshot" && claim.environment === "all")
      )
      assert.match(JSON.stringify(notProved), new RegExp(`of member ${member} is not shown`))
      // Entries of the member are missing too: the rest is not proved either, and nothing is wrong.
      const isOfMember = ({ index }: CapsuleEntry.CapsuleEntry) =>
        evaluate(lines.filter((each) => each.index !== index)).notProved.some(
          ({ claim, reasons }) =>
            claim.type === "chain" &&
            claim.subject.id === member &&
            reasons.includes(`entry ${index} is not shown`)
        )
      const others = lines.filter((line) => !isOfMember(line))
      assert.isBelow(others.length, lines.length)
      const chains = expected.chains.filter(({ subject }) => subject.id !== member)
      const found = evaluate(others, { ...without, chains })
      assert.deepStrictEqual(found.wrong, [])
      assert.isFalse(
        found.proved.some((claim) => claim.type === "snapshot" && claim.environment === "all")
      )
    })

    it("LOG-23: do not prove a group by a member with other rows", async () => {
      const { evaluate, expected, lines } = await heldBy(file)
      const { selection } = await reportOf(file)
      const member = selection.environments.find(({ name }) => name === "late")?.id
      const changed = {
        ...expected,
        environments: expected.environments.map((each) =>
          each.id === member
            ? { ...each, snapshots: each.snapshots.map((every) => ({ ...every, begun: [] })) }
            : each
        )
      }
      const { notProved, wrong } = evaluate(lines, changed)
      assert.isTrue(
        wrong.some(({ claim }) => claim.type === "snapshot" && claim.environment === "late")
      )
      assert.match(JSON.stringify(notProved), /member late#1 is wrong/)
    })

    it("prove the last snapshot of a group alone, and an environment that is named twice", async () => {
      const last = await reportOf(await fileOf(server, { environments: [{ name: "all" }] }))
      assert.deepStrictEqual(last.notProved, [])
      assert.strictEqual(last.outcome, "proved")
      const twice = await reportOf(
        await fileOf(server, {
          environments: [
            { name: "prod", at: "1" },
            { name: "prod", at: "3" },
            { name: "all", at: "2" }
          ]
        })
      )
      assert.deepStrictEqual(twice.notProved, [])
      const indexes = twice.proved.flatMap((claim) =>
        claim.type === "snapshot" && claim.environment === "prod" ? [claim.index] : []
      )
      assert.includeMembers(indexes, [1, 3])
    })
  },
  { services: host }
)
