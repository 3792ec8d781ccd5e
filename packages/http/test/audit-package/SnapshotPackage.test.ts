/** Audit packages of snapshots on the wire, unpacked by the program `tar`. */
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import { Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { BAD, fill, GOOD, readerOf, report } from "../receipt/ReceiptWorld.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { sha256, unpack } from "./Unpacked.js"

interface Evidence {
  readonly attestation_id: string
  readonly attestation_name: string
  readonly file: string
}

interface Row {
  readonly name: string
  readonly fingerprint: string
  readonly compliant: boolean
  readonly verdict: string
  readonly evidence: ReadonlyArray<Evidence>
}

const PACKAGE = "GET /snapshots/{org}/{env_name}/{snapshot_expression}/audit_package"
const SNAPSHOT = "GET /snapshots/{org}/{env_name}/{snapshot_expression}"

onEveryStore("GET …/{snapshot_expression}/audit_package", (server) => {
  const { call } = server
  const { verify } = readerOf(server)
  const at = (env_name: string, snapshot_expression: string): CallOptions => ({
    path: { env_name, snapshot_expression },
    as: "reader"
  })
  const download = async (env_name: string, expression: string) => {
    const answer = await call(PACKAGE, at(env_name, expression))
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    const files = await unpack(answer.body as Uint8Array)
    const texts = new Map(files.map(({ bytes, name }) => [name, new TextDecoder().decode(bytes)]))
    const text = (name: string) => texts.get(name) ?? assert.fail(`no ${name}`)
    return {
      answer,
      files,
      names: [...texts.keys()],
      text,
      json: (name: string) => JSON.parse(text(name))
    }
  }
  const rowsIn = ({ json, names }: Awaited<ReturnType<typeof download>>): ReadonlyArray<Row> =>
    names.filter((name) => name.startsWith("rows/")).map((name) => json(name))
  const attach = async (attestation_name: string, is_compliant: boolean, file: string) => {
    const raw = new FormData()
    raw.append("data_json", JSON.stringify({ attestation_name, is_compliant }))
    raw.append("attachment_file", new Blob([file]), "minutes.txt")
    const path = { flow_name: "shop", trail_name: "t1" }
    const operation = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
    const { status } = await call(operation, { path, raw, body: undefined })
    assert.strictEqual(status, 201)
  }

  beforeAll(async () => {
    await fill(server)
    await attach("minutes", true, "approved")
    await report(server, "prod", [GOOD, BAD])
    await attach("late", true, "too late")
    const logical = { name: "all", type: "logical", included_environments: ["prod", "open"] }
    assert.isBelow((await call("PUT /environments/{org}", { body: logical })).status, 300)
  })

  it("has the snapshot, its policies, rows and events, and a manifest that fits them", async () => {
    const found = await download("prod", "2")
    const { answer, files, json, names, text } = found
    assert.deepStrictEqual(
      ["content-type", "content-disposition", "x-content-type-options"].map((name) =>
        answer.headers.get(name)
      ),
      ["application/x-tar", 'attachment; filename="prod-2-audit-package.tar"', "nosniff"]
    )
    const { members, ...manifest } = json("manifest.json")
    assert.deepStrictEqual(
      members,
      files
        .slice(0, -1)
        .map(({ bytes, name }) => ({ name, size: bytes.length, sha256: sha256(bytes) }))
    )
    const snapshot = await call(SNAPSHOT, at("prod", "2"))
    const { artifacts, ...head } = snapshot.body as { readonly artifacts: ReadonlyArray<Row> }
    assert.deepStrictEqual(json("snapshot.json"), head)
    assert.deepStrictEqual(manifest, {
      org: server.org,
      environment: "prod",
      snapshot_index: 2,
      made_at: json("snapshot.json").timestamp,
      made_by: "rob"
    })
    assert.deepStrictEqual(
      rowsIn(found).map(({ evidence: _, ...row }) => row),
      await Promise.all(
        artifacts.map(async ({ fingerprint, name }) => {
          const query = `?name=${encodeURIComponent(name)}&fingerprint=${fingerprint}`
          return (await call(`${SNAPSHOT}/row`, { ...at("prod", "2"), query })).body
        })
      )
    )
    const policy = await call("GET /policies/{org}/{name}", { path: { name: "known" } })
    const { versions } = policy.body as {
      readonly versions: ReadonlyArray<{ readonly policy_yaml: string }>
    }
    assert.strictEqual(text("policies/known/1.yaml"), versions[0]?.policy_yaml)
    const events = text("events.csv").trimEnd().split("\r\n")
    assert.lengthOf(events, 2)
    assert.isTrue(
      events.slice(1).every((line) => line.includes(",prod,2,")),
      text("events.csv")
    )
    assert.deepStrictEqual(names.slice(-2), ["index.html", "manifest.json"])
  })

  it("has the evidence that each row was decided on, with its files, and none that came later", async () => {
    const { text, ...found } = await download("prod", "2")
    const rows = rowsIn({ text, ...found })
    const of = (fingerprint: string) => rows.find((row) => row.fingerprint === fingerprint)
    const good = of(GOOD)
    // The second report evaluated it again, after the minutes were taken.
    assert.deepStrictEqual(
      good?.evidence.map(({ attestation_name }) => attestation_name),
      ["review", "minutes"]
    )
    assert.deepStrictEqual(of(BAD)?.evidence, [])
    for (const { attestation_id, file } of good?.evidence ?? [])
      assert.strictEqual(JSON.parse(text(file)).attestation_id, attestation_id)
    await report(server, "prod", [])
    await report(server, "prod", [GOOD])
    const again = await download("prod", "-1")
    const [row] = rowsIn(again).filter(({ verdict }) => verdict === "Compliant")
    assert.deepStrictEqual(
      row?.evidence.map(({ attestation_name }) => attestation_name),
      ["review", "minutes", "late"]
    )
    const minutes = again.names.filter((name) => name.endsWith("/evidence/minutes.txt"))
    assert.deepStrictEqual(minutes.map(again.text).sort(), ["approved", "too late"])
  })

  it("has the receipts of the snapshot and of each artifact, which its keys verify", async () => {
    const { json, names, text } = await download("prod", "2")
    assert.sameMembers(
      names.filter((name) => name.startsWith("receipts/")),
      [
        "receipts/prod/2.vsa.json",
        `receipts/prod/2-${GOOD}.vsa.json`,
        `receipts/prod/2-${BAD}.vsa.json`,
        "receipts/keys.json"
      ]
    )
    const keys = Option.getOrThrow(ReceiptKeySet.parse(text("receipts/keys.json")))
    const good = await verify(text(`receipts/prod/2-${GOOD}.vsa.json`), { keys, subject: GOOD })
    assert.strictEqual(good._tag, "Right", JSON.stringify(good))
    for (const name of ["2", `2-${BAD}`])
      assert.strictEqual(
        (await verify(text(`receipts/prod/${name}.vsa.json`), { keys }))._tag,
        "Left"
      )
    const path = { env_name: "prod", snapshot_expression: "2" }
    const operation = "GET /receipts/{org}/snapshots/{env_name}/{snapshot_expression}"
    for (const [query, name] of [
      ["", "2"],
      [`?fingerprint=${GOOD}`, `2-${GOOD}`]
    ])
      assert.deepStrictEqual(
        json(`receipts/prod/${name}.vsa.json`),
        JSON.parse(String((await call(operation, { path, query: query ?? "" })).body))
      )
  })

  it("has the same bytes for the same state", async () => {
    const first = (await call(PACKAGE, at("prod", "2"))).body
    assert.deepStrictEqual((await call(PACKAGE, at("prod", "2"))).body, first)
  })

  it("has a page without scripts that links to every record, and escapes every text", async () => {
    const hostile = { name: "x", type: "docker", description: "" }
    assert.isBelow((await call("PUT /environments/{org}", { body: hostile })).status, 300)
    const artifacts = [{ digests: { "<script>alert(1)</script>": BAD }, creationTimestamp: 1 }]
    await call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "x" },
      body: { type: "docker", artifacts }
    })
    const hurt = (await download("x", "1")).text("index.html")
    assert.notMatch(hurt, /<script|javascript:|<img|<link|\son\w+=/i)
    assert.include(hurt, "&lt;script&gt;alert(1)&lt;/script&gt;")
    const { names, text } = await download("prod", "2")
    const page = text("index.html")
    for (const name of names.filter(
      (each) =>
        !/keys\.json$|manifest\.json$|index\.html$|snapshot\.json$|attestation\.json$/.test(each)
    ))
      assert.include(page, `href="${name}"`)
    for (const words of [
      "default-src 'none'",
      "@media print",
      "only light",
      "not compliant",
      "no provenance"
    ])
      assert.include(page, words)
  })

  it("has the rows of every member of a group, with their policies", async () => {
    const found = await download("all", "-1")
    const { members: _, ...manifest } = found.json("manifest.json")
    assert.strictEqual(manifest.environment, "all")
    const folders = found.names.filter((name) => name.startsWith("rows/"))
    assert.sameMembers([...new Set(folders.map((name) => name.split("/")[1]))], ["prod", "open"])
    assert.include(found.names, "policies/known/1.yaml")
    assert.include(found.names, `receipts/all/${manifest.snapshot_index}-${GOOD}.vsa.json`)
    const good = rowsIn(found).filter(({ fingerprint }) => fingerprint === GOOD)
    assert.lengthOf(good, 2)
    for (const { evidence } of good) assert.isAbove(evidence.length, 0)
  })

  it("has an empty snapshot", async () => {
    await report(server, "open", [])
    const { names, text } = await download("open", "-1")
    assert.strictEqual(names.filter((name) => name.startsWith("rows/")).length, 1)
    assert.include(text("index.html"), "Nothing.")
    assert.include(text("index.html"), "runs no such artifact")
    assert.notInclude(names, "receipts/keys.json")
  })

  it("is 404 for what is unknown, 400 for no expression, and 403 for others", async () => {
    const status = async (options: CallOptions) => (await call(PACKAGE, options)).status
    assert.deepStrictEqual(
      [
        await status(at("none", "1")),
        await status(at("prod", "99")),
        await status(at("prod", "x")),
        await status({ ...at("prod", "1"), as: "foreigner" })
      ],
      [404, 404, 400, 403]
    )
  })
})
