/** The route table against a simple model: every pattern is tried, and the one with most fixed segments wins. */
import { Api } from "@attestry/api/Api"
import { isPlaced, permissions } from "@attestry/core/Permission"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"

const routes = RouteTable.routesOf(Api)
const match = RouteTable.make(routes)

describe("permissions", () => {
  it("are of the whole org alone where no operation asks for them at a place", () => {
    const placed = new Set(
      routes.filter(({ place }) => place !== "root").map(({ rule }) => rule.access)
    )
    const narrowed = [
      "environment.delete",
      "allow-list.write",
      "decision.write",
      "proposal.approve"
    ]
    for (const permission of permissions)
      if (!narrowed.includes(permission))
        assert.strictEqual(isPlaced(permission), placed.has(permission), permission)
  })
})

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").slice(1)

/** A segment of a pattern: a fixed text, an id of a repository, a parameter, or one for the rest of the path. */
const rankOf = (segment: string): number => {
  if (segment === ":repo_name" || segment === ":tile_path") return 3
  if (segment === ":repo") return 1
  return segment.startsWith(":") ? 2 : 0
}

const REPO_ID = "0b0c4d5a-cc1f-4725-8f97-af256289"

/** The parameters of a path under a pattern; undefined when it does not match. */
const fit = (
  pattern: ReadonlyArray<string>,
  path: ReadonlyArray<string>
): { readonly [name: string]: string } | undefined => {
  const [expected, ...others] = pattern
  const [segment, ...rest] = path
  if (expected === undefined) return segment === undefined ? {} : undefined
  if (segment === undefined) return undefined
  if (rankOf(expected) === 0) return expected === segment ? fit(others, rest) : undefined
  if (segment === "") return undefined
  if (rankOf(expected) === 1 && segment !== REPO_ID) return undefined
  if (rankOf(expected) === 3) return { [expected.slice(1)]: path.join("/") }
  const found = fit(others, rest)
  return found && { [expected.slice(1)]: segment, ...found }
}

const byFixed = (left: RouteTable.Route, right: RouteTable.Route): number => {
  const [one, other] = [segmentsOf(left.path).map(rankOf), segmentsOf(right.path).map(rankOf)]
  const differing = one.findIndex((rank, index) => rank !== other[index])
  return (one[differing] ?? 0) - (other[differing] ?? 0)
}

/** The result of the model for a path without percent signs. */
const model = (method: string, path: string): RouteTable.Match => {
  const fitting = routes
    .flatMap((route) => {
      const params = fit(segmentsOf(route.path), segmentsOf(path))
      return params === undefined ? [] : [{ route, params }]
    })
    .sort((left, right) => byFixed(left.route, right.route))
  if (fitting.length === 0) return { _tag: "NoSuchPath" }
  const meant = method === "HEAD" ? "GET" : method
  const found = fitting.find(({ route }) => route.method === meant)
  return found === undefined
    ? {
        _tag: "WrongMethod",
        allowed: [
          ...new Set(
            fitting.flatMap(({ route }) =>
              route.method === "GET" ? ["GET", "HEAD"] : [route.method]
            )
          )
        ].sort()
      }
    : { _tag: "Found", ...found }
}

/** Words of all patterns, and others. */
const words = [...new Set(routes.flatMap(({ path }) => segmentsOf(path)))].filter(
  (word) => !word.startsWith(":")
)
const segment = FastCheck.oneof(
  FastCheck.constantFrom("acme", "build", "", "a b", REPO_ID, ...words),
  FastCheck.constantFrom(...words)
)

/** A path of a pattern with a word for each parameter, possibly with more or fewer segments. */
const path = FastCheck.tuple(
  FastCheck.constantFrom(...routes),
  FastCheck.array(segment, { minLength: 12, maxLength: 12 }),
  FastCheck.constantFrom("", "", "", "/", "/more", "/more/of/it")
).map(([route, texts, more]) => {
  const filled = segmentsOf(route.path).map((part, index) =>
    part.startsWith(":") ? (part === ":repo" ? REPO_ID : (texts[index] ?? "")) : part
  )
  return `/${filled.join("/")}${more}`
})

const method = FastCheck.constantFrom("GET", "HEAD", "PUT", "POST", "PATCH", "DELETE")

/** The operations that give access, decide for others, or weaken what guards. SPEC §5.5 */
const SENSITIVE = [
  "apiKey.create",
  "apiKey.rotate",
  "breakGlass.open",
  "breakGlass.review",
  "grant.end",
  "grant.put",
  "invitation.create",
  "membership.put",
  "membership.restore",
  "personalKey.create",
  "placementRule.put",
  "proposal.approve",
  "proposal.reject",
  "protection.put",
  "serviceAccount.create",
  "serviceAccount.update",
  "signIn.put",
  "space.change",
  "space.move",
  "team.addMember",
  "team.delete",
  "team.put",
  "team.removeMember",
  "waiver.approve",
  "waiver.putSettings",
  "workloadIdentity.putRules"
]

describe("RouteTable", () => {
  it("knows which operations need a recent sign-in where an org wants one", () => {
    const found = routes.filter(({ rule }) => rule.isSensitive)
    assert.deepStrictEqual(found.map(({ group, name }) => `${group}.${name}`).sort(), SENSITIVE)
  })

  it.prop(
    "finds what the model finds",
    { method, path },
    ({ method, path }) => assert.deepStrictEqual(match(method, path), model(method, path)),
    { fastCheck: { numRuns: 5_000 } }
  )

  it("tells the operations of a repository from repositories whose names end alike", () => {
    const named = (path: string) => {
      const found = match("GET", `/api/v2/repos/acme/${path}`)
      return found._tag === "Found" ? [found.route.name, found.params.repo_name] : [found._tag]
    }
    assert.deepStrictEqual(named("tags"), ["tags", undefined])
    assert.deepStrictEqual(named("tags/x"), ["get", "tags/x"])
    assert.deepStrictEqual(named("filter-options"), ["filterOptions", undefined])
    assert.deepStrictEqual(named("live-artifacts"), ["get", "live-artifacts"])
    assert.deepStrictEqual(named("live-artifacts/a/b"), ["liveArtifacts", "a/b"])
    assert.deepStrictEqual(named("a/deployments"), ["get", "a/deployments"])
    assert.deepStrictEqual(named(`${REPO_ID}/deployments`), ["listByRepo", undefined])
    assert.deepStrictEqual(named(`${REPO_ID}/other`), ["get", `${REPO_ID}/other`])
    assert.deepStrictEqual(named(`${REPO_ID}/deployments/x`), ["get", `${REPO_ID}/deployments/x`])
  })

  it("decodes parameters, and refuses texts that are not percent-encoded UTF-8", () => {
    const found = match("GET", "/api/v2/flows/acme/a%20b")
    assert.deepStrictEqual(found._tag === "Found" && found.params, {
      org: "acme",
      flow_name: "a b"
    })
    assert.strictEqual(match("GET", "/api/v2/flows/acme/%ff")._tag, "MalformedPath")
  })
})
