/** Decisions about controls on the wire: recorded with the current version, listed, counted. */
import { assert, describe, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Decision = Record<string, unknown> & {
  readonly attestation_id: string
  readonly is_compliant: boolean
  readonly flow_name: string
  readonly trail_name: string
  readonly control_version: number | null
  readonly timestamp: number
}

onEveryStore("GET /controls/{org}/{identifier}/decisions", (server) => {
  const { call } = server
  const decide = (
    at: { readonly flow: string; readonly trail: string },
    control: string,
    is_compliant: boolean,
    more: object = {}
  ) =>
    evidenceOf(server, at.flow).attest(at.trail, "system", {
      attestation_name: "approval",
      type_name: "decision",
      control,
      attestation_data: { is_compliant },
      ...more
    })
  const create = (identifier: string) =>
    call("POST /controls/{org}", { body: { identifier, name: identifier } })
  const rename = (identifier: string, name: string) =>
    call("PUT /controls/{org}/{identifier}", { path: { identifier }, body: { name } })
  const decisions = async (identifier: string, query = "") => {
    const { status, body } = await call("GET /controls/{org}/{identifier}/decisions", {
      path: { identifier },
      query
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as { decisions: ReadonlyArray<Decision> }).decisions
  }
  const trails = (found: ReadonlyArray<Decision>) =>
    found.map(({ trail_name }) => trail_name).join(" ")

  it("CONTROL-5: shows each decision with the version of its control at the time of the record", async () => {
    assert.strictEqual((await decide({ flow: "f", trail: "t0" }, "CTL-1", true)).status, 201)
    await create("CTL-1")
    await decide({ flow: "f", trail: "t1" }, "CTL-1", true)
    await rename("CTL-1", "b")
    await decide({ flow: "f", trail: "t2" }, "CTL-1", false)
    await call("POST /controls/{org}/{identifier}/archive", { path: { identifier: "CTL-1" } })
    await decide({ flow: "f", trail: "t3" }, "CTL-1", true)
    const seen = (found: ReadonlyArray<Decision>) =>
      found.map((one) => [one.trail_name, one.control_version, one.is_compliant])
    const expected = [
      ["t3", 3, true],
      ["t2", 2, false],
      ["t1", 1, true],
      ["t0", null, true]
    ]
    assert.deepStrictEqual(seen(await decisions("CTL-1")), expected)
    await call("POST /controls/{org}/{identifier}/unarchive", { path: { identifier: "CTL-1" } })
    await rename("CTL-1", "c")
    assert.deepStrictEqual(seen(await decisions("CTL-1")), expected)
    const [shown] = await evidenceOf(server, "f").named("t2", "approval")
    assert.deepInclude(shown, {
      attestation_type: "system:decision",
      control: "CTL-1",
      control_version: 2
    })
  })

  it("stores a repeated decision once for each version of its control", async () => {
    await create("CTL-2")
    const at = { flow: "again", trail: "t" }
    for (let time = 0; time < 3; time++) await decide(at, "CTL-2", true)
    assert.strictEqual((await decisions("CTL-2")).length, 1)
    await rename("CTL-2", "b")
    for (let time = 0; time < 3; time++) await decide(at, "CTL-2", true)
    assert.deepStrictEqual(
      (await decisions("CTL-2")).map(({ control_version }) => control_version),
      [2, 1]
    )
  })

  it("filters by flows, outcome and time, newest first by default", async () => {
    await create("CTL-3")
    await decide({ flow: "a", trail: "t1" }, "CTL-3", true)
    await decide({ flow: "b", trail: "t2" }, "CTL-3", false)
    await decide({ flow: "c", trail: "t3" }, "CTL-3", true)
    await decide({ flow: "a", trail: "other" }, "CTL-x", true)
    const all = await decisions("CTL-3")
    assert.strictEqual(trails(all), "t3 t2 t1")
    assert.strictEqual(trails(await decisions("CTL-3", "?sort_direction=asc")), "t1 t2 t3")
    assert.strictEqual(trails(await decisions("CTL-3", "?flow_name=a")), "t1")
    assert.strictEqual(trails(await decisions("CTL-3", "?flow_name=a&flow_name=c")), "t3 t1")
    assert.strictEqual(trails(await decisions("CTL-3", "?is_compliant=false")), "t2")
    const idOf = async (flow_name: string) => {
      const { body } = await call("GET /flows/{org}/{flow_name}", { path: { flow_name } })
      return (body as { readonly id: string }).id
    }
    const [a, b] = [await idOf("a"), await idOf("b")]
    assert.strictEqual(trails(await decisions("CTL-3", `?flow_id=${a}`)), "t1")
    assert.strictEqual(trails(await decisions("CTL-3", `?flow_id=${a}&flow_id=${b}`)), "t2 t1")
    assert.strictEqual(trails(await decisions("CTL-3", `?flow_id=${a}&flow_name=c`)), "t3 t1")
    assert.strictEqual(trails(await decisions("CTL-3", "?flow_id=nowhere")), "")
    const when = all[1]?.timestamp
    assert.strictEqual(trails(await decisions("CTL-3", `?from_timestamp=${when}`)), "t3 t2")
    assert.strictEqual(trails(await decisions("CTL-3", `?to_timestamp=${when}`)), "t2 t1")
    assert.strictEqual(
      trails(await decisions("CTL-3", `?to_timestamp=${when}&from_timestamp=${when}`)),
      "t2"
    )
    assert.strictEqual(trails(await decisions("CTL-3", "?per_page=2&page=2")), "t1")
    const status = async (query: string) => {
      const path = { identifier: "CTL-3" }
      return (await call("GET /controls/{org}/{identifier}/decisions", { path, query })).status
    }
    assert.strictEqual(await status("?flow_name=nobody"), 404)
    for (const query of ["?flow_name=-", "?is_compliant=x", "?from_timestamp=x", "?per_page=0"])
      assert.strictEqual(await status(query), 400, query)
  })

  it("shows the artifact of a decision, and not those of other flows", async () => {
    await create("CTL-4")
    const { artifact } = evidenceOf(server, "built")
    await artifact("t", "app", F, c1)
    await decide({ flow: "built", trail: "t" }, "CTL-4", true, { artifact_fingerprint: F })
    await decide({ flow: "released", trail: "t" }, "CTL-4", true)
    const [released, built] = await decisions("CTL-4")
    const { attestation_id, timestamp, ...rest } = built ?? { attestation_id: "", timestamp: 0 }
    assert.isString(attestation_id)
    assert.isNumber(timestamp)
    assert.deepStrictEqual(rest, {
      attestation_name: "approval",
      control: "CTL-4",
      control_version: 1,
      is_compliant: true,
      flow_name: "built",
      trail_name: "t",
      artifact_fingerprint: F,
      artifact_name: "app.tar",
      created_by: "ada"
    })
    assert.deepInclude(released, {
      flow_name: "released",
      artifact_fingerprint: null,
      artifact_name: null
    })
  })

  it("shows one decision with what was reported beside it, and its files", async () => {
    await create("CTL-8")
    await create("CTL-9")
    const at = { flow: "shown", trail: "t" }
    await decide(at, "CTL-8", true, {
      description: "four eyes",
      origin_url: "https://ci.example.org/1",
      user_data: { ticket: 7 }
    })
    await decide({ flow: "shown", trail: "u" }, "CTL-8", false)
    const [plain, told] = await decisions("CTL-8")
    const get = (identifier: string, decision_id: string) =>
      call("GET /controls/{org}/{identifier}/decisions/{decision_id}", {
        path: { identifier, decision_id }
      })
    const shown = await get("CTL-8", told?.attestation_id ?? "")
    assert.strictEqual(shown.status, 200)
    assert.deepStrictEqual(shown.body, {
      ...told,
      description: "four eyes",
      origin_url: "https://ci.example.org/1",
      user_data: { ticket: 7 },
      evidence_files: []
    })
    assert.deepStrictEqual((await get("CTL-8", plain?.attestation_id ?? "")).body, {
      ...plain,
      description: null,
      origin_url: null,
      user_data: {},
      evidence_files: []
    })
    for (const [identifier, id] of [
      ["CTL-9", told?.attestation_id ?? ""],
      ["CTL-8", "unknown"],
      ["nobody", told?.attestation_id ?? ""]
    ] as const) {
      assert.strictEqual((await get(identifier, id)).status, 404, `${identifier} ${id}`)
    }
  })

  it("links the files of a decision, by fingerprint where there are several", async () => {
    await create("CTL-10")
    const report = (trail: string, names: ReadonlyArray<string>) => {
      const raw = new FormData()
      raw.append(
        "data_json",
        JSON.stringify({
          attestation_name: "approval",
          type_name: "decision",
          control: "CTL-10",
          attestation_data: { is_compliant: true }
        })
      )
      for (const name of names) raw.append("attachment_file", new Blob([name]), name)
      return call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/system", {
        path: { flow_name: "filed", trail_name: trail },
        raw
      })
    }
    assert.strictEqual((await report("one", ["a.txt"])).status, 201)
    assert.strictEqual((await report("two", ["a.txt", "b.txt"])).status, 201)
    for (const [index, expected] of [["a.txt", "b.txt"], ["a.txt"]].entries()) {
      const decision_id = (await decisions("CTL-10"))[index]?.attestation_id ?? ""
      const { body } = await call("GET /controls/{org}/{identifier}/decisions/{decision_id}", {
        path: { identifier: "CTL-10", decision_id }
      })
      const files = (
        body as {
          readonly evidence_files: ReadonlyArray<{ filename: string; download_url: string }>
        }
      ).evidence_files
      assert.deepStrictEqual(
        files.map(({ filename }) => filename),
        expected
      )
      for (const { filename, download_url } of files) {
        const { pathname, search } = new URL(download_url)
        assert.strictEqual(search === "", expected.length === 1)
        const file = await call(`GET ${pathname}`, { query: search })
        assert.strictEqual(file.status, 200)
        assert.include(file.headers.get("content-disposition") ?? "", filename)
      }
    }
  })

  it("counts the override of a decision as a decision about the same control", async () => {
    await create("CTL-5")
    const at = { flow: "overridden", trail: "t" }
    await decide(at, "CTL-5", false)
    await rename("CTL-5", "b")
    const override = await evidenceOf(server, at.flow).attest("t", "override", {
      attestation_name: "approval",
      reason: "checked by hand",
      new_compliance_status: true,
      original_attestation_type: "decision"
    })
    assert.strictEqual(override.status, 200)
    assert.deepStrictEqual(
      (await decisions("CTL-5")).map((one) => [one.is_compliant, one.control_version]),
      [
        [true, 1],
        [false, 1]
      ]
    )
  })

  describe("a template that requires a decision", () => {
    const template = `
version: 1
trail:
  attestations:
    - { name: approval, type: decision }
`
    it("is satisfied by the newest decision, and not by another type", async () => {
      const { putFlow, begin, trail, generic } = evidenceOf(server, "templated")
      await putFlow(template)
      await begin("t")
      const state = async () => (await trail("t")).compliance_state
      assert.strictEqual(await state(), "INCOMPLETE")
      await generic("t", "approval", true)
      assert.notStrictEqual(await state(), "COMPLIANT")
      const at = { flow: "templated", trail: "t2" }
      await begin("t2")
      await decide(at, "CTL-6", false)
      assert.strictEqual((await trail("t2")).compliance_state, "NON-COMPLIANT")
      await decide(at, "CTL-6", true)
      assert.strictEqual((await trail("t2")).compliance_state, "COMPLIANT")
    })
  })
})
