/** Backtests of policies on the wire, over a history of everything that verdicts depend on. */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const LETTERS = ["a", "b", "c", "d"]

const policy = (rules: string) => `_schema: https://example.org/v1\nartifacts:\n${rules}`
const PROVENANCE = policy("  provenance:\n    required: true\n")
const TRAILS = policy("  trail-compliance:\n    required: true\n")
const SCANNED = policy("  attestations:\n    - name: scan\n      type: generic\n")
const NOTHING = policy("  provenance:\n    required: false\n")

interface Flip {
  readonly environment: string
  readonly name: string
  readonly fingerprint: string
  readonly first_index: number
  readonly last_index: number
  readonly from: number
  readonly to: number | null
  readonly was: boolean | null
  readonly would_be: boolean | null
  readonly reasons?: ReadonlyArray<unknown>
}

interface Hours {
  readonly was: number
  readonly would_be: number
}

interface Totals {
  readonly rows: number
  readonly flips: number
  readonly artifacts: number
  readonly non_compliant_hours: Hours
  readonly row_hours: Hours
  readonly unreproduced: {
    readonly rows: number
    readonly other_semantics: number
  }
}

interface Answer {
  readonly horizon: { readonly known: number; readonly at: number }
  readonly flips: ReadonlyArray<Flip>
  readonly environments: ReadonlyArray<
    Totals & { readonly environment: string; readonly now: unknown }
  >
  readonly totals: Totals
  readonly truncated: boolean
}

const NONE = { rows: 0, other_semantics: 0 }

/** Numbers below a bound that are the same in every run. */
const numbers = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
}

const hoursOf = (flips: ReadonlyArray<Flip>, horizon: number, wanted: (flip: Flip) => boolean) =>
  flips.filter(wanted).reduce((sum, { from, to }) => sum + ((to ?? horizon) - from) / 3_600, 0)

onBothStores("POST /policies/{org}/backtest", (server) => {
  const { call } = server
  const ask = (body: object, accept?: string) =>
    call("POST /policies/{org}/backtest", {
      body,
      ...(accept === undefined ? {} : { headers: { accept } })
    })
  const play = async (body: object): Promise<Answer> => {
    const { status, body: answer } = await ask(body)
    assert.strictEqual(status, 200, JSON.stringify(answer))
    return answer as Answer
  }
  const evidence = evidenceOf(server, "lab")
  const save = (name: string, policy_file: string) =>
    call("PUT /policies/{org}", { body: { name, policy_file } })

  /** One thing that verdicts depend on, by a number. */
  const happen = async (next: (bound: number) => number, step: number): Promise<void> => {
    const letter = LETTERS[next(LETTERS.length)] ?? "a"
    const env_name = next(2) === 0 ? "lab-1" : "lab-2"
    const trail = `t-${letter}`
    switch (next(8)) {
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
        await save("lab", [PROVENANCE, TRAILS, SCANNED][next(3)] ?? PROVENANCE)
        return
      case 4:
        if (next(2) === 0)
          await call("PUT /allowlists/{org}/{env_name}", {
            path: { env_name },
            body: {
              artifact_fingerprint: print(letter),
              artifact_name: "app",
              description: `${step}`
            }
          })
        else
          await call("DELETE /allowlists/{org}/{env_name}/{fingerprint}", {
            path: { env_name, fingerprint: print(letter) }
          })
        return
      default: {
        const running = LETTERS.filter(() => next(2) === 0)
        await call("PUT /environments/{org}/{env_name}/report/server", {
          path: { env_name },
          body: {
            artifacts: running.map((each) => ({
              digests: { [`app-${each}`]: print(each) },
              creationTimestamp: 1
            }))
          }
        })
      }
    }
  }

  it("replays the recorded versions without a flip, and reproduces every decision (law HIST-20)", async () => {
    await save("lab", PROVENANCE)
    for (const name of ["lab-1", "lab-2"])
      await call("PUT /environments/{org}", { body: { name, type: "server", policies: ["lab"] } })
    for (const letter of LETTERS) await evidence.begin(`t-${letter}`)
    const next = numbers(20)
    for (let step = 0; step < 90; step++) await happen(next, step)
    // WHY one version: the candidate is one text, and recorded versions differ over time.
    await save("lab", SCANNED)
    const latest = await play({
      candidate: { policy_name: "lab" },
      environments: ["lab-1", "lab-2"],
      knowledge: "judged"
    })
    assert.deepStrictEqual(latest.totals.unreproduced, NONE)
    assert.isAbove(latest.totals.rows, 10)
    for (const { environment, now } of latest.environments)
      assert.isNotNull(now, `${environment} has a verdict`)
    for (const { to } of latest.flips)
      assert.isNotNull(to, "the attached version agrees with itself")
  })

  it("adds up: row hours are those of flips (law HIST-23), inside the window and in order (law HIST-22)", async () => {
    for (const candidate of [SCANNED, NOTHING, TRAILS]) {
      const answer = await play({
        candidate: { policy_yaml: candidate, name: "lab" },
        environments: ["lab-1", "lab-2"],
        limit: 100_000
      })
      const { flips, horizon, totals } = answer
      assert.deepStrictEqual(totals.unreproduced, NONE)
      assert.strictEqual(flips.length, totals.flips)
      const red = hoursOf(flips, horizon.at, ({ would_be }) => would_be === false)
      const mended = hoursOf(flips, horizon.at, ({ was }) => was === false)
      assert.closeTo(totals.row_hours.would_be, totals.row_hours.was + red - mended, 1e-8)
      for (const { first_index, from, last_index, to, was, would_be } of flips) {
        assert.notStrictEqual(was, would_be)
        assert.isBelow(from, to ?? horizon.at)
        assert.isAtMost(first_index, last_index)
      }
      const rows = new Map<string, number>()
      for (const { environment, fingerprint, from, name, to } of flips) {
        const key = `${environment} ${fingerprint} ${name}`
        assert.isAtLeast(from, rows.get(key) ?? 0)
        rows.set(key, to ?? horizon.at)
      }
    }
  })

  it("only flips away from compliant or unknown when a policy is added (law HIST-25)", async () => {
    const { flips } = await play({
      candidate: { policy_yaml: SCANNED },
      replaces: null,
      environments: ["lab-1", "lab-2"],
      limit: 100_000
    })
    assert.isNotEmpty(flips)
    for (const { was, would_be } of flips) {
      assert.notStrictEqual(was, false)
      assert.strictEqual(would_be, false)
    }
    assert.isTrue(flips.every(({ reasons }) => (reasons ?? []).length > 0))
  })

  it("gives the whole when its window is cut in two (law HIST-24)", async () => {
    const body = {
      candidate: { policy_yaml: TRAILS, name: "lab" },
      environments: ["lab-1"],
      limit: 100_000
    }
    const { horizon } = await play(body)
    const to = horizon.at
    const [from, middle] = [to - 1_000, to - 1.5]
    const whole = await play({ ...body, from, to })
    const halves = [
      await play({ ...body, from, to: middle }),
      await play({ ...body, from: middle, to })
    ]
    const sum = (of: (totals: Totals) => number) =>
      halves.reduce((total, { totals }) => total + of(totals), 0)
    for (const of of [
      ({ row_hours }: Totals) => row_hours.was,
      ({ row_hours }: Totals) => row_hours.would_be,
      ({ non_compliant_hours }: Totals) => non_compliant_hours.was,
      ({ non_compliant_hours }: Totals) => non_compliant_hours.would_be
    ])
      assert.closeTo(sum(of), of(whole.totals), 1e-8)
  })

  it("replays with the evidence accepted at the time, and with that of now", async () => {
    for (const knowledge of ["known", "now"]) {
      const { totals } = await play({
        candidate: { policy_yaml: SCANNED, name: "lab" },
        environments: ["lab-1", "lab-2"],
        knowledge
      })
      assert.deepStrictEqual(totals.unreproduced, NONE)
    }
  })

  it("streams lines with cursors, and goes on after any of them, whatever came later (law HIST-26)", async () => {
    const body = {
      candidate: { policy_yaml: SCANNED, name: "lab" },
      environments: ["lab-1", "lab-2"]
    }
    const linesOf = async (more: object = {}) => {
      const { status, body: answer } = await ask({ ...body, ...more }, "application/x-ndjson")
      assert.strictEqual(status, 200, JSON.stringify(answer))
      return String(answer)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown> & { readonly type: string })
    }
    const lines = await linesOf()
    assert.deepStrictEqual([lines[0]?.type, lines.at(-1)?.type], ["started", "done"])
    const flips = (all: typeof lines) => all.filter(({ type }) => type === "flip")
    assert.isNotEmpty(flips(lines))
    const goesOn = async () => {
      for (const [at, { cursor, type }] of lines.entries()) {
        if (type !== "progress" || cursor === null) continue
        const rest = await linesOf({ cursor })
        assert.deepStrictEqual(flips(rest), flips(lines.slice(at)))
      }
    }
    await goesOn()
    // Law HIST-26: what is written after the horizon changes no line.
    await save("lab", NOTHING)
    for (const letter of LETTERS)
      await evidenceOf(server, "late").artifact("run", "shop", print(letter), c1)
    await goesOn()
    const whole = await play(body)
    assert.strictEqual(whole.totals.flips, whole.flips.length)
  })

  it("says when there are more flips than asked for, and leaves reasons out", async () => {
    const body = {
      candidate: { policy_yaml: SCANNED },
      replaces: null,
      environments: ["lab-1", "lab-2"]
    }
    const { flips, totals, truncated } = await play({ ...body, limit: 1, reasons: false })
    assert.lengthOf(flips, 1)
    assert.isTrue(truncated)
    assert.isAbove(totals.flips, 1)
    assert.isFalse("reasons" in (flips[0] ?? {}))
  })

  it("replays a named archived environment up to its archiving", async () => {
    const body = {
      candidate: {
        policy_yaml: policy("  attestations:\n    - name: never\n      type: generic\n")
      },
      replaces: null,
      environments: ["lab-2"]
    }
    const before = await play(body)
    assert.isNotEmpty(before.flips)
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "lab-2" } })
    const after = await play(body)
    assert.deepStrictEqual(
      after.flips.map(({ name, first_index, from }) => [name, first_index, from]),
      before.flips.map(({ name, first_index, from }) => [name, first_index, from])
    )
    assert.isTrue(after.flips.every(({ to }) => to !== null && to <= after.horizon.at))
    assert.deepStrictEqual([after.environments.length, after.environments[0]?.now], [1, null])
    const later = await play(body)
    assert.deepStrictEqual(later.totals, after.totals, "time that passes changes nothing")
    const { environments } = await play({ candidate: body.candidate, replaces: null })
    assert.isFalse(environments.some(({ environment }) => environment === "lab-2"))
  })

  it("is 404 for what does not exist, and 400 for a question that is none", async () => {
    const candidate = { policy_yaml: SCANNED }
    for (const body of [
      { candidate: { policy_name: "nowhere" } },
      { candidate, replaces: "nowhere" },
      { candidate, environments: ["nowhere"] }
    ])
      assert.strictEqual((await ask(body)).status, 404, JSON.stringify(body))
    for (const [body, field] of [
      [{ candidate: { policy_yaml: "artifacts: 1" } }, "artifacts"],
      [{ candidate: {} }, "candidate.policy_yaml"],
      [{ candidate, from: 2, to: 1 }, "from"],
      [{ candidate, from: 1, to: 200_000_000 }, "from"],
      [{ candidate, from: 99_999_999_999 }, "from"],
      [{ candidate, cursor: "x" }, "cursor"],
      [{ candidate, limit: 0 }, "limit"],
      [{ candidate, limit: 100_001 }, "limit"],
      [{ candidate, knowledge: "all" }, "knowledge"]
    ] as const) {
      const { status, body: answer } = await ask(body)
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.include(JSON.stringify(answer), field)
    }
  })
})
