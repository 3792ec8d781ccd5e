/**
 * How does one server start in a cluster that is ready for it, and how does it stop?
 *
 * Starting first ends whatever an earlier server left behind. The process that was started last is
 * in `current`, so that stopping finds it, also when starting was interrupted.
 */
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { DataFolderInUse, DataFolderUnusable } from "../EmbeddedPostgresError.js"
import { pathFor } from "./ClusterCreation.js"
import * as DataFolder from "./DataFolder.js"
import type { PostgresBinaries } from "./PostgresBinaries.js"
import { waitUntil } from "./RealTime.js"
import type { ServerAccount } from "./ServerAccount.js"
import * as ServerProcesses from "./ServerProcesses.js"
import * as ServerRecord from "./ServerRecord.js"
import * as ServerSettings from "./ServerSettings.js"
import * as SocketFolder from "./SocketFolder.js"
import * as SpawnedProcess from "./SpawnedProcess.js"

/** Everything that every start of one server has in common. */
export interface ServerPlan {
  readonly folder: DataFolder.DataFolder
  readonly binaries: PostgresBinaries
  readonly account: Option.Option<ServerAccount>
  readonly socket: SocketFolder.SocketFolder
  readonly settings: ServerSettings.ServerSettings
  readonly startTimeoutMs: number
  readonly stopTimeoutMs: number
  readonly current: MutableRef.MutableRef<Option.Option<SpawnedProcess.SpawnedProcess>>
}

/** Ends an earlier server and clears its traces; returns the name for the next one. */
const clearTraces = ({ folder, socket, stopTimeoutMs }: ServerPlan) =>
  Effect.gen(function* () {
    const { cluster, dataDir } = folder
    yield* ServerProcesses.endAll(cluster, stopTimeoutMs)
    // WHY: a server that an operator has started is not ours to stop, nor is its record ours.
    const stranger = yield* ServerRecord.livingPid(cluster)
    if (Option.isSome(stranger)) return yield* new DataFolderInUse({ dataDir, pid: stranger.value })
    return yield* DataFolder.attempt(folder, "clearing the traces of a server", async () => {
      await SocketFolder.clear(socket.host)
      await ServerRecord.disown(cluster)
      return ServerProcesses.nameOf(cluster)
    })
  })

const spawn = (
  plan: ServerPlan,
  clusterName: string
): Effect.Effect<SpawnedProcess.SpawnedProcess> => {
  const { account, binaries, folder, settings, socket } = plan
  const launcher = { clusterName, serverPath: socket.serverPath }
  return SpawnedProcess.start({
    program: binaries.postgres,
    args: [
      "-D",
      pathFor(folder.cluster, account),
      ...ServerSettings.toArguments(settings, launcher)
    ],
    cwd: folder.cluster,
    account
  }).pipe(
    Effect.tap((server) => Effect.sync(() => MutableRef.set(plan.current, Option.some(server)))),
    Effect.uninterruptible
  )
}

const awaitReady = (
  { folder, startTimeoutMs }: ServerPlan,
  server: SpawnedProcess.SpawnedProcess
): Effect.Effect<void, DataFolderUnusable> => {
  const fail = (how: Effect.Effect<string>) =>
    Effect.all({ how, output: server.output }).pipe(
      Effect.map(DataFolderUnusable.fromEnd(folder.dataDir, "starting the server")),
      Effect.flip
    )
  const isReady = Effect.gen(function* () {
    if (yield* server.hasEnded) return yield* fail(server.ended)
    const record = yield* ServerRecord.read(folder.cluster)
    return Option.exists(
      record,
      ({ pid, status }) => status === "ready" && Option.contains(server.pid, pid)
    )
  })
  return waitUntil(isReady, { everyMs: 10, forMs: startTimeoutMs }).pipe(
    Effect.flatMap((ready) =>
      ready ? Effect.void : fail(Effect.succeed(`not ready after ${startTimeoutMs} ms`))
    )
  )
}

// WHY: the system frees the shared memory of killed processes a moment after they are gone.
const isMemoryStillInUse = (error: DataFolderInUse | DataFolderUnusable): boolean =>
  error._tag === "DataFolderUnusable" && error.output.includes("pre-existing shared memory block")

/** Stops the current server and whatever it left; returns when the cluster has no process. */
export const stop = (plan: ServerPlan): Effect.Effect<void> =>
  Effect.gen(function* () {
    const server = MutableRef.get(plan.current)
    if (Option.isSome(server) && !(yield* server.value.hasEnded)) {
      const { hasEnded, signal } = server.value
      yield* ServerProcesses.end(
        hasEnded,
        (name) => Effect.sync(() => signal(name)),
        ServerProcesses.shutdown(plan.stopTimeoutMs)
      )
    }
    yield* ServerProcesses.endAll(plan.folder.cluster, plan.stopTimeoutMs)
  })

/** Starts the server; it accepts connections when this returns and is gone when this fails. */
export const start = (
  plan: ServerPlan
): Effect.Effect<void, DataFolderInUse | DataFolderUnusable> =>
  clearTraces(plan).pipe(
    Effect.flatMap((clusterName) => spawn(plan, clusterName)),
    Effect.flatMap((server) => awaitReady(plan, server)),
    Effect.retry({ while: isMemoryStillInUse, schedule: Schedule.spaced(200), times: 50 }),
    Effect.tapError(() => stop(plan))
  )
