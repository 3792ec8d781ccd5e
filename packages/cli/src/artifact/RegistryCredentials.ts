/**
 * Reads the credentials of a registry from where docker and podman store them: the registry's credential helper, the
 * common credential store, or the configuration file.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

/** A user name and a password; with an identity token the name is empty. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

const HELPER_TIMEOUT_MS = 30_000

const files = (host: Host): ReadonlyArray<string> => {
  const runtime = variable(host, "XDG_RUNTIME_DIR")
  const named = variable(host, "REGISTRY_AUTH_FILE")
  return [
    ...(named === undefined ? [] : [named]),
    ...(runtime === undefined ? [] : [join(runtime, "containers/auth.json")]),
    join(host.home, ".config/containers/auth.json"),
    join(variable(host, "DOCKER_CONFIG") ?? join(host.home, ".docker"), "config.json")
  ]
}

const read = (file: string): Json.Fields => {
  if (!existsSync(file)) return {}
  try {
    return Json.object(JSON.parse(readFileSync(file, "utf8")))
  } catch {
    // WHY: a file that is not JSON contains no credentials; the registry reports whether they were needed.
    return {}
  }
}

/** Asks a credential helper; the registry is passed by stdin, never as an argument. */
const askProgram = (name: string, registry: string): Promise<Credentials | undefined> =>
  new Promise((resolve) => {
    if (!/^[A-Za-z0-9._-]+$/.test(name)) return resolve(undefined)
    const child = spawn(`docker-credential-${name}`, ["get"], {
      timeout: HELPER_TIMEOUT_MS,
      stdio: ["pipe", "pipe", "ignore"]
    })
    const pieces: Array<Buffer> = []
    child.on("error", () => resolve(undefined))
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece))
    child.stdin.on("error", () => resolve(undefined))
    child.on("close", (code) =>
      resolve(code === 0 ? parseAnswer(Buffer.concat(pieces)) : undefined)
    )
    child.stdin.end(registry)
  })

const parseAnswer = (bytes: Buffer): Credentials | undefined => {
  try {
    const { Username: username, Secret: password } = Json.object(JSON.parse(bytes.toString("utf8")))
    return typeof username === "string" && typeof password === "string"
      ? { username: username === "<token>" ? "" : username, password }
      : undefined
  } catch {
    // WHY: a helper that does not answer with JSON has no credentials.
    return undefined
  }
}

const fromAuth = (entry: Json.Fields): Credentials | undefined => {
  const token = Json.text(entry.identitytoken)
  if (token !== undefined && token !== "") return { username: "", password: token }
  const text = Buffer.from(Json.text(entry.auth) ?? "", "base64").toString("utf8")
  const at = text.indexOf(":")
  return at < 1 ? undefined : { username: text.slice(0, at), password: text.slice(at + 1) }
}

const HUB_KEYS = ["https://index.docker.io/v1/", "docker.io", "index.docker.io"]

/** The keys under which a registry may be stored. */
const keysOf = (name: string): ReadonlyArray<string> =>
  name === "docker.io" ? HUB_KEYS : [name, `https://${name}`, `https://${name}/v2/`]

const inFile = async (config: Json.Fields, registry: string): Promise<Credentials | undefined> => {
  const keys = keysOf(registry)
  const programs = new Map(Json.members(config.credHelpers))
  const ofRegistry = keys
    .map((key) => Json.text(programs.get(key)))
    .find((each) => each !== undefined)
  const program = ofRegistry ?? Json.text(config.credsStore)
  const auths = new Map(Json.members(config.auths))
  for (const key of keys) {
    const found = program === undefined ? undefined : await askProgram(program, key)
    const own = found ?? fromAuth(Json.object(auths.get(key)))
    if (own !== undefined) return own
  }
  return undefined
}

/** The credentials of a registry; undefined if there are none. */
export const find = async (host: Host, registry: string): Promise<Credentials | undefined> => {
  for (const file of files(host)) {
    const found = await inFile(read(file), registry)
    if (found !== undefined) return found
  }
  return undefined
}
