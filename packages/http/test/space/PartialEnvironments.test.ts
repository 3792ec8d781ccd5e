/**
 * What a person sees of environments in its space that run what flows of other spaces know.
 *
 * AC-10: what the person may not read answers as what never was. AC-11: a word that hidden things have in every text is
 * in no answer. AC-13: verdicts are those of the whole org. AC-14: a mask only takes away.
 */

import { isMaskOf } from "@attestry/core/testing/MaskLaw"
import { assert, beforeAll, describe, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"

const CANARY = "canary"
const SHA = "ab".repeat(20)

/** Names of the same length, of which one is taken by hidden things. */
const [HIDDEN, MISSING] = [`${CANARY}-1`, "missing-1"]

/** What runs, by the flows that know it, the primary one first. */
const RUNNING = {
  mine: { fingerprint: "a".repeat(64), flows: ["mine"] },
  theirs: { fingerprint: "b".repeat(64), flows: [HIDDEN] },
  ours: { fingerprint: "c".repeat(64), flows: ["mine", HIDDEN] },
  shared: { fingerprint: "d".repeat(64), flows: [HIDDEN, "mine"] },
  nobody: { fingerprint: "e".repeat(64), flows: [] }
} as const

const text = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body)}`

/** The rows of an answer, by the name of what runs. */
const byName = (rows: unknown): ReadonlyMap<string, { readonly [name: string]: unknown }> =>
  new Map(
    (rows as ReadonlyArray<{ readonly name: string; readonly [name: string]: unknown }>).map(
      (row) => [row.name, row]
    )
  )

onEveryStore("a person who reads some of the flows of an environment", (server) => {
  const { call } = server
  const { as, end, grant, make, move, person } = fixtureOf(server)
  const pat = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, ...as("pat") })

  const done = async (operation: string, options: CallOptions) => {
    const answer = await call(operation, options)
    assert.isBelow(answer.status, 300, `${operation} ${text(answer)}`)
  }

  const flow = async (name: string, space: string) => {
    await done("PUT /flows/{org}/template_file", { body: { name, description: name, space } })
    await done("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: name },
      body: { name, description: name, git_commit_info: { sha1: SHA, branch: name } }
    })
  }

  const report = (name: keyof typeof RUNNING, flow_name: string) =>
    done("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name },
      body: {
        fingerprint: RUNNING[name].fingerprint,
        filename: `${flow_name}-${name}`,
        git_commit: SHA,
        build_url: `https://ci.example/${flow_name}`,
        commit_url: `https://git.example/${flow_name}`,
        trail_name: flow_name,
        template_reference_name: flow_name
      }
    })

  const environment = async (name: string, space: string) => {
    await done("PUT /environments/{org}", {
      body: { name, type: "docker", description: name, space }
    })
  }

  const running = (env_name: string, names: ReadonlyArray<keyof typeof RUNNING>) =>
    done("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name },
      body: {
        artifacts: names.map((name) => ({
          digests: { [name]: RUNNING[name].fingerprint },
          creationTimestamp: 1
        }))
      }
    })

  const attach = (env_name: string, policy: string) =>
    done("POST /environments/{org}/{env_name}/policies", {
      path: { env_name },
      body: { policy_names: [policy] }
    })

  beforeAll(async () => {
    for (const path of ["retail", "platform"]) assert.strictEqual((await make(path)).status, 201)
    await person("pat", "none")
    await flow("mine", "retail")
    await flow(HIDDEN, "platform")
    const names = Object.keys(RUNNING) as ReadonlyArray<keyof typeof RUNNING>
    for (const name of names)
      for (const flow_name of RUNNING[name].flows) await report(name, flow_name)
    await done("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", {
      path: { flow_name: HIDDEN, trail_name: HIDDEN },
      body: { attestation_name: "unit", is_compliant: false, description: HIDDEN }
    })
    const policy_yaml = policyYaml(
      "  provenance:\n    required: true\n  attestations:\n    - name: unit\n      type: generic\n"
    )
    for (const [name, space] of [
      ["gate", "retail"],
      ["far", "platform"]
    ])
      await done("PUT /policies/{org}/{name}", {
        path: { name: name ?? "" },
        body: { policy_yaml, description: `${space} ${CANARY}`, space }
      })
    await environment("shop", "retail")
    await environment(HIDDEN, "platform")
    await attach("shop", "gate")
    await attach("shop", "far")
    await running("shop", names.slice(0, 2))
    await running("shop", names)
    await running(HIDDEN, names)
    assert.strictEqual((await grant("user pat", "retail", "member")).status, 201)
  }, 60_000)

  const at = (env_name: string, snapshot_expression = "2"): CallOptions => ({
    path: { env_name, snapshot_expression }
  })
  const theirs = `?name=theirs&fingerprint=${RUNNING.theirs.fingerprint}`

  /** Reads of an environment; every one needs its place alone. */
  const READS: ReadonlyArray<readonly [string, (name: string) => CallOptions]> = [
    ["GET /snapshots/{org}/{env_name}", at],
    [
      "GET /snapshots/{org}/{env_name}/timeline",
      (name) => ({ ...at(name), query: "?from=1&to=2&buckets=2" })
    ],
    ["GET /snapshots/{org}/{env_name}/{snapshot_expression}", at],
    [
      "GET /snapshots/{org}/{env_name}/{snapshot_expression}",
      (name) => ({ ...at(name), query: "?as_of=now" })
    ],
    ["GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows", at],
    [
      "GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows",
      (name) => ({ ...at(name), query: "?per_page=2" })
    ],
    [
      "GET /snapshots/{org}/{env_name}/{snapshot_expression}/row",
      (name) => ({ ...at(name), query: theirs })
    ],
    ["GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts", at],
    [
      "GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts",
      (name) => ({ ...at(name), query: "?as_of=now" })
    ],
    ["GET /environments/{org}/{env_name}/events", at],
    [
      "GET /environments/{org}/{env_name}/events",
      (name) => ({ ...at(name), query: "?flow_names=mine" })
    ],
    ["GET /env-diff/{org}", (name) => ({ query: `?snappish1=${name}%231&snappish2=shop%232` })],
    ["GET /env-diff/{org}", (name) => ({ query: `?snappish1=shop%231&snappish2=${name}%232` })]
  ]

  it("reads its environment without a word of hidden flows: AC-11, AC-14", async () => {
    for (const [operation, of] of READS) {
      const whole = await call(operation, of("shop"))
      const part = await pat(operation, of("shop"))
      assert.strictEqual(part.status, 200, `${operation} ${text(part)}`)
      assert.strictEqual(whole.status, 200, `${operation} ${text(whole)}`)
      assert.notInclude(text(part), CANARY, operation)
      assert.isTrue(isMaskOf(part.body, whole.body), `${operation} ${text(part)} ${text(whole)}`)
    }
  })

  it("finds environments elsewhere as absent: AC-10", async () => {
    for (const [operation, of] of READS) {
      const hidden = await pat(operation, of(HIDDEN))
      const missing = await pat(operation, of(MISSING))
      assert.strictEqual(missing.status, 404, `${operation} ${text(missing)}`)
      assert.strictEqual(text(hidden).replaceAll(HIDDEN, MISSING), text(missing), operation)
    }
  })

  describe("its rows", () => {
    const get = "GET /snapshots/{org}/{env_name}/{snapshot_expression}"

    it("keep their verdicts, and say where a flow is hidden: AC-13", async () => {
      const whole = (await call(get, at("shop"))).body as { readonly artifacts: unknown }
      const part = (await pat(get, at("shop"))).body as { readonly artifacts: unknown }
      const [all, shown] = [byName(whole.artifacts), byName(part.artifacts)]
      assert.strictEqual(shown.size, 5)
      for (const [name, row] of shown) assert.strictEqual(row.compliant, all.get(name)?.compliant)
      const mark = (name: string) => [shown.get(name)?.flow_name, shown.get(name)?.hidden]
      assert.deepStrictEqual(mark("mine"), ["mine", undefined])
      assert.deepStrictEqual(mark("theirs"), [null, true])
      assert.deepStrictEqual(mark("ours"), ["mine", true])
      assert.deepStrictEqual(mark("shared"), [null, true])
      assert.deepStrictEqual(mark("nobody"), [null, undefined])
      assert.deepStrictEqual(shown.get("mine"), all.get("mine"))
      const flows = shown.get("shared")?.flows as ReadonlyArray<{ readonly flow_name: string }>
      assert.deepStrictEqual(
        flows.map(({ flow_name }) => flow_name),
        ["mine"]
      )
      const reasons = shown.get("theirs")?.reasons_for_incompliance
      assert.include(JSON.stringify(reasons), "in a flow that you may not read is not compliant")
    })

    it("show no text of a policy elsewhere, and all of an own one", async () => {
      const { applied_policies } = (await pat(get, at("shop"))).body as {
        readonly applied_policies: unknown
      }
      const policies = byName(applied_policies)
      assert.deepInclude(policies.get("far"), { policy_dump: null, hidden: true })
      assert.isNotNull(policies.get("gate")?.policy_dump)
      assert.notProperty(policies.get("gate"), "hidden")
    })

    it("are found by what is shown of them alone", async () => {
      const rows = async (query: string) => {
        const answer = await pat(`${get}/rows`, { ...at("shop"), query })
        const { rows: found } = answer.body as { readonly rows: unknown }
        return [...byName(found).keys()].sort()
      }
      assert.deepStrictEqual(await rows(`?search=${HIDDEN}`), [])
      assert.deepStrictEqual(await rows(`?flow_name=${HIDDEN}`), [])
      assert.deepStrictEqual(await rows("?flow_name=mine"), ["mine", "ours"])
      assert.deepStrictEqual(await rows("?flow_name=no%20provenance"), ["nobody"])
    })

    it("have no facts where a flow is hidden", async () => {
      for (const query of ["", "?as_of=now"]) {
        const answer = await pat(`${get}/facts`, { ...at("shop"), query })
        const { rows } = answer.body as {
          readonly rows: ReadonlyArray<{
            readonly hidden?: true
            readonly facts: {
              readonly artifact: { name: string }
              readonly flows: ReadonlyArray<unknown>
            }
          }>
        }
        const found = new Map(
          rows.map(({ facts, hidden }) => [facts.artifact.name, [hidden, facts.flows.length]])
        )
        assert.deepStrictEqual(found.get("mine"), [undefined, 1])
        assert.deepStrictEqual(found.get("nobody"), [undefined, 0])
        for (const name of ["theirs", "ours", "shared"])
          assert.deepStrictEqual(found.get(name), [true, 0])
      }
    })
  })

  describe("its events", () => {
    const list = "GET /environments/{org}/{env_name}/events"
    const log = "GET /environments/{org}/{env_name}/auditlog"
    const named = async (operation: string, query: string) => {
      const { body, status } = await pat(operation, { ...at("shop"), query })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return (body as ReadonlyArray<{ readonly artifact_name: string }>)
        .map(({ artifact_name }) => artifact_name)
        .sort()
    }

    it("are found by readable flows and repositories alone", async () => {
      assert.deepStrictEqual(await named(list, `?flow_names=${HIDDEN}`), [])
      assert.deepStrictEqual(await named(list, "?flow_names=no%20provenance"), ["nobody"])
      assert.deepStrictEqual(await named(list, "?flow_names=mine"), ["mine", "ours", "shared"])
      const repo = (name: string) => pat(list, { ...at("shop"), query: `?repo_name=${name}` })
      assert.strictEqual(text(await repo(HIDDEN)), text(await repo(MISSING)))
    })

    it("are printed with a column that says where a flow is hidden", async () => {
      const part = String((await pat(log, at("shop"))).body).split("\r\n")
      const whole = String((await call(log, at("shop"))).body).split("\r\n")
      assert.strictEqual(part[0], `${whole[0]},hidden`)
      assert.strictEqual(part.length, whole.length)
      assert.notInclude(part.join(), CANARY)
      const ends = new Map(
        part.slice(1).map((line) => [line.split(",")[6], line.split(",").at(-1)])
      )
      assert.deepInclude(Object.fromEntries(ends), {
        mine: "",
        theirs: "true",
        ours: "true",
        shared: "true",
        nobody: ""
      })
    })

    it("of an environment elsewhere are as absent", async () => {
      const hidden = text(await pat(log, at(HIDDEN)))
      assert.strictEqual(hidden.replaceAll(HIDDEN, MISSING), text(await pat(log, at(MISSING))))
    })
  })

  it("reads facts of what its flows know, and no part of others", async () => {
    const facts = (name: keyof typeof RUNNING, who = pat) =>
      who("GET /facts/{org}/{fingerprint}", {
        path: { fingerprint: RUNNING[name].fingerprint }
      })
    assert.deepStrictEqual((await facts("mine")).body, (await facts("mine", call)).body)
    const gone = text(await facts("theirs"))
    assert.strictEqual(
      gone.replaceAll(RUNNING.theirs.fingerprint, RUNNING.nobody.fingerprint),
      text(await facts("nobody"))
    )
    for (const name of ["ours", "shared"] as const) {
      const answer = await facts(name)
      assert.deepInclude(answer.body as object, { flows: [], hidden: true })
      assert.notInclude(text(answer), CANARY)
    }
  })

  describe("assertions", () => {
    const ask = "GET /asserts/{org}/fingerprint/{fingerprint}"
    const of = (name: keyof typeof RUNNING, query = ""): CallOptions => ({
      path: { fingerprint: RUNNING[name].fingerprint },
      query
    })
    const QUERIES = [
      "?environment_name=shop",
      "?environment_name=shop&as_of=now",
      "?environment_name=shop&remedies=3",
      "?policy_name=gate",
      "?policy_name=gate&as_of=now"
    ]

    it("have the verdict of the whole org, and reasons without hidden flows", async () => {
      for (const query of [...QUERIES, "", "?as_of=now"])
        for (const name of ["mine", "ours", "shared"] as const) {
          const part = await pat(ask, of(name, query))
          const whole = await call(ask, of(name, query))
          assert.strictEqual(part.status, 200, `${name} ${query} ${text(part)}`)
          assert.notInclude(text(part), CANARY)
          assert.isTrue(isMaskOf(part.body, whole.body), `${query} ${text(part)} ${text(whole)}`)
          if (name === "mine" && !query.includes("as_of"))
            assert.deepStrictEqual(part.body, whole.body)
          else if (name !== "mine") assert.deepInclude(part.body as object, { hidden: true })
        }
      for (const query of QUERIES) {
        const { body } = await pat(ask, of("theirs", query))
        assert.deepInclude(body as object, { compliant: false, flows: [], hidden: true })
        assert.notInclude(JSON.stringify(body), CANARY)
      }
    })

    it("of what only hidden flows know are as of what no flow knows", async () => {
      for (const query of ["", "?as_of=now"]) {
        const gone = text(await pat(ask, of("theirs", query)))
        assert.strictEqual(
          gone.replaceAll(RUNNING.theirs.fingerprint, RUNNING.nobody.fingerprint),
          text(await pat(ask, of("nobody", query)))
        )
      }
    })

    it("by what is elsewhere are as by what is nowhere: AC-10", async () => {
      for (const field of ["environment_name", "flow_name"])
        for (const more of ["", "&as_of=now"]) {
          const [hidden, missing] = await Promise.all(
            [HIDDEN, MISSING].map((name) => pat(ask, of("ours", `?${field}=${name}${more}`)))
          )
          if (hidden === undefined || missing === undefined) assert.fail()
          assert.strictEqual(missing.status, 404, text(missing))
          assert.strictEqual(text(hidden).replaceAll(HIDDEN, MISSING), text(missing), field)
        }
      const far = text(await pat(ask, of("mine", "?policy_name=far")))
      const none = text(await pat(ask, of("mine", "?policy_name=not")))
      assert.strictEqual(far.replaceAll("far", "not"), none)
    })
  })

  it("makes no receipt of an artifact that hidden flows know", async () => {
    const path = { env_name: "shop", snapshot_expression: "2" }
    const receipt = (name: keyof typeof RUNNING) =>
      pat("GET /receipts/{org}/snapshots/{env_name}/{snapshot_expression}", {
        path,
        query: `?fingerprint=${RUNNING[name].fingerprint}`
      })
    const asserted = (name: keyof typeof RUNNING) =>
      pat("GET /receipts/{org}/asserts/{fingerprint}", {
        path: { fingerprint: RUNNING[name].fingerprint },
        query: "?environment_name=shop"
      })
    for (const name of ["theirs", "ours", "shared"] as const)
      for (const answer of [await receipt(name), await asserted(name)]) {
        assert.strictEqual(answer.status, 403, text(answer))
        assert.include(text(answer), "a receipt names what it knows")
        assert.notInclude(text(answer), CANARY)
      }
    for (const answer of [await receipt("mine"), await asserted("mine")])
      assert.include([200, 503], answer.status, text(answer))
    const elsewhere = (env_name: string) =>
      pat("GET /receipts/{org}/snapshots/{env_name}/{snapshot_expression}", {
        path: { ...path, env_name }
      })
    assert.strictEqual(
      text(await elsewhere(HIDDEN)).replaceAll(HIDDEN, MISSING),
      text(await elsewhere(MISSING))
    )
  })

  it("previews policies over rows without hidden flows, and counts the others", async () => {
    const preview = (env_name: string, policy: string, who = pat) =>
      who("GET /environments/{org}/{env_name}/policies/preview", {
        path: { env_name },
        query: `?policy_name=${policy}`
      })
    const part = await preview("shop", "gate")
    assert.deepInclude(part.body as object, { hidden_rows: 3 })
    const { now } = part.body as { readonly now: { readonly [verdict: string]: number } }
    assert.strictEqual(
      Object.values(now).reduce((sum, count) => sum + count, 0),
      2
    )
    assert.notInclude(text(part), CANARY)
    assert.notProperty((await preview("shop", "gate", call)).body, "hidden_rows")
    const far = text(await preview("shop", "far"))
    assert.strictEqual(far.replaceAll("far", "not"), text(await preview("shop", "not")))
    const hidden = text(await preview(HIDDEN, "gate"))
    assert.strictEqual(hidden.replaceAll(HIDDEN, MISSING), text(await preview(MISSING, "gate")))
  })

  it("sees its controls by its environments alone", async () => {
    for (const [identifier, space] of [
      ["own", "retail"],
      [HIDDEN, "platform"]
    ])
      await done("POST /controls/{org}", { body: { identifier, name: identifier, space } })
    const matrix = async (who = pat) => {
      const answer = await who("GET /control-coverage/{org}")
      assert.strictEqual(answer.status, 200, text(answer))
      return answer.body as {
        readonly environments: ReadonlyArray<{ readonly name: string }>
        readonly controls: ReadonlyArray<{ readonly identifier: string }>
        readonly total_count: number
      }
    }
    const part = await matrix()
    assert.notInclude(JSON.stringify(part), CANARY)
    assert.deepStrictEqual(
      part.environments.map(({ name }) => name),
      ["shop"]
    )
    assert.deepStrictEqual(
      part.controls.map(({ identifier }) => identifier),
      ["own"]
    )
    assert.strictEqual((await matrix(call)).environments.length, 2)
  })

  it("is told by every answer in the org that it reads a part, and nobody else is", async () => {
    const view = ({ headers }: Answer) => headers.get("attestry-view")
    const get = "GET /environments/{org}/{env_name}"
    for (const name of ["shop", HIDDEN, MISSING])
      assert.strictEqual(view(await pat(get, at(name))), "partial", name)
    assert.strictEqual(view(await pat("GET /memberships/{org}")), "partial")
    assert.strictEqual(view(await pat("GET /flows/{org}", { query: "?page=none" })), "partial")
    const written = await pat("PUT /flows/{org}/template_file", {
      body: { name: "mine", description: "mine" }
    })
    assert.strictEqual(view(written), "partial")
    assert.isNull(view(await pat("GET /user")))
    for (const who of ["reader", "admin", "nobody", "foreigner"] as const)
      assert.isNull(view(await call(get, { ...at("shop"), as: who })), who)
    assert.strictEqual((await grant("user pat", "/", "reader")).status, 201)
    assert.isNull(view(await pat(get, at("shop"))))
    const { body } = await call("GET /grants/{org}", {
      query: "?subject_kind=user&subject_name=pat"
    })
    const [{ number }] = (body as { readonly grants: readonly [{ readonly number: number }] })
      .grants
    assert.strictEqual((await end(number)).status, 200)
    assert.strictEqual(view(await pat(get, at("shop"))), "partial")
  })

  it("sees what is moved in", async () => {
    const get = "GET /snapshots/{org}/{env_name}/{snapshot_expression}"
    const things = [{ type: "flow", name: HIDDEN }]
    assert.strictEqual((await move({ things, to: "retail" })).status, 200)
    const moved = [await pat(get, at("shop")), await call(get, at("shop"))] as const
    assert.strictEqual((await move({ things, to: "platform" })).status, 200)
    const [part, whole] = moved.map(({ body }) =>
      byName((body as { artifacts: unknown }).artifacts)
    )
    assert.deepStrictEqual(part?.get("theirs"), whole?.get("theirs"))
  })
})
