/**
 * Packages as a user installs them: unpacked archives beside the dependencies that their manifests name, and nothing
 * else of the workspace. Dependencies come from the installed packages of the workspace, so no network is needed.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Repository from "../shared/Repository.js"
import type { Tarball } from "./Tarball.js"
import { manifestOf } from "./Verdict.js"

/** The server says within this time that it listens. */
const START_MS_MAX = 60_000

const unpack = (tarball: Tarball, folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync("tar", ["xz", "--strip-components=1", "-C", folder], {
    input: tarball.bytes
  })
  if (status !== 0) throw new Error(`cannot unpack ${tarball.name}`)
}

/** Where the workspace has a dependency of one of its packages. */
const sourceOf = (owner: string, dependency: string): string => {
  const { folder } = Repository.published().find(({ manifest }) => manifest.name === owner) ?? {}
  if (folder === undefined) throw new Error(`${owner} is no package of the workspace`)
  return realpathSync(join(Repository.root, folder, "node_modules", dependency))
}

/** Unpacks the archives into `node_modules` of a folder, and links what they depend on. */
export const install = (tarballs: ReadonlyArray<Tarball>, folder: string): void => {
  const modules = join(folder, "node_modules")
  const own = new Set(tarballs.map(({ name }) => name))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n')
  for (const tarball of tarballs) {
    unpack(tarball, join(modules, tarball.name))
    const { dependencies = {}, peerDependencies = {} } = manifestOf(tarball)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const place = join(modules, name)
      if (own.has(name) || existsSync(place)) continue
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(sourceOf(tarball.name, name), place)
    }
  }
}

/** A running server. */
export interface Running {
  readonly url: string
  readonly stop: () => Promise<void>
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once("exit", () => resolve())
  })

/** Starts the installed server with its records in memory. */
export const startServer = async (folder: string): Promise<Running> => {
  const program = join(folder, "node_modules/@attestry/server/dist/main.js")
  const child = spawn(process.execPath, [program, "--store", "memory", "--port", "0"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let shown = ""
  const url = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no address: ${shown}`)), START_MS_MAX)
    const look = (chunk: Buffer) => {
      shown += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout.on("data", look)
    child.stderr.on("data", look)
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${shown}`)))
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended(child)
  }
  try {
    return { url: await url, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
