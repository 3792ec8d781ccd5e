/** The worker of policies decides as the server does. Scenario 13; and Trusted Types let no other worker run. */
import * as FastCheck from "effect/FastCheck"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as SiteFiles from "../../src/node/SiteFiles.js"
import { fingerprint } from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

const ARTIFACTS = 20
const POLICIES = lengthForRun({ quick: 4, full: 10, deep: 10 })

const TYPES = ["generic", "decision", "*"] as const
const NAMES = ["unit", "scan", "review", "*"] as const
const CONDITIONS = [
  'flow.name == "one"',
  'flow.tags.risk == "high"',
  "exists(flow.tags.risk)",
  'matches(artifact.name, "^image-1")',
  'artifact.name in ["image-3", "image-4"]',
  "not exists(flow)"
] as const

const condition = FastCheck.option(FastCheck.constantFrom(...CONDITIONS), { nil: undefined })
const rule = FastCheck.record({
  type: FastCheck.constantFrom(...TYPES),
  name: FastCheck.constantFrom(...NAMES),
  condition,
  must: FastCheck.boolean()
}).filter(({ name, type }) => !(name === "*" && type === "*"))

const policy = FastCheck.record({
  provenance: FastCheck.boolean(),
  trail: FastCheck.boolean(),
  exception: condition,
  rules: FastCheck.array(rule, { maxLength: 4 })
})

const requirement = (key: string, required: boolean, exception: string | undefined) => [
  `  ${key}:`,
  `    required: ${required}`,
  ...(exception === undefined
    ? []
    : ["    exceptions:", `      - if: ${JSON.stringify({ text: exception })}`])
]

const textOf = ({
  exception,
  provenance,
  rules,
  trail
}: typeof policy extends FastCheck.Arbitrary<infer P> ? P : never): string =>
  [
    "_schema: https://attestry.example.com/schemas/environment-policy/v1",
    "artifacts:",
    ...requirement("provenance", provenance, exception),
    ...requirement("trail-compliance", trail, exception),
    ...(rules.length === 0 ? [] : ["  attestations:"]),
    ...rules.map(
      ({ condition: only, must, name, type }) =>
        `    - ${JSON.stringify({
          type,
          name,
          must_be_compliant: must,
          ...(only === undefined ? {} : { if: { text: only } })
        })}`
    ),
    ""
  ].join("\n")

const evidence = FastCheck.record({
  flows: FastCheck.subarray(["one", "two"], { minLength: 1 }),
  attested: FastCheck.array(
    FastCheck.record({
      name: FastCheck.constantFrom("unit", "scan", "review"),
      ok: FastCheck.boolean(),
      isBound: FastCheck.boolean()
    }),
    { maxLength: 4 }
  )
})

const fill = async (world: World.World, texts: ReadonlyArray<string>): Promise<void> => {
  for (const name of ["one", "two"]) await world.call("PUT /flows/acme", { name, description: "" })
  const one = (await world.call("GET /flows/acme/one")) as { id?: string; name: string }
  await world.call(`PATCH /tags/acme/flow/${one.name}`, { set_tags: { risk: "high" } })
  const samples = FastCheck.sample(evidence, { numRuns: ARTIFACTS, seed: 7 })
  for (const [index, { attested, flows }] of samples.entries())
    for (const flow of flows) {
      const trail = `t-${index}`
      const about = { artifact_fingerprint: fingerprint(index) }
      await world.call(`POST /artifacts/acme/${flow}`, {
        fingerprint: fingerprint(index),
        filename: `image-${index}`,
        git_commit: "c".repeat(40),
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        trail_name: trail,
        template_reference_name: "app"
      })
      for (const { isBound, name, ok } of attested)
        await world.call(`POST /attestations/acme/${flow}/trail/${trail}/generic`, {
          attestation_name: name,
          is_compliant: ok,
          ...(isBound ? about : {})
        })
    }
  for (const [index, policy_yaml] of texts.entries())
    await world.call(`PUT /policies/acme/p-${index}`, { policy_yaml })
}

interface Decided {
  readonly status: string
  readonly rules: ReadonlyArray<readonly [boolean | null, ReadonlyArray<string>]>
}

/** The server's decision about an artifact by a policy. */
const asserted = async (world: World.World, artifact: number, index: number): Promise<Decided> => {
  const { policy_evaluations } = (await world.call(
    `GET /asserts/acme/fingerprint/${fingerprint(artifact)}?policy_name=p-${index}`
  )) as {
    policy_evaluations: ReadonlyArray<{
      status: string
      rule_evaluations: ReadonlyArray<{
        satisfied: boolean | null
        resolutions: ReadonlyArray<{ type: string }>
      }>
    }>
  }
  const [decision] = policy_evaluations
  assert(decision !== undefined)
  return {
    status: decision.status,
    rules: decision.rule_evaluations.map(({ resolutions, satisfied }) => [
      satisfied,
      resolutions.map(({ type }) => type)
    ])
  }
}

/** The worker's decision in a page, by the messages of the editor. */
const evaluated = (page: Page, worker: string, asked: ReadonlyArray<object>) =>
  page.evaluate(
    ([address, questions]) =>
      new Promise<ReadonlyArray<unknown>>((resolve) => {
        const global = globalThis as unknown as {
          trustedTypes: {
            createPolicy: (
              name: string,
              rules: object
            ) => { createScriptURL: (url: string) => string }
          }
        }
        const policy = global.trustedTypes.createPolicy("attestry", {
          createScriptURL: (url: string) => url
        })
        const made = new Worker(policy.createScriptURL(address), { type: "module" })
        const answers: Array<unknown> = []
        made.onmessage = ({ data }) => {
          answers[data.id] = data.answer ?? data.failure
          if (Object.keys(answers).length === questions.length) resolve(answers)
        }
        for (const [id, question] of questions.entries()) made.postMessage({ id, ...question })
      }),
    [worker, asked] as const
  )

interface Answer {
  readonly rules: ReadonlyArray<{
    readonly holds: boolean | null
    readonly places: ReadonlyArray<{ readonly result: string }>
  }>
}

inBrowser("the worker of policies", ({ visit }) => {
  let world: World.World
  const texts = FastCheck.sample(policy, { numRuns: POLICIES, seed: 11 }).map(textOf)
  beforeAll(async () => {
    world = await World.start()
    await fill(world, texts)
  })
  afterAll(() => world?.stop())

  it("decides as the server does, about every artifact by every policy", () =>
    visit(world, async ({ page, open }) => {
      const pairs = texts.flatMap((draft, index) =>
        Array.from({ length: ARTIFACTS }, (_, artifact) => ({ draft, index, artifact }))
      )
      const facts = await Promise.all(
        Array.from({ length: ARTIFACTS }, (_, artifact) =>
          world.call(`GET /facts/acme/${fingerprint(artifact)}`)
        )
      )
      const worker = [...SiteFiles.load().assets.keys()].find((name) => /policy\.worker/.test(name))
      await open("/_/sign-in")
      await page.getByLabel("API key").waitFor()
      const answers = await evaluated(
        page,
        worker ?? "",
        pairs.map(({ artifact, draft, index }) => ({
          kind: "explain",
          name: `p-${index}`,
          draft,
          facts: facts[artifact]
        }))
      )
      let failing = 0
      for (const [at, { artifact, index }] of pairs.entries()) {
        const expected = await asserted(world, artifact, index)
        // WHY: the worker answers so; a failure is a text, and fails here.
        const { rules } = answers[at] as Answer
        assert.deepStrictEqual<Decided["rules"]>(
          rules.map(({ holds, places }) => [holds, places.map(({ result }) => result)]),
          expected.rules,
          `${texts[index]} ${JSON.stringify(facts[artifact])}`
        )
        if (expected.status !== "COMPLIANT") failing += 1
      }
      assert.isAbove(failing, 20)
      assert.isBelow(failing, pairs.length - 20)
    }))

  it("is the only worker that the editor can start", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/policies/p-0/edit")
        await page.getByText("version 1, unchanged").waitFor()
        const refused = await page.evaluate(() => {
          try {
            return String(new Worker("/api/v2/doc/"))
          } catch (error) {
            return (error as Error).name
          }
        })
        assert.strictEqual(refused, "TypeError")
      },
      { messages: ["requires 'TrustedScriptURL' assignment"] }
    ))
})
