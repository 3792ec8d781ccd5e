/** Finding attestations, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F, type ShownAttestation } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Listed {
  readonly data: ReadonlyArray<ShownAttestation>
  readonly pagination: object
}

onEveryStore("GET /attestations/{org}", (server) => {
  const { call } = server
  const first = evidenceOf(server, "listed-one")
  const second = evidenceOf(server, "listed-two")
  const list = async (query: string) => {
    const { status, body } = await call("GET /attestations/{org}", { query })
    assert.strictEqual(status, 200)
    return body as Listed
  }
  const names = ({ data }: Listed) => data.map(({ attestation_name }) => attestation_name)

  it("lists newest first in pages, by every filter", async () => {
    await first.generic("t", "a", true)
    await first.generic("t", "b", false)
    await second.generic("u", "c", true)
    await second.attest("u", "system", {
      attestation_name: "d",
      type_name: "decision",
      control: "X",
      attestation_data: { is_compliant: true }
    })
    assert.deepStrictEqual(names(await list("")), ["d", "c", "b", "a"])
    assert.deepStrictEqual(names(await list("?flow_name=listed-one")), ["b", "a"])
    assert.deepStrictEqual(names(await list("?trail_name=u")), ["d", "c"])
    assert.deepStrictEqual(names(await list("?attestation_name=c")), ["c"])
    assert.deepStrictEqual(names(await list("?is_compliant=false")), ["b"])
    for (const word of ["decision", "system:decision"]) {
      assert.deepStrictEqual(names(await list(`?attestation_type=${word}`)), ["d"])
    }
    const page = await list("?page=2&per_page=3")
    assert.deepStrictEqual(
      [names(page), page.pagination],
      [["a"], { total: 4, page: 2, per_page: 3, page_count: 2 }]
    )
    const beyond = await list("?page=1000000&per_page=100")
    assert.deepStrictEqual(
      [names(beyond), beyond.pagination],
      [[], { total: 4, page: 1_000_000, per_page: 100, page_count: 1 }]
    )
  })

  it("finds one by its id, and none by an unknown id", async () => {
    const [found] = await first.named("t", "a")
    const one = await list(`?attestation_id=${found?.attestation_id}`)
    assert.deepStrictEqual(names(one), ["a"])
    assert.deepStrictEqual(names(await list("?attestation_id=nobody")), [])
  })

  it("refuses pages out of bounds, an unknown flow, and texts that are no number", async () => {
    const refused: ReadonlyArray<readonly [string, number, string | undefined]> = [
      ["?page=0", 400, "query.page"],
      ["?page=1000001", 400, "query.page"],
      ["?per_page=101", 400, "query.per_page"],
      ["?per_page=x", 400, "query.per_page"],
      ["?is_compliant=maybe", 400, "query.is_compliant"],
      ["?flow_name=nowhere", 404, undefined]
    ]
    for (const [query, expected, field] of refused) {
      const { status, body } = await call("GET /attestations/{org}", { query })
      assert.strictEqual(status, expected, query)
      if (field !== undefined)
        assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), [field])
    }
  })

  it("finds by name the attestations of an artifact: by fingerprint, or by slot and commit", async () => {
    const { artifact, generic } = evidenceOf(server, "listed-bound")
    await artifact("t", "app", F, c1)
    await artifact("t", "app", E, c2)
    const by = (sha1: string) => ({ target_artifacts: ["app"], git_commit_info: { sha1 } })
    await generic("t", "n", true, { artifact_fingerprint: F })
    await generic("t", "n", false, by(c1))
    await generic("t", "n", true, by(c2))
    await generic("t", "n", true)
    const ask = async (fingerprint: string) => {
      const { status, body } = await call(
        "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
        { path: { flow_name: "listed-bound", fingerprint, attestation_name: "n" } }
      )
      return status === 200 ? (body as ReadonlyArray<unknown>).length : status
    }
    assert.deepStrictEqual(
      [await ask(F), await ask(E), await ask("ffffff"), await ask("aaaaaa")],
      [2, 1, 2, 404]
    )
  })

  it("accepts a target with a comma, which no artifact has", async () => {
    const { artifact, begin, generic, named } = evidenceOf(server, "listed-comma")
    await begin("t")
    await artifact("t", "app", F, c1)
    const more = { target_artifacts: ["app,web"], git_commit_info: { sha1: c1 } }
    assert.strictEqual((await generic("t", "n", true, more)).status, 201)
    const [found] = await named("t", "n")
    assert.deepStrictEqual(found?.target_artifacts, ["app,web"])
    const { body } = await call(
      "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
      { path: { flow_name: "listed-comma", fingerprint: F, attestation_name: "n" } }
    )
    assert.deepStrictEqual(body, [])
    const refused = await generic("t", "n", true, { ...more, target_artifacts: ["app.web"] })
    assert.strictEqual(refused.status, 400)
  })

  it("finds by name on a trail, also a name that equals a type, and none for an unknown name", async () => {
    await first.generic("named", "junit", true)
    assert.strictEqual((await first.named("named", "junit")).length, 1)
    assert.deepStrictEqual(await first.named("named", "unknown"), [])
  })

  it("lists the attestations of one name newest first, on a trail and on an artifact", async () => {
    const { artifact, generic, named } = evidenceOf(server, "listed-order")
    await artifact("t", "app", F, c1)
    const reported = [true, false, true]
    for (const [index, outcome] of reported.entries())
      await generic("t", "n", outcome, { artifact_fingerprint: F, user_data: { index } })
    const order = (shown: ReadonlyArray<Record<string, unknown>>) =>
      shown.map(({ user_data }) => (user_data as { index: number }).index)
    assert.deepStrictEqual(order(await named("t", "n")), [2, 1, 0])
    const { body } = await call(
      "GET /attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}",
      { path: { flow_name: "listed-order", fingerprint: F, attestation_name: "n" } }
    )
    assert.deepStrictEqual(order(body as ReadonlyArray<ShownAttestation>), [2, 1, 0])
  })
})
