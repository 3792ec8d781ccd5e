/**
 * Runs this machine's `opa` on a document, and reads `allow` and `violations` of `package policy`.
 *
 * It runs without a shell. The document is passed by stdin and the parameters in a private file, so that the process
 * list shows neither.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CommandFailure, unreadable } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

const TIMEOUT_MS = 60_000
const OUTPUT_BYTES_MAX = 16_777_216

/** The verdict of a Rego file. */
export interface Verdict {
  readonly allow: boolean
  readonly violations: ReadonlyArray<unknown>
}

interface Ran {
  readonly error: Error | null
  readonly stdout: string
  readonly stderr: string
}

const start = ({ env, signal }: Host, args: ReadonlyArray<string>, input: string): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      "opa",
      [...args],
      { env, signal, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => resolve({ error, stdout, stderr })
    )
    // WHY: a program that exits before it has read its input closes the pipe; its own error is reported.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
  })

const failureOf = ({ error, stderr, stdout }: Ran): CommandFailure => {
  const isAbsent = error !== null && "code" in error && error.code === "ENOENT"
  if (isAbsent) return unreadable("there is no program `opa`", "install Open Policy Agent")
  const said = (stderr === "" ? stdout : stderr).trim().split("\n")[0] ?? ""
  return unreadable(`opa failed: ${said === "" ? error?.message : said}`, undefined, error)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // WHY: the caller reports output that is not JSON as a missing verdict.
    return undefined
  }
}

/** The value of `data.policy` in an answer of `opa eval`. */
const verdictOf = (stdout: string): Verdict | undefined => {
  const [result] = Json.objects(Json.object(parse(stdout)).result)
  const [expression] = Json.objects(result?.expressions)
  const policy = Json.object(expression?.value)
  return typeof policy.allow === "boolean"
    ? { allow: policy.allow, violations: Json.list(policy.violations) }
    : undefined
}

/** Evaluates a document by a Rego file. */
export const evaluate = async (
  host: Host,
  file: string,
  { input, params }: { readonly input: unknown; readonly params: unknown }
): Promise<Verdict> => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-opa-"))
  try {
    const data = join(folder, "params.json")
    writeFileSync(data, JSON.stringify({ params: params ?? {} }), { mode: 0o600 })
    const args = ["eval", "--format", "json", "--stdin-input", "--data", file, "--data", data]
    const ran = await start(host, [...args, "data.policy"], JSON.stringify(input))
    if (ran.error !== null) throw failureOf(ran)
    const verdict = verdictOf(ran.stdout)
    if (verdict !== undefined) return verdict
    throw unreadable(`${file} says neither yes nor no`, "it needs `package policy` and `allow`")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
