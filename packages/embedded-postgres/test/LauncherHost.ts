/** A program that runs one embedded server: tests start it as another process, or another user. */
import { createInterface } from "node:readline"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.js"

const say = (word: string, content: unknown) =>
  Effect.sync(() => process.stdout.write(`${word} ${JSON.stringify(content)}\n`))

const nextLine = Effect.async<string>((resume) => {
  const lines = createInterface({ input: process.stdin })
  lines.once("line", (line) => resume(Effect.succeed(line)))
  lines.once("close", () => resume(Effect.succeed("")))
})

const host = Effect.gen(function* () {
  const { connection } = yield* EmbeddedPostgres.make(JSON.parse(process.argv[2] ?? "{}"))
  yield* say("READY", { ...connection, password: Redacted.value(connection.password) })
  if ((yield* nextLine) === "exit") process.exit(3)
})

Effect.runPromise(
  Effect.scoped(host).pipe(
    Effect.catchAll((error) => say("FAILED", { ...error, message: error.message })),
    Effect.ensuring(Effect.sync(() => process.stdin.destroy()))
  )
)
