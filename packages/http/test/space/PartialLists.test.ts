/**
 * Lists that join flows and environments, for a person who reads one space.
 *
 * AC-8: such a list is the whole list without what is hidden. AC-10: what is hidden answers as what never was, but for its
 * name. AC-11: a word that hidden things have in every text is in no answer.
 */
import { assert, beforeAll, it } from "vitest"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { CANARY, COMMIT, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "./PartialWorld.js"

type Twin = readonly [
  operation: string,
  of: (name: "mine" | typeof HIDDEN | typeof MISSING) => CallOptions
]

/** Everything of an answer that tells of a name, with the hidden names replaced by missing ones. */
const twinOf = ({ body, headers, status }: Answer): string => {
  const kept = Array.from(headers).filter(([name]) => !["date", "x-request-id"].includes(name))
  return [HIDDEN, MISSING].reduce(
    (all, name) =>
      all
        .replaceAll(name, "NAME")
        .replaceAll(FINGERPRINT[name as typeof HIDDEN], "FINGERPRINT")
        .replaceAll(COMMIT[name as typeof HIDDEN], "COMMIT"),
    JSON.stringify([status, body, kept])
  )
}

onEveryStore("lists of a person with a grant in one space", (server) => {
  const world = partialWorld(server)
  const { call, pat } = world

  beforeAll(world.prepare, 90_000)

  /** Requests about a thing by its name, which a whole reader finds under the hidden name. */
  const TWINS: ReadonlyArray<Twin> = [
    ["GET /search/{org}/sha/{value}", (name) => ({ path: { value: COMMIT[name] } })],
    [
      "GET /trails/{org}/{flow_name}/{trail_name}/audit_package",
      (name) => ({ path: { flow_name: name, trail_name: name } })
    ],
    [
      "GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
      (name) => ({ path: { flow_name: name, fingerprint: FINGERPRINT[name] } })
    ]
  ]

  it("finds what is hidden as absent: AC-10", async () => {
    for (const [operation, of] of TWINS) {
      const mine = await pat(operation, of("mine"))
      assert.strictEqual(mine.status, 200, `${operation} ${text(mine)}`)
      assert.notInclude(text(mine), CANARY, operation)
      const [hidden, missing] = [
        await pat(operation, of(HIDDEN)),
        await pat(operation, of(MISSING))
      ]
      assert.strictEqual(twinOf(hidden), twinOf(missing), operation)
      assert.strictEqual((await call(operation, of(HIDDEN))).status, 200, operation)
    }
  })

  it("searches what is readable, and says of the rest that it is hidden", async () => {
    const search = async (value: string) => {
      const { body } = await pat("GET /search/{org}/sha/{value}", { path: { value } })
      return body as {
        readonly resolved_to: { readonly type: string }
        readonly artifacts: ReadonlyArray<{ readonly hidden?: true; readonly flow: string }>
      }
    }
    // One commit is hidden, so that the prefix means the other.
    assert.strictEqual((await search("fedcb")).resolved_to.type, "commit")
    // Both fingerprints run where the person reads.
    const { artifacts, resolved_to } = await search("abcde")
    assert.strictEqual(resolved_to.type, "multiple")
    assert.deepStrictEqual(
      artifacts.map(({ flow, hidden }) => [flow, hidden]),
      [
        ["mine", undefined],
        ["", true]
      ]
    )
    assert.notInclude(JSON.stringify(artifacts), CANARY)
  })

  it("shows where an artifact ran, in readable environments", async () => {
    const runs = (fingerprint: string) =>
      pat("GET /runs/{org}/{fingerprint}", { path: { fingerprint } })
    for (const fingerprint of [FINGERPRINT.mine, FINGERPRINT[HIDDEN]]) {
      const { body } = await runs(fingerprint)
      assert.deepInclude(body as object, { total_count: 1 })
      assert.notInclude(JSON.stringify(body), CANARY)
    }
  })
})
