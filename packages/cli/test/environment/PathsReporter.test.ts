/** Reports of paths: names and patterns of a file, what matches nothing, and what no pattern may say. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const place = (artifacts: string): string => {
  const cwd = folder()
  mkdirSync(join(cwd, "srv/web"), { recursive: true })
  for (const name of ["srv/a.jar", "srv/b.jar", "srv/notes.txt", "srv/web/index.html"])
    writeFileSync(join(cwd, name), name)
  writeFileSync(join(cwd, "paths.yaml"), `version: 1\nartifacts: ${artifacts}\n`)
  return cwd
}

const report = (cwd: string, ...more: ReadonlyArray<string>) =>
  run(["report", "paths", "srv", "--file", "paths.yaml", "--dry-run", "-o", "json", ...more], {
    cwd
  })

const namesIn = (stdout: string): ReadonlyArray<string> => {
  const units: ReadonlyArray<{ readonly digests: object }> = JSON.parse(stdout).payload.artifacts
  return units.flatMap(({ digests }) => Object.keys(digests))
}

describe("attestry report paths --file", () => {
  it("reports artifacts under their names", async () => {
    const cwd = place("{app: {path: srv/a.jar}, web: {path: srv/web, exclude: [x]}}")
    const { code, stdout, stderr } = await report(cwd)
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(namesIn(stdout), ["app", "web"])
  })

  it("reports what patterns match under absolute paths, each once", async () => {
    const cwd = place('["srv/*.jar", "srv/[ab].jar", "s?v/web"]')
    const { code, stdout, stderr } = await report(cwd)
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(
      namesIn(stdout),
      ["srv/a.jar", "srv/b.jar", "srv/web"].map((name) => join(cwd, name))
    )
  })

  it("warns of a pattern that matches nothing, and sends nothing with --strict", async () => {
    const cwd = place('["srv/*.jar", "srv/*.war"]')
    const { code, stdout, stderr } = await report(cwd)
    assert.strictEqual(code, 0)
    assert.lengthOf(namesIn(stdout), 2)
    assert.include(stderr, "nothing matches srv/*.war")
    assert.strictEqual((await report(cwd, "--strict")).code, 8)
  })

  it("ends with 7 where no pattern matches anything", async () => {
    const { code, stderr } = await report(place('["srv/*.war"]'))
    assert.strictEqual(code, 7)
    assert.include(stderr, "nothing matches srv/*.war")
  })

  it("ends with 2 for `**`, an open bracket and an entry that is no text", async () => {
    for (const [artifacts, said] of [
      ['["srv/*.jar", "srv/**/x"]', "paths.yaml:2:"],
      ['["srv/[a"]', "a bracket is open"],
      ["[{path: x}]", "a list of texts"],
      ["{app: {}}", "has no path"]
    ] as const) {
      const { code, stderr } = await report(place(artifacts))
      assert.strictEqual(code, 2, stderr)
      assert.include(stderr, said)
    }
  })

  it("ends with 7 without the file", async () => {
    assert.strictEqual((await run(["report", "paths", "srv", "--file", "none.yaml"])).code, 7)
  })
})
