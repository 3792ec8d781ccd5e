/**
 * A-19: a list never fails because of one record. The tests damage one row of every listed table directly in the
 * database; on the memory store the same lists are read without damage.
 */
import { Api } from "@attestry/api/Api"
import * as Cursor from "@attestry/api/Cursor"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"
import * as DamagedRecordPlaceholder from "../../src/shared/internal/DamagedRecordPlaceholder.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { failEverything } from "../notification/FailedDelivery.js"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

/** A list, and how one of its rows is damaged: a column, its type, and a value that cannot be decoded. */
interface Case {
  readonly table: string
  readonly column: string
  readonly type: "jsonb" | "json" | "text" | "int8" | "bytea"
  readonly bad: string
  readonly where?: string
  readonly path?: { readonly [name: string]: string }
  readonly query?: string
  /** The name of the repository whose id the path has. */
  readonly repo?: string
}

const json = (table: string, column: string, more: Partial<Case> = {}): Case => ({
  table,
  column,
  type: "jsonb",
  bad: "1",
  ...more
})
const text = (table: string, column: string, more: Partial<Case> = {}): Case => ({
  table,
  column,
  type: "text",
  bad: "?",
  ...more
})

const flow = { flow_name: "shop" }
const prod = { env_name: "prod" }

/** Every operation that returns a list. */
const LISTS: { readonly [operation: string]: Case } = {
  "GET /flows/{org}": json("flow", "tags"),
  "GET /trails/{org}": json("trail", "details", { query: "?per_page=2" }),
  "GET /trails/{org}/{flow_name}": json("trail", "details", { path: flow }),
  "GET /artifacts/{org}": json("artifact", "report"),
  "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}": json("artifact", "report", {
    path: { ...flow, sha: c1 }
  }),
  "GET /attestations/{org}": json("attestation", "attachments"),
  "GET /attestations/{org}/{flow_name}": json("attestation", "attachments", { path: flow }),
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}": json(
    "attestation",
    "attachments",
    { path: { ...flow, trail_name: "t1", attestation_name: "a" }, where: "name = 'a'" }
  ),
  "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}": json(
    "attestation",
    "attachments",
    { path: { ...flow, fingerprint: F, attestation_name: "on" }, where: "name = 'on'" }
  ),
  "GET /custom-attestation-types/{org}": json("attestation_type", "versions", { type: "json" }),
  "GET /approvals/{org}/{flow_name}": json("approval", "request", { path: flow }),
  "GET /controls/{org}": json("control", "links"),
  "GET /controls/{org}/{identifier}/versions": json("control_version", "links", {
    path: { identifier: "c1" },
    where: "identifier = 'c1'"
  }),
  "GET /controls/{org}/{identifier}/decisions": json("attestation", "attachments", {
    path: { identifier: "c1" },
    where: "type = 'decision'"
  }),
  "GET /controls/{org}/{identifier}/coverage": json("environment", "tags", {
    path: { identifier: "c1" }
  }),
  "GET /search/{org}/commit/{sha}/trails": text("trail", "name", { path: { sha: c1 } }),
  "GET /repos/{org}": json("repo", "tags"),
  "GET /repos/{org}/{repo}/deployments": text("snapshot_event", "type", {
    where: "arrived",
    repo: "r1"
  }),
  "GET /builds/{org}": json("artifact", "report"),
  "GET /policies/{org}": json("policy", "reads"),
  "GET /environments/{org}": json("environment", "tags"),
  "GET /allowlists/{org}/{env_name}": text("allow_list", "fingerprint", { path: prod }),
  "GET /allowlists/{org}": text("allow_list", "fingerprint"),
  "GET /snapshots/{org}/{env_name}": text("snapshot", "verdict", { path: prod }),
  "GET /environments/{org}/{env_name}/events": text("snapshot_event", "type", { path: prod }),
  "GET /exposure/{org}": text("exposure", "verdict", {
    query: "?flow_name=shop",
    where: `fingerprint = '${F}' and last_index is not null`
  }),
  "GET /runs/{org}/{fingerprint}": text("snapshot_row", "verdict", {
    path: { fingerprint: F },
    where: `fingerprint = '${F}'`
  }),
  "GET /deployments/{org}": text("snapshot_event", "type", { where: "arrived" }),
  "GET /environments/{org}/{env_name}/deployments": text("snapshot_event", "type", {
    where:
      "arrived and environment_id = (select environment_id from attestry.environment where name = 'prod')",
    path: prod
  }),
  "GET /organizations/{org}/environments_notifications": json(
    "environment_notification",
    "triggers"
  ),
  "GET /actions/{org}": json("environment_notification", "triggers"),
  "GET /service-accounts/{org}": text("service_account", "name", { where: "name = 'b'" }),
  "GET /service-accounts/{org}/{name}/api-keys": text("api_key", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    path: { name: "a" },
    where: "service_account_id is not null"
  }),
  "GET /deliveries/{org}/failed": json("outbox", "target", { where: "dead_at is not null" }),
  "GET /membership-audit-log/{org}": text("membership_event", "role"),
  "GET /memberships/{org}": text("membership", "created_at", {
    type: "int8",
    bad: "9223372036854775807",
    where: "role = 'reader'"
  }),
  "GET /erasures/{org}": {
    ...{ table: "journal", column: "content", type: "bytea", bad: "\\xff" },
    where: "kind = 'personal_data_erased'"
  },
  "GET /journal/{org}": {
    ...{ table: "journal", column: "content", type: "bytea", bad: "\\xff" },
    where: "sequence = (select max(sequence) from attestry.journal)"
  }
}

/** Lists with a damaged row of a table that their items embed. */
const BESIDE: ReadonlyArray<readonly [operation: string, damaged: Case]> = [
  ["GET /trails/{org}", json("trail_evaluation", "trail_status", { type: "json" })],
  ["GET /trails/{org}", json("flow", "tags", { where: "name = 'shop'" })],
  [
    "GET /trails/{org}/{flow_name}",
    json("trail_evaluation", "trail_status", { type: "json", path: flow })
  ],
  [
    "GET /search/{org}/commit/{sha}/trails",
    text("flow", "name", { path: { sha: c1 }, where: "name = 'shop'" })
  ],
  ["GET /artifacts/{org}", json("trail_evaluation", "trail_status", { type: "json" })],
  ["GET /artifacts/{org}", json("trail", "details", { where: "name = 't1'" })],
  ["GET /attestations/{org}", json("trail", "details", { where: "name = 't1'" })],
  // The cursor of a place after every attestation.
  [
    "GET /attestations/{org}",
    json("attestation", "attachments", { query: `?after=${Cursor.print(1_000_000)}` })
  ],
  ["GET /policies/{org}", json("policy_version", "dump", { type: "json", bad: "7" })],
  ["GET /builds/{org}", json("trail", "details", { where: "name = 't1'" })],
  ["GET /builds/{org}", json("repo", "tags", { where: "name = 'r1'" })]
]

const ofTrail = "subject_id = (select trail_id from attestry.trail where name = 't1')"
const ofPolicy = "subject_id = (select policy_id from attestry.policy where name = 'policy-c1')"

/** Lists whose items have a history, and the entries of one item. */
const TOLD: ReadonlyArray<readonly [operation: string, about: Pick<Case, "where" | "path">]> = [
  ["GET /artifacts/{org}", { where: ofTrail }],
  [
    "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}",
    { where: ofTrail, path: { ...flow, sha: c1 } }
  ],
  ["GET /policies/{org}", { where: ofPolicy }]
]

/** How an entry of the journal is damaged. */
const ENTRIES: { readonly [damage: string]: Case } = {
  "is no text": { table: "journal", column: "content", type: "bytea", bad: "\\xff" },
  "is no JSON": { table: "journal", column: "content", type: "bytea", bad: "\\x7b" },
  "names no actor": text("journal", "actor_kind"),
  "is of no time": text("journal", "at", { type: "int8", bad: "9223372036854775807" })
}

const repoIdOf = async ({ call }: TestServer, name: string): Promise<string> =>
  ((await call(`GET /repos/{org}/${name}`)).body as { readonly id: string }).id

/** Two of everything. */
const fill = async (server: TestServer): Promise<void> => {
  const { call } = server
  const { artifact, attest, begin, generic } = evidenceOf(server, "shop")
  const repo = (id: string) => ({
    repo_info: { id, name: `r${id}`, url: `https://git.example.org/${id}`, provider: "github" }
  })
  const put = (operation: string, body: object, path = {}) => call(operation, { body, path })
  await put("PUT /flows/{org}", { name: "other", description: "" })
  await begin("t1", { git_commit_info: commit })
  await begin("t2", { git_commit_info: commit })
  await artifact("t1", "app", F, c1, repo("1"))
  await artifact("t2", "app", E, c1, repo("1"))
  await begin("t2", { git_commit_info: commit, ...repo("2") })
  for (const name of ["r1", "r2"]) {
    const resource_id = await repoIdOf(server, name)
    await put(
      "PATCH /tags/{org}/{resource_type}/{resource_id}",
      { set_tags: { name } },
      { resource_type: "repo", resource_id }
    )
  }
  for (const ok of [true, false]) {
    await generic("t1", "a", ok)
    await generic("t1", "on", ok, { artifact_fingerprint: F })
    await put("POST /approvals/{org}/{flow_name}", { artifact_fingerprint: F }, flow)
  }
  for (const name of ["c1", "c2"]) {
    await put("POST /controls/{org}", { identifier: name, name })
    await put("POST /custom-attestation-types/{org}", { name: `type-${name}` })
    const policy = `_schema: https://example.org/v1\nartifacts:\n  provenance:\n    required: true\n`
    await put("PUT /policies/{org}", { name: `policy-${name}`, policy_file: policy })
    await attest("t1", "system", {
      attestation_name: `decided-${name}`,
      type_name: "decision",
      control: "c1",
      attestation_data: { is_compliant: true }
    })
  }
  await put("PUT /controls/{org}/{identifier}", { name: "renamed" }, { identifier: "c1" })
  for (const name of ["prod", "stage"]) {
    await put("PUT /environments/{org}", { name, type: "docker" })
    await put("PUT /organizations/{org}/environments_notifications", {
      name,
      environments: [name],
      triggers: ["ON_STARTED_ARTIFACT"],
      targets: [{ type: "EMAIL", emails: ["ada@example.com"] }]
    })
  }
  for (const [name, print] of [
    ["shop", F],
    ["web", E]
  ] as const) {
    const artifacts = [{ digests: { [name]: print }, creationTimestamp: 1 }]
    await put("PUT /environments/{org}/{env_name}/report/docker", { artifacts }, prod)
    await put(
      "PUT /allowlists/{org}/{env_name}",
      { artifact_fingerprint: print, artifact_name: name, description: "d" },
      prod
    )
  }
  await put(
    "PUT /environments/{org}/{env_name}/report/docker",
    { artifacts: [{ digests: { shop: F }, creationTimestamp: 1 }] },
    { env_name: "stage" }
  )
  for (const name of ["a", "b"]) {
    await put("POST /service-accounts/{org}", { name, privilege: "reader" })
    await put("POST /service-accounts/{org}/{name}/api-keys", { description: name }, { name: "a" })
  }
  await server.run(failEverything)
  for (const value of [commit.message, commit.author]) {
    await put("POST /erasures/{org}", { value, reason: "asked", preview: false })
  }
}

const commit = {
  sha1: c1,
  message: "m",
  author: "ada <ada@example.com>",
  branch: "main",
  timestamp: 1_790_000_000
}

/** The items of a response: the response itself, or its one array. */
const itemsOf = (body: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(body) ? body : Object.values(body as object).find(Array.isArray)) ?? []

const isPlaceholder = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "damaged_record" in item

/** Members that grow while time passes. */
const GROWING = ["duration", "seconds"]

/** The items without fields that depend on the clock, in a fixed order. */
const sorted = (items: ReadonlyArray<unknown>) =>
  items
    .map((item) => JSON.stringify(item, (name, value) => (GROWING.includes(name) ? 0 : value)))
    .sort()

const logs: Array<string> = []

onEveryStore(
  "A-19",
  (server) => {
    const { call, run } = server
    /** Damages one row as the owner of the database; returns the repair, or nothing in memory. */
    const damage = ({ table, column, type, bad, where = "true" }: Case) =>
      run(
        Effect.gen(function* () {
          const database = yield* Effect.serviceOption(TestDatabase)
          if (Option.isNone(database)) return undefined
          const { query } = database.value
          const at = `attestry.${table} where ctid = (select ctid from attestry.${table}
            where ${where} order by ${column}::text limit 1)`
          const [row] = yield* query(`select ${column}::text as value from ${at}`)
          yield* query(`update ${at.replace(" where", ` set ${column} = '${bad}'::${type} where`)}`)
          const mend = query(
            `update attestry.${table} set ${column} = $1::text::${type} where ${column}::text = $2`,
            [row?.value, bad]
          )
          // WHY: a failure to damage or repair the database is a defect of the test.
          return () => run(Effect.orDie(mend))
        }).pipe(Effect.orDie)
      )
    const list = async (operation: string, options: CallOptions) => {
      const { status, body } = await call(operation, options)
      assert.strictEqual(status, 200, `${operation} ${JSON.stringify(body)}`)
      return itemsOf(body)
    }

    it("has every list of the contract", () => {
      const lists = RouteTable.routesOf(Api)
        .filter(DamagedRecordPlaceholder.isList)
        // WHY: lists that belong to no org, or of distinct tags, have no records to take the place of.
        .filter(({ path }) => path.includes("/:org") && !path.endsWith("/tags"))
        .map(
          ({ method, path }) =>
            `${method} ${OpenApiDocument.templatePath(path).replace("/api/v2", "")}`
        )
      assert.deepStrictEqual(Object.keys(LISTS).sort(), lists.sort())
    })

    it("fills the org", () => fill(server))

    for (const [operation, damaged] of Object.entries(LISTS)) {
      it(`${operation} shows a placeholder for a damaged record, and the others as they are`, async () => {
        const { query = "", repo } = damaged
        const path =
          repo === undefined ? (damaged.path ?? {}) : { repo: await repoIdOf(server, repo) }
        const before = await list(operation, { path, query })
        assert.isAtLeast(before.length, 2)
        const mend = await damage(damaged)
        if (mend === undefined) return
        const after = await list(operation, { path, query })
        await mend()
        const others = sorted(after.filter((item) => !isPlaceholder(item)))
        assert.strictEqual(after.length, before.length)
        assert.strictEqual(others.length, before.length - 1)
        assert.includeMembers(sorted(before), others)
        assert.deepStrictEqual(after.filter(isPlaceholder), [
          {
            damaged_record: true,
            message: "This record is damaged in the store and cannot be shown"
          }
        ])
        assert.deepStrictEqual(sorted(await list(operation, { path, query })), sorted(before))
      })
    }

    for (const [operation, damaged] of BESIDE) {
      it(`${operation} shows placeholders for the items of a damaged ${damaged.table}`, async () => {
        const { path = {}, query = "" } = damaged
        const before = await list(operation, { path, query })
        const mend = await damage(damaged)
        if (mend === undefined) return
        const after = await list(operation, { path, query })
        await mend()
        assert.strictEqual(after.length, before.length)
        assert.isAtLeast(after.filter(isPlaceholder).length, 1)
        assert.includeMembers(sorted(before), sorted(after.filter((item) => !isPlaceholder(item))))
      })
    }

    for (const [operation, about] of TOLD) {
      for (const [how, entry] of Object.entries(ENTRIES)) {
        it(`${operation} shows a placeholder for the item of an entry that ${how}`, async () => {
          const { path = {} } = about
          const before = await list(operation, { path })
          const mend = await damage({ ...entry, ...about })
          if (mend === undefined) return
          const after = await list(operation, { path })
          await mend()
          const others = after.filter((item) => !isPlaceholder(item))
          assert.strictEqual(after.length, before.length)
          assert.strictEqual(others.length, before.length - 1)
          assert.includeMembers(sorted(before), sorted(others))
          assert.deepStrictEqual(sorted(await list(operation, { path })), sorted(before))
        })
      }
    }

    for (const damaged of [
      json("notification_target", "target"),
      json("environment_notification", "triggers", { where: "name = 'prod'" })
    ]) {
      it(`accepts reports and allowances while a ${damaged.table} is damaged`, async () => {
        const mend = await damage(damaged)
        const artifacts = [{ digests: { [damaged.table]: F }, creationTimestamp: 1 }]
        const reported = await call("PUT /environments/{org}/{env_name}/report/docker", {
          path: prod,
          body: { artifacts }
        })
        const allowed = await call("PUT /allowlists/{org}/{env_name}", {
          path: prod,
          body: {
            artifact_fingerprint: String(damaged.table.length % 10).repeat(64),
            artifact_name: damaged.table,
            description: "known"
          }
        })
        await mend?.()
        assert.deepStrictEqual([reported.status, allowed.status], [200, 201])
      })
    }

    it("is 500 for a record with a damaged entry, and shows the others", async () => {
      const shown = async (operation: string, path: CallOptions["path"]) =>
        (await call(operation, { path: path ?? {} })).status
      const policy = "GET /policies/{org}/{policy_name}"
      const trail = "GET /trails/{org}/{flow_name}/{trail_name}"
      const artifact = "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}"
      const pairs = [
        [ofPolicy, policy, { policy_name: "policy-c1" }, { policy_name: "policy-c2" }],
        [ofTrail, trail, { ...flow, trail_name: "t1" }, { ...flow, trail_name: "t2" }],
        [ofTrail, artifact, { ...flow, fingerprint: F }, { ...flow, fingerprint: E }]
      ] as const
      for (const [where, operation, damaged, whole] of pairs) {
        for (const entry of Object.values(ENTRIES)) {
          const mend = await damage({ ...entry, where })
          if (mend === undefined) return
          const statuses = [await shown(operation, damaged), await shown(operation, whole)]
          await mend()
          assert.deepStrictEqual(statuses, [500, 200], `${operation} ${entry.column}`)
          assert.strictEqual(await shown(operation, damaged), 200)
        }
      }
    })

    it("lists the tags of the other controls where one is damaged", async () => {
      const path = { resource_type: "control", resource_id: "c2" }
      const operation = "PATCH /tags/{org}/{resource_type}/{resource_id}"
      await call(operation, { path, body: { set_tags: { team: "a" } } })
      const mend = await damage(json("control", "tags", { where: "identifier = 'c1'" }))
      const { status, body } = await call("GET /controls/{org}/tags")
      await mend?.()
      assert.deepStrictEqual([status, body], [200, [{ key: "team", value: "a" }]])
    })

    it("is 500 for a damaged record, and logs its place once", async () => {
      const mend = await damage(json("flow", "tags", { where: "name = 'shop'" }))
      if (mend === undefined) return
      logs.length = 0
      for (const _ of [1, 2]) {
        const { status, body, headers } = await call("GET /flows/{org}/{flow_name}", { path: flow })
        assert.strictEqual(status, 500)
        assert.deepStrictEqual(body, { message: "A stored record is damaged and cannot be shown" })
        assert.isNull(headers.get("retry-after"))
      }
      await mend()
      const told = logs.filter((line) => line.includes("a stored record is damaged"))
      assert.strictEqual(told.length, 1)
      for (const part of ["operation=FlowStore.findByName", "shop", "fields=[0].tags"]) {
        assert.include(told[0], part)
      }
    })
  },
  { logs }
)
