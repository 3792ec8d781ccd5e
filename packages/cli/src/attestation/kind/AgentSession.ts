/**
 * `attest agent-session [FILE]`: what a coding agent changed, and with which tool and model.
 *
 * The file has the data as the API wants them; flags replace its members. With `--base`, git tells the changed files
 * and the commits.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { unreadable, usage } from "../../shared/CommandFailure.js"
import * as Instant from "../../shared/Instant.js"
import * as Json from "../../shared/Json.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"

/** The most files and the most commits that the server takes. */
const LISTED_MAX = 1_000

const REVISION = /^[A-Za-z0-9][\w./@{}~^-]*$/

/** Runs `git`, and gives the parts of its output that end with a NUL or a line. */
const ask = async (
  root: string,
  args: ReadonlyArray<string>,
  end: "\0" | "\n"
): Promise<ReadonlyArray<string>> => {
  const answer = await WorkingTree.git(root, args).catch((cause: unknown) => {
    throw unreadable("git does not tell what changed, or the change is too large", undefined, cause)
  })
  if (answer.code !== 0)
    throw unreadable(
      "git cannot compare these commits",
      "run it in a clone that has them, or give --repo-root"
    )
  return answer.output.split(end).filter((part) => part !== "")
}

/** A line `ADDED<tab>REMOVED<tab>PATH`; a hyphen stands for the counts of a binary file. */
const changedFile = (line: string): Json.Fields => {
  const [added = "", removed = "", ...path] = line.split("\t")
  const count = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)
  return EvidenceFields.present({
    path: path.join("\t"),
    added: count(added),
    removed: count(removed)
  })
}

/** The commits after a revision, and the files that differ. */
const changes = async (context: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const base = args.text("base")
  if (base === undefined) return {}
  if (!REVISION.test(base)) throw usage(`--base: \`${base}\` is no revision`)
  const root = resolve(context.host.cwd, args.text("repo-root") ?? ".")
  const until = (await EvidenceFields.commitOf(context, args)) ?? "HEAD"
  const range = `${base}..${until}`
  const commits = await ask(root, ["log", "--format=%H", range, "--"], "\n")
  // WHY no renames: a renamed file would have two paths.
  const options = ["diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"]
  const files = await ask(root, [...options, base, until, "--"], "\0")
  return {
    files_changed: files.slice(0, LISTED_MAX).map(changedFile),
    files_changed_count: files.length,
    commits: commits.slice(0, LISTED_MAX)
  }
}

const digestOf = (path: string, shown: string): string => {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex")
  } catch (cause) {
    throw unreadable(`${shown} cannot be read`, undefined, cause)
  }
}

const instantOf = ({ host }: CommandContext, args: Arguments, flag: string): number | undefined => {
  const text = args.text(flag)
  if (text === undefined) return undefined
  const seconds = Instant.parse(host, text, "before")
  if (seconds !== undefined) return seconds
  throw usage(`--${flag} expects 20m, 2026-11-16T10:00:00Z or epoch seconds, not \`${text}\``)
}

/** The members of flags; `known` are those of the file. */
const flagged = async (
  context: CommandContext,
  args: Arguments,
  known: Json.Fields
): Promise<Json.Fields> => {
  const transcript = args.text("transcript")
  const tool = EvidenceFields.present({
    name: args.text("tool"),
    version: args.text("tool-version")
  })
  const person = args.text("prompted-by")
  return EvidenceFields.present({
    tool: Object.keys(tool).length === 0 ? undefined : { ...Json.object(known.tool), ...tool },
    model: args.text("model"),
    started_at: instantOf(context, args, "started-at"),
    ended_at: instantOf(context, args, "ended-at"),
    transcript_sha256:
      transcript === undefined
        ? undefined
        : digestOf(resolve(context.host.cwd, transcript), transcript),
    prompted_by: person === undefined ? undefined : { username: person },
    ...(await changes(context, args))
  })
}

const given = async ({ host }: CommandContext, file: string | undefined): Promise<Json.Fields> => {
  if (file === undefined) return {}
  const data = await EvidenceFields.readJson(host, file)
  if (Json.isObject(data)) return data
  throw unreadable(`${file} is no JSON object`)
}

/** The data of a session, without the last files that do not fit. */
const fitting =
  (data: Json.Fields) =>
  (bytesMax: number): Json.Fields => {
    const fieldsOf = (files: ReadonlyArray<unknown>): Json.Fields => ({
      type_name: "agent_session",
      attestation_data: {
        ...data,
        files_changed: files,
        ...(files.length < all.length
          ? { files_changed_count: Math.max(all.length, Json.number(data.files_changed_count)) }
          : {})
      }
    })
    const all = Json.list(data.files_changed)
    let left = bytesMax
    const count = all.findIndex((file) => {
      left -= Buffer.byteLength(JSON.stringify(file)) + 1
      return left < 0
    })
    return fieldsOf(count < 0 ? all : all.slice(0, count))
  }

/** Runs `attestry attest agent-session`. */
export const { run } = command({
  operation: "attestation.system",
  word: "agent_session",
  gather: async (context, args) => {
    const known = await given(context, args.positionals[0])
    const data: Json.Fields = {
      files_changed: [],
      ...known,
      ...(await flagged(context, args, known))
    }
    const tool = Json.text(Json.object(data.tool).name) ?? "an agent"
    const files = Math.max(
      Json.list(data.files_changed).length,
      Json.number(data.files_changed_count)
    )
    return {
      fields: fitting(data),
      files: [],
      summary: `${tool}, ${files} ${files === 1 ? "file" : "files"}`
    }
  }
})
