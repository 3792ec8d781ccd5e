/** The pure parts of the board: groups, environments that need attention, and the bands of a day. */
import { assert, describe, it } from "vitest"
import { attentionOf, EXPLAINED_MAX } from "../../app/environment/Attention.js"
import { bandsOf, sentenceOf } from "../../app/environment/DayBands.js"
import { decaysOf } from "../../app/environment/Decay.js"
import { groupsOf } from "../../app/environment/EnvironmentGroups.js"
import { filtered } from "../../app/environment/EnvironmentOrder.js"
import { viewOf } from "../../app/environment/OverviewView.js"
import type { Environment } from "../../app/shared/Contract.js"
import { environmentOf } from "../fixture/Environments.js"

const NOW = Date.UTC(2026, 10, 16)
const SECONDS = NOW / 1_000

const environment = (name: string, more: Partial<Environment> = {}): Environment =>
  environmentOf(name, { last_reported_at: SECONDS - 60, state: true, ...more })

const red = (name: string, more: Partial<Environment> = {}): Environment =>
  environment(name, {
    state: false,
    latest_snapshot: {
      index: 4,
      timestamp: SECONDS - 50,
      verdict: "NonCompliant",
      counts: { true: 2, false: 2, null: 1 },
      verdict_since: SECONDS - 7_800
    },
    ...more
  })

describe("groups of the board", () => {
  const logical = environment("prod", {
    type: "logical",
    included_environments: ["eu", "us"]
  })
  const all = [
    environment("eu", { tags: { tier: "1" } }),
    environment("us"),
    environment("dev"),
    logical
  ]
  const shown = (group?: string, list: ReadonlyArray<Environment> = all) =>
    groupsOf(list, all, group).map(({ title, members }) => [title, members.map(({ name }) => name)])

  it("are logical environments, and the others", () => {
    assert.deepStrictEqual(shown(), [
      ["prod", ["eu", "us"]],
      ["Other environments", ["dev"]]
    ])
  })

  it("keep the logical environment of a member that is shown, and leave out empty ones", () => {
    assert.deepStrictEqual(shown(undefined, filtered(all, { q: "eu" })), [["prod", ["eu"]]])
    assert.deepStrictEqual(shown(undefined, filtered(all, { q: "dev" })), [[undefined, ["dev"]]])
    assert.deepStrictEqual(shown(undefined, filtered(all, { kind: "logical" })), [["prod", []]])
  })

  it("are the values of a tag, or none", () => {
    assert.deepStrictEqual(shown("tag:tier"), [
      ["tier: 1", ["eu"]],
      ["without tier", ["us", "dev", "prod"]]
    ])
    assert.deepStrictEqual(shown("tag:__proto__"), [
      ["without __proto__", ["eu", "us", "dev", "prod"]]
    ])
    assert.deepStrictEqual(shown("none"), [[undefined, ["eu", "us", "dev", "prod"]]])
  })

  it("are tiles up to 60 environments unless the address says more", () => {
    assert.strictEqual(viewOf({ query: [] }, 60), "tiles")
    assert.strictEqual(viewOf({ query: [] }, 61), "table")
    assert.strictEqual(viewOf({ query: [["view", "tiles"]] }, 61), "tiles")
    assert.strictEqual(viewOf({ query: [["view", "x"]] }, 1), "tiles")
  })
})

describe("what needs attention", () => {
  it("is what fails, with counts and since when, and then what is silent", () => {
    const lines = attentionOf(
      [red("eu"), environment("old", { last_reported_at: SECONDS - 273_600 }), environment("us")],
      NOW
    )
    assert.deepStrictEqual(
      lines.map((line) =>
        line._tag === "Failing"
          ? [line.environment.name, line.rows, line.running, NOW - line.sinceMs]
          : [line.environment.name, NOW - line.sinceMs]
      ),
      [
        ["eu", 3, 5, 7_800_000],
        ["old", 273_600_000]
      ]
    )
  })

  it("names a logical environment only where none of its members fails", () => {
    const group = red("prod", { type: "logical", included_environments: ["eu"] })
    const names = (list: ReadonlyArray<Environment>) =>
      attentionOf(list, NOW).map(({ environment: { name } }) => name)
    assert.deepStrictEqual(names([red("eu"), group]), ["eu"])
    assert.deepStrictEqual(names([environment("eu"), group]), ["prod"])
  })

  it("is explained for six environments", () => {
    const many = Array.from({ length: 9 }, (_, place) => red(`e${place}`))
    const explained = attentionOf(many, NOW).filter(
      (line) => line._tag === "Failing" && line.isExplained
    )
    assert.lengthOf(explained, EXPLAINED_MAX)
  })
})

describe("the bands of a day", () => {
  const hours = (count: number) => SECONDS - count * 3_600

  it("cover the time that is known, and a short failure is seen", () => {
    const bands = bandsOf(
      [
        { from: hours(30), verdict: "Compliant" },
        { from: hours(12), verdict: "NonCompliant" },
        { from: hours(12) + 1, verdict: "Compliant" }
      ],
      NOW
    )
    assert.deepStrictEqual(
      bands.map(({ verdict, start, ms }) => [verdict, start, ms]),
      [
        ["compliant", 0, 12 * 3_600_000],
        ["non-compliant", 0.5, 1_000],
        ["compliant", bands[2]?.start, 12 * 3_600_000 - 1_000]
      ]
    )
    assert.isAtLeast(bands[1]?.width ?? 0, 1 / 120)
    assert.strictEqual(
      sentenceOf(bands),
      "Last 24 hours: not compliant for 1 s, compliant for 23 h 59 min"
    )
  })

  it("stay inside when a failure began just now, and say that there is nothing", () => {
    const [band] = bandsOf([{ from: SECONDS, verdict: "NonCompliant" }], NOW)
    assert.isAtMost((band?.start ?? 1) + (band?.width ?? 1), 1)
    assert.strictEqual(sentenceOf(bandsOf([], NOW)), "No snapshot in the last 24 hours")
  })
})

describe("environments that decay", () => {
  it("are those with a due instant, soonest first, then by name", () => {
    const all = [
      environment("c", { due_at: 20 }),
      environment("a"),
      environment("d", { due_at: 10 }),
      red("b", { due_at: 20 })
    ]
    assert.deepStrictEqual(
      decaysOf(all).map(({ dueAt, environment: { name } }) => [name, dueAt]),
      [
        ["d", 10],
        ["b", 20],
        ["c", 20]
      ]
    )
  })
})
