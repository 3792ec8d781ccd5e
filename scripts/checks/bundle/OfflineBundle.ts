/** The offline bundle, made as a release makes it, unpacked, and run in namespaces of Linux. */
import { spawnSync } from "node:child_process"
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as Repository from "../shared/Repository.js"

/** The end of a program, with its output. */
export interface Ended {
  readonly status: number | null
  readonly output: string
}

/** Runs a program to its end. */
export const run = (
  [program = "", ...args]: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Ended => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
  return { status, output: `${stdout}${stderr}` }
}

/** Runs a program and gives its output; fails if it does. */
export const succeed = (
  command: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): string => {
  const { status, output } = run(command, options)
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${output}`)
  return output
}

/** Packs the packages into a folder. */
export const pack = (folder: string): void => {
  mkdirSync(folder)
  succeed([process.execPath, join(Repository.root, "scripts/release/pack.mjs"), folder])
}

/** Makes the bundle of packed packages in a folder. */
export const make = (
  folder: string,
  packed: string,
  {
    options = [],
    env = {}
  }: { readonly options?: ReadonlyArray<string>; readonly env?: NodeJS.ProcessEnv } = {}
): void => {
  const script = join(Repository.root, "scripts/release/bundle.mjs")
  const command = [process.execPath, script, folder, "--packed", packed, ...options]
  succeed(command, { env: { ...process.env, ...env } })
}

/** Every file below a folder, as a relative path; links are not followed. */
export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** The machine that an ELF file is for; `undefined` for another file. */
export const machineOf = (file: string): number | undefined => {
  const header = Buffer.alloc(20)
  const descriptor = openSync(file, "r")
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return header.subarray(0, 4).toString("latin1") === "\u007fELF"
    ? header.readUInt16LE(18)
    : undefined
}

/** A folder that is a PATH with some tools of this machine and nothing else. */
export const toolsIn = (folder: string, tools: ReadonlyArray<string>): void => {
  mkdirSync(folder)
  for (const tool of tools)
    symlinkSync(succeed(["sh", "-c", `command -v ${tool}`]).trim(), join(folder, tool))
}

/** Whether this process has the rights of root. */
export const isRoot = process.getuid?.() === 0

/** The user that programs of an image run as here: root can take any, others have their own. */
export const user = isRoot
  ? { uid: 1000, gid: 1000 }
  : { uid: process.getuid?.(), gid: process.getgid?.() }

/**
 * Runs a shell script in namespaces of its own, with the rights to prepare them: in that of the network there is only
 * the loopback device.
 */
export const isolated = (
  folder: string,
  kinds: ReadonlyArray<"--net" | "--mount">,
  script: string
): Ended => {
  const file = join(folder, "isolated.sh")
  writeFileSync(file, `set -eu\nip link set lo up\n${script}`)
  const rights = isRoot ? [] : ["--map-current-user", "--keep-caps"]
  return run(["unshare", ...rights, ...kinds, "sh", file], { cwd: folder })
}

/** The words that give up the rights of {@link isolated} for good. */
export const withoutRights = (): string =>
  [
    "setpriv",
    ...(isRoot ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : []),
    "--no-new-privs",
    "--inh-caps=-all",
    "--ambient-caps=-all",
    "--bounding-set=-all"
  ].join(" ")
