/**
 * What a person reads and writes whose base role is `none` and who has a grant in one space.
 *
 * AC-10: what the person may not read answers as what never was, but for its name. AC-11: a word that hidden things
 * have in every text is in no answer.
 */
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"

const CANARY = "canary"
const SHA = "ab".repeat(20)

/** Names of the same length, of which one is taken by hidden things. */
const [HIDDEN, MISSING] = [`${CANARY}-1`, "missing-1"]
const FINGERPRINT = { mine: "a".repeat(64), [HIDDEN]: "c".repeat(64), [MISSING]: "d".repeat(64) }

const TRAIL = "PUT /trails/{org}/{flow_name}"
const ATTEST = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"

const text = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body)}`

onEveryStore("a person with a grant in one space", (server) => {
  const { call } = server
  const { as, grant, make, move, person } = fixtureOf(server)
  const pat = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, ...as("pat") })

  /** Everything that can be in a space, under one name. */
  const build = async (name: "mine" | typeof HIDDEN, space: string) => {
    const made = [
      await call("PUT /flows/{org}/template_file", {
        body: { name, description: name, space }
      }),
      await call(TRAIL, {
        path: { flow_name: name },
        body: { name, description: name, git_commit_info: { sha1: SHA, branch: name } }
      }),
      await call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name: name },
        body: {
          fingerprint: FINGERPRINT[name],
          filename: name,
          git_commit: SHA,
          build_url: `https://ci.example/${name}`,
          commit_url: `https://git.example/${name}`,
          trail_name: name,
          template_reference_name: name
        }
      }),
      await call(ATTEST, {
        path: { flow_name: name, trail_name: name },
        body: { attestation_name: name, is_compliant: true, description: name }
      }),
      await call("PUT /environments/{org}", {
        body: { name, type: "docker", description: name, space }
      }),
      await call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: name },
        body: {
          artifacts: [{ digests: { [name]: FINGERPRINT[name] }, creationTimestamp: 1 }]
        }
      }),
      await call("PUT /policies/{org}/{name}", {
        path: { name },
        body: {
          policy_yaml: policyYaml("  provenance:\n    required: false\n"),
          description: name,
          space
        }
      }),
      await call("POST /controls/{org}", { body: { identifier: name, name, space } })
    ]
    for (const answer of made) assert.isBelow(answer.status, 300, text(answer))
  }

  beforeAll(async () => {
    for (const path of ["retail", "platform"]) assert.strictEqual((await make(path)).status, 201)
    await person("pat", "none")
    await person("sam", "none")
    await build("mine", "retail")
    await build(HIDDEN, "platform")
    assert.strictEqual((await grant("user pat", "retail", "member")).status, 201)
    assert.strictEqual((await grant("user sam", "retail", "reader")).status, 201)
  }, 60_000)

  it("is told its roles in spaces, and what it may do in them", async () => {
    const own = { name: server.org, role: "none", spaces: [{ space: "retail", role: "member" }] }
    assert.deepStrictEqual(Object((await pat("GET /whoami")).body).orgs, [own])
    const opened = await pat("POST /session")
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const session = await call("GET /session", { as: "nobody", headers: { cookie } })
    const [{ permissions, ...org }] = Object(session.body).orgs
    assert.deepStrictEqual(org, own)
    assert.includeMembers(permissions, ["org.read", "flow.write"])
    for (const absent of ["grant.write", "api-key.read", "attestation-type.write"])
      assert.notInclude(permissions, absent)
  })

  const LISTS = [
    "GET /flows/{org}",
    "GET /trails/{org}",
    "GET /artifacts/{org}",
    "GET /attestations/{org}",
    "GET /environments/{org}",
    "GET /policies/{org}",
    "GET /controls/{org}",
    "GET /controls/{org}/tags",
    "GET /allowlists/{org}",
    "GET /spaces/{org}"
  ]

  it("lists what is in the space, and no word of what is elsewhere: AC-11", async () => {
    for (const operation of LISTS) {
      const whole = await call(operation)
      const part = await pat(operation)
      assert.strictEqual(part.status, 200, `${operation} ${text(part)}`)
      assert.notInclude(text(part), CANARY, operation)
      if (operation.endsWith("tags") || operation.startsWith("GET /allow")) continue
      if (!operation.startsWith("GET /spaces")) assert.include(text(part), '"mine"', operation)
      assert.notStrictEqual(text(part), text(whole), operation)
    }
    const paged = await pat("GET /environments/{org}", { query: "?page=1&per_page=1" })
    assert.deepInclude(paged.body as object, { total_count: 1 })
    const flows = await pat("GET /flows/{org}", { query: "?per_page=5" })
    assert.notInclude(text(flows), CANARY)
  })

  const READS: ReadonlyArray<readonly [string, (name: string) => CallOptions]> = [
    ["GET /flows/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
    ["GET /trails/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
    [
      "GET /trails/{org}/{flow_name}/{trail_name}",
      (name) => ({ path: { flow_name: name, trail_name: name } })
    ],
    ["GET /trails/{org}", (name) => ({ query: `?flow=${name}` })],
    ["GET /artifacts/{org}", (name) => ({ query: `?flow_name=${name}` })],
    ["GET /artifacts/{org}", (name) => ({ query: `?search=${name}` })],
    ["GET /attestations/{org}", (name) => ({ query: `?flow_name=${name}` })],
    ["GET /attestations/{org}", (name) => ({ query: `?attestation_name=${name}` })],
    ["GET /approvals/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
    ["GET /environments/{org}/{env_name}", (env_name) => ({ path: { env_name } })],
    ["GET /environments/{org}", (name) => ({ query: `?name=${name}` })],
    ["GET /allowlists/{org}/{env_name}", (env_name) => ({ path: { env_name } })],
    ["GET /policies/{org}/{name}", (name) => ({ path: { name } })],
    ["GET /controls/{org}/{identifier}", (identifier) => ({ path: { identifier } })],
    ["GET /controls/{org}/{identifier}/versions", (identifier) => ({ path: { identifier } })],
    ["GET /controls/{org}/{identifier}/coverage", (identifier) => ({ path: { identifier } })],
    ["GET /controls/{org}/{identifier}/decisions", (identifier) => ({ path: { identifier } })],
    ["GET /controls/{org}", (name) => ({ query: `?search=${name}` })]
  ]

  it("reads what is in the space, and finds what is elsewhere as absent: AC-10", async () => {
    for (const [operation, of] of READS) {
      const mine = await pat(operation, of("mine"))
      assert.strictEqual(mine.status, 200, `${operation} ${text(mine)}`)
      const hidden = await pat(operation, of(HIDDEN))
      const missing = await pat(operation, of(MISSING))
      const renamed = text(hidden).replaceAll(HIDDEN, MISSING)
      assert.strictEqual(renamed, text(missing), operation)
      const known = await call(operation, of(HIDDEN))
      assert.strictEqual(known.status, 200, operation)
    }
  })

  it("writes in the space, and nowhere else", async () => {
    const body = { name: "new", description: "" }
    assert.strictEqual((await pat("PUT /flows/{org}/template_file", { body })).status, 201)
    const made = await pat("GET /flows/{org}/{flow_name}", { path: { flow_name: "new" } })
    assert.deepInclude(made.body as object, { name: "new", space: "retail" })
    const elsewhere = { body: { name: "other", description: "", space: "platform" } }
    assert.strictEqual((await pat("PUT /flows/{org}/template_file", elsewhere)).status, 400)
    const root = { body: { name: "other", description: "", space: "/" } }
    assert.strictEqual((await pat("PUT /flows/{org}/template_file", root)).status, 400)
    const taken = { body: { name: HIDDEN, description: "" } }
    assert.strictEqual((await pat("PUT /flows/{org}/template_file", taken)).status, 403)
    const trail = { path: { flow_name: HIDDEN }, body: { name: "t" } }
    assert.strictEqual((await pat(TRAIL, trail)).status, 403)
    const reported = { path: { flow_name: "mine" }, body: { name: "t" } }
    assert.strictEqual((await pat(TRAIL, reported)).status, 201)
    const report = (env_name: string) =>
      pat("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name },
        body: { artifacts: [] }
      })
    assert.strictEqual((await report("mine")).status, 200)
    assert.strictEqual(
      text(await report(HIDDEN)).replaceAll(HIDDEN, MISSING),
      text(await report(MISSING))
    )
    const attach = (name: string) =>
      pat("POST /environments/{org}/{env_name}/policies", {
        path: { env_name: "mine" },
        body: { policy_names: [name] }
      })
    assert.strictEqual(
      text(await attach(HIDDEN)).replaceAll(HIDDEN, MISSING),
      text(await attach(MISSING))
    )
    assert.strictEqual((await attach("mine")).status, 200)
  })

  it("is denied what only the whole org has", async () => {
    for (const operation of [
      "GET /audit-log/{org}",
      "GET /placement-rules/{org}",
      "GET /waiver-settings/{org}"
    ]) {
      const { status } = await pat(operation)
      assert.include([403, 404], status, operation)
    }
    assert.strictEqual((await pat("PUT /teams/{org}/{team}", { path: { team: "x" } })).status, 403)
  })

  it("may not write with a role that reads alone", async () => {
    const read = { path: { flow_name: "mine" }, ...as("sam") }
    assert.strictEqual((await call("GET /flows/{org}/{flow_name}", read)).status, 200)
    const write = { ...read, body: { name: "t2" } }
    assert.strictEqual((await call(TRAIL, write)).status, 403)
  })

  it("loses what is moved away, and gets what is moved in", async () => {
    const things = [{ type: "flow", name: "new" }]
    assert.strictEqual((await move({ things, to: "platform" })).status, 200)
    const found = { path: { flow_name: "new" } }
    assert.strictEqual((await pat("GET /flows/{org}/{flow_name}", found)).status, 404)
    assert.strictEqual((await move({ things, to: "retail" })).status, 200)
    assert.strictEqual((await pat("GET /flows/{org}/{flow_name}", found)).status, 200)
  })
})
