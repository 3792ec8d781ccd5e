/** `attestry report paths ENV`: files and folders of this machine. */
import { type FSWatcher, statSync, watch } from "node:fs"
import { resolve as resolvePath } from "node:path"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type * as Json from "../shared/Json.js"
import * as PathsFile from "./PathsFile.js"
import { command } from "./Report.js"
import type { ReportDraft, Reporter, ReporterInput, WatchInput } from "./Reporter.js"

const fromFlags = (args: Arguments): ReadonlyArray<PathsFile.WatchedPath> =>
  args.texts("path").map((text) => {
    const at = text.indexOf("=")
    const exclude = args.texts("exclude")
    return at < 1
      ? { name: "", path: text, exclude }
      : { name: text.slice(0, at), path: text.slice(at + 1), exclude }
  })

const unitOf = async (
  context: CommandContext,
  args: Arguments,
  watched: PathsFile.WatchedPath
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

const pathsOf = async ({ host }: CommandContext, args: Arguments): Promise<PathsFile.Paths> => {
  const file = args.text("file")
  const { paths, unmatched, folders } =
    file === undefined ? PathsFile.NONE : await PathsFile.read(host, file)
  return { paths: [...fromFlags(args), ...paths], unmatched, folders }
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const { paths, unmatched } = await pathsOf(context, args)
  if (paths.length + unmatched.length === 0)
    throw usage("there is nothing to report", "give --path NAME=PATH, or --file FILE")
  const units: Array<Json.Fields> = []
  const leftOut = unmatched.map((pattern) => `nothing matches ${pattern}`)
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

/** Waits until a file below one of the paths is written, or the folder of a pattern changes. */
const changed = async ({ context, args, signal }: WatchInput): Promise<void> => {
  const watchers: Array<FSWatcher> = []
  const { paths, folders } = await pathsOf(context, args)
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      const observe = (path: string, recursive: boolean): void => {
        const watcher = watch(path, { recursive }, () => resolve())
        watcher.on("error", reject)
        watchers.push(watcher)
      }
      for (const { path } of paths) {
        const target = resolvePath(context.host.cwd, path)
        observe(target, statSync(target).isDirectory())
      }
      for (const path of folders) observe(path, false)
    })
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

/** Reports environments of kind `server`. */
export const reporter: Reporter = { kind: () => "server", gather, changed }

/** Runs `attestry report paths`. */
export const { run } = command(reporter)
