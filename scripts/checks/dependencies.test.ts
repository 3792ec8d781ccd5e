/** Dependencies: named and explained, one copy where two would break, none that we refuse. */
import { assert, describe, it } from "vitest"
import * as Lockfile from "./dependencies/Lockfile.js"
import * as Repository from "./shared/Repository.js"

const DOCUMENT = "docs/DEPENDENCIES.md"

/** The names in the first column of every table of a document. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^\| *`([^`]+)` *\|/gm)].flatMap(([, name]) => name ?? [])

/** Every package that a manifest of the workspace names, except those of the workspace itself. */
const declared = (): ReadonlyArray<string> => {
  const manifests = [
    Repository.rootManifest(),
    ...Repository.members().map(({ manifest }) => manifest)
  ]
  const names = manifests.flatMap((manifest) =>
    [
      manifest.dependencies,
      manifest.peerDependencies,
      manifest.devDependencies,
      manifest.optionalDependencies
    ].flatMap((each) => Object.keys(each ?? {}))
  )
  return [...new Set(names)].filter((name) => !name.startsWith("@attestry/")).sort()
}

const locked = Lockfile.lockedIn(Repository.read("pnpm-lock.yaml"))
const lockedNames = new Set(locked.map(({ name }) => name))

const isSingle = (name: string): boolean =>
  name === "effect" || name === "fast-check" || name.startsWith("@effect/")

describe("dependencies", () => {
  it("are named in the document, each once, and nothing else is", () => {
    assert.deepStrictEqual([...namesIn(Repository.read(DOCUMENT))].sort(), declared())
  })

  it("of the client are the contract, core, the lab and four small libraries: no server, no install script", () => {
    const manifests = new Map(
      Repository.published().map(({ manifest }) => [manifest.name, manifest.dependencies ?? {}])
    )
    const installed = new Set<string>()
    const install = (name: string): void => {
      if (installed.has(name)) return
      installed.add(name)
      for (const each of Object.keys(manifests.get(name) ?? {})) install(each)
    }
    install("@attestry/client")
    assert.deepStrictEqual([...installed].sort(), [
      "@attestry/api",
      "@attestry/client",
      "@attestry/core",
      "@attestry/policy-lab",
      "@attestry/transparency-log",
      "@noble/hashes",
      "re2js",
      "saxes",
      "yaml"
    ])
  })

  it("are all in the lockfile", () => {
    assert.deepStrictEqual(
      declared().filter((name) => !lockedNames.has(name)),
      []
    )
  })

  it("bring nothing that we refuse", () => {
    assert.isAbove(locked.length, 100)
    assert.deepStrictEqual(Lockfile.forbidden(locked), [])
  })

  it("bring one copy of Effect and of the property tester", () => {
    assert.includeMembers(
      locked.map(({ name }) => name),
      ["effect", "fast-check"]
    )
    assert.deepStrictEqual(Lockfile.copies(locked, isSingle), [])
  })

  it("run no install script without a decision about it", () => {
    const named = Lockfile.namedInAllowBuilds()
    const found = Lockfile.installScripts()
    assert.include(found, "esbuild")
    assert.deepStrictEqual(
      found.filter((name) => !named.includes(name)),
      []
    )
  })

  it("are decided about only while they are there", () => {
    assert.deepStrictEqual(
      Lockfile.namedInAllowBuilds().filter((name) => !lockedNames.has(name)),
      []
    )
  })
})

describe("the rules notice", () => {
  it("what a table names, and not what a text mentions", () => {
    const text = "| Package | For |\n|---|---|\n| `effect` | with `yaml` |\n\n`pg` is not named."
    assert.deepStrictEqual(namesIn(text), ["effect"])
  })

  it("forbidden packages and versions", () => {
    const lock = (...keys: ReadonlyArray<string>) => keys.map(Lockfile.lockedOf)
    assert.lengthOf(Lockfile.forbidden(lock("ip@2.0.1", "multer@2.2.9", "effect@3.19.14")), 3)
    assert.lengthOf(Lockfile.forbidden(lock("ipaddr.js@2.5.0", "multer@2.3.0", "effect@3.22.4")), 0)
    assert.isTrue(Lockfile.isBefore("3.9.0", "3.20.0"))
    assert.isFalse(Lockfile.isBefore("4.0.0-beta.1", "3.20.0"))
  })

  it("second copies", () => {
    const twice = [
      "effect@3.22.4",
      "effect@3.21.0",
      "@effect/sql@0.52.1",
      "yaml@1.0.0",
      "yaml@2.9.1"
    ]
    assert.deepStrictEqual(Lockfile.copies(twice.map(Lockfile.lockedOf), isSingle), [
      "effect is there as 3.22.4, 3.21.0"
    ])
  })
})
