/** Lets time pass on a server under test: its clock in memory moves on, the instants of a database move back. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { beforeAll } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import * as Database from "../../../sql-store/test/shared/TimeTravel.js"
import type { ServerOptions, TestServer } from "./TestServer.js"

const NANOS_PER_MINUTE = 60_000_000_000n

let passed = 0n

const millis = (): number => Date.now() + Number(passed / 1_000_000n)
const nanos = (): bigint => BigInt(Date.now()) * 1_000_000n + passed

/** The clock of the machine, later by the time that has passed. */
const clock: Clock.Clock = {
  ...Clock.make(),
  unsafeCurrentTimeMillis: millis,
  unsafeCurrentTimeNanos: nanos,
  currentTimeMillis: Effect.sync(millis),
  currentTimeNanos: Effect.sync(nanos)
}

/** The options of a server whose time can pass. */
export const TRAVELLING: ServerOptions = { override: Layer.setClock(clock) }

/** The time of a server, and a way to let it pass. */
export const timeTravel = (server: TestServer) => {
  beforeAll(() => {
    passed = 0n
  })
  return {
    /** The present instant of the server, in epoch seconds. */
    now: (): number => millis() / 1_000,
    wait: async (minutes: number): Promise<void> => {
      if (minutes === 0) return
      if (server.isInMemory) passed += BigInt(minutes) * NANOS_PER_MINUTE
      else
        await server.run(
          Effect.flatMap(
            Effect.serviceOption(TestDatabase),
            Option.match({
              onNone: () => Effect.void,
              onSome: (database) => Database.moveBack(database, minutes)
            })
          )
        )
    }
  }
}
