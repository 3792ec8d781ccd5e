/**
 * A machine on which the commands of a document run: an empty folder or a clone, a server, and one shell.
 *
 * `attestry` and `attestry-server` on the path are the built bundles. `npx` stands for the package manager: what it
 * would install or compile is there already, because the build runs before these tests.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import {
  MAIN,
  type ServerProcess,
  start
} from "../../../packages/server/test/shared/ServerProcess.js"
import * as Repository from "../shared/Repository.js"

/** The output of a block, and whether it ended as it should. */
export interface Ran {
  readonly isAsExpected: boolean
  readonly output: string
}

/** The address, the org and the key that documents show are replaced by these. */
interface Names {
  readonly url: string
  readonly org: string
  readonly key: string
}

/** WHY refused: a test must not install what a registry has under these names. */
const NPM = `#!/bin/sh
echo "npm: a block that installs from the registry is marked as not run: npm $*" >&2
exit 127
`

const NPX = `#!/bin/sh
[ "$1" = "@attestry/server" ] && { shift; exec attestry-server "$@"; }
[ "$1" = "pnpm" ] && shift || { echo "npx: only pnpm and @attestry/server are here: $*" >&2; exit 127; }
case "$1 $2 $3" in
  "install "*) exit 0 ;;
  "exec tsc -b") exit 0 ;;
  "run "*) PATH="$PWD/node_modules/.bin:$PATH" exec sh -c "$(node -p "require('./package.json').scripts['$2']")" ;;
  "exec "*) shift; tool="$1"; shift; exec "ROOT/node_modules/.bin/$tool" "$@" ;;
  "attestry "*) shift; exec attestry "$@" ;;
  "attestry-server "*) shift; exec attestry-server "$@" ;;
esac
echo "npx pnpm: not here: $*" >&2
exit 127
`

/** The line that ends the output of a block. */
const ENDED = "=== the block has ended ==="

/** Reads names of files, runs each in this shell, and prints a line after each. */
const DRIVER = `
set -euo pipefail
exec 2>&1
while read -r -u 3 file; do
  source "$file" < /dev/null 3<&-
  printf '%s\\n' ${JSON.stringify(ENDED)}
done
`

const executable = (file: string, text: string): void => {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

const programs = (folder: string): void => {
  mkdirSync(folder)
  const attestry = join(Repository.root, "packages/cli/dist/bundle/attestry.js")
  // WHY without them: the server warns about settings that it does not know.
  const others = "env -u ATTESTRY_URL -u ATTESTRY_ORG -u ATTESTRY_API_KEY"
  for (const [name, start] of [
    ["attestry", `"${process.execPath}" "${attestry}"`],
    ["attestry-server", `${others} "${process.execPath}" "${MAIN}"`]
  ] as const)
    executable(join(folder, name), `#!/bin/sh\nexec ${start} "$@"\n`)
  executable(join(folder, "npm"), NPM)
  executable(join(folder, "npx"), NPX.replaceAll("ROOT", Repository.root))
}

/** Packages of this repository, as a project of a reader has them after `npm install`. */
const packages = (place: string): void => {
  mkdirSync(join(place, "node_modules/@attestry"), { recursive: true })
  for (const { manifest, folder } of Repository.published())
    symlinkSync(join(Repository.root, folder), join(place, "node_modules", manifest.name))
  const effect = join(Repository.root, "packages/core/node_modules/effect")
  symlinkSync(effect, join(place, "node_modules/effect"))
}

/** A folder that looks like a clone that was built: links, and copies of the examples, which commands write to. */
const clone = (folder: string): void => {
  mkdirSync(folder)
  const copied = new Set(["examples", ".git", "attestry-data"])
  for (const name of readdirSync(Repository.root).filter((each) => !copied.has(each)))
    symlinkSync(join(Repository.root, name), join(folder, name))
  cpSync(join(Repository.root, "examples"), join(folder, "examples"), {
    recursive: true,
    verbatimSymlinks: true
  })
}

/** A signing secret of the form that servers make. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

/** A text with the values of the test server. Addresses of schemas stay: they only name the version of a policy. */
const filled = (text: string, { url, org, key }: Names): string =>
  text
    .replaceAll("http://127.0.0.1:8080", url)
    .replaceAll(/https:\/\/attestry\.example\.com(?!\/schemas)/g, url)
    .replaceAll("org-dd7241", org)
    .replaceAll("attestry_user_…", key)
    .replaceAll("whsec_…", WEBHOOK_SECRET)

const environmentOf = (
  place: string,
  { url, org, key }: Names,
  port: number
): NodeJS.ProcessEnv => ({
  PATH: `${join(place, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: join(place, "home"),
  ATTESTRY_URL: url,
  ATTESTRY_ORG: org,
  ATTESTRY_API_KEY: key,
  PORT: String(port),
  LC_ALL: "C.UTF-8",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_CONFIG_NOSYSTEM: "1"
})

/** A port that programs of the document may listen on. */
const freePort = async (): Promise<number> => {
  const listener = createServer().listen(0, "127.0.0.1")
  await once(listener, "listening")
  const address = listener.address()
  await new Promise((resolve) => listener.close(resolve))
  return typeof address === "object" && address !== null ? address.port : 0
}

/** How long a program that goes on running may take until it prints the expected text. */
const READY_MS_MAX = 90_000

const inSubshell = (commands: string, code: number): string =>
  `set +e\n( set -e\n${commands})\nexpected_status=$?\nset -e\n[ "$expected_status" -eq ${code} ]\n`

const inBackground = (commands: string, text: string, log: string): string => `{
${commands}} > ${log} 2>&1 &
for _ in $(seq ${READY_MS_MAX / 100}); do grep -qF -- ${JSON.stringify(text)} ${log} && break; sleep 0.1; done
cat ${log}
grep -qF -- ${JSON.stringify(text)} ${log}
`

/** How a block is run. */
export interface How {
  readonly exits: number
  /** The text after whose output the next block begins; the program goes on running. */
  readonly until: string | undefined
}

interface Parts {
  readonly place: string
  readonly folder: string
  readonly server: ServerProcess
  readonly shell: ChildProcess
}

/** A started machine. */
export class Machine {
  private names: Names
  private count = 0
  private output = ""
  private isClosed = false
  private changed: () => void = () => {}

  private constructor(private readonly parts: Parts) {
    const { server, shell } = parts
    this.names = namesOf(server)
    shell.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text
      this.changed()
    })
    // WHY not `close` of the process: the pipe of the names of files stays open at this end.
    shell.stdout?.once("end", () => {
      this.isClosed = true
      this.changed()
    })
  }

  /** Starts a server in memory with the org `acme`, and a shell that is signed in to it. */
  static async start(isClone: boolean): Promise<Machine> {
    const server = await start({
      ATTESTRY_STORE: "memory",
      ATTESTRY_BOOTSTRAP_ORG: "acme",
      ATTESTRY_BOOTSTRAP_USER: "admin"
    })
    const place = mkdtempSync(join(tmpdir(), "attestry-commands-"))
    programs(join(place, "bin"))
    packages(place)
    mkdirSync(join(place, "home"))
    mkdirSync(join(place, "blocks"))
    const folder = join(place, "work")
    if (isClone) clone(folder)
    else mkdirSync(folder)
    const shell = spawn("bash", ["-c", DRIVER], {
      cwd: folder,
      env: environmentOf(place, namesOf(server), await freePort()),
      // WHY its own group: programs that it leaves running end with it.
      detached: true,
      stdio: ["ignore", "pipe", "inherit", "pipe"]
    })
    return new Machine({ place, folder, server, shell })
  }

  /** Writes a file of the folder, as a reader would copy it from the document. */
  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.parts.folder, name)), { recursive: true })
    writeFileSync(join(this.parts.folder, name), filled(text, this.names))
  }

  /** The text of a document with the address, the org and the key of this machine. */
  here(text: string): string {
    return filled(text, this.names)
  }

  /** Runs commands to their end. */
  async run(commands: string, { exits, until }: How): Promise<Ran> {
    this.count += 1
    const file = join(this.parts.place, "blocks", `${this.count}.sh`)
    const log = join(this.parts.place, "blocks", `${this.count}.log`)
    const here = filled(commands, this.names)
    const script =
      until !== undefined
        ? inBackground(here, until, log)
        : exits === 0
          ? here
          : inSubshell(here, exits)
    writeFileSync(file, script)
    this.output = ""
    const isAsExpected = await this.send(file)
    const output = this.output.replace(`${ENDED}\n`, "")
    if (until !== undefined && isAsExpected) await this.useServerOf(readFileSync(log, "utf8"))
    return { isAsExpected, output }
  }

  private hasEnded(): boolean {
    return this.output.endsWith(`${ENDED}\n`)
  }

  private async send(file: string): Promise<boolean> {
    const input = this.parts.shell.stdio[3]
    if (input === null || input === undefined || !("write" in input)) return false
    const ended = new Promise<void>((resolve) => {
      this.changed = () => {
        if (this.isClosed || this.hasEnded()) resolve()
      }
    })
    input.write(`${file}\n`)
    this.changed()
    await ended
    return this.hasEnded()
  }

  /** Uses the server whose address and key a program of the document has printed. */
  private async useServerOf(printed: string): Promise<void> {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? this.names.url
    const key = /\battestry_user_\w+/.exec(printed)?.[0] ?? this.names.key
    this.names = { ...this.names, url, key }
    const commands = `export ATTESTRY_URL=${url} ATTESTRY_API_KEY=${key}\n`
    await this.run(commands, { exits: 0, until: undefined })
  }

  /** Ends everything that was started, and removes the folder. */
  async stop(): Promise<void> {
    const { pid } = this.parts.shell
    if (pid !== undefined && this.parts.shell.exitCode === null) {
      const ended = once(this.parts.shell, "exit")
      process.kill(-pid, "SIGTERM")
      await ended
    }
    await this.parts.server.stop("SIGTERM")
    rmSync(this.parts.place, { recursive: true, force: true })
  }
}

const namesOf = ({ url, org = "", key = "" }: ServerProcess): Names => ({ url, org, key })
