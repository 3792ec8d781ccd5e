/** What browsers load: sizes within their limits, no Effect, and no class without a style or style without a class. */
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
} = JSON.parse(readFileSync(join(site, "files.json"), "utf8"))

const FIRST_LOAD_MAX = 60_000
const REQUESTS_MAX = 6
const PAGE_MAX = 15_000
const STYLE_MAX = 10_000

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

  it("has small pages and one small stylesheet", () => {
    for (const { name, gzipSize } of list.assets) {
      const limit = name.endsWith(".css")
        ? STYLE_MAX
        : list.firstLoad.includes(name)
          ? FIRST_LOAD_MAX
          : PAGE_MAX
      assert.isAtMost(gzipSize, limit, name)
    }
    assert.lengthOf(
      list.assets.filter(({ name }) => name.endsWith(".css")),
      1
    )
  })

  it("has nothing of Effect or of Node in it", () => {
    const { inputs } = JSON.parse(readFileSync(join(root, "dist/site-inputs.json"), "utf8"))
    const foreign = (inputs as ReadonlyArray<string>)
      .flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
      .filter(
        (name) => !["preact", "@preact/signals", "@preact/signals-core", "lucide"].includes(name)
      )
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

  it("of the stylesheet are used", () => {
    const isUsed = (name: string) =>
      source.includes(name) || /^(count|day|tile|timeline|verdict)-/.test(name) || name === "css"
    assert.deepStrictEqual(
      [...styled].filter((name) => !isUsed(name)),
      []
    )
  })
})
