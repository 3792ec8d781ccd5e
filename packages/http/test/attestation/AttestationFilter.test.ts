/** The filters and cursors of the lists of attestations, on the wire. SPEC §4.12 */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F, type ShownAttestation } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Listed {
  readonly data: ReadonlyArray<ShownAttestation>
  readonly _links: { readonly self: { href: string }; readonly next?: { readonly href: string } }
  readonly pagination: { readonly total: number; readonly per_page: number } | null
}

const LIST = "GET /attestations/{org}"

const errorsOf = (body: unknown) => Object.keys((body as { readonly errors: object }).errors)

onEveryStore(LIST, (server) => {
  const { call } = server
  const one = evidenceOf(server, "filter-one")
  const two = evidenceOf(server, "filter-two")
  const list = async (query: string) => {
    const { status, body } = await call(LIST, { query })
    assert.strictEqual(status, 200, `${query} ${JSON.stringify(body)}`)
    return body as Listed
  }
  const names = async (query: string) =>
    (await list(query)).data.map(({ attestation_name }) => attestation_name)

  it("filters by each name of a filter, and by all their values", async () => {
    await one.generic("t", "unit-a", true)
    await one.generic("t", "unit-b", false)
    await two.generic("u", "lint", true)
    await two.attest("u", "junit", {
      attestation_name: "tests",
      junit_results: [{ name: "s", failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }]
    })
    await two.attest("u", "system", {
      attestation_name: "decided",
      type_name: "decision",
      control: "X",
      attestation_data: { is_compliant: true }
    })
    const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["", ["decided", "tests", "lint", "unit-b", "unit-a"]],
      ["?name=lint", ["lint"]],
      ["?attestation_name=lint", ["lint"]],
      ["?name=lint&attestation_name=tests", ["tests", "lint"]],
      ["?name=Lint", []],
      ["?name_regex=^unit-", ["unit-b", "unit-a"]],
      ["?name_regex=i", ["decided", "lint", "unit-b", "unit-a"]],
      ["?name_regex=UNIT", []],
      ["?name_regex=(%3Fi)UNIT-[b-z]$", ["unit-b"]],
      ["?flow=filter-one", ["unit-b", "unit-a"]],
      ["?flow=filter-one&flow=filter-two&name=lint", ["lint"]],
      ["?flow=filter-one&flow_name=filter-two", ["decided", "tests", "lint", "unit-b", "unit-a"]],
      ["?type=junit", ["tests"]],
      ["?type=junit&type=decision", ["decided", "tests"]],
      ["?type=junit&attestation_type=system:decision", ["decided", "tests"]],
      ["?type=custom:absent", []],
      ["?type=nothing", []],
      ["?type=nothing&type=generic&is_compliant=false", ["unit-b"]],
      ["?trail_name=u&type=generic", ["lint"]]
    ]
    for (const [query, found] of expected)
      assert.deepStrictEqual<unknown>(await names(query), found, query)
  })

  it("filters by the time of a report, its bounds included", async () => {
    const { data } = await list("?name=lint")
    const at = Number(data[0]?.created_at)
    assert.include(await names(`?from_timestamp=${at}`), "lint")
    assert.include(await names(`?to_timestamp=${at}`), "lint")
    assert.deepStrictEqual(await names(`?from_timestamp=${at}&to_timestamp=${at}`), ["lint"])
    assert.notInclude(await names(`?from_timestamp=${Math.ceil(at + 0.001)}`), "lint")
    assert.notInclude(await names(`?to_timestamp=${Math.floor(at)}`), "lint")
  })

  it("goes on after the last one, with the filters of the request, whatever is added meanwhile", async () => {
    const first = await list("?per_page=2&type=generic&type=junit&page=1")
    assert.deepStrictEqual(
      first.data.map(({ attestation_name }) => attestation_name),
      ["tests", "lint"]
    )
    assert.deepInclude(first.pagination, { total: 4, per_page: 2 })
    const next = new URL(first._links.next?.href ?? "")
    assert.deepStrictEqual([...next.searchParams.keys()], ["per_page", "type", "type", "after"])
    assert.match(first._links.self.href, /\?per_page=2&type=generic&type=junit&page=1$/)
    await one.generic("t", "late", true)
    const second = await list(next.search)
    assert.deepStrictEqual(
      second.data.map(({ attestation_name }) => attestation_name),
      ["unit-b", "unit-a"]
    )
    assert.isNull(second.pagination)
    assert.deepStrictEqual(Object.keys(second._links), ["self"])
    assert.isTrue(second._links.self.href.endsWith(next.search))
  })

  it("reads everything once by following the links, in pages of any size", async () => {
    const all = await names("?per_page=100")
    for (const size of [1, 2, 3, all.length]) {
      const read: Array<unknown> = []
      let query: string | undefined = `?per_page=${size}`
      while (query !== undefined) {
        const { data, _links }: Listed = await list(query)
        read.push(...data.map(({ attestation_name }) => attestation_name))
        query = _links.next === undefined ? undefined : new URL(_links.next.href).search
      }
      assert.deepStrictEqual(read, all)
    }
  })

  it("has 20 on a page unless asked, and refuses what it cannot read", async () => {
    assert.deepInclude((await list("")).pagination, { per_page: 20 })
    const refused: ReadonlyArray<readonly [string, number, string]> = [
      ["?name=a&name_regex=b", 400, "query.name_regex"],
      ["?attestation_name=a&name_regex=b", 400, "query.name_regex"],
      ["?name_regex=(", 400, "query.name_regex"],
      ["?name_regex=a(?=b)", 400, "query.name_regex"],
      [`?name_regex=${"a".repeat(257)}`, 400, "query.name_regex"],
      ["?after=x", 400, "query.after"],
      ["?after=YWZ0ZXI6MTc&page=1", 400, "query.after"],
      ["?per_page=0", 400, "query.per_page"],
      ["?per_page=101", 400, "query.per_page"],
      ["?from_timestamp=x", 400, "query.from_timestamp"],
      ["?flow=filter-one&flow=nowhere", 404, ""]
    ]
    for (const [query, status, field] of refused) {
      const answer = await call(LIST, { query })
      assert.strictEqual(answer.status, status, query)
      if (status === 400) assert.deepStrictEqual(errorsOf(answer.body), [field], query)
    }
    assert.deepStrictEqual(await names(`?name_regex=${"a".repeat(256)}`), [])
    assert.deepStrictEqual(await names("?after=YWZ0ZXI6MA"), [])
  })
})

onEveryStore("GET /attestations/{org}/{flow_name}", (server) => {
  const { call } = server
  const LIST_OF_FLOW = "GET /attestations/{org}/{flow_name}"

  it("lists the attestations of one flow, newest first, in pages and between two times", async () => {
    const { generic } = evidenceOf(server, "of-flow")
    for (const name of ["a", "b", "c"]) await generic("t", name, true)
    await evidenceOf(server, "of-another").generic("t", "d", true)
    const list = async (query: string) => {
      const { status, body } = await call(LIST_OF_FLOW, { path: { flow_name: "of-flow" }, query })
      assert.strictEqual(status, 200)
      const { data, pagination } = body as Listed
      return { data, pagination, names: data.map(({ attestation_name }) => attestation_name) }
    }
    const all = await list("")
    assert.deepStrictEqual(all.names, ["c", "b", "a"])
    assert.deepStrictEqual<unknown>(all.pagination, {
      total: 3,
      page: 1,
      per_page: 20,
      page_count: 1
    })
    assert.deepStrictEqual((await list("?page=2&per_page=2")).names, ["a"])
    const at = Number(all.data[1]?.created_at)
    assert.deepStrictEqual((await list(`?from_timestamp=${at}&to_timestamp=${at}`)).names, ["b"])
  })

  it("is 404 for an unknown flow, and 400 for a page out of bounds", async () => {
    const path = { flow_name: "nowhere" }
    assert.strictEqual((await call(LIST_OF_FLOW, { path })).status, 404)
    assert.strictEqual((await call(LIST_OF_FLOW, { path, query: "?per_page=101" })).status, 400)
  })
})

onEveryStore("GET /attestations/{org}/list_attestations_for_criteria", (server) => {
  const { call } = server
  const CRITERIA = "GET /attestations/{org}/list_attestations_for_criteria"
  const ask = async (query: string) => {
    const { status, body } = await call(CRITERIA, { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return Object.fromEntries(
      Object.entries(body as { readonly [sha: string]: ReadonlyArray<ShownAttestation> }).map(
        ([sha, found]) => [sha, found.map(({ attestation_name }) => attestation_name)]
      )
    )
  }
  const by = (sha1: string) => ({ git_commit_info: { sha1 } })
  const c3 = "c3".repeat(20)

  it("gives each commit what reports it, itself, by its artifact or by its trail", async () => {
    const { artifact, begin, generic } = evidenceOf(server, "criteria")
    await begin("t", by(c1))
    await artifact("t", "app", F, c2)
    await generic("t", "own", true, by(c3))
    await generic("t", "of-trail", true)
    await generic("t", "of-artifact", true, { artifact_fingerprint: F })
    await evidenceOf(server, "criteria-two").generic("t", "elsewhere", true, by(c2))
    assert.deepStrictEqual(await ask(`?commit_list=${c1}&commit_list=${c2}&commit_list=${c3}`), {
      [c1]: ["of-trail"],
      [c2]: ["of-artifact", "elsewhere"],
      [c3]: ["own"]
    })
    assert.deepStrictEqual(await ask(`?commit_list=${c2}&flow_name=criteria`), {
      [c2]: ["of-artifact"]
    })
    assert.deepStrictEqual(await ask(`?commit_list=${c2}&attestation_name=elsewhere`), {
      [c2]: ["elsewhere"]
    })
    assert.deepStrictEqual(await ask(`?commit_list=${c2}&attestation_type=junit`), { [c2]: [] })
    assert.deepStrictEqual(
      await ask(`?commit_list=${"d".repeat(40)}&attestation_id=ignored&commit_list=${c3}`),
      { ["d".repeat(40)]: [], [c3]: ["own"] }
    )
  })

  it("gives the attestation of an artifact without a commit to the commit of its trail", async () => {
    const { artifact, begin, generic } = evidenceOf(server, "criteria-plain")
    const sha = "4".repeat(40)
    await begin("t", by(sha))
    await artifact("t", "app", E, "", { git_commit: undefined })
    await generic("t", "plain", true, { artifact_fingerprint: E })
    assert.deepStrictEqual(await ask(`?commit_list=${sha}`), { [sha]: ["plain"] })
  })

  it("takes 1 to 1,000 full commits, and a flow that exists", async () => {
    const many = (count: number) =>
      `?${Array.from({ length: count }, (_, index) => `commit_list=${index.toString(16).padStart(40, "0")}`).join("&")}`
    assert.strictEqual(Object.keys(await ask(many(1_000))).length, 1_000)
    for (const query of ["", many(1_001), "?commit_list=abc", `?commit_list=${"g".repeat(40)}`]) {
      const { status, body } = await call(CRITERIA, { query })
      assert.strictEqual(status, 400)
      assert.match(errorsOf(body).join(), /^query\.commit_list(\[0\])?$/)
    }
    const query = `?commit_list=${c1}&flow_name=nowhere`
    assert.strictEqual((await call(CRITERIA, { query })).status, 404)
  })
})

onEveryStore("GET /attestations/system-attestation-types", ({ call }) => {
  it("lists the system types with the schemas of their data, for every key", async () => {
    for (const as of ["reader", "foreigner"] as const) {
      const { status, body } = await call("GET /attestations/system-attestation-types", { as })
      assert.strictEqual(status, 200)
      assert.deepInclude(body as ReadonlyArray<unknown>, {
        name: "decision",
        versions: [
          {
            version: 1,
            attestation_data_schema: {
              type: "object",
              properties: { is_compliant: { type: "boolean" } },
              required: ["is_compliant"],
              additionalProperties: true
            }
          }
        ]
      })
    }
    const nobody = await call("GET /attestations/system-attestation-types", { as: "nobody" })
    assert.strictEqual(nobody.status, 401)
  })
})
