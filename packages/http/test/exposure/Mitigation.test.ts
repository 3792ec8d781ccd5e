/** Which exposures of a vulnerability verified VEX mitigates, against a model that reads the words of the rule. */
import { createHash } from "node:crypto"
import type { VexStatement } from "@attestry/core/EvidenceFacts"
import { FastCheck } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fileOf, type PlainLine } from "../evidence/PlainReader.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (name: string) => createHash("sha256").update(name).digest("hex")

/** The reader of these tests says itself what is verified, so that the key signs nothing. */
const TRUST = `_schema: https://example.org/schemas/trust-policy/v1
keys:
  - id: k
    public_key: |
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
      -----END PUBLIC KEY-----
rules:
  - { name: any, kinds: [vex], signer: { keys: [k] } }
  - { name: shop, kinds: [vex], signer: { keys: [k] }, flows: [shop] }
`

interface Exposed {
  readonly fingerprint: string
  readonly flow_name: string
  readonly components?: ReadonlyArray<string>
  readonly mitigated?: boolean
}

interface Content {
  readonly fingerprint: string
  readonly flow: string
  readonly purls: ReadonlyArray<string>
}

const [X, Y, Z] = ["pkg:npm/x@1", "pkg:npm/y@1", "pkg:npm/z@1"]

/** Artifacts of two flows. One has two of the asked components, and all have one that is not asked about. */
const ARTIFACTS: ReadonlyArray<Content> = [
  { fingerprint: print("shop-x"), flow: "shop", purls: [X, Z] },
  { fingerprint: print("shop-xy"), flow: "shop", purls: [X, Y, Z] },
  { fingerprint: print("pay-x"), flow: "pay", purls: [X, Z] },
  { fingerprint: print("pay-y"), flow: "pay", purls: [Y] }
]

const flowOf = (print: string) => ARTIFACTS.find(({ fingerprint }) => fingerprint === print)?.flow

const FIXED = { status: "fixed", justification: null, at: null, rule: "any" } as const

/** A statement with the rule of its document; one without a rule is not verified. */
interface Stated extends VexStatement {
  readonly rule: "any" | "shop" | "none"
}

/** The model: for each component the statements that count, in order, and the last one of them. */
const isMitigated = ({ fingerprint, flow, purls }: Content, stated: ReadonlyArray<Stated>) =>
  purls
    .filter((purl) => purl !== Z)
    .every((purl) => {
      const about = stated
        .map((each, at) => ({ ...each, at, time: each.at ?? 0 }))
        .filter(({ rule }) => rule === "any" || (rule === "shop" && flow === "shop"))
        .filter(({ product }) => product === purl || product === fingerprint)
        .filter(({ subcomponents }) => subcomponents?.includes(purl) ?? true)
        .sort((left, right) => left.at - right.at)
        .sort((left, right) => left.time - right.time)
      const last = about.at(-1)
      return last?.status === "fixed" || (last?.status === "not_affected" && !!last.justification)
    })

const whole = FastCheck.record({
  rule: FastCheck.constantFrom<Stated["rule"]>("any", "any", "shop", "none"),
  product: FastCheck.constantFrom(X, X, Y, Z, ...ARTIFACTS.map((each) => each.fingerprint)),
  status: FastCheck.constantFrom<Stated["status"]>("fixed", "fixed", "affected", "not_affected"),
  justification: FastCheck.constantFrom(null, "not there"),
  at: FastCheck.constantFrom(null, 1, 2)
})

const part = FastCheck.tuple(whole, FastCheck.constantFrom(X, Y)).map(([statement, component]) => ({
  ...statement,
  subcomponents: [component]
}))

const statements = FastCheck.array(
  FastCheck.oneof<FastCheck.Arbitrary<Omit<Stated, "vulnerability">>[]>(whole, whole, part),
  { minLength: 1, maxLength: 6 }
)

const ROUNDS = FastCheck.sample(statements, { numRuns: 12, seed: 17 })

onBothStores("mitigated exposures", ({ call }) => {
  let salt = 0
  const submit = async (line: PlainLine) => {
    salt += 1
    const { body, status } = await call("POST /evidence/{org}", {
      raw: fileOf({ ...line, salt: String(salt) }),
      ...(line.kind === "vex" ? { query: "?flow_name=vex&trail_name=vex" } : {})
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
  }
  const report = (flow_name: string, fingerprint: string) =>
    call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name },
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
  const run = (env_name: string, prints: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: prints.map((fingerprint) => ({
          digests: { [`app-${fingerprint.slice(0, 8)}`]: fingerprint },
          creationTimestamp: 1
        }))
      }
    })
  const where = async (query: Record<string, string>): Promise<ReadonlyArray<Exposed>> => {
    const { body, status } = await call("GET /exposure/{org}", {
      query: `?${new URLSearchParams(query)}`
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as { readonly exposures: ReadonlyArray<Exposed> }).exposures
  }
  /** Names components with a vulnerability. */
  const find = (id: string, purls: ReadonlyArray<string>) =>
    submit({
      kind: "scan",
      subjects: [{ sha256: print("scanned") }],
      findings: purls.map((purl) => ({ id, purl, severity: "high" as const }))
    })
  const state = ({ rule, ...statement }: Stated) =>
    submit({ kind: "vex", ...(rule === "none" ? {} : { rule }), statements: [statement] })

  beforeAll(async () => {
    const { status } = await call("PUT /trust-policy/{org}", { body: { trust_yaml: TRUST } })
    assert.strictEqual(status, 201)
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (const { fingerprint, flow, purls } of ARTIFACTS) {
      await report(flow, fingerprint)
      await submit({ subjects: [{ sha256: fingerprint }], purls })
    }
    await run(
      "prod",
      ARTIFACTS.map(({ fingerprint }) => fingerprint)
    )
  })

  it("agrees with the model, whatever is stated about artifacts and components", async () => {
    const answers = new Set<boolean | undefined>()
    for (const [round, stated] of ROUNDS.entries()) {
      const vulnerability = `CVE-2026-${round}`
      await find(vulnerability, [X, Y])
      for (const each of stated) await state({ ...each, vulnerability })
      const known = stated.map((each) => ({ ...each, vulnerability }))
      const exposures = await where({ vulnerability })
      assert.deepStrictEqual(
        exposures.map(({ fingerprint, mitigated }) => [fingerprint, mitigated]),
        exposures.map(({ fingerprint }) => {
          const content = ARTIFACTS.find((each) => each.fingerprint === fingerprint)
          return [fingerprint, content !== undefined && isMitigated(content, known)]
        }),
        JSON.stringify(stated)
      )
      assert.lengthOf(exposures, ARTIFACTS.length)
      for (const { fingerprint, flow_name, mitigated } of exposures) {
        assert.strictEqual(flow_name, flowOf(fingerprint))
        answers.add(mitigated)
      }
    }
    assert.strictEqual(answers.size, 2)
  })

  it("mitigates an artifact with as many asked components as are listed, and none with more", async () => {
    const prints = [100, 101].map((size) => print(`many-${size}`))
    const purls = Array.from({ length: 101 }, (_, at) => `pkg:npm/many@1.${at}.0`)
    const vulnerability = "CVE-2026-100"
    for (const [at, fingerprint] of prints.entries()) {
      await report("shop", fingerprint)
      await submit({ subjects: [{ sha256: fingerprint }], purls: purls.slice(0, 100 + at) })
      await state({ ...FIXED, vulnerability, product: fingerprint })
    }
    await find(vulnerability, purls)
    await run("prod", prints)
    const shown = (await where({ vulnerability })).map(({ components, fingerprint, mitigated }) => [
      prints.indexOf(fingerprint),
      components?.length,
      mitigated
    ])
    assert.deepStrictEqual(shown.sort(), [
      [0, 100, true],
      [1, 100, false]
    ])
  })

  it("is not told for other questions", async () => {
    for (const query of [{ purl: X }, { fingerprint: print("shop-x") }])
      for (const exposure of await where(query)) assert.isFalse("mitigated" in exposure)
  })
})
