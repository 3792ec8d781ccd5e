/** The entries of attestations, artifacts and snapshots, found by what pages and commands know of them. */

import * as LogEntry from "@attestry/core/LogEntry"
import * as Base64 from "@attestry/transparency-log/Base64"
import { Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const FINGERPRINT = "a".repeat(64)

interface Found {
  readonly entries: ReadonlyArray<{ readonly entry: string; readonly index: number | null }>
}

onBothStores("entries of what was recorded", ({ call }) => {
  const found = async (query: string): Promise<Found["entries"]> => {
    const { status, body } = await call("GET /log/{org}/entries", { query, as: "reader" })
    assert.strictEqual(status, 200, JSON.stringify(body))
    // WHY: the contract has checked the body.
    return (body as Found).entries
  }
  /** The kind and the content of an entry, read from its receipt. */
  const told = async (entry: string) => {
    const { body } = await call("GET /log/{org}/entries/{entry}", { path: { entry } })
    const receipt = body as { readonly entry: string; readonly disclosures: ReadonlyArray<string> }
    const bytes = Option.getOrThrow(Base64.decode(receipt.entry))
    return Option.getOrThrow(LogEntry.read(bytes, receipt.disclosures)).shown as {
      readonly facts: {
        readonly kind: string
        readonly content: { readonly [name: string]: unknown }
      }
    }
  }

  const state: { attestation: string } = { attestation: "" }

  beforeAll(async () => {
    for (const name of ["shop", "pay"]) {
      await call("PUT /flows/{org}", { body: { name, description: "x" } })
    }
    for (const [flow_name, name] of [
      ["shop", "t1"],
      ["shop", "t2"],
      ["pay", "t1"]
    ] as const) {
      const path = { flow_name }
      await call("PUT /trails/{org}/{flow_name}", { path, body: { name, description: "x" } })
      await call("POST /artifacts/{org}/{flow_name}", {
        path,
        body: {
          fingerprint: FINGERPRINT,
          filename: "web",
          trail_name: name,
          template_reference_name: "web",
          git_commit: "c".repeat(40),
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1"
        }
      })
    }
    const attested = await call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", {
      path: { flow_name: "shop", trail_name: "t1" },
      body: { attestation_name: "review", is_compliant: true }
    })
    state.attestation = (attested.body as { readonly attestation_id?: string }).attestation_id ?? ""
    await call("PUT /environments/{org}", {
      body: { name: "prod", type: "docker", description: "" }
    })
    for (let n = 1; n <= 3; n++) {
      await call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "prod" },
        body: {
          type: "docker",
          artifacts: [{ digests: { web: `${n}`.repeat(64) }, creationTimestamp: 1 }]
        }
      })
    }
  })

  it("finds the entry of an attestation", async () => {
    const list = (await call("GET /attestations/{org}", { query: "" })).body as {
      readonly data: ReadonlyArray<{ readonly attestation_id: string }>
    }
    const id = list.data[0]?.attestation_id ?? state.attestation
    const [only, ...others] = await found(`?attestation_id=${id}`)
    assert.isEmpty(others)
    assert.isNumber(only?.index)
    const { facts } = await told(only?.entry ?? "")
    assert.strictEqual(facts.kind, "trail_attestation_reported")
    assert.strictEqual(facts.content.attestation_id, id)
  })

  it("finds an entry for each report of an artifact, newest first, of all flows or one", async () => {
    const all = await found(`?fingerprint=${FINGERPRINT}`)
    assert.lengthOf(all, 3)
    const indexes = all.map(({ index }) => index ?? -1)
    assert.deepStrictEqual(
      indexes,
      [...indexes].sort((left, right) => right - left)
    )
    assert.lengthOf(await found(`?fingerprint=${FINGERPRINT}&flow_name=shop`), 2)
    assert.strictEqual((await told(all[0]?.entry ?? "")).facts.kind, "artifact_creation_reported")
    assert.isEmpty(await found(`?fingerprint=${FINGERPRINT}&flow_name=nothing`))
    assert.isEmpty(await found(`?fingerprint=${"b".repeat(64)}`))
  })

  it("finds the entry of each snapshot", async () => {
    for (const snapshot of [1, 2, 3]) {
      const [only, ...others] = await found(`?env_name=prod&snapshot=${snapshot}`)
      assert.isEmpty(others)
      const { facts } = await told(only?.entry ?? "")
      assert.strictEqual(facts.kind, "snapshot_created")
      assert.strictEqual(facts.content.index, snapshot)
    }
    assert.isEmpty(await found("?env_name=prod&snapshot=4"))
    assert.isEmpty(await found("?env_name=nothing&snapshot=1"))
  })

  it.each([
    ["", "query.attestation_id"],
    [`?attestation_id=x&fingerprint=${FINGERPRINT}`, "query.fingerprint"],
    ["?attestation_id=x&env_name=prod&snapshot=1", "query.env_name"],
    ["?env_name=prod", "query.snapshot"],
    ["?env_name=prod&snapshot=0", "query.snapshot"],
    ["?env_name=prod&snapshot=2147483648", "query.snapshot"],
    ["?attestation_id=x&snapshot=1", "query.snapshot"],
    ["?attestation_id=x&flow_name=shop", "query.flow_name"],
    ["?fingerprint=abc", "query.fingerprint"]
  ])("refuses %s and names the field", async (query, field) => {
    const { status, body } = await call("GET /log/{org}/entries", { query })
    assert.strictEqual(status, 400)
    const { errors } = body as { readonly errors: { readonly [name: string]: string } }
    assert.include(Object.keys(errors).join(), field)
  })
})
