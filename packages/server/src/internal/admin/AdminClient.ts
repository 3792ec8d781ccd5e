/**
 * Runs an administration command and prints its result. It works whether or not the server runs; the embedded store is
 * reached through the server.
 *
 * A running server runs the command; without one this process opens the store. The memory store exists only inside its
 * server.
 */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SecretsNode from "../../SecretsNode.js"
import type { ServerConfig } from "../../ServerConfig.js"
import * as ServerLayer from "../../ServerLayer.js"
import { EndedWith } from "../Lifecycle.js"
import * as Logging from "../Logging.js"
import * as LogKeyFile from "../LogKeyFile.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"
import * as AdminPath from "./AdminPath.js"
import * as AdminSocket from "./AdminSocket.js"
import * as OrgArchiveCommands from "./OrgArchiveCommands.js"
import * as Verification from "./Verification.js"

/** The command failed in the server. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  error: Schema.String,
  message: Schema.String
}) {}

/** A file that the command names cannot be read. */
export class UnreadableFile extends Schema.TaggedError<UnreadableFile>()("UnreadableFile", {
  file: Schema.String
}) {
  override get message(): string {
    return `cannot read \`${this.file}\``
  }
}

/** No server with a memory store is running. */
export class NoServer extends Schema.TaggedError<NoServer>()("NoServer", {}) {
  override get message(): string {
    return "the memory store lives inside its server: start one with ATTESTRY_ADMIN_SOCKET, and name it here too"
  }
}

/** The code with which `verify` ends when it could not read everything. */
const UNFINISHED = 3

const decodeReport = Schema.decodeUnknownOption(Verification.VerifyReport)

/** WHY a reader: verifying changes nothing, and the address may lead to a standby. */
const opened = (config: ServerConfig, { _tag }: AdminCommand): ServerConfig =>
  _tag === "verify" && config.ATTESTRY_STORE === "postgres"
    ? { ...config, ATTESTRY_ROLE: "reader" }
    : config

const runLocally = (config: ServerConfig, command: AdminCommand) =>
  Effect.gen(function* () {
    if (config.ATTESTRY_STORE === "memory") return yield* new NoServer()
    const value: unknown = yield* Effect.provide(
      AdminCommands.run(command),
      ServerLayer.layer(opened(config, command))
    )
    return value
  })

/** A command about a file of this machine, which no server runs. */
const onFile = (config: ServerConfig, command: AdminCommand) => {
  if (command._tag === "org export" || command._tag === "org import") {
    return Effect.asSome(OrgArchiveCommands.run(config, command))
  }
  if (command._tag === "log key add") {
    return Effect.asSome(Effect.provide(LogKeyFile.addKey(config), SecretsNode.layer))
  }
  if (command._tag !== "log key retire") return Effect.succeedNone
  const { generation, compromised } = command
  return Effect.asSome(
    LogKeyFile.retireKey(config, { generation, isCompromised: compromised === "true" })
  )
}

/** WHY here: the server that runs the command may not see the files of its caller. */
const withContent = (command: AdminCommand): Effect.Effect<AdminCommand, UnreadableFile> => {
  if (command._tag !== "sign-in set") return Effect.succeed(command)
  const { file } = command
  return Effect.map(
    Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: () => new UnreadableFile({ file })
    }),
    (content) => ({ ...command, file: content })
  )
}

const execute = (config: ServerConfig, given: AdminCommand) =>
  Effect.gen(function* () {
    const command = yield* withContent(given)
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

/** The exit of a command that verifies: findings, or parts that could not be read. */
const notVerified = (
  command: AdminCommand,
  value: unknown
): Option.Option<Verification.NotVerified> =>
  command._tag === "verify"
    ? Option.flatMap(decodeReport(value), Verification.outcomeOf)
    : Option.none()

const isUse = ({ _tag, error }: { readonly _tag: string; readonly error?: string }): boolean =>
  _tag === "NoServer" || _tag === "OrgNotFound" || error === "OrgNotFound"

/** WHY other codes for one command: a scheduled run must distinguish findings from a database that is away. */
const exitCodeOf = (
  command: AdminCommand,
  failure: { readonly _tag: string; readonly error?: string; readonly exitCode?: number }
): number => {
  if (command._tag !== "verify" || isUse(failure)) return 1
  return failure.exitCode ?? UNFINISHED
}

/** Runs a command and prints its result, as JSON with `--json`. */
export const administer = (
  config: ServerConfig,
  command: AdminCommand,
  output: { readonly json: boolean; readonly show: (text: string) => void }
) =>
  Effect.gen(function* () {
    const value = yield* execute(config, command)
    const failure = notVerified(command, value)
    if (output.json || Option.isNone(failure)) {
      yield* Effect.sync(() =>
        output.show(output.json ? `${JSON.stringify(value)}\n` : print(value))
      )
    }
    if (Option.isSome(failure)) return yield* failure.value
  }).pipe(
    Effect.mapError(
      (failure) => new EndedWith({ exitCode: exitCodeOf(command, failure), failure })
    ),
    Effect.provide(Logging.layer({ ...config, ATTESTRY_LOG_LEVEL: "warning" }))
  )
