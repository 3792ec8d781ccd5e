/**
 * Which process brings logs up to date: readers before they read, which is the default, or a worker of the host.
 *
 * With a worker, readers find the state that the worker has reached.
 */
import * as Context from "effect/Context"

/** Whether readers bring a log up to date. */
export class LogUpkeep extends Context.Reference<LogUpkeep>()("@attestry/core/LogUpkeep", {
  defaultValue: (): "reader" | "worker" => "reader"
}) {}
