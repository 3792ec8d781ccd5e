/** `attestry report paths ENV`: files and folders of this machine as what runs on a server. */
import { type FSWatcher, statSync, watch } from "node:fs"
import { resolve as resolvePath } from "node:path"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import * as YamlSettings from "../settings/YamlSettings.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type * as Json from "../shared/Json.js"
import { command } from "./Report.js"
import type { Asked, Awaited, Gathered, Reporter } from "./Reporter.js"

interface WatchedPath {
  readonly name: string
  readonly path: string
  readonly exclude: ReadonlyArray<string>
}

const fromFlags = (args: Arguments): ReadonlyArray<WatchedPath> =>
  args.texts("path").map((text) => {
    const at = text.indexOf("=")
    const exclude = args.texts("exclude")
    return at < 1
      ? { name: "", path: text, exclude }
      : { name: text.slice(0, at), path: text.slice(at + 1), exclude }
  })

const fromFile = async (
  { host }: CommandContext,
  file: string | undefined
): Promise<ReadonlyArray<WatchedPath>> => {
  if (file === undefined) return []
  const path = resolvePath(host.cwd, file)
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw unreadable(`there is no file ${file}`)
  const reader = await YamlSettings.read(path, file, ["version", "artifacts"])
  return reader.members("artifacts", ["path", "exclude"]).map(([name, artifact]) => {
    const target = artifact.text("path")
    if (target === undefined) throw artifact.problem([], `artifact \`${name}\` has no path`)
    return { name, path: target, exclude: artifact.texts("exclude") ?? [] }
  })
}

const unitOf = async (
  context: CommandContext,
  args: Arguments,
  watched: WatchedPath
): Promise<Json.Fields> => {
  const path = resolvePath(context.host.cwd, watched.path)
  const { repository } = await context.settings()
  const { fingerprint } = await ArtifactArgument.find(context, {
    target: watched.path,
    type: args.has("tree") ? "tree" : undefined,
    exclude: watched.exclude,
    ignoreFiles: repository?.ignoreFiles ?? []
  })
  return {
    digests: { [watched.name === "" ? path : watched.name]: fingerprint },
    creationTimestamp: Math.floor(statSync(path).mtimeMs / 1_000)
  }
}

const pathsOf = async (
  context: CommandContext,
  args: Arguments
): Promise<ReadonlyArray<WatchedPath>> => [
  ...fromFlags(args),
  ...(await fromFile(context, args.text("file")))
]

const gather = async ({ context, args }: Asked): Promise<Gathered> => {
  const paths = await pathsOf(context, args)
  if (paths.length === 0)
    throw usage("there is nothing to report", "give --path NAME=PATH, or --file FILE")
  const units: Array<Json.Fields> = []
  const leftOut: Array<string> = []
  for (const watched of paths) {
    try {
      units.push(await unitOf(context, args, watched))
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.word !== "unreadable") throw error
      leftOut.push(error.message)
    }
  }
  return { units, leftOut, warnings: [] }
}

/** Waits until something below one of the paths is written. */
const changed = async ({ context, args, signal }: Awaited): Promise<void> => {
  const watchers: Array<FSWatcher> = []
  const paths = await pathsOf(context, args)
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      for (const { path } of paths) {
        const target = resolvePath(context.host.cwd, path)
        const watcher = watch(target, { recursive: statSync(target).isDirectory() }, () =>
          resolve()
        )
        watcher.on("error", reject)
        watchers.push(watcher)
      }
    })
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

/** The reporter. */
export const reporter: Reporter = { kind: () => "server", gather, changed }

/** The command. */
export const { run } = command(reporter)
