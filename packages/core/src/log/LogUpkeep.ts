/**
 * Decides who adds waiting entries to logs: readers before each read (the default), or a worker of the host.
 *
 * With a worker, readers see the state that the worker has reached.
 */
import * as Context from "effect/Context"

/** Whether readers or a worker add waiting entries. */
export class LogUpkeep extends Context.Reference<LogUpkeep>()("@attestry/core/LogUpkeep", {
  defaultValue: (): "reader" | "worker" => "reader"
}) {}
