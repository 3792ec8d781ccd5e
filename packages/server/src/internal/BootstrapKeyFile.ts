/**
 * The file of the first administrator's key: read when it exists, written when it does not. A variable would be visible
 * to every child process.
 *
 * WHY a file: the output of a container is collected and stored, and must not contain a key.
 */
import { readFile, writeFile } from "node:fs/promises"
import * as ApiKeySecret from "@attestry/core/ApiKeySecret"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The file cannot be used. */
export class BootstrapKeyFileFailed extends Schema.TaggedError<BootstrapKeyFileFailed>()(
  "BootstrapKeyFileFailed",
  { problem: Schema.String }
) {
  override get message(): string {
    return `ATTESTRY_BOOTSTRAP_KEY_FILE: ${this.problem}`
  }
}

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : String(cause)

const failed = (verb: string, file: string) => (cause: unknown) =>
  new BootstrapKeyFileFailed({ problem: `cannot ${verb} \`${file}\`: ${codeOf(cause)}` })

const readText = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  }
}

/** The key in the file; none when the file does not exist. */
export const read = (
  file: string
): Effect.Effect<Option.Option<Redacted.Redacted<string>>, BootstrapKeyFileFailed> =>
  Effect.gen(function* () {
    const content = yield* Effect.tryPromise({
      try: () => readText(file),
      catch: failed("read", file)
    })
    if (content === undefined) return Option.none()
    const text = content.trim()
    return Option.isSome(ApiKeySecret.parse(text))
      ? Option.some(Redacted.make(text))
      : yield* new BootstrapKeyFileFailed({ problem: `\`${file}\` does not hold an API key` })
  })

/** Writes the key, readable by the owner of the process alone. */
export const write = (
  file: string,
  key: Redacted.Redacted<string>
): Effect.Effect<void, BootstrapKeyFileFailed> =>
  Effect.tryPromise({
    try: () => writeFile(file, `${Redacted.value(key)}\n`, { mode: 0o600 }),
    catch: failed("write", file)
  })
