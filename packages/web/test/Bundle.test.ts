/**
 * The files that browsers load: sizes within their limits, no Effect, and no class without a style or style without a
 * class.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "..")
const site = join(root, "dist/site")

interface Entry {
  readonly name: string
  readonly gzipSize: number
}

const list: {
  readonly shell: Entry
  readonly assets: ReadonlyArray<Entry>
  readonly firstLoad: ReadonlyArray<string>
  readonly preloads: { readonly [route: string]: ReadonlyArray<string> }
} = JSON.parse(readFileSync(join(site, "files.json"), "utf8"))

const FIRST_LOAD_MAX = 60_000
const REQUESTS_MAX = 6
const SCRIPTS_MAX = 6
const PAGE_MAX = 15_000
const STYLE_MAX = 10_000
/** Loaded with the editor of policies, or when something is to be proved, and nowhere else. */
const LARGE: ReadonlyArray<readonly [name: RegExp, limit: number]> = [
  [/\/Editor-[A-Z0-9]+\.js$/, 145_000],
  [/\/policy\.worker-[A-Z0-9]+\.js$/, 200_000],
  [/\/proof\.worker-[A-Z0-9]+\.js$/, 40_000]
]

/** The libraries of pages; those of the editor are in its own file. */
const BUNDLED = [
  "preact",
  "@preact/signals",
  "@preact/signals-core",
  "lucide",
  "@codemirror",
  "@lezer",
  "@marijn/find-cluster-break",
  "crelt",
  "style-mod",
  "w3c-keyname"
]

const sizeOf = (name: string) => list.assets.find((asset) => asset.name === name)?.gzipSize ?? 0
const overview = list.assets.find(({ name }) => /OverviewPage-/.test(name))?.name ?? ""

describe("the bundle", () => {
  it("loads the overview in few bytes and few requests", () => {
    const names = [...list.firstLoad, overview]
    const total = names.reduce((sum, name) => sum + sizeOf(name), list.shell.gzipSize)
    console.log(`overview: ${(total / 1_000).toFixed(1)} kB gzipped, ${names.length + 1} requests`)
    assert.isAtMost(total, FIRST_LOAD_MAX)
    assert.isAtMost(names.length + 1, REQUESTS_MAX)
  })

  it("is few scripts for every page, which the shell of its route names", () => {
    const scripts = list.firstLoad.filter((name) => name.endsWith(".js"))
    const routes = Object.entries(list.preloads)
    assert.isAbove(routes.length, 40)
    for (const [route, names] of routes) {
      assert.isAtLeast(names.length, 1, route)
      assert.isAtMost(scripts.length + names.length, SCRIPTS_MAX, route)
    }
    assert.deepStrictEqual(list.preloads.Overview, [overview])
  })

  it("has small pages and one small stylesheet", () => {
    for (const { name, gzipSize } of list.assets) {
      const limit = name.endsWith(".css")
        ? STYLE_MAX
        : list.firstLoad.includes(name)
          ? FIRST_LOAD_MAX
          : (LARGE.find(([pattern]) => pattern.test(name))?.[1] ?? PAGE_MAX)
      assert.isAtMost(gzipSize, limit, name)
    }
    assert.lengthOf(
      list.assets.filter(({ name }) => name.endsWith(".css")),
      1
    )
  })

  it("has nothing of Effect or of Node in it outside of the workers", () => {
    const { pageInputs } = JSON.parse(readFileSync(join(root, "dist/site-inputs.json"), "utf8"))
    const foreign = (pageInputs as ReadonlyArray<string>)
      .flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
      .filter((name) => !BUNDLED.some((known) => name === known || name.startsWith(`${known}/`)))
    assert.deepStrictEqual([...new Set(foreign)], [])
  })
})

const under = (folder: string, ending: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(root, folder, name), "utf8"))
    .join("\n")

describe("classes", () => {
  const styled = new Set(
    [...under("app/style", ".css").matchAll(/\.([a-z][a-z0-9-]*)/g)].flatMap(
      ([, name]) => name ?? []
    )
  )
  const source = under("app", ".tsx")

  it("of elements have a style", () => {
    const used = [...source.matchAll(/class="([^"]+)"/g)].flatMap(([, names]) =>
      (names ?? "").split(" ")
    )
    assert.deepStrictEqual(
      [...new Set(used)].filter((name) => !styled.has(name)),
      []
    )
  })

  it("of a page have their rule in one file", () => {
    const places = readdirSync(join(root, "app/style"))
      .filter((file) => file !== "print.css")
      .flatMap((file) =>
        [
          ...readFileSync(join(root, "app/style", file), "utf8").matchAll(/^\.([a-z0-9-]+) \{$/gm)
        ].map(([, name]) => ({ file, name }))
      )
    const twice = places.filter(({ file, name }) =>
      places.some((other) => other.name === name && other.file !== file)
    )
    assert.deepStrictEqual(twice, [])
  })

  it("of the stylesheet are used", () => {
    const isUsed = (name: string) =>
      source.includes(name) ||
      /^(cell|count|day|diff|tile|timeline|verdict)-/.test(name) ||
      name === "css"
    assert.deepStrictEqual(
      [...styled].filter((name) => !isUsed(name)),
      []
    )
  })
})
