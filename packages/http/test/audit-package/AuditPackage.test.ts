/** Audit packages on the wire, unpacked by the program `tar`. */
import { type AttachmentKey, AttachmentStore } from "@attestry/core/AttachmentStore"
import type { Ports } from "@attestry/core/Ports"
import { Effect, Layer, Stream } from "effect"
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { type Caller, onEveryStore } from "../shared/TestServer.js"
import { sha256, type UnpackedFile, unpack } from "./Unpacked.js"

interface Manifest {
  readonly members: ReadonlyArray<{ name: string; size: number; sha256: string }>
}

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: review
      type: generic
    - name: never
      type: generic
  artifacts:
    - name: backend
      attestations:
        - name: unit
          type: generic
`

const bytes = (size: number, value: number) => new Uint8Array(size).fill(value)

const jsonOf = (files: ReadonlyArray<UnpackedFile>, name: string) => {
  const found = files.find((file) => file.name === name)
  return JSON.parse(new TextDecoder().decode(found?.bytes ?? new Uint8Array()))
}

const textOf = (files: ReadonlyArray<UnpackedFile>, name: string): string =>
  new TextDecoder().decode(files.find((file) => file.name === name)?.bytes)

/** Every file but the manifest is in the manifest, in order, with its size and digest. */
const checkManifest = (files: ReadonlyArray<UnpackedFile>) => {
  const manifest: Manifest = jsonOf(files, "manifest.json")
  assert.strictEqual(files.at(-1)?.name, "manifest.json")
  assert.strictEqual(files.at(-2)?.name, "index.html")
  assert.deepStrictEqual(
    manifest.members,
    files
      .slice(0, -1)
      .map((file) => ({ name: file.name, size: file.bytes.length, sha256: sha256(file.bytes) }))
  )
}

onEveryStore("GET …/audit_package", (server) => {
  const { putFlow, begin, artifact, generic, attest, named, trail } = evidenceOf(server, "shop")
  const ofTrail = (trail_name: string, as: Caller = "reader") =>
    server.call("GET /trails/{org}/{flow_name}/{trail_name}/audit_package", {
      path: { flow_name: "shop", trail_name },
      as
    })
  const ofArtifact = (fingerprint: string, flow_name = "shop") =>
    server.call("GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package", {
      path: { flow_name, fingerprint },
      as: "reader"
    })
  const filesOf = async (answer: Promise<{ body: unknown }>) =>
    unpack((await answer).body as Uint8Array)
  const uploaded = (
    body: object,
    ...files: ReadonlyArray<readonly [string, Uint8Array<ArrayBuffer>]>
  ) => {
    const raw = new FormData()
    raw.append("data_json", JSON.stringify(body))
    for (const [name, content] of files) raw.append("attachment_file", new Blob([content]), name)
    return attest("release-1", "generic", {}, { raw, body: undefined })
  }

  it("fills a trail", async () => {
    await putFlow(TEMPLATE)
    await begin("release-1", { description: "<script>alert(1)</script>\u202e" })
    assert.strictEqual((await artifact("release-1", "backend", F, c1)).status, 201)
    await artifact("release-1", "backend", F, c1, { description: "again" })
    await artifact("release-1", "extra", E, c1)
    await generic("release-1", "review", false)
    await uploaded(
      { attestation_name: "review", is_compliant: true },
      ["a b.txt", bytes(3, 1)],
      ["a_b.txt", bytes(4, 2)],
      ["A_B.TXT", bytes(5, 3)],
      [`${"long".repeat(100)}.bin`, bytes(700_000, 4)],
      ["empty", bytes(0, 0)]
    )
    await uploaded({ attestation_name: "unit", is_compliant: false, artifact_fingerprint: F }, [
      "report.xml",
      bytes(513, 7)
    ])
    const other = { attestation_name: "early", target_artifacts: ["later"] }
    const commit = { git_commit_info: { sha1: c1, message: "", author: "", timestamp: 1 } }
    assert.strictEqual((await uploaded({ ...other, ...commit, is_compliant: true })).status, 201)
  })

  it("has the trail, flow, artifacts, attestations and files, and a manifest that fits them", async () => {
    const answer = await ofTrail("release-1")
    assert.deepStrictEqual(
      ["content-type", "content-disposition", "x-content-type-options"].map((name) =>
        answer.headers.get(name)
      ),
      ["application/x-tar", 'attachment; filename="shop-release-1-audit-package.tar"', "nosniff"]
    )
    const files = await unpack(answer.body as Uint8Array)
    checkManifest(files)
    const [first, second] = [...(await named("release-1", "review"))].sort((left, right) =>
      String(left.created_at) < String(right.created_at) ? -1 : 1
    )
    const [unit] = await named("release-1", "unit")
    const [early] = await named("release-1", "early")
    const review = `attestations/trail/review/${second?.attestation_id}`
    const long = `${"long".repeat(100)}`
    assert.deepStrictEqual(
      files.map(({ name }) => name),
      [
        "trail.json",
        "flow.json",
        `artifacts/backend/${F}.json`,
        `artifacts/backend/${F}~2.json`,
        `artifacts/extra/${E}.json`,
        `attestations/trail/review/${first?.attestation_id}/attestation.json`,
        `${review}/attestation.json`,
        `${review}/evidence/a_b.txt`,
        `${review}/evidence/a_b~2.txt`,
        `${review}/evidence/A_B~3.TXT`,
        `${review}/evidence/${long.slice(0, 119)}_${`${long}.bin`.slice(-30)}`,
        `${review}/evidence/empty`,
        `attestations/artifacts/backend/unit/${unit?.attestation_id}/attestation.json`,
        `attestations/artifacts/backend/unit/${unit?.attestation_id}/evidence/report.xml`,
        `attestations/artifacts/later/early/${early?.attestation_id}/attestation.json`,
        "index.html",
        "manifest.json"
      ]
    )
    assert.deepStrictEqual(jsonOf(files, "trail.json"), await trail("release-1"))
    const flow = await server.call("GET /flows/{org}/{flow_name}", { path: { flow_name: "shop" } })
    assert.deepStrictEqual(jsonOf(files, "flow.json"), flow.body)
    const shown = await server.call("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", {
      path: { flow_name: "shop", fingerprint: F }
    })
    assert.deepStrictEqual(jsonOf(files, `artifacts/backend/${F}~2.json`), shown.body)
    assert.deepStrictEqual(jsonOf(files, `${review}/attestation.json`), second)
    const { members: _, made_at, ...about } = jsonOf(files, "manifest.json")
    assert.deepStrictEqual(about, {
      org: server.org,
      flow: "shop",
      trail: "release-1",
      made_by: "rob"
    })
    const { last_modified_at } = jsonOf(files, "trail.json")
    assert.strictEqual(made_at, last_modified_at)
    const time = new Date(last_modified_at * 1000).toISOString().slice(0, 19).replace("T", " ")
    for (const file of files) assert.deepStrictEqual([file.mode, file.time], ["-rw-r--r--", time])
  })

  it("has the same bytes for the same state, and others after a change", async () => {
    const first = (await ofTrail("release-1")).body
    assert.deepStrictEqual((await ofTrail("release-1")).body, first)
    await generic("release-1", "another", true)
    const names = (await filesOf(ofTrail("release-1"))).map(({ name }) => name)
    assert.isTrue(names.some((name) => name.startsWith("attestations/trail/another/")))
  })

  it("has a page without scripts, in which every text is escaped and every file is linked", async () => {
    const files = await filesOf(ofTrail("release-1"))
    const page = textOf(files, "index.html")
    assert.notMatch(page, /<script|javascript:|<img|<link|\son\w+=/i)
    assert.include(page, "&lt;script&gt;alert(1)&lt;/script&gt;\uFFFD")
    assert.include(page, "default-src 'none'")
    assert.include(page, "@media print")
    const evidence = files.filter(({ name }) => name.includes("/evidence/"))
    for (const { name, bytes: content } of evidence) {
      assert.include(page, `href="${name}"`)
      assert.include(page, sha256(content))
    }
    for (const text of ["never", "not compliant", "review", "backend", F, E]) {
      assert.include(page, text)
    }
  })

  it("has for an artifact its newest record, what counts for it, and its trail", async () => {
    const [unit] = await named("release-1", "unit")
    const answer = ofArtifact(F.slice(0, 7))
    assert.strictEqual(
      (await answer).headers.get("content-disposition"),
      `attachment; filename="shop-${F}-audit-package.tar"`
    )
    const files = await filesOf(answer)
    checkManifest(files)
    const folder = `attestations/artifacts/backend/unit/${unit?.attestation_id}`
    assert.deepStrictEqual(
      files.map(({ name }) => name),
      [
        "artifact.json",
        `${folder}/attestation.json`,
        `${folder}/evidence/report.xml`,
        "trail.json",
        "index.html",
        "manifest.json"
      ]
    )
    assert.strictEqual(jsonOf(files, "artifact.json").description, "again")
    assert.strictEqual(jsonOf(files, "manifest.json").fingerprint, F)
  })

  it("has an empty trail", async () => {
    await begin("empty")
    const files = await filesOf(ofTrail("empty"))
    checkManifest(files)
    assert.deepStrictEqual(
      files.map(({ name }) => name),
      ["trail.json", "flow.json", "index.html", "manifest.json"]
    )
  })

  it("is 404 for what is unknown, 400 for an ambiguous prefix, and 403 for others", async () => {
    const twin = `${F.slice(0, 10)}${"0".repeat(54)}`
    await artifact("release-1", "twin", twin, c1)
    assert.deepStrictEqual(
      [
        (await ofTrail("none")).status,
        (await ofTrail("release-1", "foreigner")).status,
        (await ofArtifact("a".repeat(64))).status,
        (await ofArtifact(F, "none")).status,
        (await ofArtifact(F.slice(0, 10))).status,
        (await ofArtifact("fff")).status
      ],
      [404, 403, 404, 404, 400, 400]
    )
  })
})

/** Files that have lost their last byte in the store. */
const truncated = Layer.effect(
  AttachmentStore,
  Effect.map(AttachmentStore, (store) => ({
    ...store,
    read: (key: AttachmentKey) => Stream.map(store.read(key), (piece) => piece.subarray(0, -1))
  }))
)

onEveryStore(
  "GET …/audit_package, with a damaged file",
  (server) => {
    it("ends without the end of the archive", async () => {
      const { attest } = evidenceOf(server, "shop")
      const raw = new FormData()
      raw.append("data_json", JSON.stringify({ attestation_name: "a", is_compliant: true }))
      raw.append("attachment_file", new Blob([bytes(1_000, 1)]), "f")
      assert.strictEqual((await attest("t", "generic", {}, { raw, body: undefined })).status, 201)
      const download = server.call("GET /trails/{org}/{flow_name}/{trail_name}/audit_package", {
        path: { flow_name: "shop", trail_name: "t" }
      })
      const outcome = await download.then(
        () => "complete",
        () => "cut off"
      )
      assert.strictEqual(outcome, "cut off")
    })
  },
  // WHY: the option is a layer that replaces ports of the store; its type has none.
  { override: truncated as Layer.Layer<never, never, Ports> }
)
