/** The trust policy of an org on the wire. SPEC §2.27, §4.24 */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { trustYaml } from "./TrustPolicyTexts.js"

interface Shown {
  readonly version: number
  readonly comment: string
  readonly created_by: string
  readonly timestamp: number
  readonly trust_yaml: string
}

onEveryStore("the trust policy", ({ call, journal }) => {
  const put = (trust_yaml: unknown, comment?: string) =>
    call("PUT /trust-policy/{org}", {
      body: comment === undefined ? { trust_yaml } : { trust_yaml, comment }
    })
  const get = () => call("GET /trust-policy/{org}")
  const versions = async () =>
    (await call("GET /trust-policy/{org}/versions")).body as ReadonlyArray<Shown>

  it("is 404 while there is none, and has no versions", async () => {
    const { body, status } = await get()
    assert.strictEqual(status, 404)
    assert.match(JSON.stringify(body), /Organization '[^']+' has no trust policy/)
    assert.deepStrictEqual(await versions(), [])
  })

  it("refuses a text with all its problems, and saves nothing", async () => {
    const { body, status } = await put(
      "_schema: https://h/v1\nrules:\n  - { name: a, kinds: [sbmo], signer: { sigstore: { " +
        "roots: [r], issuer: 'http://i', san: '**' } } }\n"
    )
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body, {
      message: "3 validation errors for TrustPolicy",
      errors: {
        "rules.0.kinds.0": "line 3, column 24: unknown kind `sbmo`: write `sbom`",
        "rules.0.signer.sigstore.issuer":
          "line 3, column 65: expected an exact `https` address without wildcards and without a query, not `http://i`",
        "rules.0.signer.sigstore.san":
          "line 3, column 85: only wildcards would trust every identity of the issuer: " +
          "name the workflow or the person, not `**`"
      }
    })
    assert.strictEqual((await put(undefined)).status, 400)
    assert.strictEqual((await put(3)).status, 400)
    assert.strictEqual((await get()).status, 404)
  })

  it("makes a version exactly when a byte of the text differs, and records each once", async () => {
    const first = await put(trustYaml("one"), "begin")
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    const again = await put(trustYaml("one"), "another comment")
    assert.deepStrictEqual([again.status, again.body], [200, "OK"])
    const second = await put(trustYaml("two"))
    assert.deepStrictEqual([second.status, second.body], [201, "OK"])
    assert.strictEqual((await put(trustYaml("one"), "back")).status, 201)
    const shown = await versions()
    assert.deepStrictEqual(
      shown.map(({ comment, trust_yaml, version }) => [version, comment, trust_yaml]),
      [
        [3, "back", trustYaml("one")],
        [2, "", trustYaml("two")],
        [1, "begin", trustYaml("one")]
      ]
    )
    const latest = await get()
    assert.deepStrictEqual([latest.status, latest.body], [200, shown[0]])
    const entries = (await journal()).filter(({ kind }) => kind.startsWith("trust_policy"))
    assert.deepStrictEqual(
      entries.map(({ content, kind, subject }) => [
        kind,
        subject.type,
        JSON.parse(content).version,
        JSON.parse(content).text
      ]),
      [
        ["trust_policy_version_created", "org", 1, trustYaml("one")],
        ["trust_policy_version_created", "org", 2, trustYaml("two")],
        ["trust_policy_version_created", "org", 3, trustYaml("one")]
      ]
    )
  })

  it("shows keys and counts rules", async () => {
    await put(trustYaml("shown"), "c")
    const { created_by, timestamp, version, ...shown } = (await get()).body as Shown
    assert.isString(created_by)
    assert.closeTo(timestamp, Date.now() / 1_000, 600)
    assert.isAtLeast(version, 1)
    assert.deepStrictEqual<unknown>(shown, {
      comment: "c",
      trust_yaml: trustYaml("shown"),
      rules: 1,
      keys: [
        {
          id: "release",
          algorithm: "ed25519",
          valid_until: Date.UTC(2027, 11, 31) / 1_000
        }
      ]
    })
  })

  it("numbers versions without a gap when many are saved at once", async () => {
    const before = (await versions()).length
    const texts = Array.from({ length: 8 }, (_, index) => trustYaml(`race ${index % 4}`))
    const answers = await Promise.all(texts.map((text) => put(text)))
    const made = answers.filter(({ status }) => status === 201).length
    assert.isTrue(answers.every(({ status }) => status === 200 || status === 201))
    const shown = await versions()
    assert.strictEqual(shown.length, before + made)
    assert.deepStrictEqual(
      shown.map(({ version }) => version),
      Array.from({ length: shown.length }, (_, index) => shown.length - index)
    )
    for (const [index, { trust_yaml }] of shown.entries())
      assert.notStrictEqual(trust_yaml, shown[index + 1]?.trust_yaml)
  })

  it("keeps a version whose comment is erased", async () => {
    const comment = "asked by a person who has left"
    assert.strictEqual((await put(trustYaml("erased"), comment)).status, 201)
    const erased = await call("POST /erasures/{org}", {
      body: { value: comment, reason: "asked", preview: false }
    })
    assert.strictEqual(erased.status, 200)
    const latest = (await get()).body as Shown
    assert.deepStrictEqual([latest.comment, latest.trust_yaml], ["**ERASED**", trustYaml("erased")])
  })
})
