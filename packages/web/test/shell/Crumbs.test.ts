/** The way to each page, and the commands of its requests. */
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import { crumbsOf } from "../../app/shell/Crumbs.js"
import { curlLine } from "../../app/shell/CurlLine.js"
import { isIn, PLACES } from "../../app/shell/Places.js"

const wayOf = (path: string) => crumbsOf(Route.parse(path)).map(({ text }) => text)

describe("the way to a page", () => {
  it("names what is above it", () => {
    assert.deepStrictEqual(wayOf("/acme"), ["Overview"])
    assert.deepStrictEqual(wayOf("/acme/environments/prod/snapshots/10"), [
      "Overview",
      "prod",
      "snapshot 10"
    ])
    assert.deepStrictEqual(wayOf("/acme/flows/shop/trails/b1"), ["Flows", "shop", "b1"])
    assert.deepStrictEqual(wayOf("/acme/policies/p/versions/3"), ["Policies", "p", "version 3"])
    assert.deepStrictEqual(wayOf("/acme/controls/C-1/decisions"), ["Controls", "C-1", "Decisions"])
    assert.deepStrictEqual(wayOf("/acme/audit-log/erasures"), ["Audit log", "Erasures"])
    assert.deepStrictEqual(wayOf("/acme/trust-policy"), ["Policies", "Trust policy"])
    assert.deepStrictEqual(wayOf("/acme/evidence/0a1b2c3d"), ["Evidence", "0a1b2c"])
    assert.deepStrictEqual(wayOf("/acme/allow-lists"), ["Policies", "Allowed artifacts"])
    assert.deepStrictEqual(wayOf("/acme/waivers/3"), ["Waivers", "waiver 3"])
    assert.deepStrictEqual(wayOf("/acme/waivers/debt"), ["Waivers", "Debt"])
    assert.deepStrictEqual(wayOf("/acme/proposals/3"), ["Proposals", "proposal 3"])
    assert.deepStrictEqual(wayOf("/acme/protections"), ["Proposals", "Protections"])
    assert.deepStrictEqual(wayOf("/acme/break-glass"), ["Proposals", "Break-glass"])
    assert.deepStrictEqual(wayOf("/acme/spaces"), ["Spaces"])
    assert.deepStrictEqual(wayOf("/acme/spaces/move"), ["Spaces", "Move things"])
    assert.deepStrictEqual(wayOf("/acme/spaces/placement"), ["Spaces", "Placement rules"])
    assert.deepStrictEqual(wayOf("/acme/access/who"), ["Who may"])
    assert.deepStrictEqual(wayOf("/acme/decaying"), ["Overview", "Decays next"])
    assert.deepStrictEqual(wayOf("/nowhere/at/all"), ["Not found"])
  })

  it("exists for every page but the first", () => {
    const names = {
      org: "acme",
      environment: "e",
      expression: "1",
      flow: "f",
      trail: "t",
      fingerprint: "a1"
    }
    const more = {
      type: "t",
      policy: "p",
      version: "1",
      identifier: "i",
      number: "1",
      account: "a",
      repo: "r"
    }
    for (const tag of Route.TAGS.filter((each) => each !== "Home")) {
      const route = Route.parse(
        Route.print({
          _tag: tag,
          params: { ...names, ...more },
          query: []
        } as unknown as Route.Route)
      )
      assert.isNotEmpty(crumbsOf(route), tag)
    }
  })
})

describe("places", () => {
  it("belong to at most one entry of the sidebar", () => {
    const places = PLACES.flat()
    for (const path of [
      "/acme",
      "/acme/environments/e",
      "/acme/flows/f/trails/t",
      "/acme/members",
      "/acme/teams/payments",
      "/acme/decaying",
      "/acme/waivers/inbox",
      "/acme/repos/a/b"
    ]) {
      assert.lengthOf(
        places.filter((place) => isIn(Route.parse(path), place)),
        1,
        path
      )
    }
    assert.isEmpty(places.filter((place) => isIn(Route.parse("/_/preferences"), place)))
  })
})

describe("the command of a request", () => {
  it("has a variable for the key and quotes what a shell would read", () => {
    assert.strictEqual(
      curlLine(
        { method: "GET", path: "/api/v2/environments/acme?page=1&name=a" },
        "https://example.org"
      ),
      `curl -H "Authorization: Bearer $ATTESTRY_API_KEY" 'https://example.org/api/v2/environments/acme?page=1&name=a'`
    )
    assert.include(curlLine({ method: "DELETE", path: "/it's" }, ""), `curl -X DELETE`)
    assert.include(curlLine({ method: "DELETE", path: "/it's" }, ""), `'/it'\\''s'`)
  })
})
