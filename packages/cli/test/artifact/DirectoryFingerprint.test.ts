/** The convention for folders meets the vectors of the published client, whatever creates the folder. */
import { createHash } from "node:crypto"
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import * as DirectoryFingerprint from "../../src/artifact/DirectoryFingerprint.js"
import { folder, run } from "../shared/Run.js"

const NONE = { exclude: [], ignoreFiles: [] }

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const make = (files: ReadonlyArray<readonly [string, string]>): string => {
  const root = join(folder(), "root")
  mkdirSync(root)
  for (const [name, text] of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    if (name.endsWith("/")) mkdirSync(join(root, name))
    else writeFileSync(join(root, name), text)
  }
  return root
}

const FILES: ReadonlyArray<readonly [string, string]> = [
  ["logs/a", "1\n"],
  ["s/logs/b", "2\n"],
  ["s/t/c.pyc", "3\n"],
  ["k.pyc", "4\n"],
  ["keep", "5\n"]
]

const VECTORS: ReadonlyArray<readonly [string, string]> = [
  ["logs", "8e883cfd2d8e4fbf02097e3133192babb6b2333657a74a69599ca08a970f69c0"],
  ["logs/", "8e883cfd2d8e4fbf02097e3133192babb6b2333657a74a69599ca08a970f69c0"],
  ["./logs//", "8e883cfd2d8e4fbf02097e3133192babb6b2333657a74a69599ca08a970f69c0"],
  ["../root/logs", "8e883cfd2d8e4fbf02097e3133192babb6b2333657a74a69599ca08a970f69c0"],
  ["**/*.pyc", "d663404bc821a786f22542a42826a61890a0dbe107085d3b0362c35d60e90ac8"],
  ["**/logs", "221a29750fc2a5cf48f730404150ccb31bbec2512ddf503cec8729f2ef9cbf43"],
  ["**/logs/", "221a29750fc2a5cf48f730404150ccb31bbec2512ddf503cec8729f2ef9cbf43"],
  ["*/logs", "fbf2ab5b1e4e9ad12f5ca78be0f8579dc998c5b732e92db9be3eadf1d2b77ff2"],
  ["s/**", "28f414d979a705969e1e7f65069f429a1ec754ff9d00b81f0f8ae07b5a21ec21"],
  ["s/**/", "28f414d979a705969e1e7f65069f429a1ec754ff9d00b81f0f8ae07b5a21ec21"],
  ["[ks]*", "d928b7ec759db18bc2f0a4146087a82e6f08662def44feeb176a8b029681fc2d"]
]

describe("the fingerprint of a folder", () => {
  it("is that of nothing for an empty folder", () => {
    assert.strictEqual(
      DirectoryFingerprint.of(make([]), NONE).fingerprint,
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
  })

  it("is the same for a file beside a folder and inside it, which is why `tree` exists", () => {
    const expected = "78d080029e20847bfb7b2b9e135d02de24baa1a05873e5030f6eb47b81202b42"
    assert.strictEqual(
      DirectoryFingerprint.of(
        make([
          ["a/", ""],
          ["b", "f\n"]
        ]),
        NONE
      ).fingerprint,
      expected
    )
    assert.strictEqual(DirectoryFingerprint.of(make([["a/b", "f\n"]]), NONE).fingerprint, expected)
  })

  it("is that of the published client without exclusions", () => {
    assert.strictEqual(
      DirectoryFingerprint.of(make(FILES), NONE).fingerprint,
      "35632bc73609a0c6e3e4fa468b08755a7aedf2bc53b1e51975ca955b6d00bb66"
    )
  })

  for (const [pattern, expected] of VECTORS)
    it(`is that of the published client without \`${pattern}\``, () => {
      const exclude = [pattern]
      assert.strictEqual(
        DirectoryFingerprint.of(make(FILES), { exclude, ignoreFiles: [] }).fingerprint,
        expected
      )
    })

  it("does not depend on times and on the order of creation", () => {
    const root = make([...FILES].reverse())
    utimesSync(join(root, "keep"), 1, 1)
    assert.strictEqual(
      DirectoryFingerprint.of(root, NONE).fingerprint,
      DirectoryFingerprint.of(make(FILES), NONE).fingerprint
    )
  })

  for (const [name, ignoreFiles] of [
    [".attestryignore", [".attestryignore"]],
    [".attestry_ignore", []]
  ] as const)
    it(`takes the patterns of ${name}, which counts as content although it names itself`, () => {
      const text = `logs/ # of the run\n${name}\ns\n*.pyc\n`
      const root = make([...FILES, [name, text]])
      for (const exclude of [[], [name], [".*"]])
        assert.strictEqual(
          DirectoryFingerprint.of(root, { exclude, ignoreFiles }).fingerprint,
          sha256([name, text, "keep", "5\n"].map(sha256).join(""))
        )
    })

  it("follows a link to a file and takes the text of a link to a folder", () => {
    const linked = make([
      ["a", "1\n"],
      ["d/x", "2\n"]
    ])
    symlinkSync("a", join(linked, "b"))
    symlinkSync("d", join(linked, "e"))
    const written = make([
      ["a", "1\n"],
      ["b", "1\n"],
      ["d/x", "2\n"],
      ["e", "d"]
    ])
    assert.strictEqual(
      DirectoryFingerprint.of(linked, NONE).fingerprint,
      DirectoryFingerprint.of(written, NONE).fingerprint
    )
  })

  it("keeps names that are not UTF-8 apart", () => {
    const names = [Buffer.from([0x61, 0xff]), Buffer.from([0x61, 0xfe])]
    const digests = names.map((name) => {
      const root = make([])
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), "x")
      return DirectoryFingerprint.of(root, NONE).fingerprint
    })
    assert.notStrictEqual(digests[0], digests[1])
  })
})

describe("attestry fingerprint", () => {
  it("ends with 7 for a link to nothing, a pipe and a path that is not there", async () => {
    const root = make(FILES)
    symlinkSync("nothing", join(root, "broken"))
    assert.strictEqual((await run(["fingerprint", root])).code, 7)
    assert.strictEqual((await run(["fingerprint", "no-such-path"])).code, 7)
  })

  it("ends with 2 for a pattern that is open", async () => {
    assert.strictEqual((await run(["fingerprint", make(FILES), "-x", "[a"])).code, 2)
  })

  it("takes several patterns in one value, separated by commas", async () => {
    const root = make([...FILES, ["x,y", "6\n"]])
    const fingerprint = async (...flags: ReadonlyArray<string>) =>
      (await run(["fingerprint", root, ...flags])).stdout
    const each = await fingerprint("-x", "logs", "-x", "s/**", "-x", "k.pyc")
    assert.strictEqual(await fingerprint("-x", "logs,s/**", "-x", "k.pyc"), each)
    assert.strictEqual(await fingerprint("--exclude=logs/,s/**,k.pyc"), each)
    assert.strictEqual(await fingerprint("-x", '"x,y"'), await fingerprint("-x", "x?y"))
  })

  for (const value of ["a,,b", "a,", '"a', 'a"b'])
    it(`ends with 2 for the list ${value}`, async () => {
      assert.strictEqual((await run(["fingerprint", make(FILES), "-x", value])).code, 2)
    })

  it("prints 64 characters, and counts as JSON", async () => {
    const root = make(FILES)
    const plain = await run(["fingerprint", root, "-x", "logs"])
    assert.strictEqual(plain.stdout, `${VECTORS[0]?.[1]}\n`)
    const { stdout } = await run(["fingerprint", root, "-x", "logs", "-o", "json"])
    assert.deepStrictEqual(JSON.parse(stdout), {
      schema: "attestry.cli/fingerprint/v1",
      type: "dir",
      fingerprint: VECTORS[0]?.[1],
      name: "root",
      entries: 7,
      left_out: 1
    })
  })

  it("tells a moved file with the type tree", async () => {
    const beside = await run([
      "fingerprint",
      make([
        ["a/", ""],
        ["b", "f\n"]
      ]),
      "-t",
      "tree"
    ])
    const inside = await run(["fingerprint", make([["a/b", "f\n"]]), "-t", "tree"])
    assert.strictEqual(beside.code, 0)
    assert.notStrictEqual(beside.stdout, inside.stdout)
  })
})
