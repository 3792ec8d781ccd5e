/** `attest agent-session`: the data of a file, of flags and of git. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const ARGV = ["attest", "agent-session", "-n", "session", "-f", "shop", "-T", "t", "--dry-run"]

const NOW = 1_800_000_000_000

interface Attested {
  readonly code: number
  readonly stderr: string
  readonly payload: ReturnType<typeof JSON.parse>
}

const attest = async (more: ReadonlyArray<string>, cwd = folder()): Promise<Attested> => {
  const host = { now: () => NOW }
  const { code, stdout, stderr } = await run([...ARGV, "-o", "json", ...more], { cwd, host })
  return { code, stderr, payload: code === 0 ? JSON.parse(stdout).payload : {} }
}

const session = {
  tool: { name: "agent", version: "2.1", os: "linux" },
  model: "model-1",
  started_at: 1_790_000_000,
  ended_at: 1_790_000_600,
  files_changed: [{ path: "a.ts", added: 1, removed: 2 }],
  turns: 7
}

describe("attestry attest agent-session", () => {
  it("sends the data of a file as they are", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "session.json"), JSON.stringify(session))
    const { payload } = await attest(["session.json"], cwd)
    assert.strictEqual(payload.type_name, "agent_session")
    assert.deepStrictEqual(payload.attestation_data, session)
  })

  it("replaces members of the file by flags, and computes the digest of the transcript", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "session.json"), JSON.stringify(session))
    writeFileSync(join(cwd, "transcript.jsonl"), "words")
    const flags = ["--tool-version", "3", "--model", "model-2", "--prompted-by", "ada"]
    const instants = ["--started-at", "20m", "--ended-at", "2027-01-15T08:00:00Z"]
    const more = ["session.json", ...flags, ...instants, "--transcript", "transcript.jsonl"]
    const { payload } = await attest(more, cwd)
    assert.deepStrictEqual(payload.attestation_data, {
      ...session,
      tool: { name: "agent", version: "3", os: "linux" },
      model: "model-2",
      started_at: NOW / 1_000 - 1_200,
      ended_at: Date.parse("2027-01-15T08:00:00Z") / 1_000,
      prompted_by: { username: "ada" },
      transcript_sha256: createHash("sha256").update("words").digest("hex")
    })
  })

  it("asks git for the commits and the files since a commit", async () => {
    const cwd = folder()
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd })
        .toString()
        .trim()
    git("init", "-q")
    writeFileSync(join(cwd, "a.txt"), "1\n2\n")
    writeFileSync(join(cwd, "old name.txt"), "x\n")
    git("add", "-A")
    git("commit", "-qm", "first")
    const base = git("rev-parse", "HEAD")
    writeFileSync(join(cwd, "a.txt"), "1\n3\n4\n")
    writeFileSync(join(cwd, "b.bin"), Buffer.from([0, 1, 2]))
    git("mv", "old name.txt", "new\tname.txt")
    git("add", "-A")
    git("commit", "-qm", "second")
    const head = git("rev-parse", "HEAD")
    writeFileSync(join(cwd, "session.json"), JSON.stringify(session))
    const since = (rev: string) => attest(["session.json", "--base", rev, "--commit", "HEAD"], cwd)
    const { payload } = await since(base)
    assert.deepStrictEqual(payload.attestation_data, {
      ...session,
      files_changed: [
        { path: "a.txt", added: 2, removed: 1 },
        { path: "b.bin" },
        { path: "new\tname.txt", added: 1, removed: 0 },
        { path: "old name.txt", added: 0, removed: 1 }
      ],
      files_changed_count: 4,
      commits: [head]
    })
    const unknown = await since("0".repeat(40))
    assert.strictEqual(unknown.code, 7)
    assert.include(unknown.stderr, "git cannot compare these commits")
  })

  it("leaves out the last files of a list that is too long, and counts them", async () => {
    const cwd = folder()
    const files = Array.from({ length: 500 }, (_, at) => ({ path: `${at}/${"x".repeat(1_000)}` }))
    writeFileSync(join(cwd, "s.json"), JSON.stringify({ ...session, files_changed: files }))
    const { payload } = await attest(["s.json"], cwd)
    const { files_changed: kept, files_changed_count: count } = payload.attestation_data
    assert.strictEqual(count, 500)
    assert.deepStrictEqual(kept, files.slice(0, kept.length))
    assert.isAtLeast(kept.length, 380)
    assert.isBelow(JSON.stringify(payload).length, 400 * 1_024)
  })

  it.each([
    [["--started-at", "soon"], 2, "--started-at expects"],
    [["--base", "--output=x"], 2, "is no revision"],
    [["--transcript", "none"], 7, "none cannot be read"],
    [["none.json"], 7, "none.json cannot be read"]
  ])("ends with an error for %j", async (more, code, text) => {
    const found = await attest(more)
    assert.strictEqual(found.code, code)
    assert.include(found.stderr, text)
  })
})
