/**
 * The command line's side of administration commands: carries one out and shows what came of it.
 *
 * A server that listens is asked; otherwise the store is opened here. The memory store lives inside its
 * server, so there is nothing to open. DECISION A-26
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../../ServerConfig.js"
import * as ServerLayer from "../../ServerLayer.js"
import * as Logging from "../Logging.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"
import * as AdminPath from "./AdminPath.js"
import * as AdminSocket from "./AdminSocket.js"

/** The server refused the command. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  error: Schema.String,
  message: Schema.String
}) {}

/** Nobody holds a memory store that could be asked. */
export class NoServer extends Schema.TaggedError<NoServer>()("NoServer", {}) {
  override get message(): string {
    return "the memory store lives inside its server: start one with ATTESTRY_ADMIN_SOCKET, and name it here too"
  }
}

const here = (config: ServerConfig, command: AdminCommand) =>
  Effect.gen(function* () {
    if (config.ATTESTRY_STORE === "memory") return yield* new NoServer()
    const value: unknown = yield* Effect.provide(
      AdminCommands.run(command),
      ServerLayer.layer(config)
    )
    return value
  })

const carryOut = (config: ServerConfig, command: AdminCommand) =>
  Effect.gen(function* () {
    const path = AdminPath.of(config)
    const answer = path === undefined ? Option.none() : yield* AdminSocket.ask(path, command)
    if (Option.isNone(answer)) return yield* here(config, command)
    return answer.value.ok ? answer.value.value : yield* new CommandFailed(answer.value)
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

/** An answer for people: one line for each field, and an empty one between things. */
export const print = (value: unknown): string =>
  Array.isArray(value)
    ? value.length === 0
      ? "none\n"
      : `${value.map(line).join("\n\n")}\n`
    : `${line(value)}\n`

/** Carries out a command and shows its answer, as JSON where that was asked for. */
export const administer = (
  config: ServerConfig,
  command: AdminCommand,
  output: { readonly json: boolean; readonly show: (text: string) => void }
) =>
  Effect.gen(function* () {
    const value = yield* carryOut(config, command)
    yield* Effect.sync(() => output.show(output.json ? `${JSON.stringify(value)}\n` : print(value)))
  }).pipe(Effect.provide(Logging.layer({ ...config, ATTESTRY_LOG_LEVEL: "warning" })))
