/** Runs the scripts of CI files in a shell, with the built program as `attestry` and a program that stands for npm. */
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folder } from "../shared/Run.js"

/** The folder of the package. */
export const PACKAGE = join(import.meta.dirname, "../..")

/** The folder of the repository. */
export const REPOSITORY = join(PACKAGE, "../..")

/** What a script has done. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

const script = (path: string, text: string): void => {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

/** A folder with programs; `npm` writes down what it was asked. */
export const programs = (): string => {
  const place = folder()
  mkdirSync(join(place, "bin"))
  const program = join(PACKAGE, "dist/bundle/attestry.js")
  script(join(place, "bin/attestry"), `exec "${process.execPath}" "${program}" "$@"`)
  script(join(place, "bin/npm"), `echo "$@" >> "${join(place, "npm.log")}"`)
  return place
}

/** Runs a script; it has the given variables and nothing of this process but a PATH. */
export const sh = (
  text: string,
  options: {
    readonly cwd: string
    readonly place: string
    readonly env: { readonly [name: string]: string }
    readonly shell?: "sh" | "bash"
  }
): Promise<Ended> =>
  new Promise((resolve) => {
    const path = `${join(options.place, "bin")}:${process.env.PATH}`
    const child = spawn(options.shell ?? "sh", ["-eu", "-c", text], {
      cwd: options.cwd,
      env: { PATH: path, HOME: options.place, ...options.env }
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        output += piece
      })
    child.on("close", (code) => resolve({ code, output }))
  })
