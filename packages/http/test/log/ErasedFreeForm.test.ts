/** LOG-12: values of free form are erased by pointer and by a text within them, and the search tells what it read. */
import * as ErasedMembers from "@attestry/core/ErasedMembers"
import { OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"
import { queryOf } from "../shared/StoredRows.js"
import { onBothStores } from "../shared/TestServer.js"
import { FINGERPRINT, fill } from "./World.js"

/**
 * Names of members whose form the reporter chooses and that stay: results of tools, and requests of proposals. A
 * personal name inside them can be erased; `kept` lists a text elsewhere in them.
 */
const KEPT: ReadonlyArray<string> = [
  "additional_info",
  "attestation_data",
  "body",
  "claims",
  "commits",
  "commits_list",
  "digests",
  "document",
  "facts",
  "files_changed",
  "git_commit_info",
  "jira_results",
  "junit_results",
  "links",
  "params",
  "policy_modes",
  "project",
  "prompted_by",
  "qualityGate",
  "repo_info",
  "results",
  "set_tags",
  "snyk_results",
  "sonar_results",
  "subject",
  "tags",
  "tool",
  "tools",
  "type_schema"
]

type Schema = { readonly [keyword: string]: unknown }

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null

const DOCUMENT: Schema = JSON.parse(JSON.stringify(OpenApiDocument.make()))

const resolved = (schema: Schema): Schema => {
  if (typeof schema.$ref !== "string") return schema
  const found = schema.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((value, step) => (isSchema(value) ? value[step] : undefined), DOCUMENT)
  return isSchema(found) ? resolved(found) : {}
}

const FORMS = ["type", "anyOf", "oneOf", "allOf", "enum", "const", "not"]

/** Whether a value of the schema may have members that the schema does not name. */
const isFreeForm = (schema: Schema): boolean =>
  isSchema(schema.additionalProperties) ||
  schema.additionalProperties === true ||
  !FORMS.some((keyword) => keyword in schema)

/** The names of members whose form is free, in a schema of requests. */
const freeNames = (given: Schema, name: string, seen: ReadonlySet<Schema>): Set<string> => {
  const schema = resolved(given)
  if (seen.has(schema)) return new Set()
  const inner = new Set([...seen, schema])
  const found = new Set(isFreeForm(schema) ? [name] : [])
  const visit = (value: unknown, at: string) => {
    if (isSchema(value)) for (const each of freeNames(value, at, inner)) found.add(each)
  }
  for (const [member, value] of Object.entries(schema.properties ?? {})) visit(value, member)
  for (const list of [schema.anyOf, schema.oneOf, schema.allOf])
    if (Array.isArray(list)) for (const each of list) visit(each, name)
  visit(schema.items, name)
  return found
}

describe("members of free form", () => {
  it("are known: each can be erased, or is listed as one that stays", () => {
    const found = new Set<string>()
    for (const operations of Object.values(DOCUMENT.paths ?? {}))
      for (const [method, operation] of Object.entries(operations ?? {})) {
        if (!isSchema(operation) || !isSchema(operation.requestBody)) continue
        // WHY not bytes: a file has no members.
        const content = operation.requestBody.content ?? {}
        // WHY not files: they have no members, and the parts beside them are parameters.
        if (Object.hasOwn(content, "application/octet-stream")) continue
        for (const media of Object.values(content))
          if (isSchema(media) && isSchema(media.schema))
            for (const name of freeNames(media.schema, `${method} body`, new Set())) found.add(name)
      }
    const left = [...found].filter((name) => !ErasedMembers.FREE_FORM.has(name))
    for (const name of ErasedMembers.FREE_FORM)
      assert.isTrue(found.has(name) || name === "issue_fields", name)
    assert.deepStrictEqual(left.sort(), [...KEPT].sort())
  })
})

const POINTED = "Grace Hopper"
const VALUED = "Ada King"

interface Members {
  readonly entry: string
  readonly pointers: ReadonlyArray<string>
}

interface Answer {
  readonly erased: ReadonlyArray<Members>
  readonly kept: ReadonlyArray<Members>
  readonly searched: {
    readonly entries: number
    readonly files: number
    readonly complete: boolean
    readonly members: ReadonlyArray<string>
  } | null
}

interface LogEvent {
  readonly entry: string
  readonly kind: string
  readonly content: { readonly [name: string]: unknown }
}

const EVIDENCE =
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence"

const DETAILS = ["body", "report", "details", "trail", "targets", "user_data"]

/** The pointers of the outermost members of free form. */
const pointersIn = (value: unknown, at: string): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => {
        const pointer = `${at}/${name}`
        return ErasedMembers.FREE_FORM.has(name) && member !== null
          ? [pointer]
          : pointersIn(member, pointer)
      })

const pointersOf = ({ content }: LogEvent): ReadonlyArray<string> =>
  Object.entries(content).flatMap(([name, member]) => {
    const pointer = DETAILS.includes(name) ? `/${name}` : `/facts/content/${name}`
    return ErasedMembers.FREE_FORM.has(name) && member !== null
      ? [pointer]
      : pointersIn(member, pointer)
  })

/** A value of free form that has a name deep inside, beside ordinary words. */
const holding = (name: string) => ({ region: "prod", owners: [{ who: { is: `by ${name}, 1` } }] })

const links = (name: string) => ({
  runbook: { href: `https://wiki.example.com/?u=${encodeURIComponent(name)}` }
})

onBothStores("erasure of values of free form", (server) => {
  const { call, run } = server
  const query = queryOf(server)
  const post = async (body: object) => {
    const { status, body: answer } = await call("POST /erasures/{org}", { body })
    assert.strictEqual(status, 200, JSON.stringify(answer))
    return answer as Answer
  }
  /** The tables whose rows contain a text. */
  const tablesWith = async (text: string) => {
    const tables = await query(
      "select table_name as name from information_schema.tables where table_schema = 'attestry'"
    )
    const found: Array<string> = []
    for (const { name } of tables) {
      const rows = await query(
        `select 1 from attestry."${String(name)}" t
          where to_jsonb(t)::text like $1 or to_jsonb(t)::text like $2 limit 1`,
        [`%${text}%`, `%${Buffer.from(text).toString("hex")}%`]
      )
      if (rows.length > 0) found.push(String(name))
    }
    return found.sort()
  }
  const problems = () =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 5)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )
  const events = async () => {
    const { body } = await call("GET /events/{org}", { query: "?limit=1000" })
    return (body as { readonly events: ReadonlyArray<LogEvent> }).events
  }
  const make = async (
    operation: string,
    path: { readonly [name: string]: string },
    body: object
  ) => {
    const { status, body: answer } = await call(operation, { path, body })
    assert.isBelow(status, 300, `${operation}: ${JSON.stringify(answer)}`)
  }
  /** Reports a name in every member of free form. */
  const report = async (name: string, trail: string) => {
    const shop = { flow_name: "shop" }
    const at = { ...shop, trail_name: trail }
    const free = { user_data: holding(name), external_urls: links(name) }
    const noted = { ...free, annotations: { asked: `of ${name}` } }
    await make("PUT /trails/{org}/{flow_name}", shop, { name: trail, ...free })
    await make("PUT /trails/{org}/{flow_name}", shop, { name: trail, user_data: [{ a: name }] })
    await make("POST /artifacts/{org}/{flow_name}", shop, {
      fingerprint: FINGERPRINT,
      filename: "shop:1.0",
      trail_name: trail,
      ...noted,
      template_reference_name: "backend",
      git_commit: "b".repeat(40),
      build_url: "https://ci.example.com/1",
      commit_url: "https://git.example.com/c"
    })
    const attestations = "POST /attestations/{org}/{flow_name}/trail/{trail_name}"
    await make(`${attestations}/generic`, at, {
      attestation_name: "scan",
      is_compliant: true,
      ...noted,
      artifact_fingerprint: FINGERPRINT
    })
    await make(`${attestations}/jira`, at, {
      attestation_name: "issue",
      jira_results: [
        {
          issue_id: "A-1",
          issue_url: "https://jira.example.com/A-1",
          issue_exists: true,
          issue_fields: { assignee: { displayName: name } }
        }
      ]
    })
    await make("POST /approvals/{org}/{flow_name}", shop, {
      artifact_fingerprint: FINGERPRINT,
      description: "please",
      environment: "prod",
      user_data: holding(name)
    })
  }

  beforeAll(() => fill(server), 60_000)

  it("LOG-12: erases every one by its pointer, that of a trail included", async () => {
    await report(POINTED, "pointed")
    const entries = (await events())
      .filter(({ content }) => JSON.stringify(content).includes("Grace"))
      .map((event) => ({ entry: event.entry, pointers: pointersOf(event) }))
    const pointers = new Set(entries.flatMap((each) => each.pointers))
    assert.includeMembers(
      [...pointers],
      [
        "/user_data",
        "/facts/content/external_urls",
        "/trail/user_data",
        "/report/annotations",
        "/report/user_data",
        "/report/external_urls",
        "/body/annotations",
        "/body/user_data",
        "/body/external_urls",
        "/body/jira_results/0/issue_fields",
        "/facts/content/approval/request/user_data"
      ]
    )
    assert.isNull((await post({ entries, reason: "asked" })).searched)
    assert.deepStrictEqual(await tablesWith("Grace"), [])
    assert.notInclude(JSON.stringify(await events()), "Grace")
    assert.deepStrictEqual(await problems(), [])
    const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "shop", trail_name: "pointed" }
    })
    assert.deepInclude(body as object, { user_data: {} })
  }, 60_000)

  it("LOG-12: erases every one by a text within it, and tells what it searched and where it stays", async () => {
    await report(VALUED, "valued")
    const type = { name: "signed" }
    await make("POST /custom-attestation-types/{org}", {}, type)
    await make(
      "POST /attestations/{org}/{flow_name}/trail/{trail_name}/custom",
      { flow_name: "shop", trail_name: "valued" },
      { attestation_name: "sign", type_name: "signed", attestation_data: { by: VALUED } }
    )
    const all = await events()
    const preview = await post({ value: VALUED, reason: "asked" })
    assert.strictEqual(preview.searched?.entries, all.length)
    assert.isTrue(preview.searched?.complete)
    assert.includeMembers([...(preview.searched?.members ?? [])], [...ErasedMembers.FREE_FORM])
    assert.deepStrictEqual(
      preview.kept.map(({ pointers }) => pointers),
      [["/body/attestation_data/by"]]
    )
    const made = await post({ value: VALUED, reason: "asked", preview: false })
    assert.deepStrictEqual(made.erased, preview.erased)
    // What was kept is in the entry and in the record.
    const left = (await query("select 1")).length === 0 ? [] : ["attestation", "journal"]
    assert.deepStrictEqual(await tablesWith(VALUED), left)
    assert.deepStrictEqual(await tablesWith(encodeURIComponent(VALUED)), [])
    assert.deepStrictEqual(await problems(), [])
    const again = await post({ value: VALUED, reason: "asked" })
    assert.deepStrictEqual([again.erased, again.kept], [[], preview.kept])
  }, 60_000)

  it("leaves ordinary words of an erased value in deliveries", async () => {
    await make(
      "PUT /trails/{org}/{flow_name}",
      { flow_name: "shop" },
      {
        name: "worded",
        user_data: { region: "prod" }
      }
    )
    await query(
      `insert into attestry.outbox (org_id, delivery_id, queue, intent, intent_digest, target,
          notification, attempts, created_at, due_at)
        select org_id, 'd-words', 'q', 'i', '\\x00', '{}', '{"environment": "prod"}', 0, 0, 0
        from attestry.org where name = $1`,
      [server.org]
    )
    const found = (await events()).filter(({ content }) => content.name === "worded")
    const entries = found.map(({ entry }) => ({ entry, pointers: ["/user_data"] }))
    assert.lengthOf(entries, 1)
    await post({ entries, reason: "asked" })
    const rows = await query(
      "delete from attestry.outbox where delivery_id = 'd-words' returning notification"
    )
    for (const { notification } of rows)
      assert.deepStrictEqual(notification, { environment: "prod" })
  }, 60_000)

  it("LOG-12: erases attached files as a whole, by pointer and by a text in them", async () => {
    const at = { flow_name: "shop", trail_name: "one" }
    const attach = async (name: string, content: string) => {
      const form = new FormData()
      form.append("data_json", JSON.stringify({ attestation_name: name, is_compliant: true }))
      form.append("attachment_file", new Blob([content]), `${name}.txt`)
      const path = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
      const { status, body } = await call(path, { path: at, raw: form })
      assert.strictEqual(status, 201, JSON.stringify(body))
    }
    const fileOf = async (name: string) => {
      const event = (await events()).find(({ content }) => content.name === name)
      return { event, id: String(event?.content.attestation_id) }
    }
    const download = async (name: string) => {
      const { id } = await fileOf(name)
      return call(EVIDENCE, { path: { ...at, attestation_id: id } })
    }
    await attach("first", "seen by Grace H. in May")
    await attach("second", `${"-".repeat(300_000)} seen by Edith Clarke.`)
    await attach("third", "seen by no one")
    const { event } = await fileOf("first")
    const pointers = ["/facts/content/attachments/0"]
    assert.strictEqual((await download("first")).status, 200)
    await post({ entries: [{ entry: event?.entry, pointers }], reason: "asked" })
    assert.strictEqual((await download("first")).status, 404)
    assert.strictEqual((await download("second")).status, 200)
    const value = "Edith Clarke"
    const unread = await post({ value, files: false, reason: "asked" })
    assert.deepStrictEqual([unread.erased, unread.searched?.files], [[], 0])
    const made = await post({ value, reason: "asked", preview: false })
    assert.deepStrictEqual(
      made.erased.map((each) => each.pointers),
      [pointers]
    )
    assert.isAtLeast(made.searched?.files ?? 0, 3)
    assert.strictEqual((await download("second")).status, 404)
    assert.strictEqual((await download("third")).status, 200)
    assert.deepStrictEqual(await tablesWith("Edith"), [])
    assert.deepStrictEqual(await problems(), [])
    const audit = await call("GET /trails/{org}/{flow_name}/{trail_name}/audit_package", {
      path: at
    })
    assert.strictEqual(audit.status, 200)
    await attach("again", "seen by Grace H. in May")
    assert.strictEqual((await download("first")).status, 200)
    assert.deepStrictEqual(await problems(), [])
  }, 60_000)
})
