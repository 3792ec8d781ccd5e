/**
 * Artifacts, attestations, flows and environments as of an instant, on the wire: each answer is the one that was given
 * at that instant. HIST-31, HIST-33, HIST-34
 */
import { assert, it } from "vitest"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onBothStores, type TestServer } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

const POLICY = `_schema: https://example.org/policy/v1
artifacts:
  attestations: [{type: generic, name: scan}]
`

const TEMPLATE = `version: 1
trail:
  artifacts: [{name: shop, attestations: [{name: scan, type: generic}]}]
`

type Body = Record<string, unknown>

const readsOf = ({ call }: TestServer) => {
  const get = (operation: string, path: Record<string, string>, query: string) =>
    call(`GET ${operation}`, { path, query })
  const scan = { attestation_name: "scan" }
  return {
    artifact: (query: string) =>
      get(
        "/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
        { flow_name: "shop", fingerprint: print("a") },
        query
      ),
    attestations: (query: string) => get("/attestations/{org}", {}, query),
    onTrail: (query: string) =>
      get(
        "/attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
        { flow_name: "shop", trail_name: "run", ...scan },
        query
      ),
    onArtifact: (query: string) =>
      get(
        "/attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
        { flow_name: "shop", fingerprint: print("a"), ...scan },
        query
      ),
    flow: (query: string) => get("/flows/{org}/{flow_name}", { flow_name: "shop" }, query),
    environment: (query: string) =>
      get("/environments/{org}/{env_name}", { env_name: "prod" }, query),
    group: (query: string) => get("/environments/{org}/{env_name}", { env_name: "all" }, query)
  }
}

/**
 * The parts of an answer that history determines: links and descriptions are current, and unchanged reports leave no
 * trace.
 */
const told = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(told)
  const omitted = ["as_of", "last_reported_at", "_links", "html_url", "description"]
  const kept = Object.fromEntries(
    Object.entries(body as Body).filter(([field]) => !omitted.includes(field))
  )
  return "data" in kept ? { ...kept, data: told(kept.data) } : kept
}

/** What happens, one step after the other. */
const stepsOf = (server: TestServer) => {
  const { call } = server
  const evidence = evidenceOf(server, "shop")
  const report = (digests: object) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: { artifacts: [{ digests, creationTimestamp: 1_777_550_805 }] }
    })
  const environment = (operation: string, body: object) =>
    call(`${operation}`, { path: { env_name: "prod" }, body })
  const about = { artifact_fingerprint: print("a") }
  return [
    async () => {
      await evidence.putFlow("version: 1\n")
      await evidence.begin("run")
      await call("PUT /policies/{org}/{name}", {
        path: { name: "gate" },
        body: { policy_yaml: POLICY }
      })
      await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
      await call("PUT /environments/{org}", { body: { name: "other", type: "server" } })
      await call("PUT /environments/{org}", {
        body: { name: "all", type: "logical", included_environments: ["prod"] }
      })
      await evidence.artifact("run", "shop", print("a"), c1)
    },
    () => evidence.generic("run", "scan", false, about),
    () => report({ shop: print("a") }),
    () =>
      call("POST /environments/{org}/{env_name}/policies", {
        path: { env_name: "prod" },
        body: { policy_names: ["gate"], mode: "warn" }
      }),
    () => evidence.putFlow(TEMPLATE),
    () => evidence.generic("run", "scan", true, about),
    () => evidence.artifact("again", "shop", print("a"), c1),
    () =>
      call("POST /environments/{org}/{env_name}/policies", {
        path: { env_name: "prod" },
        body: { policy_names: ["gate"], mode: "enforce" }
      }),
    () => environment("PATCH /environments/{org}/{env_name}", { include_scaling: true }),
    () => report({ other: print("b") }),
    () =>
      call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
        path: { resource_type: "flow", resource_id: "shop" },
        body: { set_tags: { risk: "high" } }
      }),
    () =>
      call("PUT /environments/{org}/{env_name}/join", {
        path: { env_name: "all" },
        body: { physical_env_name: "other" }
      }),
    () =>
      call("DELETE /environments/{org}/{env_name}/policies", {
        path: { env_name: "prod" },
        body: { policy_names: ["gate"] }
      })
  ]
}

onBothStores("reads with as_of", (server) => {
  const reads = readsOf(server)
  const names = Object.keys(reads) as ReadonlyArray<keyof typeof reads>
  const clock = async () => Number(((await reads.flow("?as_of=now")).body as Body).as_of)
  const moments: Array<{ readonly at: number; readonly said: Record<string, unknown> }> = []

  it("are what was answered at that instant", async () => {
    for (const step of stepsOf(server)) {
      const answer = await step()
      if (answer !== undefined) assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
      const said: Record<string, unknown> = {}
      for (const name of names) said[name] = told((await reads[name]("")).body)
      moments.push({ at: await clock(), said })
    }
    for (const [step, { at, said }] of moments.entries())
      for (const name of names) {
        const answer = await reads[name](`?as_of=${at}`)
        assert.strictEqual(answer.status, 200, `${name} after step ${step}`)
        assert.deepStrictEqual(told(answer.body), said[name], `${name} after step ${step}`)
        if (!Array.isArray(answer.body)) assert.strictEqual((answer.body as Body).as_of, at)
      }
  })

  it("HIST-33: are the answers of now with now", async () => {
    for (const name of names) {
      const [now, plain] = [await reads[name]("?as_of=now"), await reads[name]("")]
      assert.deepStrictEqual(told(now.body), told(plain.body), name)
    }
  })

  it("HIST-34: show more evidence as the instant rises", async () => {
    let before = new Set<unknown>()
    for (const { at } of moments) {
      const { data } = (await reads.attestations(`?as_of=${at}`)).body as {
        readonly data: ReadonlyArray<{ readonly attestation_id: string }>
      }
      const ids = new Set<unknown>(data.map(({ attestation_id }) => attestation_id))
      assert.isTrue([...before].every((id) => ids.has(id)))
      before = ids
    }
    assert.strictEqual(before.size, 2)
  })

  it("goes on after a place with what was accepted by then", async () => {
    const at = moments.at(-1)?.at
    const first = (await reads.attestations(`?as_of=${at}&per_page=1`)).body as {
      readonly _links: { readonly next: { readonly href: string } }
      readonly data: ReadonlyArray<unknown>
    }
    const { search } = new URL(first._links.next.href)
    const second = (await reads.attestations(search)).body as Body
    assert.strictEqual((second.data as ReadonlyArray<unknown>).length, 1)
    assert.strictEqual(second.as_of, at)
  })

  it("takes the earlier of as_of and to_timestamp", async () => {
    const [first, last] = [moments[1]?.at, moments.at(-1)?.at]
    for (const query of [
      `as_of=${first}&to_timestamp=${last}`,
      `as_of=${last}&to_timestamp=${first}`
    ]) {
      const { data } = (await reads.attestations(`?${query}`)).body as Body
      assert.strictEqual((data as ReadonlyArray<unknown>).length, 1, query)
    }
  })

  it("is 404 before the thing was there, an empty list of attestations, and 400 for another form", async () => {
    for (const name of names) {
      const { body, status } = await reads[name]("?as_of=1000")
      if (name === "attestations") assert.deepStrictEqual((body as Body).data, [])
      else assert.strictEqual(status, 404, name)
      const refused = await reads[name]("?as_of=yesterday")
      assert.strictEqual(refused.status, 400, name)
      assert.hasAllKeys((refused.body as { readonly errors: object }).errors, ["query.as_of"])
    }
  })

  it("refuses include of an environment", async () => {
    const both = await reads.environment("?as_of=now&include=day")
    assert.strictEqual(both.status, 400)
    assert.hasAllKeys((both.body as { readonly errors: object }).errors, ["query.include"])
  })
})
