/**
 * The table of URLs: printing and parsing give the same route, and every link that the server sends leads to a page.
 */

import { ENVIRONMENT_NAME_PATTERN, FLOW_NAME_PATTERN, OrgName } from "@attestry/core/Identifier"
import * as Route from "@attestry/web/Route"
import { FastCheck as fc, Schema } from "effect"
import { assert, describe, it } from "vitest"
import * as Links from "../../http/src/shared/internal/Links.js"
import * as NotificationLinks from "../../notifier/src/notification/internal/NotificationLinks.js"

const BASES = ["", "/attestry", "/a/b%20c"]

const org = fc
  .stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9-]{0,10}$/)
  .filter((name) => Schema.is(OrgName)(name))
const flow = fc.stringMatching(new RegExp(FLOW_NAME_PATTERN))
const environment = fc.stringMatching(new RegExp(ENVIRONMENT_NAME_PATTERN))
const fingerprint = fc.stringMatching(/^[a-f0-9]{64}$/)
const id = fc.uuid()

const segment = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    flow,
    fc.constantFrom("a/b", "?", "#", "%2e", " ", "_new")
  )
  .filter((text) => text !== "." && text !== ".." && !/\p{Surrogate}/u.test(text))

const valueFor = (name: string): fc.Arbitrary<string> => {
  if (name === "org") return org
  if (name === "policy") return segment.filter((text) => !text.startsWith("_"))
  if (name === "number" || name === "version")
    return fc.integer({ min: 1, max: 999_999_999 }).map(String)
  return segment
}

/** WHY by probing: the names of parameters are types, and printing shows which are required. */
const NAMES = [
  "org",
  "environment",
  "expression",
  "flow",
  "trail",
  "fingerprint",
  "digest",
  "type",
  "policy",
  "version",
  "identifier",
  "number",
  "account",
  "team",
  "repo",
  "purl"
]

const namesOf = (tag: Route.Tag): ReadonlyArray<string> => {
  const marks = Object.fromEntries(NAMES.map((name) => [name, `mark-${name}`]))
  const printed = Route.print({ _tag: tag, params: marks, query: [] } as unknown as Route.Route)
  return NAMES.filter((name) => printed.split("/").includes(`mark-${name}`))
}

const query = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })))

const route: fc.Arbitrary<Route.Route> = fc.constantFrom(...Route.TAGS).chain((_tag) =>
  fc.record({
    _tag: fc.constant(_tag),
    params: fc.record(Object.fromEntries(namesOf(_tag).map((name) => [name, valueFor(name)]))),
    query
  })
) as fc.Arbitrary<unknown> as fc.Arbitrary<Route.Route>

/** A value without prototypes, as the property tester makes objects without one. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("routes", () => {
  it("parse to what was printed, below every base", () => {
    fc.assert(
      fc.property(route, fc.constantFrom(...BASES), (each, base) => {
        assert.deepStrictEqual(plain(Route.parse(Route.print(each, base), base)), plain(each))
      }),
      { numRuns: 2_000 }
    )
  })

  it("survive what a browser does to an address", () => {
    fc.assert(
      fc.property(route, (each) => {
        const { pathname, search } = new URL(Route.print(each), "https://attestry.example.com")
        assert.deepStrictEqual(plain(Route.parse(pathname + search)), plain(each))
      }),
      { numRuns: 1_000 }
    )
  })

  it("are found for any text without failing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const parsed = Route.parse(text)
        Route.print(parsed)
      })
    )
    assert.strictEqual(
      Route.print(Route.make("Flow", { org: "a", flow: "\ud800" })),
      "/a/flows/%EF%BF%BD"
    )
  })
})

describe("links of the server", () => {
  const leads = (base: string, link: string): Route.Route => {
    const { pathname, search } = new URL(link)
    return Route.parse(pathname + search, base)
  }
  const publicUrl = fc
    .constantFrom(...BASES)
    .map((base) => [base, `https://attestry.example.com${base}`] as const)

  it("in answers lead to their pages", () => {
    fc.assert(
      fc.property(
        fc.record({
          org,
          flow,
          trail: flow,
          environment,
          fingerprint,
          id,
          index: fc.integer({ min: 1 })
        }),
        publicUrl,
        (at, [base, url]) => {
          assert.strictEqual(leads(base, Links.flowPage(url, at))._tag, "Flow")
          assert.strictEqual(leads(base, Links.trailPage(url, at))._tag, "Trail")
          const attestation = leads(base, Links.trailPage(url, at, at.id))
          assert.strictEqual(Route.parameter(attestation, "attestation_id"), at.id)
          const artifact = leads(base, Links.artifactPage(url, at, at.id))
          assert.strictEqual(artifact._tag, "FlowArtifact")
          assert.strictEqual(Route.parameter(artifact, "artifact_id"), at.id)
          assert.strictEqual(leads(base, Links.contentPage(url, at))._tag, "Artifact")
          const found = leads(base, Links.searchPage(url, { org: at.org, text: at.id }))
          assert.deepStrictEqual([found._tag, Route.parameter(found, "q")], ["Search", at.id])
          for (const [list, tag] of [
            ["environments", "Environment"],
            ["policies", "Policy"],
            ["controls", "Control"]
          ] as const)
            assert.strictEqual(
              leads(base, Links.namedPage(url, { org: at.org, list, name: at.flow }))._tag,
              tag
            )
          const snapshot = leads(base, Links.snapshotPage(url, at))
          assert.deepStrictEqual(plain(snapshot), {
            _tag: "Snapshot",
            params: { org: at.org, environment: at.environment, expression: String(at.index) },
            query: []
          })
        }
      )
    )
  })

  it("in notifications lead to their pages", () => {
    fc.assert(
      fc.property(
        fc.record({
          org,
          flow,
          trail: flow,
          environment,
          fingerprint,
          id,
          index: fc.integer({ min: 1 })
        }),
        publicUrl,
        (at, [base, url]) => {
          const trail = NotificationLinks.trail(url, at).html_url
          const links = [
            NotificationLinks.snapshot(url, at, { index: at.index } as never).html_url,
            NotificationLinks.artifact(url, at, { flow: at.flow } as never).html_url,
            trail,
            NotificationLinks.attestationPage(trail, at.id)
          ]
          assert.deepStrictEqual(
            links.map((link) => leads(base, link)._tag),
            ["Snapshot", "FlowArtifact", "Trail", "Trail"]
          )
        }
      )
    )
  })
})

describe("paths", () => {
  const tagOf = (url: string, base = "") => Route.parse(url, base)._tag

  it("lead to the page of their shape", () => {
    const table: ReadonlyArray<readonly [string, string]> = [
      ["/", "Home"],
      ["/_/sign-in?next=%2Facme", "SignIn"],
      ["/_/signed-in?next=%2Facme", "SignedIn"],
      ["/_/invitation#attestry_invitation_x", "Invitation"],
      ["/acme", "Overview"],
      ["/acme/", "Overview"],
      ["/acme/environments/prod/snapshots/@%7B2026-11-16T03:00:00%7D", "Snapshot"],
      ["/acme/policies/_new", "NewPolicy"],
      ["/acme/policies/known-builds", "Policy"],
      ["/acme/notifications/failed", "FailedDeliveries"],
      ["/acme/notifications/12", "Notification"],
      ["/acme/audit-log/memberships", "MembershipHistory"],
      ["/acme/sign-in", "SignInSettings"],
      ["/acme/repos/group/sub/name", "Repo"]
    ]
    for (const [url, tag] of table) assert.strictEqual(tagOf(url), tag, url)
  })

  it("lead nowhere when no page has their shape", () => {
    const nowhere = [
      "",
      "acme",
      "//evil.example.org",
      "/\\evil.example.org",
      "https://evil.example.org/acme",
      "javascript:alert(1)",
      "/api",
      "/live",
      "/session",
      "/_/",
      "/-acme",
      "/acme/unknown",
      "/acme/policies/_other",
      "/acme/notifications/0",
      "/acme//flows",
      "/acme/flows/..",
      "/acme/flows/%",
      "/acme/flows/%ff"
    ]
    for (const url of nowhere) assert.strictEqual(tagOf(url), "NotFound", url)
  })

  it("lead nowhere outside of the base", () => {
    assert.strictEqual(tagOf("/attestry", "/attestry"), "Home")
    assert.strictEqual(tagOf("/attestry/acme", "/attestry"), "Overview")
    assert.strictEqual(tagOf("/attestry-2/acme", "/attestry"), "NotFound")
    assert.strictEqual(tagOf("/acme", "/attestry"), "NotFound")
  })

  it("refuse exactly the orgs that cannot be", () => {
    fc.assert(
      fc.property(
        fc.oneof(org, segment, fc.constantFrom("api", "default-org", "a".repeat(65))),
        (name) => {
          const isRoute = tagOf(`/${encodeURIComponent(name)}`) === "Overview"
          assert.strictEqual(isRoute, Schema.is(OrgName)(name))
        }
      )
    )
  })
})

describe("queries", () => {
  it("keep unknown values and replace known ones", () => {
    const parsed = Route.parse("/acme?x=1&q=a&q=b")
    const changed = Route.withQuery(parsed, { q: "c", verdict: undefined })
    assert.strictEqual(Route.print(changed), "/acme?x=1&q=c")
    assert.strictEqual(Route.print(Route.withQuery(changed, { q: undefined })), "/acme?x=1")
    assert.strictEqual(Route.parameter(parsed, "q"), "a")
    assert.strictEqual(Route.parameter(parsed, "constructor"), undefined)
  })
})
