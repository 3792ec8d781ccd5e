/**
 * Reasons why an embedded PostgreSQL does not start, each with the operator's next step.
 *
 * Each class is one situation with its data; `message` is one line that ends with the next step.
 */
import * as Schema from "effect/Schema"

const advice: ReadonlyArray<readonly [pattern: RegExp, nextStep: string]> = [
  [/ENOSPC|EDQUOT|No space left|Disk quota/i, "free some disk space and start again"],
  [/EROFS|Read-only file system/i, "mount the folder writable or choose another one"],
  [
    /EACCES|EPERM|Permission denied|Operation not permitted/i,
    "give the account that runs the server access to the folder or choose another one"
  ],
  [/ENOTDIR|EEXIST/, "choose a path that is a folder or does not exist yet"],
  [/shared memory segment|could not map anonymous/i, "give the server more memory and start again"]
]

const nextStepFor = (text: string): string =>
  advice.find(([pattern]) => pattern.test(text))?.[1] ??
  "read the server's log in this error, repair the cause and start again"

/** The last line in which a PostgreSQL program reports an error. */
const lastComplaint = (output: string): string | undefined =>
  output
    .split("\n")
    .flatMap((line) => /\b(?:FATAL|PANIC|ERROR|error):\s+(.+)$/.exec(line)?.[1] ?? [])
    .at(-1)

/** Another live process runs a server in this data folder. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  dataDir: Schema.String,
  pid: Schema.Number
}) {
  override get message() {
    return (
      `data folder \`${this.dataDir}\` is in use by process ${this.pid}: ` +
      "stop that process or choose another folder"
    )
  }
}

/** Another major version of PostgreSQL wrote the data folder; nothing in it was changed. */
export class DataFolderVersionMismatch extends Schema.TaggedError<DataFolderVersionMismatch>()(
  "DataFolderVersionMismatch",
  { dataDir: Schema.String, found: Schema.String, expected: Schema.String }
) {
  override get message() {
    const { dataDir, expected, found } = this
    return (
      `data folder \`${dataDir}\` was written by PostgreSQL ${found} but this release runs ` +
      `PostgreSQL ${expected}: start it with a release that runs ${found}, or dump its data with ` +
      `PostgreSQL ${found} and load the dump into a new folder`
    )
  }
}

/** The folder holds something that the launcher did not put there; nothing in it was changed. */
export class DataFolderForeign extends Schema.TaggedError<DataFolderForeign>()(
  "DataFolderForeign",
  { dataDir: Schema.String, entry: Schema.String }
) {
  override get message() {
    return (
      `data folder \`${this.dataDir}\` holds \`${this.entry}\`, which is not part of an embedded ` +
      "database: choose an empty folder or one made by this launcher"
    )
  }
}

/** The folder could not be prepared, or PostgreSQL refused to run in it; `output` has what it wrote. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()(
  "DataFolderUnusable",
  { dataDir: Schema.String, operation: Schema.String, reason: Schema.String, output: Schema.String }
) {
  override get message() {
    return (
      `data folder \`${this.dataDir}\` cannot be used: ${this.operation} failed: ${this.reason}: ` +
      nextStepFor(`${this.reason}\n${this.output}`)
    )
  }

  /** Turns a rejected file system or network call into this error. */
  static fromCause(dataDir: string, operation: string) {
    return (cause: unknown) =>
      new DataFolderUnusable({
        dataDir,
        operation,
        reason: cause instanceof Error ? cause.message : String(cause),
        output: ""
      })
  }

  /** Turns the end of a program, and what it wrote before, into this error. */
  static fromEnd(dataDir: string, operation: string) {
    return ({ how, output }: { readonly how: string; readonly output: string }) =>
      new DataFolderUnusable({ dataDir, operation, reason: lastComplaint(output) ?? how, output })
  }
}

/** There is no PostgreSQL that this process could run. */
export class PostgresUnavailable extends Schema.TaggedError<PostgresUnavailable>()(
  "PostgresUnavailable",
  { reason: Schema.String, nextStep: Schema.String }
) {
  override get message() {
    return `embedded PostgreSQL cannot run: ${this.reason}: ${this.nextStep}`
  }
}

/** A setting that says where the server listens or keeps its files; only the launcher sets it. */
export class ReservedSetting extends Schema.TaggedError<ReservedSetting>()("ReservedSetting", {
  setting: Schema.String
}) {
  override get message() {
    return `setting \`${this.setting}\` is decided by the launcher: remove it from the settings`
  }
}

/** Everything that starting an embedded PostgreSQL can fail with. */
export type EmbeddedPostgresError =
  | DataFolderInUse
  | DataFolderVersionMismatch
  | DataFolderForeign
  | DataFolderUnusable
  | PostgresUnavailable
  | ReservedSetting
