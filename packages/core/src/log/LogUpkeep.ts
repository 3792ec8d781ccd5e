/**
 * Who brings logs up to date: readers before they read, which is the default, or a worker of the host.
 *
 * A host with a worker says so, and then readers find what the worker has done.
 */
import * as Context from "effect/Context"

/** Whether readers bring a log up to date. */
export class LogUpkeep extends Context.Reference<LogUpkeep>()("@attestry/core/LogUpkeep", {
  defaultValue: (): "reader" | "worker" => "reader"
}) {}
