/** Evidence from this machine: fingerprints of files and folders, commits of working trees. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ContentFingerprint from "../../node/ContentFingerprint.js"
import * as PromiseEvidence from "../../node/PromiseEvidence.js"
import * as WorkingTree from "../../node/WorkingTree.js"

const root = mkdtempSync(join(tmpdir(), "attestry-client-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let made = 0
const folder = (): string => {
  const path = join(root, `folder-${made++}`)
  mkdirSync(path)
  return path
}

const sha256 = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex")

const filled = (): string => {
  const path = folder()
  mkdirSync(join(path, "lib", "empty"), { recursive: true })
  writeFileSync(join(path, "lib", "a.txt"), "a")
  writeFileSync(join(path, "b.txt"), "b")
  symlinkSync("lib/a.txt", join(path, "link"))
  return path
}

const print = (path: string, options?: ContentFingerprint.FolderOptions): Promise<string> =>
  PromiseEvidence.fingerprint(path, options)

const failure = (path: string, options?: ContentFingerprint.FolderOptions) =>
  Effect.runPromise(Effect.flip(ContentFingerprint.of(path, options)))

describe("the fingerprint of a file", () => {
  it("is the SHA-256 of its bytes, whatever its name and size", async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => index % 251)
    for (const content of [new Uint8Array(0), new Uint8Array([0]), bytes]) {
      const path = join(folder(), "app.bin")
      writeFileSync(path, content)
      assert.strictEqual(await print(path), sha256(content))
    }
  })

  it("fails with the path when there is none", async () => {
    const path = join(root, "nothing")
    assert.deepInclude(await failure(path), { _tag: "EvidenceError", path })
  })
})

describe("the fingerprint of a folder", () => {
  it("is that of its records, in order of their paths", async () => {
    const records = [
      `file\0b.txt\0${sha256("b")}\0`,
      "folder\0lib\0",
      `file\0lib/a.txt\0${sha256("a")}\0`,
      "folder\0lib/empty\0",
      `link\0link\0${sha256("lib/a.txt")}\0`
    ]
    assert.strictEqual(await print(filled()), sha256(records.join("")))
    assert.strictEqual(await print(folder()), sha256(""))
  })

  it("does not depend on where it lies, nor on times", async () => {
    const [one, other] = [filled(), filled()]
    utimesSync(join(other, "b.txt"), 1, 1)
    assert.strictEqual(await print(one), await print(other))
  })

  for (const [change, act] of Object.entries({
    "a content": (path: string) => writeFileSync(join(path, "b.txt"), "c"),
    "a new file": (path: string) => writeFileSync(join(path, "lib", "z"), ""),
    "an empty folder": (path: string) => mkdirSync(join(path, "more")),
    "a lost file": (path: string) => rmSync(join(path, "b.txt")),
    "another target of a link": (path: string) => {
      rmSync(join(path, "link"))
      symlinkSync("b.txt", join(path, "link"))
    },
    "a file in place of a link": (path: string) => {
      rmSync(join(path, "link"))
      writeFileSync(join(path, "link"), "lib/a.txt")
    }
  })) {
    it(`changes with ${change}`, async () => {
      const path = filled()
      const before = await print(path)
      act(path)
      assert.notStrictEqual(await print(path), before)
    })
  }

  it("orders paths by their bytes, so that it is the same on every machine", async () => {
    const path = folder()
    const names = ["\u{1F600}", "\uFF5E", "z", "Z", "a.b", "a"]
    for (const name of names) writeFileSync(join(path, name), name)
    const sorted = [...names].sort((left, right) =>
      Buffer.compare(Buffer.from(left), Buffer.from(right))
    )
    const records = sorted.map((name) => `file\0${name}\0${sha256(name)}\0`)
    assert.strictEqual(await print(path), sha256(records.join("")))
  })

  it("leaves out what is excluded, with everything below it, and nothing else", async () => {
    const path = filled()
    const before = await print(path)
    mkdirSync(join(path, "node_modules", "x"), { recursive: true })
    mkdirSync(join(path, "lib", "node_modules"))
    const excluded = await print(path, { exclude: ["node_modules", "lib/node_modules"] })
    assert.strictEqual(excluded, before)
    assert.notStrictEqual(await print(path, { exclude: ["node_modules"] }), before)
  })

  it("never follows a link out of the folder or in a circle", async () => {
    const path = folder()
    symlinkSync("..", join(path, "up"))
    symlinkSync("/etc", join(path, "etc"))
    assert.match(await print(path), /^[0-9a-f]{64}$/)
  })

  it("refuses one that holds more than it may, and takes one that holds as much", async () => {
    const path = filled()
    assert.include((await failure(path, { entriesMax: 4 })).message, "more than 4 entries")
    assert.strictEqual(await print(path, { entriesMax: 5 }), await print(path))
  })
})

const git = (path: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", path, ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: "Ada Byron",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_AUTHOR_DATE: "@1790000000 +0000",
      GIT_COMMITTER_NAME: "Bot",
      GIT_COMMITTER_EMAIL: "bot@example.org",
      GIT_COMMITTER_DATE: "@1790000500 +0000"
    }
  }).trim()

const repository = (): string => {
  const path = folder()
  git(path, "init", "--quiet", "--initial-branch", "release/1.x")
  git(path, "commit", "--quiet", "--allow-empty", "-m", "First")
  git(path, "commit", "--quiet", "--allow-empty", "-m", "Keep it simple\n\nWith 'quotes' and $HOME")
  return path
}

describe("the commit of a working tree", () => {
  it("is what the author said, when and where", async () => {
    const path = repository()
    const [sha1, parent] = [git(path, "rev-parse", "HEAD"), git(path, "rev-parse", "HEAD~1")]
    assert.deepStrictEqual(await PromiseEvidence.commit(path), {
      sha1: sha1 as never,
      author: "Ada Byron <ada@example.org>",
      timestamp: 1_790_000_000,
      parents: [parent],
      message: "Keep it simple\n\nWith 'quotes' and $HOME",
      branch: "release/1.x"
    })
  })

  it("has no branch when none is checked out, and none when another commit is asked for", async () => {
    const path = repository()
    const first = await PromiseEvidence.commit(path, { revision: "HEAD~1" })
    assert.notProperty(first, "branch")
    assert.deepStrictEqual(first.parents, [])
    git(path, "checkout", "--quiet", "--detach")
    assert.notProperty(await PromiseEvidence.commit(path), "branch")
  })

  it("is found from a folder inside the tree", async () => {
    const path = repository()
    mkdirSync(join(path, "inside"))
    assert.strictEqual(
      (await PromiseEvidence.commit(join(path, "inside"))).message,
      (await PromiseEvidence.commit(path)).message
    )
  })

  it("takes a revision for nothing but a revision, and runs nothing that a repository configures", async () => {
    const path = repository()
    const marker = join(root, "was-run")
    for (const key of ["core.fsmonitor", "gpg.program", "core.pager"]) {
      git(path, "config", key, `touch ${marker}; true`)
    }
    git(path, "config", "log.showSignature", "true")
    await PromiseEvidence.commit(path)
    for (const revision of [`--output=${marker}`, `$(touch ${marker})`, `HEAD; touch ${marker}`]) {
      const error = await Effect.runPromise(Effect.flip(WorkingTree.commit(path, { revision })))
      assert.strictEqual(error._tag, "EvidenceError")
    }
    assert.throws(() => execFileSync("test", ["-e", marker]))
  })

  it("fails where there is no repository, and where there is no commit", async () => {
    const empty = folder()
    git(empty, "init", "--quiet")
    for (const path of [folder(), empty, join(root, "nothing")]) {
      const error = await Effect.runPromise(Effect.flip(WorkingTree.commit(path)))
      assert.deepInclude(error, { _tag: "EvidenceError", path })
    }
  })

  it("knows where its remote is, without the credentials", async () => {
    const path = repository()
    assert.isUndefined(await PromiseEvidence.remoteUrl(path))
    git(path, "remote", "add", "origin", "https://ada:secret@git.example.org/team/shop.git")
    assert.strictEqual(
      await PromiseEvidence.remoteUrl(path),
      "https://git.example.org/team/shop.git"
    )
  })
})
