import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import {
  classOf,
  type EnvironmentEvent,
  EventClass
} from "../../src/environment/EnvironmentEvent.js"
import * as EnvironmentEvents from "../../src/environment-events/EnvironmentEvents.js"
import { EnvironmentName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Generated from "../../testing/arbitrary/EnvironmentEvent.js"
import * as Reports from "../../testing/EnvironmentReport.js"

/** Reads CSV as RFC 4180 describes it, one character after the other. */
const readCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines: Array<Array<string>> = []
  let line: Array<string> = []
  let at = 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === '"') {
      at += 1
      while (text[at] !== '"' || text[at + 1] === '"') {
        cell += text[at]
        at += text[at] === '"' ? 2 : 1
      }
      at += 1
    } else while (text[at] !== "," && text[at] !== "\r") cell += text[at++]
    line.push(cell)
    if (text[at] === ",") at += 1
    else {
      lines.push(line)
      line = []
      at += 2
    }
  }
  return lines
}

const { environmentEvent } = Generated
const events = FastCheck.array(environmentEvent, { maxLength: 6 })
const { header, matches, parseEventClasses, parseList, printCell, printEvent } = EnvironmentEvents
const example: EnvironmentEvent = {
  environment: EnvironmentName.make("prod"),
  snapshotIndex: 12,
  at: Timestamp.fromSeconds(1_777_550_805.25),
  kind: "started-non-compliant",
  name: "=cmd|' /C calc'!A0",
  fingerprint: Reports.fingerprints[0],
  was: 0,
  now: 2,
  verdict: "NonCompliant",
  snapshotVerdict: "Unknown",
  flowNames: ["build", "release"],
  repoNames: ["acme/shop"],
  gitCommit: null,
  commitUrl: "https://example.org/a,b",
  diffUrl: null
}

describe("EnvironmentEvents: lines", () => {
  it.prop("reads back as one line per event with every column", { events }, (given) => {
    const lines = readCsv([header, ...given.events.map(printEvent)].join(""))
    assert.strictEqual(lines.length, given.events.length + 1)
    assert.deepStrictEqual(lines[0], [...EnvironmentEvents.COLUMNS])
    lines.slice(1).forEach((cells, at) => {
      assert.strictEqual(cells.length, EnvironmentEvents.COLUMNS.length)
      const name = given.events[at]?.name ?? ""
      assert.strictEqual([name, `'${name}`].includes(cells[6] ?? ""), true)
    })
  })

  it.prop("no cell begins a formula", { events }, (given) => {
    for (const cell of readCsv(given.events.map(printEvent).join("")).flat())
      assert.strictEqual(/^[=+\-@\t\r]/.test(cell), false)
  })

  it("prints the columns in the decided order", () =>
    assert.strictEqual(
      printEvent(example),
      `${[
        "1777550805.25",
        "2026-04-30T12:06:45.250000Z",
        "prod",
        "12",
        "started",
        "started-non-compliant",
        "'=cmd|' /C calc'!A0",
        "a".repeat(64),
        "0",
        "2",
        "false",
        "unknown",
        "build;release",
        "",
        '"https://example.org/a,b"',
        "acme/shop",
        "2 instances started running (from 0 to 2)"
      ].join(",")}\r\n`
    ))

  it("has a header even without events", () =>
    assert.strictEqual(
      header,
      "timestamp,datetime_utc,environment,snapshot_index,event_type,event_detail,artifact_name," +
        "fingerprint,instances_before,instances_after,artifact_compliant,environment_compliant," +
        "flow_names,git_commit,commit_url,repo_names,description\r\n"
    ))

  it.each([
    ["plain", "plain"],
    ["=1", "'=1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@a", "'@a"],
    ["\ta", "'\ta"],
    ["\ra", `"'\ra"`],
    ['a"b', '"a""b"'],
    ["a\nb", '"a\nb"'],
    ["=a,b", `"'=a,b"`],
    ["a=1", "a=1"],
    ["", ""]
  ])("prints %j as %j", (text, cell) => assert.strictEqual(printCell(text), cell))
})

describe("EnvironmentEvents: filters", () => {
  it.prop("no filter wants everything", { event: environmentEvent }, ({ event }) =>
    assert.strictEqual(matches({})(event), true)
  )

  it.prop(
    "filters combine with AND",
    { event: environmentEvent, at: Generated.environmentEvent },
    (given) => {
      const filters = [
        { from: given.at.at },
        { to: given.at.at },
        { eventClasses: new Set([classOf(given.at.kind)]) },
        { flowNames: new Set(["build"]) },
        { repoNames: new Set(["acme/web"]) }
      ]
      const all = Object.assign({}, ...filters)
      assert.strictEqual(
        matches(all)(given.event),
        filters.every((filter) => matches(filter)(given.event))
      )
    }
  )

  it.prop("the three classes partition the events", { event: environmentEvent }, ({ event }) =>
    assert.strictEqual(
      EventClass.literals.filter((one) => matches({ eventClasses: new Set([one]) })(event)).length,
      1
    )
  )

  it.prop("values of one filter combine with OR", { event: environmentEvent }, ({ event }) => {
    const flow = (...names: ReadonlyArray<string>) => matches({ flowNames: new Set(names) })(event)
    assert.strictEqual(flow("build", "release"), flow("build") || flow("release"))
    assert.strictEqual(flow("build", "no provenance"), flow("build") || flow("no provenance"))
    assert.strictEqual(flow("no provenance"), event.flowNames.length === 0)
  })

  it("includes both ends", () => {
    const { at } = example
    assert.strictEqual(matches({ from: at, to: at })(example), true)
    assert.strictEqual(matches({ from: Timestamp.fromMicros(at + 1) })(example), false)
    assert.strictEqual(matches({ to: Timestamp.fromMicros(at - 1) })(example), false)
  })

  it("matches names whole", () => {
    assert.strictEqual(matches({ flowNames: new Set(["buil"]) })(example), false)
    assert.strictEqual(matches({ repoNames: new Set(["acme/shop"]) })(example), true)
    assert.strictEqual(matches({ repoNames: new Set(["shop"]) })(example), false)
  })

  it("reads lists without empty values", () => {
    assert.deepStrictEqual(parseList("a, no provenance ,,b"), new Set(["a", "no provenance", "b"]))
    assert.strictEqual(parseList(" , "), undefined)
  })

  it("reads the three words and refuses any other", () => {
    assert.deepStrictEqual(
      parseEventClasses("started,exited"),
      Either.right(new Set(["started", "exited"]))
    )
    assert.deepStrictEqual(parseEventClasses(""), Either.right(undefined))
    for (const word of ["Started", "scaled", "started-compliant", "unchanged"]) {
      const error = Either.getOrThrow(Either.flip(parseEventClasses(`changed,${word}`)))
      assert.strictEqual(
        error.message,
        `\`${word}\` is not one of \`started\`, \`exited\` and \`changed\``
      )
    }
  })
})
