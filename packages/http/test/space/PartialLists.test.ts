/**
 * Lists that join flows and environments, for a person who reads one space.
 *
 * AC-8: such a list is the whole list without what is hidden. AC-10: what is hidden answers as what never was, but for
 * its name. AC-11: a word that hidden things have in every text is in no answer.
 */
import { assert, beforeAll, it } from "vitest"
import { fileOf } from "../evidence/PlainReader.js"
import { policyYaml } from "../policy/Policies.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { CANARY, COMMIT, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "./PartialWorld.js"

type Twin = readonly [
  operation: string,
  of: (name: "mine" | typeof HIDDEN | typeof MISSING) => CallOptions
]

/** Everything of an answer that tells of a name, with the hidden names replaced by missing ones. */
const twinOf = ({ body, headers, status }: Answer): string => {
  const kept = Array.from(headers).filter(([name]) => !["date", "x-request-id"].includes(name))
  return ([HIDDEN, MISSING] as const).reduce(
    (all, name) =>
      all
        .replaceAll(name, "NAME")
        .replaceAll(FINGERPRINT[name], "FINGERPRINT")
        .replaceAll(COMMIT[name], "COMMIT"),
    JSON.stringify([status, body, kept])
  )
}

onEveryStore("lists of a person with a grant in one space", (server) => {
  const world = partialWorld(server)
  const { call, pat } = world

  beforeAll(world.prepare, 90_000)

  /** Requests about a thing by its name, which a whole reader finds under the hidden name. */
  const TWINS: ReadonlyArray<Twin> = [
    ["GET /repos/{org}/{repo_name}", (name) => ({ path: { repo_name: name } })],
    ["GET /repos/{org}", (name) => ({ query: `?name=${name}` })],
    ["GET /repos/{org}", (name) => ({ query: `?search=${name}` })],
    ["GET /repos/{org}", (name) => ({ query: `?repo_id=${name}` })],
    ["GET /builds/{org}", (name) => ({ query: `?repo_name=${name}` })],
    ["GET /builds/{org}", (name) => ({ query: `?repo_id=${name}` })],
    ["GET /deployments/{org}", (name) => ({ query: `?flow=${name}` })],
    ["GET /deployments/{org}", (name) => ({ query: `?repo_name=${name}` })],
    ["GET /deployments/{org}", (name) => ({ query: `?environment=${name}` })],
    ["GET /environments/{org}/{env_name}/deployments", (name) => ({ path: { env_name: name } })],
    ["GET /repos/{org}/live-artifacts/{repo_name}", (name) => ({ path: { repo_name: name } })],
    ["GET /exposure/{org}", (name) => ({ query: `?flow_name=${name}` })],
    ["GET /exposure/{org}", (name) => ({ query: `?repo_name=${name}` })],
    ["GET /exposure/{org}", (name) => ({ query: `?commit=${COMMIT[name]}` })],
    [
      "GET /exposure/{org}",
      (name) => ({ query: `?author=${encodeURIComponent(`${name} <${name}@x.example>`)}` })
    ],
    ["GET /exposure/{org}", (name) => ({ query: `?builder=https://${name}.example` })],
    ["GET /exposure/{org}", (name) => ({ query: `?fingerprint=abcde&environment=${name}` })],
    ["GET /components/{org}", (name) => ({ query: `?fingerprint=${FINGERPRINT[name]}` })],
    ["GET /search/{org}/sha/{value}", (name) => ({ path: { value: COMMIT[name] } })],
    [
      "GET /trails/{org}/{flow_name}/{trail_name}/audit_package",
      (name) => ({ path: { flow_name: name, trail_name: name } })
    ],
    [
      "GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
      (name) => ({ path: { flow_name: name, fingerprint: FINGERPRINT[name] } })
    ],
    [
      "GET /snapshots/{org}/{env_name}/{snapshot_expression}/audit_package",
      (name) => ({ path: { env_name: name, snapshot_expression: "1" } })
    ]
  ]

  it("finds what is hidden as absent: AC-10", async () => {
    for (const [operation, of] of TWINS) {
      const mine = await pat(operation, of("mine"))
      assert.strictEqual(mine.status, 200, `${operation} ${text(mine)}`)
      assert.notInclude(text(mine), CANARY, operation)
      const [hidden, missing] = [
        await pat(operation, of(HIDDEN)),
        await pat(operation, of(MISSING))
      ]
      assert.strictEqual(twinOf(hidden), twinOf(missing), operation)
      assert.strictEqual((await call(operation, of(HIDDEN))).status, 200, operation)
    }
  })

  /** A list, the place of its items, and the text by which an item is known to be readable. */
  interface Listed {
    readonly operation: string
    readonly options?: CallOptions
    readonly items: string
    /** How many items the whole org has, and how many of them the person reads. */
    readonly counts: readonly [whole: number, part: number]
  }

  const LISTS: ReadonlyArray<Listed> = [
    { operation: "GET /repos/{org}", items: "repos", counts: [2, 1] },
    { operation: "GET /builds/{org}", items: "builds", counts: [2, 1] },
    { operation: "GET /deployments/{org}", items: "deployments", counts: [4, 2] },
    {
      operation: "GET /exposure/{org}",
      options: { query: "?fingerprint=abcde" },
      items: "exposures",
      counts: [4, 2]
    },
    {
      operation: "GET /components/{org}",
      options: { query: "?search=library" },
      items: "components",
      counts: [0, 0]
    }
  ]

  const itemsOf = (answer: Answer, { items }: Listed): ReadonlyArray<object> => {
    assert.strictEqual(answer.status, 200, text(answer))
    return (answer.body as { readonly [name: string]: ReadonlyArray<object> })[items] ?? []
  }

  /** An item without what says that a flow is hidden. */
  const keyOf = (item: object): string => {
    const { environment, fingerprint, name, deployed_at, from } = item as Record<string, unknown>
    return JSON.stringify([environment, fingerprint, name, deployed_at, from])
  }

  it("lists the whole list without what is hidden, with its pages and its total: AC-8, AC-11", async () => {
    for (const listed of LISTS) {
      const { counts, operation, options = {} } = listed
      const whole = itemsOf(await call(operation, options), listed)
      const answer = await pat(operation, options)
      const part = itemsOf(answer, listed)
      assert.deepStrictEqual([whole.length, part.length], counts, operation)
      assert.notInclude(text(answer), CANARY, operation)
      const readable = new Set(part.map(keyOf))
      assert.deepStrictEqual(
        whole.map(keyOf).filter((key) => readable.has(key)),
        part.map(keyOf),
        operation
      )
      if ("total_count" in (answer.body as object))
        assert.deepInclude(answer.body as object, { total_count: counts[1] }, operation)
      for (const [index, item] of part.entries()) {
        const query = `?${(options.query ?? "?").slice(1)}&page=${index + 1}&per_page=1`
        const page = itemsOf(await pat(operation, { ...options, query }), listed)
        assert.deepStrictEqual(page.map(keyOf), [keyOf(item)], operation)
      }
    }
  })

  it("says what may be filtered by of readable flows alone", async () => {
    const { body } = await pat("GET /repos/{org}/filter-options")
    assert.deepStrictEqual(body, {
      providers: ["github"],
      vcs_instances: ["git.mine.example"],
      namespace_values: ["mine"]
    })
    assert.deepStrictEqual((await pat("GET /repos/{org}/tags")).body, [])
  })

  it("shows a deployment with the names of readable flows, and says where one is hidden", async () => {
    const { body } = await pat("GET /deployments/{org}")
    const { deployments } = body as {
      readonly deployments: ReadonlyArray<{ readonly fingerprint: string }>
    }
    const found = new Map<string, object>(deployments.map((each) => [each.fingerprint, each]))
    const mine = found.get(FINGERPRINT.mine) ?? {}
    assert.deepInclude(mine, { environment: "mine", flow_name: "mine", git_commit: COMMIT.mine })
    assert.notProperty(mine, "hidden")
    assert.deepInclude(found.get(FINGERPRINT[HIDDEN]) ?? {}, {
      environment: "mine",
      flow_name: null,
      trail_name: null,
      git_commit: null,
      commit_url: null,
      lead_time_seconds: null,
      artifact: null,
      hidden: true
    })
    const whole = await call("GET /deployments/{org}")
    assert.notInclude(text(whole), '"hidden"')
    const all = (
      whole.body as { readonly deployments: ReadonlyArray<{ id: string; environment: string }> }
    ).deployments
    for (const { environment, id } of all) {
      const { status } = await pat("GET /deployments/{org}/{deployment_id}", {
        path: { deployment_id: id }
      })
      assert.strictEqual(status, environment === "mine" ? 200 : 404, id)
    }
  })

  it("changes tags of a repository at one of its flows", async () => {
    const idOf = async (name: string) => {
      const { body } = await call(`GET /repos/{org}/${name}`)
      return (body as { readonly id: string }).id
    }
    const change = (resource_id: string, who: "pat" | "sam") =>
      call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        ...world.as(who),
        path: { resource_type: "repo", resource_id },
        body: { set_tags: { team: who } }
      })
    const [mine, hidden] = [await idOf("mine"), await idOf(HIDDEN)]
    assert.strictEqual((await change(mine, "pat")).status, 200)
    assert.strictEqual((await change(mine, "sam")).status, 403)
    const [one, other] = [
      await change(hidden, "pat"),
      await change("1".repeat(hidden.length), "pat")
    ]
    assert.deepStrictEqual([one.status, other.status], [404, 404])
    assert.strictEqual(
      text(one).replaceAll(hidden, ""),
      text(other).replaceAll("1".repeat(hidden.length), "")
    )
    assert.deepStrictEqual((await pat("GET /repos/{org}/tags")).body, [
      { key: "team", value: "pat" }
    ])
  })

  it("searches what is readable, and says of the rest that it is hidden", async () => {
    const search = async (value: string) => {
      const { body } = await pat("GET /search/{org}/sha/{value}", { path: { value } })
      return body as {
        readonly resolved_to: { readonly type: string }
        readonly artifacts: ReadonlyArray<{ readonly hidden?: true; readonly flow: string }>
      }
    }
    // One commit is hidden, so that the prefix means the other.
    assert.strictEqual((await search("fedcb")).resolved_to.type, "commit")
    // Both fingerprints run where the person reads.
    const { artifacts, resolved_to } = await search("abcde")
    assert.strictEqual(resolved_to.type, "multiple")
    assert.deepStrictEqual(
      artifacts.map(({ flow, hidden }) => [flow, hidden]),
      [
        ["mine", undefined],
        ["", true]
      ]
    )
    assert.notInclude(JSON.stringify(artifacts), CANARY)
  })

  it("shows where an artifact ran, in readable environments", async () => {
    const runs = (fingerprint: string) =>
      pat("GET /runs/{org}/{fingerprint}", { path: { fingerprint } })
    for (const fingerprint of [FINGERPRINT.mine, FINGERPRINT[HIDDEN]]) {
      const { body } = await runs(fingerprint)
      assert.deepInclude(body as object, { total_count: 1 })
      assert.notInclude(JSON.stringify(body), CANARY)
    }
  })

  it("shows on a trail where its artifacts ran, in readable environments: AC-11", async () => {
    const of = { path: { flow_name: "mine", trail_name: "mine" } }
    const [part, whole] = [
      await pat("GET /trails/{org}/{flow_name}/{trail_name}", of),
      await call("GET /trails/{org}/{flow_name}/{trail_name}", of)
    ]
    const ran = ({ body }: Answer) =>
      Object(body).events.flatMap((event: object) =>
        "environment_name" in event ? [event.environment_name] : []
      )
    assert.deepStrictEqual([ran(part), ran(whole)], [["mine"], ["mine", HIDDEN]])
    assert.notInclude(text(part), CANARY)
  })

  it("shows evidence with its attestations in readable flows: AC-11", async () => {
    const submit = (file: string, query = "", who: CallOptions = {}) =>
      call("POST /evidence/{org}", { query, raw: file, ...who })
    const files = {
      mine: fileOf({ subjects: [{ sha256: FINGERPRINT.mine }] }),
      hidden: fileOf({ subjects: [{ sha256: FINGERPRINT[HIDDEN] }], salt: CANARY }),
      both: fileOf({ subjects: [{ sha256: FINGERPRINT.mine }, { sha256: FINGERPRINT[HIDDEN] }] })
    }
    const digests = new Map<string, string>()
    for (const [name, file] of Object.entries(files)) {
      const made = await submit(file, "?filename=bom.json")
      assert.strictEqual(made.status, 201, text(made))
      const { documents } = made.body as { readonly documents: ReadonlyArray<{ digest: string }> }
      digests.set(name, documents[0]?.digest ?? "")
    }
    const get = (digest: string, path = "") =>
      pat(`GET /evidence/{org}/{digest}${path}`, { path: { digest } })
    const listed = await pat("GET /evidence/{org}")
    assert.deepInclude(listed.body as object, { total_count: 2 })
    assert.notInclude(text(listed), CANARY)
    const about = await pat("GET /evidence/{org}", { query: `?fingerprint=${FINGERPRINT[HIDDEN]}` })
    assert.deepInclude(about.body as object, { total_count: 1 })
    for (const name of ["mine", "both"]) {
      const found = await get(digests.get(name) ?? "")
      assert.strictEqual(found.status, 200, text(found))
      assert.notInclude(text(found), CANARY)
      assert.strictEqual((await get(digests.get(name) ?? "", "/raw")).status, 200)
    }
    const hidden = digests.get("hidden") ?? ""
    const none = "0".repeat(64)
    for (const path of ["", "/raw"])
      assert.strictEqual(
        text(await get(hidden, path)).replaceAll(hidden, ""),
        text(await get(none, path)).replaceAll(none, "")
      )
    const judge = (digest: string, who: string) =>
      call("POST /evidence/{org}/{digest}/judge", { path: { digest }, ...world.as(who) })
    assert.strictEqual((await judge(digests.get("both") ?? "", "pat")).status, 200)
    assert.notInclude(text(await judge(digests.get("both") ?? "", "pat")), CANARY)
    assert.strictEqual((await judge(hidden, "pat")).status, 404)
    assert.strictEqual((await judge(hidden, "sam")).status, 403)
  })

  it("accepts evidence for flows in the space alone", async () => {
    const submit = (file: string, query = "") => pat("POST /evidence/{org}", { query, raw: file })
    const both = fileOf({
      subjects: [{ sha256: FINGERPRINT.mine }, { sha256: FINGERPRINT[HIDDEN] }],
      salt: "2"
    })
    const made = await submit(both)
    assert.strictEqual(made.status, 201, text(made))
    assert.notInclude(text(made), CANARY)
    const { documents } = made.body as {
      readonly documents: ReadonlyArray<{
        waiting: ReadonlyArray<string>
        links: ReadonlyArray<object>
      }>
    }
    assert.deepStrictEqual(
      documents.map(({ links, waiting }) => [links.length, waiting]),
      [[1, []]]
    )
    for (const fingerprint of [FINGERPRINT[HIDDEN], FINGERPRINT[MISSING]]) {
      const { status } = await submit(fileOf({ subjects: [{ sha256: fingerprint }] }))
      assert.strictEqual(status, 403, fingerprint)
    }
    const on = (name: string) =>
      submit(fileOf({ subjects: [], salt: name }), `?flow_name=${name}&trail_name=${name}`)
    assert.strictEqual((await on("mine")).status, 201)
    assert.strictEqual((await on(HIDDEN)).status, 403)
  })

  it("shows of a graph what is readable, without stubs", async () => {
    const graph = (root: string) => pat("GET /graph/{org}", { query: `?root=${root}&depth=4` })
    for (const root of [
      "environment:mine",
      "policy:mine",
      "trail:mine/mine",
      `fingerprint:${FINGERPRINT.mine}`,
      `commit:${COMMIT.mine}`
    ]) {
      const found = await graph(root)
      assert.strictEqual(found.status, 200, text(found))
      assert.notInclude(text(found), CANARY, root)
      const { nodes } = found.body as { readonly nodes: ReadonlyArray<{ readonly id: string }> }
      const ids = nodes.map(({ id }) => id)
      assert.includeMembers(ids, [
        "environment:mine",
        "trail:mine/mine",
        `fingerprint:${FINGERPRINT.mine}`
      ])
      const whole = await call("GET /graph/{org}", { query: `?root=${root}&depth=4` })
      assert.include(text(whole), CANARY, root)
    }
    for (const of of [
      (name: string) => `environment:${name}`,
      (name: string) => `policy:${name}`,
      (name: string) => `control:${name}`,
      (name: string) => `trail:${name}/${name}`
    ])
      assert.strictEqual(twinOf(await graph(of(HIDDEN))), twinOf(await graph(of(MISSING))))
    const commit = (name: typeof HIDDEN | typeof MISSING) => graph(`commit:${COMMIT[name]}`)
    assert.strictEqual(twinOf(await commit(HIDDEN)), twinOf(await commit(MISSING)))
  })

  it("shows and decides waivers of readable environments and policies", async () => {
    const request = (name: string, environment: string | null, who: CallOptions = {}) =>
      call("POST /waivers/{org}", {
        body: {
          policy_name: name,
          environment,
          reason: name,
          owner: "pat",
          expires_at: Math.floor(Date.now() / 1000) + 86_400
        },
        ...who
      })
    const numberOf = async (name: string, environment: string | null, who: CallOptions = {}) => {
      const made = await request(name, environment, who)
      assert.strictEqual(made.status, 201, text(made))
      return (made.body as { readonly number: number }).number
    }
    const [hidden, all] = [await numberOf(HIDDEN, HIDDEN), await numberOf(HIDDEN, null)]
    const mine = await numberOf("mine", "mine", world.as("pat"))
    const listed = await pat("GET /waivers/{org}")
    assert.deepInclude(listed.body as object, { total_count: 1 })
    assert.notInclude(text(listed), CANARY)
    const at = (number: number, what: string, who: string, body?: object) =>
      call(`${what === "" ? "GET" : "POST"} /waivers/{org}/{number}${what}`, {
        path: { number: String(number) },
        ...world.as(who),
        ...(body === undefined ? {} : { body })
      })
    assert.strictEqual((await at(mine, "", "pat")).status, 200)
    for (const number of [hidden, all]) {
      const [one, none] = [await at(number, "", "pat"), await at(999, "", "pat")]
      assert.strictEqual(text(one).replaceAll(String(number), ""), text(none).replaceAll("999", ""))
      assert.strictEqual((await at(number, "/revoke", "pat", { reason: "r" })).status, 404)
    }
    // The org asks for an admin: one of the space is one.
    assert.strictEqual((await at(mine, "/approve", "pat", {})).status, 403)
    await world.person("ann", "none")
    assert.strictEqual((await world.grant("user ann", "retail", "admin")).status, 201)
    assert.strictEqual((await at(hidden, "/approve", "ann", {})).status, 404)
    const approved = await at(mine, "/approve", "ann", {})
    assert.strictEqual(approved.status, 200, text(approved))
    const debt = await pat("GET /waivers/{org}/debt")
    assert.deepInclude(debt.body as object, { active: 1, requested: 0 })
    assert.notInclude(text(debt), CANARY)
    // What is hidden is asked for as what never was.
    for (const [name, environment] of [
      [HIDDEN, null],
      [HIDDEN, HIDDEN],
      [HIDDEN, "mine"]
    ] as const) {
      const missing = environment === HIDDEN ? MISSING : environment
      const one = await request(name, environment, world.as("pat"))
      assert.strictEqual(twinOf(one), twinOf(await request(MISSING, missing, world.as("pat"))))
      assert.notStrictEqual(one.status, 201)
    }
    const other = await request("mine", HIDDEN, world.as("pat"))
    assert.strictEqual(twinOf(other), twinOf(await request("mine", MISSING, world.as("pat"))))
    assert.strictEqual((await request("mine", "mine", world.as("sam"))).status, 403)
  })

  it("asks about readable policies, and remarks by what is readable: AC-11", async () => {
    const tests = (policy_name: string) =>
      pat("POST /policies/{org}/test", { body: { policy_name, tests_yaml: "tests: []\n" } })
    const compare = (policy_name: string) =>
      pat("POST /policies/{org}/compare", {
        body: { old: { policy_name }, new: { policy_name: "mine" } }
      })
    for (const ask of [tests, compare]) {
      const mine = await ask("mine")
      assert.strictEqual(mine.status, 200, text(mine))
      assert.strictEqual(twinOf(await ask(HIDDEN)), twinOf(await ask(MISSING)))
    }
    const lint = (ask: typeof pat, name: string) =>
      ask("POST /policies/{org}/lint", {
        body: {
          policy_yaml: policyYaml(
            `  attestations:\n    - type: decision\n      for_control: ${name}\n`
          )
        }
      })
    const [hidden, missing] = [await lint(pat, HIDDEN), await lint(pat, MISSING)]
    assert.strictEqual(hidden.status, 200, text(hidden))
    assert.strictEqual(twinOf(hidden), twinOf(missing))
    assert.notStrictEqual(twinOf(await lint(call, HIDDEN)), twinOf(await lint(call, MISSING)))
  })

  it("tries policies on rows of readable flows, and counts the others", async () => {
    const policy_yaml = policyYaml("  provenance:\n    required: true\n")
    const dryRun = (on: object, candidate: object = { policy_yaml }) =>
      pat("POST /policies/{org}/dry-run", { body: { candidate, on } })
    const mine = await dryRun({ environment: "mine" })
    assert.strictEqual(mine.status, 200, text(mine))
    assert.deepInclude(mine.body as object, { hidden_rows: 1 })
    assert.notInclude(text(mine), CANARY)
    const whole = await call("POST /policies/{org}/dry-run", {
      body: { candidate: { policy_yaml }, on: { environment: "mine" } }
    })
    assert.strictEqual(whole.status, 200, text(whole))
    assert.notProperty(whole.body, "hidden_rows")
    for (const on of [
      (name: typeof HIDDEN | typeof MISSING) => ({ environment: name }),
      (name: typeof HIDDEN | typeof MISSING) => ({ fingerprint: FINGERPRINT[name] }),
      (name: typeof HIDDEN | typeof MISSING) => ({
        fingerprint: FINGERPRINT.mine,
        flow_name: name
      })
    ])
      assert.strictEqual(twinOf(await dryRun(on(HIDDEN))), twinOf(await dryRun(on(MISSING))))
    const known = await dryRun({ fingerprint: FINGERPRINT.mine })
    assert.strictEqual(known.status, 200, text(known))
    const stored = (policy_name: string) => dryRun({ environment: "mine" }, { policy_name })
    assert.strictEqual((await stored("mine")).status, 200)
    assert.strictEqual(twinOf(await stored(HIDDEN)), twinOf(await stored(MISSING)))
    const suggest = (environment: string) =>
      pat("POST /policies/{org}/suggest", {
        body: { environments: [environment], days: 1, min_artifacts: 1 }
      })
    const suggested = await suggest("mine")
    assert.strictEqual(suggested.status, 200, text(suggested))
    assert.deepInclude(suggested.body as object, { hidden_rows: 1 })
    assert.notInclude(text(suggested), CANARY)
    assert.strictEqual(twinOf(await suggest(HIDDEN)), twinOf(await suggest(MISSING)))
    const backtest = await pat("POST /policies/{org}/backtest", {
      body: { candidate: { policy_yaml } }
    })
    assert.strictEqual(backtest.status, 200, text(backtest))
    assert.deepInclude(Object(backtest.body).totals, { rows: 1, hidden_rows: 1 })
    assert.notInclude(text(backtest), CANARY)
  })
})
