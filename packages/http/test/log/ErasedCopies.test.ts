/** LOG-12: an erasure reaches rows of snapshots, addresses of notifications and accounts that other orgs know. */
import { Login, OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { queryOf } from "../shared/StoredRows.js"
import { onBothStores } from "../shared/TestServer.js"

const AUTHOR = "Hedy Lamarr <hedy@example.org>"
const MESSAGE = "Hop frequencies"
const OTHER = "Ben <ben@example.org>"
const SYSTEM = { kind: "system", id: "test", name: "test" } as const

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
`

interface Erased {
  readonly erased: ReadonlyArray<{
    readonly entry: string
    readonly pointers: ReadonlyArray<string>
  }>
}

onBothStores("erasure of copies", (server) => {
  const { call, run } = server
  const make = async (
    operation: string,
    path: { readonly [name: string]: string },
    body: unknown
  ) => {
    const { status, body: answer } = await call(operation, { path, body })
    assert.isBelow(status, 300, `${operation}: ${JSON.stringify(answer)}`)
    return answer
  }
  const query = queryOf(server)
  /** The tables of which a row contains a text. */
  const tablesWith = async (text: string) => {
    const tables = await query(
      "select table_name as name from information_schema.tables where table_schema = 'attestry'"
    )
    const found: Array<string> = []
    for (const { name } of tables) {
      const [counted] = await query(
        `select count(*)::int4 as n from attestry."${String(name)}" t
          where to_jsonb(t)::text ilike $1 or to_jsonb(t)::text like $2`,
        [`%${text}%`, `%${Buffer.from(text).toString("hex")}%`]
      )
      if (Number(counted?.n) > 0) found.push(String(name))
    }
    return found.sort()
  }
  const problems = (org: string) =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(org))
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 5)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )
  const erase = async (value: string) => {
    const { status, body } = await call("POST /erasures/{org}", {
      body: { value, reason: "asked", preview: false }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Erased).erased
  }
  const build = async (trail: string, letter: string, author: string) => {
    const commit = {
      sha1: letter.repeat(40),
      branch: "main",
      message: `${MESSAGE} ${letter}`,
      author,
      author_username: `user-${letter}`,
      timestamp: 1_700_000_000,
      url: "https://git.example"
    }
    await make("PUT /trails/{org}/{flow_name}", { flow_name: "radio" }, { name: trail })
    await make(
      "POST /artifacts/{org}/{flow_name}",
      { flow_name: "radio" },
      {
        fingerprint: letter.repeat(64),
        filename: `radio:${letter}`,
        trail_name: trail,
        template_reference_name: "radio",
        git_commit_info: commit,
        build_url: "https://ci.example.com/1",
        commit_url: "https://git.example.com/c"
      }
    )
  }
  const report = (env_name: string, letters: string) =>
    make(
      "PUT /environments/{org}/{env_name}/report/docker",
      { env_name },
      {
        artifacts: [...letters].map((letter) => ({
          digests: { [`radio:${letter}`]: letter.repeat(64) },
          creationTimestamp: 1_700_000_000
        }))
      }
    )
  const snapshot = async (env_name: string, snapshot_expression: string) => {
    const { body, status } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name, snapshot_expression }
    })
    assert.strictEqual(status, 200)
    return body as { readonly index: number }
  }

  beforeAll(async () => {
    await make("PUT /flows/{org}", {}, { name: "radio", description: "" })
    await make("PUT /policies/{org}/{name}", { name: "radio" }, { policy_yaml: POLICY })
    await build("one", "a", AUTHOR)
    await build("two", "b", OTHER)
    for (const name of ["air", "sea"])
      await make("PUT /environments/{org}", {}, { name, type: "docker", policies: ["radio"] })
    await make(
      "PUT /environments/{org}",
      {},
      {
        name: "world",
        type: "logical",
        included_environments: ["air", "sea"]
      }
    )
    for (const letters of ["a", "ab", "b", "ab"]) await report("air", letters)
    await report("sea", "ab")
    const attested = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
    await make(
      attested,
      { flow_name: "radio", trail_name: "one" },
      {
        attestation_name: "scan",
        is_compliant: true,
        artifact_fingerprint: "a".repeat(64)
      }
    )
  }, 60_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await problems(server.org), [])
    assert.include(JSON.stringify(await snapshot("air", "1")), AUTHOR)
  })

  it("takes authors out of the rows of every snapshot, and verify agrees", async () => {
    assert.isNotEmpty(await erase(AUTHOR))
    assert.deepStrictEqual(await tablesWith("hedy@example.org"), [])
    for (const [name, index] of [
      ["air", "1"],
      ["air", "4"],
      ["sea", "1"],
      ["world", "~0"]
    ] as const) {
      const shown = JSON.stringify(await snapshot(name, index))
      assert.notInclude(shown, "hedy@example.org")
      assert.include(shown, "**ERASED**")
    }
    assert.include(JSON.stringify(await snapshot("air", "4")), OTHER, "others stay")
    assert.deepStrictEqual(await problems(server.org), [])
    assert.deepStrictEqual(await erase(AUTHOR), [])
  }, 60_000)

  it("takes messages and names of authors out one after the other", async () => {
    assert.isNotEmpty(await erase(`${MESSAGE} a`))
    assert.isNotEmpty(await erase("user-a"))
    assert.deepStrictEqual(await tablesWith(`${MESSAGE} a`), [])
    assert.deepStrictEqual(await tablesWith("user-a"), [])
    assert.deepStrictEqual(await problems(server.org), [])
  })

  it("appends no snapshot for it, and goes on from what is left", async () => {
    const before = await snapshot("air", "~0")
    await report("air", "ab")
    assert.strictEqual((await snapshot("air", "~0")).index, before.index)
    await report("air", "a")
    const after = await snapshot("air", "~0")
    assert.strictEqual(after.index, before.index + 1)
    assert.notInclude(JSON.stringify(after), "hedy@example.org")
    assert.deepStrictEqual(await problems(server.org), [])
  })

  it("does not hide what was changed before by other means", async () => {
    const changed = await query(
      `with old as (select r.ctid as place, r.org_id, f.flows from attestry.snapshot_row r
          join attestry.snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
          where r.name = 'radio:b' order by r.environment_id, r.first_index limit 1),
        forged as (insert into attestry.snapshot_flows (org_id, digest, flows)
          select o.org_id, sha256(convert_to(x.flows::text, 'UTF8')), x.flows from old o,
            lateral (select jsonb_set(o.flows, '{0,trail_name}', '"forged"') as flows) x
          returning org_id, digest)
        update attestry.snapshot_row r set flows_digest = f.digest from old o, forged f
          where r.ctid = o.place and r.org_id = o.org_id returning r.org_id`
    )
    if (changed.length === 0) return
    const before = await problems(server.org)
    assert.isNotEmpty(before)
    assert.isNotEmpty(await erase(OTHER))
    assert.deepStrictEqual(await tablesWith("ben@example.org"), [])
    assert.includeMembers(
      before,
      (await problems(server.org)).filter((each) => each.includes("snapshot_row"))
    )
    assert.isNotEmpty(await problems(server.org))
  })
})

onBothStores("erasure of addresses and accounts", (server) => {
  const { call, run } = server
  const query = queryOf(server)
  const rowsOf = (table: string, text: string) =>
    query(`select to_jsonb(t) as row from attestry.${table} t where to_jsonb(t)::text ilike $1`, [
      `%${text}%`
    ])
  const problems = (org: string) =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(org))
        return (yield* (yield* RecordVerification).verify(id, 5)).map(TableFinding.print)
      })
    )
  const erase = async (value: string) => {
    const { status, body } = await call("POST /erasures/{org}", {
      body: { value, reason: "asked", preview: false }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Erased).erased
  }
  const subscribe = async (name: string, targets: ReadonlyArray<object>) => {
    const { body, status } = await call("PUT /organizations/{org}/environments_notifications", {
      body: {
        name,
        type: "env",
        environments: ["told"],
        triggers: ["ON_NON_COMPLIANT_ENV"],
        targets
      }
    })
    assert.isBelow(status, 300, JSON.stringify(body))
  }

  beforeAll(async () => {
    const made = await call("PUT /environments/{org}", { body: { name: "told", type: "docker" } })
    assert.isBelow(made.status, 300)
    await subscribe("mail", [{ type: "EMAIL", emails: ["rosa@example.org", "ops@example.org"] }])
    await subscribe("hook", [
      { type: "WEBHOOK", webhook: "https://hooks.example.com/rosa%40example.org/x" }
    ])
    await subscribe("other", [{ type: "WEBHOOK", webhook: "https://hooks.example.com/ops" }])
  })

  it("takes an address out of live targets, and disables those that have none left", async () => {
    const erased = await erase("rosa@example.org")
    const pointers = erased.flatMap((each) => each.pointers)
    assert.isTrue(pointers.some((pointer) => pointer.endsWith("/emails")))
    assert.isTrue(pointers.some((pointer) => pointer.endsWith("/webhook")))
    for (const table of ["notification_target", "outbox", "journal"]) {
      assert.deepStrictEqual(await rowsOf(table, "rosa"), [])
    }
    const { body, status } = await call("GET /organizations/{org}/environments_notifications")
    assert.strictEqual(status, 200)
    assert.notInclude(JSON.stringify(body), "rosa")
    assert.include(JSON.stringify(body), "ops@example.org")
    for (const { row } of await rowsOf("notification_target", "erased.invalid")) {
      assert.isNotNull((row as { readonly disabled_at: number | null }).disabled_at)
    }
    for (const { row } of await rowsOf("notification_target", "hooks.example.com/ops")) {
      assert.isNull((row as { readonly disabled_at: number | null }).disabled_at)
    }
    assert.deepStrictEqual(await problems(server.org), [])
  })

  it("is no finding in another org that the person has left", async () => {
    const [login, name] = [Login.make("former.1903"), "Grete Hermann"]
    await run(
      Effect.gen(function* () {
        const members = yield* Memberships
        for (const each of ["globex", server.org]) {
          const org = yield* (yield* Orgs).get(OrgName.make(each))
          yield* members.add({
            org,
            by: SYSTEM,
            source: "script",
            login,
            role: "member" as const,
            displayName: name,
            email: "grete@example.org"
          })
        }
        const org = yield* (yield* Orgs).get(OrgName.make("globex"))
        yield* members.remove({ org, by: SYSTEM, source: "script", login })
      })
    )
    assert.deepStrictEqual(await problems("globex"), [])
    for (const text of [name, login, "grete@example.org"]) assert.isNotEmpty(await erase(text))
    assert.deepStrictEqual(await rowsOf("app_user", "grete"), [])
    assert.deepStrictEqual(await problems(server.org), [])
    assert.deepStrictEqual(await problems("globex"), [], "the account is of all orgs")
    const changed = await query(
      "update attestry.app_user set display_name = 'Eve' where login like 'erased-%' returning login"
    )
    if (changed.length > 0) assert.isNotEmpty(await problems("globex"))
  })
})
