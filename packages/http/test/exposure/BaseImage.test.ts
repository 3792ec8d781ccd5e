/** Where artifacts ran that were built on an image: provenance lists the images among its dependencies. */
import { createHash } from "node:crypto"
import { assert, it } from "vitest"
import { fileOf, type PlainLine } from "../evidence/PlainReader.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (name: string) => createHash("sha256").update(name).digest("hex")

const [APP, LATE, OTHER, BILLED] = ["app", "late", "other", "billed"].map(print)
const NODE = "pkg:docker/node@20-alpine"
const BY_DIGEST = `pkg:oci/node@sha256:${print("node")}`

interface Answer {
  readonly exposures: ReadonlyArray<{
    readonly fingerprint: string
    readonly components: ReadonlyArray<string>
  }>
  readonly summary: { readonly without_sbom: number }
}

interface Listed {
  readonly components: ReadonlyArray<{ readonly purl: string; readonly artifacts: number }>
}

onEveryStore("base images", ({ call }) => {
  const report = (fingerprint = "") =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: "shop" },
      body: {
        fingerprint,
        filename: "shop.tar",
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        git_commit: "1".repeat(40),
        trail_name: `run-${fingerprint.slice(0, 8)}`,
        template_reference_name: "app"
      }
    })
  const submit = async (line: PlainLine, status = 201) => {
    const answer = await call("POST /evidence/{org}", { raw: fileOf(line) })
    assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
    return answer.body as { readonly documents: ReadonlyArray<{ readonly digest: string }> }
  }
  const where = async (query: Record<string, string>): Promise<Answer> => {
    const { body, status } = await call("GET /exposure/{org}", {
      query: `?${new URLSearchParams(query)}`
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Answer
  }
  const found = async (purl: string) =>
    (await where({ purl })).exposures
      .map(({ components, fingerprint }) => [fingerprint, ...components].join(" "))
      .sort()
  const listed = async (fingerprint = "") => {
    const { body } = await call("GET /components/{org}", { query: `?fingerprint=${fingerprint}` })
    return (body as Listed).components.map(({ artifacts, purl }) => `${purl} ${artifacts}`)
  }
  const built = { kind: "provenance", purls: [NODE, BY_DIGEST] } as const

  it("fills the org: provenance before and after its artifact, and a bill of materials", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (const each of [APP, OTHER, BILLED]) await report(each)
    await submit({ ...built, subjects: [{ sha256: APP ?? "" }] })
    await submit({ ...built, subjects: [{ sha256: APP ?? "" }] }, 200)
    await submit({ ...built, subjects: [{ sha256: LATE ?? "" }] })
    await submit({ ...built, subjects: [{ gitCommit: "1".repeat(40) }], purls: ["pkg:docker/x@1"] })
    await submit({ kind: "provenance", subjects: [{ sha256: OTHER ?? "" }] })
    await submit({ subjects: [{ sha256: BILLED ?? "" }], purls: [NODE] })
    await report(LATE)
    await call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: {
        artifacts: [APP, LATE, OTHER, BILLED].map((each = "") => ({
          digests: { [`app-${each.slice(0, 8)}`]: each },
          creationTimestamp: 1
        }))
      }
    })
  })

  it("finds artifacts by the tag and by the digest of an image that a document names", async () => {
    assert.deepStrictEqual(
      await found(NODE),
      [APP, LATE, BILLED].map((each) => `${each} ${NODE}`).sort()
    )
    assert.deepStrictEqual(
      await found(BY_DIGEST),
      [APP, LATE].map((each) => `${each} ${BY_DIGEST}`).sort()
    )
    assert.lengthOf(await found("pkg:docker/node"), 3)
    assert.deepStrictEqual(await found("pkg:docker/node@21"), [])
  })

  it("lists the images as components of the artifact, and none of provenance of commits", async () => {
    assert.deepStrictEqual(await listed(APP), [`${NODE} 3`, `${BY_DIGEST} 2`])
    assert.deepStrictEqual(await listed(OTHER), [])
    const { body } = await call("GET /components/{org}", { query: "?purl=pkg:docker/x" })
    assert.deepStrictEqual((body as Listed).components, [])
  })

  it("counts provenance as no bill of materials", async () => {
    assert.strictEqual((await where({ purl: NODE })).summary.without_sbom, 3)
  })

  it("counts an artifact once, when its provenance is judged again", async () => {
    const { documents } = await submit({ ...built, subjects: [{ sha256: APP ?? "" }] }, 200)
    const path = { digest: documents[0]?.digest ?? "" }
    const { status } = await call("POST /evidence/{org}/{digest}/judge", { path })
    assert.include([200, 201], status)
    assert.deepStrictEqual(await listed(APP), [`${NODE} 3`, `${BY_DIGEST} 2`])
  })
})
