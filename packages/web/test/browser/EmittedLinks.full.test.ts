/**
 * Every address of a page that the server emits opens that page: in answers to reads and writes, in webhooks, chat
 * messages and mails. The operations that are asked are those of the published document.
 */
import * as OpenApiDocument from "@attestry/http/OpenApiDocument"
import * as Route from "@attestry/web/Route"
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

interface Operation {
  readonly operationId: string
  readonly responses: { readonly [status: string]: unknown }
}

interface Document {
  readonly paths: {
    readonly [path: string]: { readonly get?: Operation }
  }
}

/** The values of the path, from the world of flows. */
const VALUES: { readonly [name: string]: string } = {
  org: "acme",
  flow_name: "shop",
  trail_name: TRAILS.shop10,
  fingerprint: PRINTS.shop10,
  sha: TRAILS.shop10,
  value: PRINTS.shop10,
  env_name: "prod",
  snapshot_expression: "-1",
  repo_name: "team/shop"
}

/** The inputs of a read beside its path. */
const QUERIES: { readonly [id: string]: string } = {
  "assertion.assert": "environment_name=prod",
  "attestation.listForCriteria": `commit_list=${TRAILS.shop10}`,
  "graph.get": `root=fingerprint:${PRINTS.shop10}`,
  "snapshot.row": `fingerprint=${PRINTS.shop10}&name=registry.example.org/shop:10`
}

/** Reads whose answers name no page, although their documented type is one that can. */
const WITHOUT_PAGES: ReadonlyArray<string> = ["snapshot.row", "snapshot.rows"]

/** The reads that have every value of their path. */
const reads = Object.entries((OpenApiDocument.make() as unknown as Document).paths).flatMap(
  ([path, { get }]) => {
    const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = ""]) => name)
    if (get === undefined || !names.every((name) => Object.hasOwn(VALUES, name))) return []
    const filled = path.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
      encodeURIComponent(VALUES[name] ?? "")
    )
    const namesPages = JSON.stringify(get.responses["200"] ?? {}).includes("html_url")
    return [{ id: get.operationId, path: filled, query: QUERIES[get.operationId], namesPages }]
  }
)

/** The pages that a text of the server names; addresses of the API are none. */
const pagesIn = (world: World.World, text: string): ReadonlyArray<string> =>
  text
    .replaceAll("&amp;", "&")
    .split(world.url)
    .slice(1)
    .map((rest) => /^[^\s"'<>,|)\\]*/.exec(rest)?.[0] ?? "")
    .filter((path) => path.startsWith("/") && !path.startsWith("/api/"))

/** Collects pages by their origin. */
const makePages = () => {
  const sources = new Map<string, Set<string>>()
  return {
    add: (source: string, pages: ReadonlyArray<string>) => {
      for (const page of pages) sources.set(page, (sources.get(page) ?? new Set()).add(source))
    },
    all: () => [...sources].map(([path, from]) => ({ path, from: [...from] })),
    sources: () => new Set([...sources.values()].flatMap((each) => [...each]))
  }
}

/** The same world, whose writes return their answers; the pages that they name are collected. */
const preferring = (world: World.World, add: (source: string, text: string) => void) => ({
  ...world,
  call: async (operation: string, body?: unknown) => {
    const [method = "GET", path = ""] = operation.split(" ")
    const response = await fetch(`${world.url}/api/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${world.keys.admin}`,
        "content-type": "application/json",
        prefer: "return=representation"
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${text}`)
    add(`${method} ${path.split("/").slice(1, 2)}`, text)
    return JSON.parse(text)
  }
})

const SUBSCRIBED = {
  triggers: ["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION"],
  targets: [{ type: "WEBHOOK", webhook: "https://hooks.example.org/a" }]
}

/** Subscribes to everything, before anything happens. */
const subscribe = async (world: World.World): Promise<void> => {
  for (const name of ["shop", "audit"])
    await world.call("PUT /flows/acme/template_file", { name, description: "" })
  for (const name of ["prod", "test"])
    await world.call("PUT /environments/acme", { name, type: "docker" })
  await world.call("PUT /actions/acme/flows", {
    name: "builds",
    type: "flow",
    flows: ["shop", "audit"],
    ...SUBSCRIBED
  })
  await world.call("PUT /organizations/acme/environments_notifications", {
    name: "changes",
    type: "env",
    environments: ["prod", "test"],
    targets: SUBSCRIBED.targets,
    triggers: [
      "ON_STARTED_ARTIFACT",
      "ON_EXITED_ARTIFACT",
      "ON_NON_COMPLIANT_ENV",
      "ON_COMPLIANT_ENV",
      "ON_ALLOWED_ARTIFACT"
    ]
  })
}

inBrowser("pages that the server names", ({ visit }) => {
  let world: World.World
  const pages = makePages()
  beforeAll(async () => {
    world = await World.start()
    const add = (source: string, text: string) => pages.add(source, pagesIn(world, text))
    const seeded = preferring(world, add)
    await subscribe(seeded)
    await seedFlows(seeded)
    for (const text of await world.takeDeliveries()) add("notification", text)
    for (const { id, path, query } of reads) {
      const response = await fetch(`${world.url}${path}${query === undefined ? "" : `?${query}`}`, {
        headers: { authorization: `Bearer ${world.keys.admin}` }
      })
      add(id, await response.text())
    }
  })
  afterAll(() => world?.stop())

  it("are named by every read that has them, by writes and by notifications", () => {
    const sources = pages.sources()
    const silent = reads.filter(
      ({ id, namesPages }) => namesPages && !WITHOUT_PAGES.includes(id) && !sources.has(id)
    )
    assert.deepStrictEqual(
      silent.map(({ id }) => id),
      []
    )
    assert.includeMembers(
      [...sources],
      ["notification", "PUT flows", "PUT trails", "POST attestations", "PUT environments"]
    )
    const tags = new Set(pages.all().map(({ path }) => Route.parse(path)._tag))
    assert.sameMembers(
      [...tags],
      ["Artifact", "Environment", "Flow", "FlowArtifact", "Policy", "Search", "Snapshot", "Trail"]
    )
  })

  it("open, all of them", () =>
    visit(world, async ({ page, go, settled, signIn }) => {
      await signIn(world.keys.admin)
      const faults: Array<string> = []
      const loaded = new Set<string>()
      for (const { path, from } of pages.all()) {
        const { status } = await fetch(`${world.url}${path}`)
        const tag = Route.parse(path)._tag
        // WHY: one page of each kind is loaded as from a mail; the others are gone to, which is quicker.
        if (loaded.has(tag)) await go(path)
        else await page.goto(`${world.url}${path}`)
        loaded.add(tag)
        await settled()
        const [notes, title] = await Promise.all([
          page.locator(".note-problem").count(),
          page.locator("main h1").textContent()
        ])
        if (status !== 200 || notes > 0 || /not found/i.test(title ?? ""))
          faults.push(`${path} (${from.join(", ")}): ${status} ${title}`)
      }
      assert.deepStrictEqual(faults, [])
    }))
})
