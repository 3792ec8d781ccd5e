/** Evidence files on the wire: accepted and linked, repeated, refused, listed, shown and read back. */
import { createHash } from "node:crypto"
import { assert, beforeAll, describe, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { fileOf, type PlainLine } from "./PlainReader.js"

const [SHOP, PAY, LATER] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)]
const COMMIT = "1".repeat(40)

interface Submitted {
  readonly documents: ReadonlyArray<{
    readonly kind: string
    readonly format: { readonly name: string; readonly version: string | null }
    readonly subject_count: number
    readonly digest: string
    readonly position: number
    readonly verification: { readonly state: string; readonly reason: string | null }
    readonly waiting: ReadonlyArray<string>
    readonly links: ReadonlyArray<Record<string, unknown>>
  }>
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** A key that signs nothing: the reader of these tests says itself what is verified. */
const TRUST = `_schema: https://example.org/schemas/trust-policy/v1
keys:
  - id: k
    public_key: |
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
      -----END PUBLIC KEY-----
rules:
  - name: any
    kinds: [sbom, provenance]
    signer: { keys: [k] }
  - name: shop
    kinds: [sbom, provenance]
    signer: { keys: [k] }
    flows: [shop]
`

onEveryStore("evidence files", ({ call, journal }) => {
  beforeAll(async () => {
    const saved = await call("PUT /trust-policy/{org}", { body: { trust_yaml: TRUST } })
    assert.strictEqual(saved.status, 201, JSON.stringify(saved.body))
  })
  let flows = 0
  const report = (flow: string, trail: string, fingerprint: string) =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: flow },
      body: {
        fingerprint,
        filename: "shop.tar",
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        git_commit: COMMIT,
        trail_name: trail,
        template_reference_name: "app"
      }
    })
  /** A flow of its own with an artifact that no other test has. */
  const artifact = async (trail = "run") => {
    flows += 1
    const flow = `flow-${flows}`
    const fingerprint = sha256(flow)
    await report(flow, trail, fingerprint)
    return { flow, trail, fingerprint }
  }
  const send = (query: string, file: string, options: CallOptions = {}) =>
    call("POST /evidence/{org}", { query, raw: file, as: "member", ...options })
  const submit = async (query: string, ...lines: ReadonlyArray<PlainLine>) => {
    const { body, status } = await send(query, fileOf(...lines))
    return { status, body: body as Submitted }
  }
  const one = ({ body }: { readonly body: Submitted }) => {
    const [document] = body.documents
    if (document === undefined) throw new Error(JSON.stringify(body))
    return document
  }
  const attestations = async (flow: string) =>
    (
      (await call("GET /attestations/{org}/{flow_name}", { path: { flow_name: flow } })).body as {
        readonly data: ReadonlyArray<Record<string, unknown>>
      }
    ).data

  describe("an accepted file", () => {
    it("is linked by its subject, once, and kept byte for byte", async () => {
      const { fingerprint, flow } = await artifact()
      const file = fileOf({ subjects: [{ sha256: fingerprint }, { sha256: LATER }] })
      const first = await send("?filename=bom.json", file)
      assert.strictEqual(first.status, 201, JSON.stringify(first.body))
      const document = one(first as { readonly body: Submitted })
      assert.deepInclude(document, {
        digest: sha256(file),
        position: 1,
        kind: "sbom",
        format: { name: "plain", version: "1" },
        subject_count: 2,
        waiting: [LATER]
      })
      const [link] = document.links
      assert.deepInclude(link, {
        flow_name: flow,
        trail_name: "run",
        artifact_fingerprint: fingerprint,
        attestation_name: "sbom",
        attestation_type: "custom:attestry-sbom",
        is_compliant: true,
        created: true
      })
      const entries = await journal()
      const again = await send("?filename=bom.json", file)
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(one(again as { readonly body: Submitted }).links, [
        { ...link, created: false }
      ])
      assert.strictEqual((await journal()).length, entries.length)
      const [attestation] = await attestations(flow)
      assert.deepInclude(attestation, {
        evidence_digest: sha256(file),
        evidence_archive_fingerprint: sha256(file)
      })
      assert.deepInclude(attestation?.verification, { state: "unsigned" })
      const raw = await call("GET /evidence/{org}/{digest}/raw", {
        path: { digest: sha256(file) },
        as: "reader"
      })
      assert.strictEqual(new TextDecoder().decode(raw.body as Uint8Array), file)
      const disposition = raw.headers.get("content-disposition")
      assert.strictEqual(disposition, "attachment; filename*=UTF-8''bom.json")
      const shown = await call("GET /evidence/{org}/{digest}", {
        path: { digest: sha256(file) },
        as: "reader"
      })
      assert.deepInclude(shown.body, { filename: "bom.json", accepted_by: "max" })
      assert.deepInclude((shown.body as { readonly facts: object }).facts, { kind: "sbom" })
      const { created: _, ...listed } = link ?? {}
      assert.deepStrictEqual((shown.body as Submitted["documents"][number]).links, [listed])
      assert.deepStrictEqual((shown.body as { readonly subjects: unknown }).subjects, [
        { name: null, digest: { sha256: fingerprint }, linked: true },
        { name: null, digest: { sha256: LATER }, linked: false }
      ])
    })

    it("makes a trail without subjects, and reads a form with parameters", async () => {
      const form = new FormData()
      form.set("file", new Blob([fileOf({ components: 0 })]), "bom.json")
      form.set("flow_name", "forms")
      form.set("trail_name", "run")
      form.set("name", "bom")
      const { body, status } = await call("POST /evidence/{org}", { raw: form })
      assert.strictEqual(status, 201, JSON.stringify(body))
      const [link] = one({ body: body as Submitted }).links
      assert.deepInclude(link, {
        flow_name: "forms",
        artifact_fingerprint: null,
        attestation_name: "bom",
        is_compliant: false
      })
    })

    it("of several documents is accepted as a whole", async () => {
      const { fingerprint, flow } = await artifact()
      const subjects = [{ sha256: fingerprint }]
      const whole = await submit("", { subjects }, { kind: "provenance", subjects, rule: "any" })
      assert.strictEqual(whole.status, 201)
      assert.deepStrictEqual(
        whole.body.documents.map(({ links, position }) => [position, links[0]?.is_compliant]),
        [
          [1, true],
          [2, true]
        ]
      )
      const digest = whole.body.documents[0]?.digest ?? ""
      const second = await call("GET /evidence/{org}/{digest}", {
        path: { digest },
        query: "?position=2"
      })
      assert.deepInclude(second.body, { position: 2, kind: "provenance" })
      assert.strictEqual(
        (await submit("", { subjects, components: 2 }, { components: 3 })).status,
        400
      )
      assert.strictEqual((await attestations(flow)).length, 2)
    })

    it("is not verified in flows that its rule does not speak about", async () => {
      const { fingerprint } = await artifact()
      await report("shop", "run", fingerprint)
      const subjects = [{ sha256: fingerprint }]
      const { links } = one(await submit("", { kind: "provenance", subjects, rule: "shop" }))
      assert.deepStrictEqual(
        links.map(({ flow_name, is_compliant }) => [flow_name === "shop", is_compliant]).sort(),
        [
          [false, false],
          [true, true]
        ]
      )
    })

    it("about a commit is linked to the trails that report it", async () => {
      const { flow } = await artifact()
      const { links, waiting } = one(await submit("", { subjects: [{ gitCommit: COMMIT }] }))
      assert.isTrue(links.some(({ flow_name }) => flow_name === flow))
      assert.isTrue(links.every(({ artifact_fingerprint }) => artifact_fingerprint === null))
      assert.deepStrictEqual(waiting, [])
    })

    it("is judged by a custom type of the org", async () => {
      await call("POST /custom-attestation-types/{org}", {
        body: {
          name: "big-bom",
          evaluator: {
            content_type: "jq",
            rules: ['.components.total > 5 and .verification.state == "unsigned"']
          }
        }
      })
      const judged = async (components: number) => {
        const query = `?flow_name=judged&trail_name=t${components}&type_name=big-bom`
        return one(await submit(query, { components })).links[0]
      }
      assert.deepInclude(await judged(6), {
        attestation_type: "custom:big-bom",
        is_compliant: true
      })
      assert.deepInclude(await judged(5), { is_compliant: false })
      assert.strictEqual((await submit("?fingerprint=x&type_name=none", {})).status, 400)
      const absent = await submit("?flow_name=judged&trail_name=t&type_name=none", {})
      assert.strictEqual(absent.status, 404)
    })

    it("with a wrong signature is recorded as non-compliant, and its event names the state", async () => {
      const { fingerprint, flow, trail } = await artifact()
      const { links } = one(
        await submit("", { subjects: [{ sha256: fingerprint }], state: "failed" })
      )
      assert.deepInclude(links[0], { is_compliant: false })
      const path = { flow_name: flow, trail_name: trail }
      await call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic", {
        path,
        body: { attestation_name: "plain", is_compliant: true }
      })
      const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", { path })
      const { events } = body as { readonly events: ReadonlyArray<Record<string, unknown>> }
      assert.deepStrictEqual(
        events
          .filter(({ type }) => String(type).includes("attestation"))
          .map((event) => event.verification_state),
        ["failed", null]
      )
    })
  })

  describe("an artifact that is reported later", () => {
    const template = [
      "version: 1",
      "trail:",
      "  artifacts:",
      "    - name: app",
      "      attestations:",
      "        - name: sbom",
      "          type: custom:attestry-sbom"
    ].join("\n")
    const begin = async (flow: string) => {
      const body = { name: flow, description: "", template_file: template }
      const { status } = await call("PUT /flows/{org}/template_file", { body })
      assert.strictEqual(status, 201)
      return { flow, fingerprint: sha256(flow) }
    }
    const statusOf = async (flow: string, trail: string) => {
      const path = { flow_name: flow, trail_name: trail }
      const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", { path })
      const { compliance_status: status } = body as { readonly compliance_status: object }
      return JSON.stringify(status, (key, value) =>
        ["attestation_id", "fingerprint", "html_url", "evaluated_at"].includes(key) ||
        key.endsWith("_id") ||
        key.endsWith("_fingerprint")
          ? undefined
          : value
      )
    }
    const outcomes = async (flow: string) =>
      (await attestations(flow)).map(({ attestation_name, is_compliant, trail_name }) => ({
        attestation_name,
        is_compliant,
        trail_name
      }))

    it("has the status that it would have had before the file (V-9)", async () => {
      const before = await begin("v9-before")
      const after = await begin("v9-after")
      const waits = one(await submit("", { subjects: [{ sha256: before.fingerprint }] }))
      assert.deepStrictEqual(waits.waiting, [before.fingerprint])
      assert.deepStrictEqual(waits.links, [])
      await report(before.flow, "run", before.fingerprint)
      await report(after.flow, "run", after.fingerprint)
      assert.deepInclude(JSON.parse(await statusOf(after.flow, "run")), {
        is_compliant: false
      })
      await submit("", { subjects: [{ sha256: after.fingerprint }] })
      const status = await statusOf(before.flow, "run")
      assert.deepInclude(JSON.parse(status), { is_compliant: true })
      assert.strictEqual(status, await statusOf(after.flow, "run"))
      assert.deepStrictEqual(await outcomes(before.flow), await outcomes(after.flow))
      const [made] = await attestations(before.flow)
      assert.deepInclude(made, { reported_by: "system:intake", evidence_digest: waits.digest })
    })

    it("has the attestation on each trail, once", async () => {
      const { fingerprint, flow } = await begin("v9-twice")
      await submit("", { subjects: [{ sha256: fingerprint }] })
      await report(flow, "one", fingerprint)
      await report(flow, "one", fingerprint)
      await report(flow, "two", fingerprint)
      const again = one(await submit("", { subjects: [{ sha256: fingerprint }] }))
      assert.deepStrictEqual(
        again.links.map(({ created, trail_name }) => [trail_name, created]),
        [["two", false]]
      )
      const trails = (await outcomes(flow)).map(({ trail_name }) => trail_name)
      assert.deepStrictEqual(trails, ["two", "one"])
    })

    it("is linked once if it is reported while the file is accepted", async () => {
      const flow = "v9-race"
      await begin(flow)
      const prints = Array.from({ length: 12 }, (_, at) => sha256(`race-${at}`))
      await Promise.all(
        prints.flatMap((fingerprint, at) => [
          submit("", { subjects: [{ sha256: fingerprint }] }),
          report(flow, `run-${at}`, fingerprint)
        ])
      )
      const found = await attestations(flow)
      assert.sameMembers(
        found.map(({ artifact_fingerprint }) => artifact_fingerprint),
        prints
      )
    })
  })

  describe("a file that is judged again", () => {
    const policy = async (...rules: ReadonlyArray<string>) => {
      const text = rules.map(
        (name) => `  - name: ${name}\n    kinds: [sbom, provenance]\n    signer: { keys: [k] }\n`
      )
      const body = { trust_yaml: TRUST + text.join("") }
      const { status } = await call("PUT /trust-policy/{org}", { body })
      assert.oneOf(status, [200, 201])
    }
    interface Answer {
      readonly links: ReadonlyArray<Record<string, unknown>>
      readonly changed: number
    }
    const judge = async (digest: string, query = "") => {
      const { body, status } = await call("POST /evidence/{org}/{digest}/judge", {
        path: { digest },
        query,
        as: "member"
      })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body as Answer
    }
    const shown = async (flow: string) =>
      (await attestations(flow)).map(({ is_compliant, verification }) => [
        is_compliant,
        (verification as { readonly state: string }).state
      ])

    it("gets a new attestation where it comes out otherwise, and no recorded one changes (V-10)", async () => {
      const { fingerprint, flow } = await artifact()
      const file = fileOf({
        kind: "provenance",
        subjects: [{ sha256: fingerprint }],
        rule: "later"
      })
      const accepted = await send("?description=first", file)
      const { digest, links } = one(accepted as { readonly body: Submitted })
      assert.deepInclude(links[0], { is_compliant: false })
      const [first] = await attestations(flow)
      await policy("later")
      assert.deepStrictEqual(await shown(flow), [[false, "untrusted"]])
      const tried = await judge(digest, "?dry_run=true")
      assert.strictEqual(tried.changed, 1)
      assert.strictEqual((await attestations(flow)).length, 1)
      const judged = await judge(digest)
      assert.strictEqual(judged.changed, 1)
      assert.deepInclude(judged.links[0], {
        flow_name: flow,
        trail_name: "run",
        artifact_fingerprint: fingerprint,
        attestation_name: "provenance",
        attestation_type: "custom:attestry-provenance",
        is_compliant: true,
        created: true
      })
      assert.deepStrictEqual(await shown(flow), [
        [true, "verified"],
        [false, "untrusted"]
      ])
      const [renewed, kept] = await attestations(flow)
      assert.deepStrictEqual(kept, first)
      assert.deepInclude(renewed, {
        description: "first",
        evidence_digest: digest,
        evidence_position: 1
      })
      const entries = (await journal()).length
      assert.deepStrictEqual(await judge(digest), {
        links: judged.links.map((link) => ({ ...link, created: false })),
        changed: 0
      })
      assert.strictEqual((await journal()).length, entries)
      await policy()
      assert.strictEqual((await judge(digest)).changed, 1)
      assert.deepStrictEqual(await shown(flow), [
        [false, "untrusted"],
        [true, "verified"],
        [false, "untrusted"]
      ])
      assert.strictEqual((await judge(digest)).changed, 0)
      const again = one((await send("", file)) as { readonly body: Submitted })
      assert.deepInclude(again.links[0], { is_compliant: false, created: false })
      assert.strictEqual((await attestations(flow)).length, 3)
      const document = await call("GET /evidence/{org}/{digest}", { path: { digest } })
      assert.deepInclude((document.body as Submitted["documents"][number]).verification, {
        state: "untrusted"
      })
      assert.strictEqual((document.body as Submitted["documents"][number]).links.length, 3)
    })

    it("is judged in each flow by the rules about it", async () => {
      const { fingerprint } = await artifact()
      await report("shop", "judged", fingerprint)
      const lines = { kind: "provenance", subjects: [{ sha256: fingerprint }] } as const
      const { digest } = one(await submit("", { ...lines, rule: "shop" }))
      const { changed, links } = await judge(digest)
      assert.strictEqual(changed, 0)
      assert.deepStrictEqual(
        links.map(({ flow_name, is_compliant }) => [flow_name === "shop", is_compliant]).sort(),
        [
          [false, false],
          [true, true]
        ]
      )
    })

    it("does not speak over what was reported after it", async () => {
      const { fingerprint, flow } = await artifact()
      const subjects = [{ sha256: fingerprint }]
      const { digest } = one(await submit("", { kind: "provenance", subjects, rule: "later" }))
      const path = { flow_name: flow, trail_name: "run" }
      const overridden = await call(
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/override",
        {
          path,
          body: {
            attestation_name: "provenance",
            artifact_fingerprint: fingerprint,
            reason: "checked",
            new_compliance_status: false,
            original_attestation_type: "custom:attestry-provenance"
          }
        }
      )
      assert.strictEqual(overridden.status, 200, JSON.stringify(overridden.body))
      await policy("later")
      assert.strictEqual((await judge(digest)).changed, 0)
      assert.strictEqual((await attestations(flow)).length, 2)
      await policy()
    })

    it("keeps its attestation where its custom type was archived", async () => {
      const body = {
        name: "gone",
        evaluator: { content_type: "jq", rules: ['.verification.state == "verified"'] }
      }
      await call("POST /custom-attestation-types/{org}", { body })
      const line = { rule: "later", components: 4 }
      const query = "?flow_name=judged-types&trail_name=t&type_name=gone"
      const { digest, links } = one(await submit(query, line))
      assert.deepInclude(links[0], { is_compliant: false })
      await policy("later")
      const judged = await judge(digest)
      assert.deepInclude(judged.links[0], {
        attestation_type: "custom:gone",
        is_compliant: true,
        created: true
      })
      await policy()
      await call("PUT /custom-attestation-types/{org}/{type_name}/archive", {
        path: { type_name: "gone" }
      })
      assert.strictEqual((await judge(digest)).changed, 0)
    })

    it("is 404 for a file that the org does not have", async () => {
      const path = { digest: "9".repeat(64) }
      const { status } = await call("POST /evidence/{org}/{digest}/judge", { path })
      assert.strictEqual(status, 404)
    })
  })

  it("records nothing in a dry run", async () => {
    const { fingerprint } = await artifact()
    const before = (await journal()).length
    const file = fileOf({ subjects: [{ sha256: fingerprint }], components: 7 })
    const { body, headers, status } = await send("?dry_run=true", file)
    assert.strictEqual(status, 201)
    assert.strictEqual(headers.get("x-dry-run"), "true")
    assert.deepInclude(one({ body: body as Submitted }).links[0], { created: true })
    assert.strictEqual((await journal()).length, before)
    const path = { digest: sha256(file) }
    assert.strictEqual((await call("GET /evidence/{org}/{digest}", { path })).status, 404)
    const form = new FormData()
    form.set("file", new Blob([file]))
    form.set("dry_run", "true")
    assert.strictEqual((await call("POST /evidence/{org}", { raw: form })).status, 400)
  })

  it("refuses what it cannot link, read or verify, with the messages of the specification", async () => {
    const { fingerprint, flow } = await artifact()
    const refused = async (query: string, file: string) => {
      const { body, status } = await send(query, file)
      return [status, (body as { readonly message: string }).message]
    }
    const about = (sha: string) => fileOf({ subjects: [{ sha256: sha }], components: 9 })
    const trail = `?flow_name=${flow}&trail_name=run`
    assert.deepStrictEqual(await refused("", fileOf({})), [
      400,
      "Name a trail or a fingerprint: this file does not say what it is about"
    ])
    assert.deepStrictEqual(await refused(trail, about(PAY)), [
      400,
      `No subject of this document is an artifact of trail 'run'; it names sha256:${PAY}`
    ])
    assert.deepStrictEqual(await refused(`${trail}&fingerprint=${fingerprint}`, about(PAY)), [
      400,
      `The document is not about fingerprint ${fingerprint}`
    ])
    assert.deepStrictEqual(await refused(`?fingerprint=${SHOP}`, fileOf({ components: 9 })), [
      404,
      `Artifact with fingerprint '${SHOP}' does not exist in organization 'acme'`
    ])
    assert.deepStrictEqual(await refused(`${trail}&require=verified`, fileOf({ rule: "other" })), [
      400,
      "The document is not verified: untrusted, no_rule"
    ])
    assert.deepStrictEqual(await refused(trail, "{"), [400, "Line 2: a member is not closed"])
    assert.deepStrictEqual(await refused(trail, "bomb"), [
      413,
      "The file unpacks to more than 5 bytes"
    ])
    assert.deepStrictEqual(await refused(trail, "PK"), [
      415,
      "Archives are not read; send the files one by one"
    ])
    assert.strictEqual((await refused(trail, "busy"))[0], 503)
    const half = await refused(`?flow_name=${flow}`, fileOf({}))
    assert.deepStrictEqual(half, [400, "Input payload validation failed"])
    assert.strictEqual((await refused(trail, ""))[0], 400)
    const unknown = await call("GET /evidence/{org}/{digest}", { path: { digest: PAY } })
    assert.deepStrictEqual(
      [unknown.status, unknown.body],
      [404, { message: `No evidence ${PAY} in organization 'acme'` }]
    )
  })

  it("lists by kind, state, artifact and waiting", async () => {
    const { fingerprint } = await artifact()
    const subjects = [{ sha256: fingerprint }]
    const mine = one(await submit("", { subjects, kind: "provenance", rule: "any" }))
    const waits = one(await submit("", { subjects: [{ sha256: sha256("nobody") }] }))
    const list = async (query: string) =>
      (
        (await call("GET /evidence/{org}", { query: `${query}&per_page=100`, as: "reader" }))
          .body as { readonly documents: ReadonlyArray<{ readonly digest: string }> }
      ).documents.map(({ digest }) => digest)
    assert.deepStrictEqual(await list(`?fingerprint=${fingerprint}`), [mine.digest])
    assert.include(await list("?kind=provenance&state=verified"), mine.digest)
    assert.notInclude(await list("?kind=sbom"), mine.digest)
    assert.include(await list("?waiting=true"), waits.digest)
    assert.notInclude(await list("?waiting=true"), mine.digest)
    assert.deepStrictEqual(await list("?predicate_type=none"), [])
  })
})
