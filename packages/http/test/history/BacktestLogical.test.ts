/** Backtests of policies that are attached to logical environments, and totals after any cursor. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const LETTERS = ["a", "b", "c"]

const policy = (rules: string) => `_schema: https://example.org/v1\nartifacts:\n${rules}`
const PROVENANCE = policy("  provenance:\n    required: true\n")
const SCANNED = policy("  attestations:\n    - name: scan\n      type: generic\n")
const NEVER = policy("  attestations:\n    - name: never\n      type: generic\n")

type Line = Record<string, unknown> & { readonly type: string }

interface Flip extends Line {
  readonly environment: string
  readonly member?: string
  readonly name: string
  readonly was: boolean | null
  readonly would_be: boolean | null
  readonly from: number
  readonly to: number | null
  readonly first_index: number
  readonly last_index: number
}

interface Answer {
  readonly horizon: { readonly at: number }
  readonly flips: ReadonlyArray<Flip>
  readonly environments: ReadonlyArray<Line & { readonly environment: string }>
  readonly totals: Record<string, unknown>
  readonly notes?: ReadonlyArray<Record<string, unknown>>
}

/** Numbers below a bound that are the same in every run. */
const numbers = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
}

const NONE = { rows: 0, other_semantics: 0 }

onBothStores("POST /policies/{org}/backtest with logical environments", (server) => {
  const { call } = server
  const evidence = evidenceOf(server, "logical-lab")
  const ask = (body: object, headers: Record<string, string> = {}) =>
    call("POST /policies/{org}/backtest", { body, headers })
  const play = async (body: object): Promise<Answer> => {
    const { status, body: answer } = await ask(body)
    assert.strictEqual(status, 200, JSON.stringify(answer))
    return answer as Answer
  }
  const linesOf = async (body: object): Promise<ReadonlyArray<Line>> => {
    const { status, body: answer } = await ask(body, { accept: "application/x-ndjson" })
    assert.strictEqual(status, 200, JSON.stringify(answer))
    return String(answer)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line)
  }
  const save = (name: string, policy_file: string) =>
    call("PUT /policies/{org}", { body: { name, policy_file } })
  const report = (env_name: string, letters: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: letters.map((each) => ({
          digests: { [`app-${each}`]: print(each) },
          creationTimestamp: 1
        }))
      }
    })
  const allow = (env_name: string, letter: string) =>
    call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name },
      body: { artifact_fingerprint: print(letter), artifact_name: "app", description: "lab" }
    })

  /** One thing that verdicts depend on, by a number. */
  const happen = async (next: (bound: number) => number, step: number): Promise<void> => {
    const letter = LETTERS[next(LETTERS.length)] ?? "a"
    const env_name = next(2) === 0 ? "part-1" : "part-2"
    const trail = `t-${letter}`
    switch (next(9)) {
      case 0:
        await evidence.artifact(trail, "app", print(letter), c1)
        return
      case 1:
      case 2:
        await evidence.generic(trail, next(2) === 0 ? "scan" : "unit", next(3) > 0, {
          artifact_fingerprint: print(letter),
          description: `${step}`
        })
        return
      case 3:
        await save("group", [PROVENANCE, SCANNED][next(2)] ?? PROVENANCE)
        return
      case 4:
        if (next(2) === 0) await allow(env_name, letter)
        else
          await call("DELETE /allowlists/{org}/{env_name}/{fingerprint}", {
            path: { env_name, fingerprint: print(letter) }
          })
        return
      case 5:
        await call("PUT /environments/{org}", {
          body: {
            name: "all",
            type: "logical",
            included_environments: next(2) === 0 ? ["part-1"] : ["part-1", "part-2"]
          }
        })
        return
      default:
        await report(
          env_name,
          LETTERS.filter(() => next(2) === 0)
        )
    }
  }

  it("reproduces what the policies of a logical environment decided (law HIST-20)", async () => {
    await save("group", SCANNED)
    await save("own", PROVENANCE)
    await call("PUT /environments/{org}", {
      body: { name: "part-1", type: "server", policies: ["own"] }
    })
    await call("PUT /environments/{org}", { body: { name: "part-2", type: "server" } })
    await call("PUT /environments/{org}", {
      body: {
        name: "all",
        type: "logical",
        policies: ["group"],
        included_environments: ["part-1", "part-2"]
      }
    })
    for (const letter of LETTERS) await evidence.begin(`t-${letter}`)
    await report("part-1", LETTERS)
    const next = numbers(7)
    for (let step = 0; step < 70; step++) await happen(next, step)
    await save("group", SCANNED)
    await report("part-1", ["a", "b"])
    await report("part-2", ["b", "c"])
    const latest = await play({ candidate: { policy_name: "group" }, limit: 100_000 })
    assert.deepStrictEqual(latest.totals.unreproduced, NONE)
    const all = latest.environments.find(({ environment }) => environment === "all")
    assert.isDefined(all, "the logical environment is played")
    for (const { to } of latest.flips)
      assert.isNotNull(to, "the attached version agrees with itself")
  })

  it("shows the flips of the rows of members, within the snapshots of the logical one", async () => {
    const { flips, environments, horizon } = await play({
      candidate: { policy_yaml: NEVER, name: "group" },
      limit: 100_000
    })
    assert.isNotEmpty(flips)
    for (const { environment, first_index, from, last_index, member, to, was, would_be } of flips) {
      assert.strictEqual(environment, "all")
      assert.include(["part-1", "part-2"], member)
      assert.notStrictEqual(was, would_be)
      assert.strictEqual(would_be, false)
      assert.isAtMost(first_index, last_index)
      assert.isBelow(from, to ?? horizon.at)
    }
    assert.isTrue(flips.some(({ to }) => to === null))
    const all = environments.find(({ environment }) => environment === "all")
    assert.deepInclude(all?.now as object, { would_be: false })
    const hours = all?.row_hours as { readonly was: number; readonly would_be: number }
    const red = flips.reduce((sum, { from, to }) => sum + ((to ?? horizon.at) - from) / 3_600, 0)
    assert.closeTo(hours.would_be, hours.was + red, 1e-8)
    const head = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name: "all", snapshot_expression: String(flips[0]?.first_index) }
    })
    assert.strictEqual(head.status, 200)
  })

  it("replays the members and a named logical environment, and lists what it leaves out", async () => {
    const candidate = { policy_yaml: NEVER, name: "group" }
    const named = await play({ candidate, environments: ["all"] })
    assert.include(
      named.environments.map(({ environment }) => environment),
      "all"
    )
    assert.isNotEmpty(named.flips)
    assert.isUndefined(named.notes)
    const member = await play({ candidate, environments: ["part-1"] })
    assert.deepStrictEqual(
      member.environments.map(({ environment }) => environment),
      ["part-1"]
    )
    assert.isEmpty(member.flips)
    assert.deepInclude(member.notes?.[0], {
      type: "logical_not_played",
      environment: "all",
      policy: "group",
      members: ["part-1"]
    })
    const added = await play({ candidate, replaces: null, environments: ["all"] })
    assert.isFalse(added.environments.some(({ environment }) => environment === "all"))
  })

  it("comes to the same totals and flips after any cursor (law HIST-24)", async () => {
    const body = { candidate: { policy_yaml: NEVER, name: "group" }, limit: 100_000 }
    const lines = await linesOf(body)
    const done = lines.at(-1)
    assert.strictEqual(done?.type, "done")
    const cursors = lines.flatMap(({ cursor, type }, at) =>
      type === "progress" && typeof cursor === "string" ? [{ at, cursor }] : []
    )
    assert.isAtLeast(cursors.length, 2)
    for (const { at, cursor } of cursors) {
      const rest = await linesOf({ ...body, cursor })
      assert.deepStrictEqual(rest.slice(1), lines.slice(at + 1), "every line after it is the same")
    }
  })

  it("goes on after a cursor that says nothing of what was before it", async () => {
    const body = { candidate: { policy_yaml: NEVER, name: "group" }, limit: 100_000 }
    const lines = await linesOf(body)
    const isCursor = ({ cursor, type }: Line) => type === "progress" && cursor !== null
    const at = lines.length - 1 - [...lines].reverse().findIndex(isCursor)
    const text = Buffer.from(String(lines[at]?.cursor), "base64url").toString("utf8")
    const { so_far: _, ...bare } = JSON.parse(text)
    const cursor = Buffer.from(JSON.stringify(bare)).toString("base64url")
    const rest = await linesOf({ ...body, cursor })
    const isSilent = ({ cursor: own, type }: Line) => type === "progress" && own === cursor
    assert.deepStrictEqual(
      rest.slice(1).filter((line) => !isSilent(line)),
      lines.slice(at + 1)
    )
  })

  it("says with a status that as many as may are running, before the first line", async () => {
    const body = { candidate: { policy_yaml: NEVER, name: "group" } }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(body, { accept: "application/x-ndjson" }))
    )
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { headers, status } of refused) {
      assert.strictEqual(status, 429)
      assert.strictEqual(headers.get("retry-after"), "5")
    }
    for (const { body: answer, status } of answers)
      if (status === 200) assert.include(String(answer), '"type":"done"')
    assert.strictEqual((await ask(body)).status, 200, "places are given back")
  })
})
