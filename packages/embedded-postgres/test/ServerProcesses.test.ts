/** What the launcher reads from the files and tools of PostgreSQL and of the system. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Option } from "effect"
import { DataFolderUnusable } from "../src/EmbeddedPostgresError.js"
import * as ServerProcesses from "../src/internal/ServerProcesses.js"
import * as ServerRecord from "../src/internal/ServerRecord.js"
import * as SocketFolder from "../src/internal/SocketFolder.js"

describe("ServerRecord", () => {
  it("reads id, start and status from postmaster.pid, also before the status is written", () => {
    const lines = ["4711", "/data", "1794709146", "5432", ".", "", " 16507130         4"]
    const record = { pid: 4711, startedAtSeconds: 1794709146, status: "" }
    const ready = ServerRecord.parse([...lines, "ready   ", ""].join("\n"))
    deepStrictEqual(ready, Option.some({ ...record, status: "ready" }))
    deepStrictEqual(ServerRecord.parse(lines.join("\n")), Option.some(record))
    const alone = Option.some({ pid: 12, startedAtSeconds: 0, status: "" })
    assert.deepStrictEqual(ServerRecord.parse("-12\n"), alone)
    deepStrictEqual(ServerRecord.parse(""), Option.none())
    deepStrictEqual(ServerRecord.parse("no number"), Option.none())
  })
})

describe("ServerProcesses", () => {
  it("reads the table that ps prints", () => {
    const text =
      "    1     0 /sbin/init splash\n 4711   101 postgres: attestry[1-2]: checkpointer\n\n"
    assert.deepStrictEqual(ServerProcesses.parsePs(text), [
      { pid: 1, uid: 0, command: "/sbin/init splash" },
      { pid: 4711, uid: 101, command: "postgres: attestry[1-2]: checkpointer" }
    ])
  })
})

describe("SocketFolder", () => {
  it("fits a socket into 103 bytes and not into 104", () => {
    const folder = (bytes: number) => `/${"ø".repeat((bytes - 15) / 2)}`
    assert.isTrue(SocketFolder.fits(folder(103)))
    assert.isFalse(SocketFolder.fits(`${folder(103)}x`))
  })
})

describe("DataFolderUnusable", () => {
  it("takes the reason from the last complaint in the output, and the next step from it", () => {
    const output = "LOG:  starting\nFATAL:  could not write lock file: No space left on device\nbye"
    const error = DataFolderUnusable.fromEnd(
      "/data",
      "starting the server"
    )({ how: "exit 1", output })
    assert.strictEqual(
      error.message,
      "data folder `/data` cannot be used: starting the server failed: could not write " +
        "lock file: No space left on device: free some disk space and start again"
    )
  })

  it("falls back to how the program ended when it printed nothing", () => {
    const error = DataFolderUnusable.fromEnd(
      "/data",
      "starting the server"
    )({ how: "SIGSYS", output: "" })
    assert.include(error.message, "failed: SIGSYS: read the server's log")
  })
})
