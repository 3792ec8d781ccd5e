/** What records must be by the journal, where entries are old, were erased, or leave a choice. */

import type { Columns, RecordKind } from "@attestry/core/AuditStore"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { differences } from "@attestry/core/RecordVerification"
import { assert, describe, it } from "vitest"
import { Replay } from "../../src/verification/internal/Replay.js"

const ERASED = { _erased: "a".repeat(43) }

/** An entry of the journal. */
const entry = (kind: string, id: string, content: Columns, at = 5): JournalEntry =>
  // WHY: a test gives plain values where the journal has brands.
  ({
    org_id: "o",
    sequence: 1,
    kind,
    subject: { type: "t", id },
    at,
    digest: "",
    actor: { kind: "user", id: "u", name: "ada" },
    content: JSON.stringify(content)
  }) as never

const replayed = (...entries: ReadonlyArray<JournalEntry>): Replay => {
  const replay = new Replay()
  for (const each of entries) replay.accept(each)
  return replay
}

/** The columns of a stored record that differ. */
const compare = (replay: Replay, table: RecordKind, key: string, stored: Columns) =>
  differences(table, replay.table(table).get(key) ?? assert.fail(`no ${table} ${key}`), stored)

const MEMBER = { user_id: "u", login: "ada", role: "admin", previous_role: null, source: "script" }
const USER = { id: "u", login: "ada", display_name: "Ada", email: "ada@example.org", created_at: 3 }
const EVENT = {
  org_id: "o",
  user_id: "u",
  role: "admin",
  suspended: false,
  previous_role: null,
  source: "script",
  id: "e",
  user: "Ada",
  changed_by: "ada",
  created_at: 5
}

describe("Replay of members", () => {
  const user = { username: "Ada", email: "ada@example.org", created_at: 3 }
  const whole = replayed(entry("membership_added", "u", { ...MEMBER, event_id: "e", user }))

  it("compares users and events with the facts of their entry", () => {
    assert.deepStrictEqual(compare(whole, "user", "u", USER), [])
    assert.deepStrictEqual(compare(whole, "membership_event", "e", EVENT), [])
    const other = { ...USER, login: "x", display_name: null, email: "x", created_at: 4 }
    assert.deepStrictEqual(compare(whole, "user", "u", other), [
      "created_at",
      "display_name",
      "email",
      "login"
    ])
    assert.deepStrictEqual(
      compare(whole, "membership_event", "e", { ...EVENT, id: "x", user: "x" }),
      ["id", "user"]
    )
  })

  it("shows the login of a user without a name", () => {
    const unnamed = { ...MEMBER, event_id: "e", user: { ...user, username: null } }
    const replay = replayed(entry("membership_added", "u", unnamed))
    assert.deepStrictEqual(compare(replay, "membership_event", "e", { ...EVENT, user: "ada" }), [])
  })

  it("does not compare what was erased", () => {
    const erased = { username: ERASED, email: ERASED, created_at: 3 }
    const content = { ...MEMBER, login: ERASED, event_id: "e", user: erased }
    const replay = replayed(entry("membership_added", "u", content))
    const gone = { ...USER, login: "**ERASED**", display_name: null, email: null }
    assert.deepStrictEqual(compare(replay, "user", "u", gone), [])
    assert.deepStrictEqual(compare(replay, "user", "u", { ...gone, created_at: 4 }), ["created_at"])
  })
})

describe("Replay of names", () => {
  const flow = (id: string, name: string) => ({ id, name, org_id: "o" })
  const names = (replay: Replay) =>
    [...replay.table("flow_former_name")].map(([name, { flow_id }]) => `${name} ${flow_id}`)

  it("follows names that are given up, taken, and taken back", () => {
    const begun = [
      entry("flow_created", "1", flow("1", "a")),
      entry("flow_renamed", "1", flow("1", "b")),
      entry("flow_renamed", "1", flow("1", "c"))
    ]
    assert.deepStrictEqual(names(replayed(...begun)), ["a 1", "b 1"])
    const taken = [...begun, entry("flow_created", "2", flow("2", "a"))]
    assert.deepStrictEqual(names(replayed(...taken)), ["b 1"])
    const back = [...taken, entry("flow_renamed", "1", flow("1", "b"))]
    assert.deepStrictEqual(names(replayed(...back)), ["c 1"])
    assert.deepStrictEqual(
      names(replayed(...back, entry("flow_archived", "1", flow("1", "b-archived")))),
      []
    )
  })

  it("accepts a former name that stays behind when its name is taken at the same time", () => {
    const replay = replayed(
      entry("flow_created", "1", flow("1", "a")),
      entry("flow_renamed", "1", flow("1", "b")),
      entry("flow_created", "2", flow("2", "a"))
    )
    assert.deepStrictEqual(replay.optional("flow_former_name").get("a"), {
      org_id: "o",
      name: "a",
      flow_id: "1"
    })
  })
})

describe("Replay of notifications", () => {
  const stored = {
    org_id: "o",
    id: "t",
    notification_type: "api_key_expiry",
    number: null,
    position: 0,
    target: { type: "CHAT", webhook: "https://chat.example.org/b" },
    context: null
  }
  const configured = (webhook: unknown) =>
    replayed(
      entry("notification_config_set", "api_key_expiry", {
        notification_type: "api_key_expiry",
        targets: [{ id: "t", type: "CHAT", webhook, context: null }]
      })
    )

  it("compares addresses, and not those that were erased", () => {
    const given = configured("https://chat.example.org/b")
    const other = { ...stored, target: { type: "CHAT", webhook: "https://evil.example.org" } }
    assert.deepStrictEqual(compare(given, "notification_target", "t", stored), [])
    assert.deepStrictEqual(compare(given, "notification_target", "t", other), ["target"])
    assert.deepStrictEqual(compare(configured(ERASED), "notification_target", "t", other), [])
  })

  it("forgets the targets of before", () => {
    const replay = configured("https://chat.example.org/b")
    replay.accept(
      entry("notification_config_deleted", "api_key_expiry", {
        notification_type: "api_key_expiry",
        targets: []
      })
    )
    assert.strictEqual(replay.table("notification_target").size, 0)
    assert.strictEqual(replay.table("notification_config").size, 1)
  })
})

describe("Replay of repositories", () => {
  const repo = (id: string, name: string, repo_id: string | null = null) =>
    entry("repo_created", id, { id, name, repo_id, provider: "github", org_id: "o" })
  const info = (name: string, id?: string) => ({ provider: "github", name, id })
  const artifact = (repo_info: unknown, repo_id: string | null) => ({
    key: "a",
    columns: { report: { repo_info }, repo_id }
  })
  const trail = (...repo_ids: ReadonlyArray<string>) => ({ key: "t", columns: { repo_ids } })

  it("links artifacts by id, or by name", () => {
    const { links } = replayed(repo("1", "x", "77"), repo("2", "y"))
    assert.isUndefined(links.misfit("artifact", artifact(info("other", "77"), "1")))
    assert.isUndefined(links.misfit("artifact", artifact(info("y"), "2")))
    assert.isUndefined(links.misfit("artifact", artifact(null, null)))
    assert.strictEqual(links.misfit("artifact", artifact(info("y"), "1")), "repo_id")
    assert.strictEqual(links.misfit("artifact", artifact(info("y"), null)), "repo_id")
    assert.strictEqual(links.misfit("artifact", artifact(null, "1")), "repo_id")
  })

  it("links trails to the repositories of their reports, in order", () => {
    const { links } = replayed(
      ...[repo("1", "x"), repo("2", "y")],
      entry("trail_reported", "t", { id: "t", template: null, repo_info: info("y") }),
      entry("artifact_creation_reported", "t", {
        artifact_id: "a",
        report: { repo_info: info("x") }
      })
    )
    assert.isUndefined(links.misfit("trail", trail("2", "1")))
    assert.strictEqual(links.misfit("trail", trail("1", "2")), "repo_ids")
    assert.strictEqual(links.misfit("trail", trail("2")), "repo_ids")
  })

  it("accepts each of several repositories with one name", () => {
    const { links } = replayed(
      ...[repo("1", "x", "7"), repo("2", "x", "8"), repo("3", "z")],
      entry("trail_reported", "t", { id: "t", template: null, repo_info: info("x") })
    )
    assert.isUndefined(links.misfit("trail", trail("1")))
    assert.isUndefined(links.misfit("trail", trail("2")))
    assert.strictEqual(links.misfit("trail", trail("3")), "repo_ids")
    assert.strictEqual(links.misfit("trail", trail()), "repo_ids")
  })
})
