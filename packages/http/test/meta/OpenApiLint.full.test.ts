/**
 * The published document under two public linters: Spectral with all its rules, and Redocly with those that it
 * recommends. Nothing is switched off: a finding that stays is listed with its reason, and one more or one less fails.
 */
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { assert, describe, it } from "vitest"
import * as OpenApiDocument from "../../src/meta/OpenApiDocument.js"

interface Kept {
  readonly rule: string
  readonly place: string
  readonly reason: string
}

/** The linter ignores the patterns of parameters: `latest_commit` and `audit_package` are no fingerprints. */
const DISJOINT = "`{fingerprint}` has a pattern, which no literal segment of the other path matches"

/** The schemas are served as they are: no request for them is refused. */
const NOT_REFUSED = "the operation refuses nothing"

const KEPT: ReadonlyArray<Kept> = [
  {
    rule: "contact-properties",
    place: "info/contact",
    reason: "the rule asks for a mailbox; the project has none, and its repository is the place"
  },
  {
    rule: "no-ambiguous-paths",
    place: "/api/v2/artifacts/{org}/{flow_name}/{fingerprint}/latest_commit",
    reason: DISJOINT
  },
  {
    rule: "no-ambiguous-paths",
    place: "/api/v2/artifacts/{org}/{flow_name}/{fingerprint}/audit_package",
    reason: DISJOINT
  },
  {
    rule: "no-ambiguous-paths",
    place: "/api/v2/repos/{org}/live-artifacts/{repo_name}",
    reason: "existing clients send both paths; literal segments win from the left"
  },
  {
    rule: "operation-4xx-response",
    place: "/api/v2/schemas/flow-template/v1/get/responses",
    reason: NOT_REFUSED
  },
  {
    rule: "operation-4xx-response",
    place: "/api/v2/schemas/environment-policy/v1/get/responses",
    reason: NOT_REFUSED
  },
  {
    rule: "operation-4xx-response",
    place: "/api/v2/schemas/environment-policy/v2/get/responses",
    reason: NOT_REFUSED
  },
  {
    rule: "operation-4xx-response",
    place: "/api/v2/schemas/policy-tests/v1/get/responses",
    reason: NOT_REFUSED
  },
  {
    rule: "operation-4xx-response",
    place: "/api/v2/schemas/trust-policy/v1/get/responses",
    reason: NOT_REFUSED
  }
]

const kept = (includes: (rule: string) => boolean): ReadonlyArray<string> =>
  KEPT.filter(({ rule }) => includes(rule))
    .map(({ rule, place }) => `${rule} ${place}`)
    .sort()

const text = JSON.stringify(OpenApiDocument.make())

// WHY a claim: the package of the rules and that of the engine declare the type of a rule set differently.
const OAS = rulesets.oas as unknown as RulesetDefinition

const lint = (document: Record<string, unknown>) => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[OAS, "all"]] })
  return linter.run(document)
}

const placeOf = (pointer: string): string =>
  pointer.replace("#/paths/", "").replaceAll("~1", "/").replaceAll("~0", "~")

describe("the OpenAPI document", () => {
  it("has no finding of Spectral beyond those with a reason", { timeout: 120_000 }, async () => {
    const found = await lint(JSON.parse(text))
    assert.deepStrictEqual(
      found.map(({ code, path }) => `${code} ${path.join("/")}`),
      kept((rule) => rule === "contact-properties")
    )
  })

  it("has no finding of Redocly beyond those with a reason", { timeout: 120_000 }, async () => {
    const config = await createConfig({ extends: ["recommended-strict"] })
    const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(
      found
        .map(({ ruleId, location }) => `${ruleId} ${placeOf(location[0]?.pointer ?? "")}`)
        .sort(),
      kept((rule) => rule !== "contact-properties")
    )
  })

  it("would be found at fault without a description, a contact or a used component", async () => {
    const found = await lint({
      openapi: "3.1.0",
      info: { title: "Faulty", version: "1" },
      paths: { "/faulty": { get: { responses: { 200: { description: "Done" } } } } },
      components: { schemas: { Unused: { type: "string" } } }
    })
    assert.includeMembers(
      found.map(({ code }) => String(code)),
      ["operation-description", "info-contact", "oas3-unused-component"]
    )
  })
})
