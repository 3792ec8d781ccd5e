#!/usr/bin/env node
/** The executable: parses the command line, reads the configuration and runs the command. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as AdminClient from "./internal/admin/AdminClient.js"
import * as CommandLine from "./internal/CommandLine.js"
import * as Demo from "./internal/demo/Demo.js"
import * as GeneratedKey from "./internal/GeneratedKey.js"
import * as Lifecycle from "./internal/Lifecycle.js"
import * as Logging from "./internal/Logging.js"
import * as Migrate from "./internal/Migrate.js"
import * as Version from "./internal/Version.js"
import * as Serve from "./Serve.js"
import * as ServerConfig from "./ServerConfig.js"

const readFile = (name: string) =>
  Either.try({
    try: () => readFileSync(name, "utf8"),
    catch: () => new ServerConfig.InvalidConfig({ problems: [`--config: cannot read \`${name}\``] })
  }).pipe(Either.flatMap((text) => ServerConfig.parseFile(name, text)))

const program = Effect.gen(function* () {
  const { command, configFile, flags } = yield* CommandLine.parse(process.argv.slice(2))
  if (command._tag === "help") return Lifecycle.show(CommandLine.help())
  if (command._tag === "version") return Lifecycle.show(`attestry-server ${Version.read()}\n`)
  if (command._tag === "key generate") return yield* GeneratedKey.show(Lifecycle.show)
  const file = configFile === undefined ? new Map() : yield* readFile(configFile)
  const config = yield* ServerConfig.read({ file, variables: process.env, flags })
  yield* Effect.forEach(ServerConfig.unknownVariables(process.env), (problem) =>
    Effect.logWarning(problem)
  ).pipe(Effect.provide(Logging.layer(config)))
  switch (command._tag) {
    case "serve":
      return yield* Serve.serve(config, Lifecycle.show)
    case "demo":
      return yield* Demo.demo(config, { seed: command.seed, show: Lifecycle.show })
    case "migrate":
      return yield* Migrate.migrate(config)
    case "administer":
      return yield* AdminClient.administer(config, command.command, {
        json: command.json,
        show: Lifecycle.show
      })
  }
})

Lifecycle.run(program)
