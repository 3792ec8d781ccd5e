/**
 * Runs an administration command and prints its result. DECISION A-26
 *
 * A running server runs the command; without one this process opens the store. The memory store exists only inside its
 * server.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SecretsNode from "../../SecretsNode.js"
import type { ServerConfig } from "../../ServerConfig.js"
import * as ServerLayer from "../../ServerLayer.js"
import * as Logging from "../Logging.js"
import * as LogKeyFile from "../LogKeyFile.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"
import * as AdminPath from "./AdminPath.js"
import * as AdminSocket from "./AdminSocket.js"

/** The command failed in the server. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  error: Schema.String,
  message: Schema.String
}) {}

/** No server with a memory store is running. */
export class NoServer extends Schema.TaggedError<NoServer>()("NoServer", {}) {
  override get message(): string {
    return "the memory store lives inside its server: start one with ATTESTRY_ADMIN_SOCKET, and name it here too"
  }
}

const runLocally = (config: ServerConfig, command: AdminCommand) =>
  Effect.gen(function* () {
    if (config.ATTESTRY_STORE === "memory") return yield* new NoServer()
    const value: unknown = yield* Effect.provide(
      AdminCommands.run(command),
      ServerLayer.layer(config)
    )
    return value
  })

/** A command about a file of this machine, which no server runs. */
const onFile = (config: ServerConfig, command: AdminCommand) => {
  if (command._tag === "log key add") {
    return Effect.asSome(Effect.provide(LogKeyFile.addKey(config), SecretsNode.layer))
  }
  if (command._tag !== "log key retire") return Effect.succeedNone
  const { generation, compromised } = command
  return Effect.asSome(
    LogKeyFile.retireKey(config, { generation, isCompromised: compromised === "true" })
  )
}

const execute = (config: ServerConfig, command: AdminCommand) =>
  Effect.gen(function* () {
    const done: Option.Option<unknown> = yield* onFile(config, command)
    if (Option.isSome(done)) return done.value
    const path = AdminPath.of(config)
    const reply = path === undefined ? Option.none() : yield* AdminSocket.request(path, command)
    if (Option.isNone(reply)) return yield* runLocally(config, command)
    return reply.value.ok ? reply.value.value : yield* new CommandFailed(reply.value)
  })

const line = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(
          ([name, member]) =>
            `${name}: ${typeof member === "object" ? JSON.stringify(member) : String(member)}`
        )
        .join("\n")
    : String(value)

/** A result as text: one line for each field, and an empty line between items. */
export const print = (value: unknown): string =>
  Array.isArray(value)
    ? value.length === 0
      ? "none\n"
      : `${value.map(line).join("\n\n")}\n`
    : `${line(value)}\n`

/** Runs a command and prints its result, as JSON with `--json`. */
export const administer = (
  config: ServerConfig,
  command: AdminCommand,
  output: { readonly json: boolean; readonly show: (text: string) => void }
) =>
  Effect.gen(function* () {
    const value = yield* execute(config, command)
    yield* Effect.sync(() => output.show(output.json ? `${JSON.stringify(value)}\n` : print(value)))
  }).pipe(Effect.provide(Logging.layer({ ...config, ATTESTRY_LOG_LEVEL: "warning" })))
