/** Debian's `docker-registry`, `skopeo` and `umoci`, started on loopback for tests. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createSocket } from "node:net"
import { join } from "node:path"
import { folder } from "../shared/Run.js"

const TOOLS = ["docker-registry", "skopeo", "umoci"]

const isInstalled = (name: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${name}`]).status === 0

/** The tools that are not installed. */
export const MISSING: ReadonlyArray<string> = TOOLS.filter((name) => !isInstalled(name))

/** Whether a run must have the tools instead of skipping what needs them. */
export const IS_REQUIRED = process.env.ATTESTRY_REQUIRE_IMAGE_TOOLS === "1"

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createSocket()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Runs a program to its end and gives what it printed. */
export const output = (program: string, args: ReadonlyArray<string>): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`)
  return stdout
}

/** A running server, and how it ends. */
export interface Running {
  /** The host and the port. */
  readonly host: string
  readonly stop: () => Promise<void>
}

const answers = async (host: string): Promise<boolean> =>
  fetch(`http://${host}/v2/`).then(
    () => true,
    () => false
  )

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })

/** Starts a registry; one with `mirrors` reads through to another registry and keeps what it read. */
export const startRegistry = async (mirrors?: string): Promise<Running> => {
  const root = folder()
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  mkdirSync(join(root, "data"))
  const config = join(root, "config.yml")
  writeFileSync(
    config,
    [
      "version: 0.1",
      "log: { level: error, accesslog: { disabled: true } }",
      `storage: { filesystem: { rootdirectory: ${JSON.stringify(join(root, "data"))} } }`,
      `http: { addr: ${JSON.stringify(host)} }`,
      ...(mirrors === undefined ? [] : [`proxy: { remoteurl: "http://${mirrors}" }`]),
      ""
    ].join("\n")
  )
  const child = spawn("docker-registry", ["serve", config], { stdio: "ignore" })
  for (let tries = 0; tries < 200; tries++) {
    if (await answers(host)) return { host, stop: () => ended(child) }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await ended(child)
  throw new Error("the registry did not start")
}

/** Answers a request itself, and says so; any other goes on to the registry. */
export type Gate = (incoming: IncomingMessage, response: ServerResponse, host: string) => boolean

/** A proxy in front of a registry that asks for credentials. */
export const startGate = async (target: string, gate: Gate): Promise<Running> => {
  const place = { host: "" }
  const server = createServer((incoming, response) => {
    if (gate(incoming, response, place.host)) return
    const { authorization: _, ...headers } = incoming.headers
    const [name, port] = target.split(":")
    const { method, url: path } = incoming
    const onward = request({ host: name, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  place.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host: place.host,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** An image of one file in a new layout, for one architecture, made by `umoci`. */
export const layoutWith = (content: string, architecture: string): string => {
  const root = folder()
  const layout = join(root, "image")
  const file = join(root, "content")
  writeFileSync(file, content)
  const image = `${layout}:1.4`
  output("umoci", ["init", "--layout", layout])
  output("umoci", ["new", "--image", image])
  output("umoci", ["insert", "--rootless", "--image", image, file, "/content"])
  output("umoci", ["config", "--image", image, "--architecture", architecture, "--os", "linux"])
  output("umoci", ["gc", "--layout", layout])
  return layout
}

/** Copies an image by `skopeo`, without TLS. */
export const copy = (from: string, to: string): void => {
  output("skopeo", [
    "copy",
    "--insecure-policy",
    "--src-tls-verify=false",
    "--dest-tls-verify=false",
    from,
    to
  ])
}
