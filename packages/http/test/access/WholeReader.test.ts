/**
 * AC-1: spaces, teams and grants that others use change no answer for readers of the whole org, but that things name
 * their space.
 *
 * Two servers answer the rows of the access table; one has spaces, a team in one of them and grants.
 */
import { OPERATIONS } from "@attestry/api/OperationIndex"
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { type Answer, type Caller, onEveryStore, type TestServer } from "../shared/TestServer.js"
import { makeFixture } from "./AccessFixture.js"
import { rows } from "./AccessTable.js"

/** Operations about spaces and grants themselves, and about the journal and log, which record that they were made. */
const ABOUT_THEM = ["space.", "placementRule.", "grant.", "access.", "journal.", "log."]

/** Answers that are signed, or in which environments without rows stand in the order of their ids. */
const BY_CHANCE = ["receipt.assertion", "policyLab.backtest"]

const OPERATION_NAMES = new Map<string, string>(
  Object.entries(OPERATIONS).map(([name, operation]) => [operation, name])
)

const CALLERS: ReadonlyArray<Caller> = ["admin", "member", "snapshotter", "reader", "nobody"]

/** Headers that differ between any two answers, or that say how long the answer took. */
const VARYING = ["date", "etag", "x-request-id", "server-timing", "content-length", "set-cookie"]

/** An answer as a text, with a word in place of each id, secret, digest and instant. */
const withoutChance = ({ status, headers, body }: Answer): string => {
  const kept = [...headers].filter(([name]) => !VARYING.includes(name))
  const content = body instanceof Uint8Array ? "bytes" : body
  return JSON.stringify({ status, headers: kept, body: content })
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8,12}/g, "<id>")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "<entry>")
    .replaceAll(/attestry_[A-Za-z0-9_]+|whsec_[A-Za-z0-9+/=]+/g, "<secret>")
    .replaceAll(/"csrf_token":"[0-9a-f]+"/g, "<secret>")
    .replaceAll(/"(sequence|duration)":[\d.]+/g, "<count>")
    .replaceAll(/1[6-9]\d{8}(\.\d+)?/g, "<time>")
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z?)?/g, "<time>")
    .replaceAll(/"space":"\/",|,"space":"\/"/g, "")
}

/** The answers of every row for every caller, by operation and caller. */
const answersOf = async (server: TestServer): Promise<ReadonlyMap<string, string>> => {
  const fixtureFor = await makeFixture(server)
  const answers = new Map<string, string>()
  for (const [place, [operation, row]] of rows.entries()) {
    const name = OPERATION_NAMES.get(operation) ?? operation
    if ([...ABOUT_THEM, ...BY_CHANCE].some((prefix) => name.startsWith(prefix))) continue
    for (const as of CALLERS) {
      const options = (await row.request?.(fixtureFor(`${as}-${place}`))) ?? {}
      answers.set(
        `${name} by ${as}`,
        withoutChance(await server.call(operation, { ...options, as }))
      )
    }
  }
  return answers
}

/** Two answers from where they differ. */
const difference = (one: string, other = ""): ReadonlyArray<string> => {
  const at = [...one].findIndex((character, index) => character !== other[index])
  return [one, other].map((text) => text.slice(Math.max(0, at - 60), at + 60))
}

/** People and a team, of which one org gives roles in spaces to. */
const people = async (server: TestServer) => {
  const { person } = fixtureOf(server)
  await person("pat", "none")
  await server.call("PUT /teams/{org}/{team}", { path: { team: "payments" } })
  const path = { team: "payments", login: "pat" }
  const added = await server.call("PUT /teams/{org}/{team}/members/{login}", { path })
  assert.isBelow(added.status, 300, JSON.stringify(added.body))
}

const spacesAndGrants = async (server: TestServer) => {
  const { grant, make } = fixtureOf(server)
  for (const path of ["retail", "retail/payments", "platform"]) await make(path)
  const given = [
    await grant("team payments", "retail/payments", "member"),
    await grant("user pat", "platform", "admin"),
    await grant("user pat", "retail", "reader")
  ]
  for (const { status } of given) assert.isBelow(status, 300)
}

const LIMITS = { limits: { failuresPerSource: 1_000_000, failuresPerKey: 1_000_000 } }

/** The answers of the org without spaces, by whether the store is that in memory. */
const withoutSpaces = new Map<boolean, ReadonlyMap<string, string>>()

onEveryStore(
  "an org without spaces",
  (server) => {
    it("answers every row", async () => {
      await people(server)
      const answers = await answersOf(server)
      assert.isAbove(answers.size, 900)
      withoutSpaces.set(server.isInMemory, answers)
    }, 300_000)
  },
  LIMITS
)

onEveryStore(
  "an org in which others have grants in spaces",
  (server) => {
    beforeAll(async () => {
      await people(server)
      await spacesAndGrants(server)
    }, 60_000)

    it("answers whole readers alike, but for the space of things: AC-1", async () => {
      const answers = await answersOf(server)
      const changed = [...(withoutSpaces.get(server.isInMemory) ?? [])].flatMap(([call, answer]) =>
        answers.get(call) === answer ? [] : [[call, ...difference(answer, answers.get(call))]]
      )
      assert.deepStrictEqual(changed, [])
      assert.strictEqual(answers.size, withoutSpaces.get(server.isInMemory)?.size)
    }, 300_000)
  },
  LIMITS
)
