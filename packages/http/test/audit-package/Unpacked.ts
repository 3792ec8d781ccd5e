/** Archives as the program `tar` reads them. */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** A file of an archive. */
export interface UnpackedFile {
  readonly name: string
  /** Permissions and time, as `tar` lists them in UTC. */
  readonly mode: string
  readonly time: string
  readonly bytes: Uint8Array
}

/** The SHA-256 of bytes, in hexadecimal. */
export const sha256 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex")

const LINE = /^(\S+) +\S+ +\d+ (\S+ \S+) (.+)$/

/** The files of an archive in their order. */
export const unpack = async (archive: Uint8Array): Promise<ReadonlyArray<UnpackedFile>> => {
  const folder = await mkdtemp(join(tmpdir(), "attestry-tar-"))
  try {
    const file = join(folder, "package.tar")
    await writeFile(file, archive)
    const env = { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" }
    const { stdout, stderr } = await run("tar", ["-tvf", file, "--full-time"], { env })
    if (stderr !== "") throw new Error(stderr)
    await run("tar", ["-xf", file, "-C", folder], { env })
    return await Promise.all(
      stdout
        .trimEnd()
        .split("\n")
        .map(async (line) => {
          const [, mode = "", time = "", name = ""] = LINE.exec(line) ?? []
          return { name, mode, time, bytes: new Uint8Array(await readFile(join(folder, name))) }
        })
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
