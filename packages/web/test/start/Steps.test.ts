/** The first steps: what is done, what comes next, and the commands. */
import { assert, describe, it } from "vitest"
import type { Environment } from "../../app/shared/Contract.js"
import { commandsOf, KNOWN_BUILDS, preparing } from "../../app/start/Commands.js"
import { type Facts, nextOf, resultOf, STEPS, stepsOf } from "../../app/start/Steps.js"
import { environmentOf } from "../fixture/Environments.js"

const environment = (name: string, more: Partial<Environment> = {}): Environment =>
  environmentOf(name, { latest_snapshot: null, ...more })

const latest = {
  index: 2,
  timestamp: 1,
  verdict: "Compliant",
  counts: { true: 1, false: 0, null: 0 },
  verdict_since: 1
} as const

const empty: Facts = { flow: undefined, trail: undefined, artifact: undefined, environments: [] }
const artifact = { filename: "shop:1.0", fingerprint: "df93dc".padEnd(64, "0") }

describe("the first steps", () => {
  it("come one after the other", () => {
    const facts: ReadonlyArray<Facts> = [
      empty,
      { ...empty, flow: "shop" },
      { ...empty, flow: "shop", trail: "build-1", artifact },
      { ...empty, flow: "shop", artifact, environments: [environment("production")] },
      {
        ...empty,
        flow: "shop",
        artifact,
        environments: [environment("production", { latest_snapshot: latest })]
      }
    ]
    assert.deepStrictEqual(
      facts.map((each) => nextOf(stepsOf(each))),
      [...STEPS]
    )
    assert.strictEqual(stepsOf(facts[2] ?? empty)[1]?.done, "build-1 · shop:1.0 · df93dc")
  })

  it("end with an evaluated snapshot of the environment that is furthest", () => {
    const facts: Facts = {
      flow: "shop",
      trail: "build-1",
      artifact,
      environments: [
        environment("a", { latest_snapshot: latest }),
        environment("b", { latest_snapshot: latest, policies: ["known-builds"] }),
        environment("all", { type: "logical", latest_snapshot: latest, policies: ["x"] })
      ]
    }
    assert.isUndefined(nextOf(stepsOf(facts)))
    assert.deepStrictEqual(resultOf(facts), { environment: "b", index: 2, verdict: "compliant" })
    assert.isUndefined(resultOf({ ...facts, environments: facts.environments.slice(0, 1) }))
  })

  it("have commands of the program, which make nothing up and hold no key", () => {
    const place = {
      origin: "https://attestry.example.org/base",
      org: "acme",
      flow: "it's",
      environment: "a b",
      kind: "docker"
    }
    const all = STEPS.flatMap((step) => commandsOf(step, place))
    for (const command of all) {
      assert.match(command, /^attestry /)
      assert.notMatch(command, /curl|[0-9]{10}|[0-9a-f]{40}/)
    }
    const [, prepared = ""] = preparing(place)
    assert.include(prepared, "ATTESTRY_URL=https://attestry.example.org/base ATTESTRY_ORG=acme")
    assert.include(commandsOf("flow", place)[0], `put flow 'it'\\''s'`)
    assert.deepStrictEqual(commandsOf("report", place), ["attestry report docker 'a b'"])
    assert.deepStrictEqual(commandsOf("report", { ...place, kind: "K8S" }), [
      "attestry report kubernetes 'a b'"
    ])
    assert.lengthOf(commandsOf("report", { ...place, kind: "functions" }), 0)
    assert.include(commandsOf("policy", place)[0], `put policy ${KNOWN_BUILDS.name}`)
  })
})
