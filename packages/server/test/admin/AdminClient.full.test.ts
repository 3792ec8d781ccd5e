/**
 * Administration commands through the running server, over a socket that only its owner can open, and without a server.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber } from "effect"
import * as AdminClient from "../../src/internal/admin/AdminClient.js"
import * as CommandLine from "../../src/internal/CommandLine.js"
import * as Serve from "../../src/Serve.js"
import * as ServerConfig from "../../src/ServerConfig.js"

interface Deployment {
  readonly folder: string
  readonly variables: { readonly [name: string]: string }
}

const withFolder = <A, E, R>(
  settings: (folder: string) => Deployment["variables"],
  use: (deployment: Deployment) => Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "attestry-admin-"))),
    (folder) =>
      use({
        folder,
        variables: { ATTESTRY_PORT: "0", ATTESTRY_LOG_LEVEL: "none", ...settings(folder) }
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

const configOf = ({ variables }: Deployment) =>
  ServerConfig.read({ file: new Map(), variables, flags: new Map() })

/** Runs a command like the executable; the result is its JSON, or the message of its failure. */
const command = (deployment: Deployment, line: string) =>
  Effect.gen(function* () {
    const parsed = yield* CommandLine.parse([...line.split(" "), "--json"])
    if (parsed.command._tag !== "administer") return yield* Effect.dieMessage("no such command")
    let shown = ""
    const show = (text: string) => {
      shown += text
    }
    const ran = AdminClient.administer(yield* configOf(deployment), parsed.command.command, {
      json: true,
      show
    })
    const result = yield* Effect.either(ran)
    return Either.isLeft(result)
      ? { failed: result.left.message }
      : (JSON.parse(shown) as { readonly [name: string]: unknown })
  })

/** Starts a server until the scope closes; gives its URL. */
const whileServing = <A, E, R>(
  deployment: Deployment,
  use: (url: string) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const ready = yield* Deferred.make<string>()
    const show = (text: string) => {
      const url = /ready at (\S+)/.exec(text)?.[1]
      if (url !== undefined) Deferred.unsafeDone(ready, Effect.succeed(url))
    }
    const fiber = yield* Effect.fork(Serve.serve(yield* configOf(deployment), show))
    const url = yield* Effect.race(
      Deferred.await(ready),
      Effect.flatMap(Fiber.join(fiber), () => Effect.dieMessage("it stopped"))
    )
    return yield* Effect.ensuring(use(url), Fiber.interrupt(fiber))
  })

const statusWith = (url: string, key: unknown) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${String(key)}` }
    return (await fetch(`${url}/api/v2/user/default-org`, { headers })).status
  })

const onSocket = (folder: string) => ({
  ATTESTRY_STORE: "memory",
  ATTESTRY_ADMIN_SOCKET: join(folder, "admin.sock")
})

describe("administration commands", () => {
  it.live("run in the server that has the store, and take effect immediately", () =>
    withFolder(onSocket, (deployment) =>
      whileServing(deployment, (url) =>
        Effect.gen(function* () {
          const run = (line: string) => command(deployment, line)
          assert.deepInclude(yield* run("org create acme"), { name: "acme" })
          assert.deepInclude(yield* run("org create acme"), {
            failed: "there is an org `acme` already"
          })
          const ada = yield* run(
            "user add ada --org acme --role admin --email a@b --display-name Ada"
          )
          assert.deepInclude(ada, {
            login: "ada",
            display_name: "Ada",
            email: "a@b",
            role: "admin"
          })
          assert.deepInclude(yield* run("user add ada --org acme --role reader"), {
            failed: "`ada` is a member of org `acme` already"
          })
          const demoted = yield* run("user role ada --org acme --role member")
          assert.match(String(demoted.failed), /last admin/)
          yield* run("user add bob --org acme --role admin")
          assert.deepInclude(yield* run("user role ada --org acme --role member"), {
            role: "member"
          })
          assert.deepInclude(yield* run("user remove ada --org acme"), { removed: true })
          assert.match(String((yield* run("user remove ada --org acme")).failed), /not a member/)
          const issued = yield* run("key issue --user bob --expires-in 1h")
          assert.strictEqual(yield* statusWith(url, issued.key), 200)
          assert.deepInclude(yield* run(`key revoke ${issued.id}`), { revoked: true })
          assert.strictEqual(yield* statusWith(url, issued.key), 401)
          assert.match(String((yield* run(`key revoke ${issued.id}`)).failed), /no active API key/)
          assert.match(String((yield* run("key issue --user nobody")).failed), /no user/)
          assert.match(String((yield* run("user add x --org gone --role reader")).failed), /no org/)
          assert.deepInclude(yield* run("verify"), { ok: true, level: 3 })
          for (const level of [1, 2, 4, 5]) {
            const verified = yield* run(`verify --org acme --level ${level}`)
            assert.deepInclude(verified, { ok: true, level })
          }
          assert.deepInclude(yield* run("verify --org acme --from 0"), { ok: true, from: 0 })
          assert.match(String((yield* run("verify --org gone")).failed), /no org/)
          for (const wrong of ["--level 6", "--level 0", "--from 3", "--org acme --from -1"]) {
            const refused = CommandLine.parse(`verify ${wrong}`.split(" "))
            assert.isTrue(Either.isLeft(refused), wrong)
          }
          assert.match(
            String((yield* run("log accept-rollback --org acme")).failed),
            /no rollback to accept/
          )
          const told = yield* run("erase --org acme --value none --reason asked")
          assert.deepInclude(told, { org: "acme", preview: true, entries: 0 })
          const gone = yield* run("erase --org acme --value none --reason asked --yes true")
          assert.deepInclude(gone, { org: "acme", preview: false, erased: [] })
          assert.match(
            String((yield* run("erase --org gone --value none --reason asked")).failed),
            /no org/
          )
          assert.isTrue(Either.isLeft(CommandLine.parse("erase --org acme --value v".split(" "))))
          const failed: unknown = yield* run("notifications failed list --org acme")
          assert.deepStrictEqual(failed, [])
          const replayed = yield* run("notifications failed replay --org acme --id d1")
          assert.deepStrictEqual(replayed, { replayed: [] })
          assert.match(
            String((yield* run("notifications failed list --org gone")).failed),
            /no org/
          )
        })
      )
    )
  )

  it.live("show keys without their secrets", () =>
    withFolder(onSocket, (deployment) =>
      whileServing(deployment, () =>
        Effect.gen(function* () {
          const run = (line: string) => command(deployment, line)
          yield* run("org create acme")
          yield* run("user add ada --org acme --role admin")
          const issued = yield* run("key issue --user ada --description laptop")
          const listed = yield* run("key list --user ada")
          assert.include(JSON.stringify(listed), '"description":"laptop"')
          assert.notInclude(JSON.stringify(listed), String(issued.key))
        })
      )
    )
  )

  it.live("require a server for the memory store", () =>
    withFolder(onSocket, (deployment) =>
      Effect.gen(function* () {
        const { failed } = yield* command(deployment, "org create acme")
        assert.match(String(failed), /lives inside its server/)
      })
    )
  )

  it.live("use a socket that only its owner can open, and that survives invalid input", () =>
    withFolder(onSocket, (deployment) =>
      whileServing(deployment, () =>
        Effect.gen(function* () {
          const path = join(deployment.folder, "admin.sock")
          assert.strictEqual(statSync(path).mode & 0o777, 0o600)
          for (const nonsense of ["nonsense\n", "{}\n", "x".repeat(100_000)]) {
            yield* Effect.async<void>((resume) => {
              const socket = createConnection(path, () => socket.write(nonsense))
              socket.on("error", () => undefined)
              socket.on("close", () => resume(Effect.void))
            })
          }
          assert.deepInclude(yield* command(deployment, "org create acme"), { name: "acme" })
        })
      )
    )
  )

  it.live("replace the socket of a killed server", () =>
    withFolder(onSocket, (deployment) =>
      Effect.gen(function* () {
        writeFileSync(join(deployment.folder, "admin.sock"), "")
        yield* whileServing(deployment, () =>
          Effect.map(command(deployment, "org create acme"), (answer) =>
            assert.deepInclude(answer, { name: "acme" })
          )
        )
      })
    )
  )

  it.live(
    "run on the embedded store with and without its server",
    () =>
      withFolder(
        (folder) => ({ ATTESTRY_STORE: "embedded", ATTESTRY_DATA_DIR: join(folder, "data") }),
        (deployment) =>
          Effect.gen(function* () {
            const run = (line: string) => command(deployment, line)
            assert.deepInclude(yield* run("org create acme"), { name: "acme" })
            const key = yield* whileServing(deployment, (url) =>
              Effect.gen(function* () {
                yield* run("user add ada --org acme --role admin")
                const issued = yield* run("key issue --user ada")
                assert.strictEqual(yield* statusWith(url, issued.key), 200)
                return issued
              })
            )
            assert.include(JSON.stringify(yield* run("key list --user ada")), String(key.id))
            assert.deepInclude(yield* run("verify"), { ok: true })
          })
      ),
    120_000
  )

  it.live("add and end keys of logs in the file of this machine", () =>
    withFolder(
      (folder) => ({
        ATTESTRY_STORE: "memory",
        ATTESTRY_LOG_KEY_FILE: join(folder, "log-key")
      }),
      (deployment) =>
        Effect.gen(function* () {
          const run = (line: string) => command(deployment, line)
          const file = join(deployment.folder, "log-key")
          assert.deepInclude(yield* run("log key add"), { generation: 1 })
          assert.strictEqual(statSync(file).mode & 0o777, 0o600)
          assert.match(String((yield* run("log key retire 1")).failed), /the last key/)
          assert.deepInclude(yield* run("log key add"), { generation: 2 })
          const ending = yield* run("log key retire 1")
          assert.match(String(ending.until), /^\d{4}-\d\d-\d\d$/)
          assert.match(readFileSync(file, "utf8"), /^1 \S{44} until \d{4}-\d\d-\d\d\n2 \S{44}\n$/)
          const ended = yield* run("log key retire 1 --compromised true")
          assert.isBelow(
            Date.parse(String(ended.until)),
            Date.parse(new Date().toISOString().slice(0, 10))
          )
          assert.match(String((yield* run("log key retire 7")).failed), /no generation 7/)
        })
    )
  )
})
