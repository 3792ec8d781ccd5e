/** Internal failures are logged with cause and request id, and `/ready` fails while writes cannot succeed. */
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { ManagedRuntime, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { withClient } from "../../sql-store/test/shared/PgServer.js"
import { type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

interface Line {
  readonly message: unknown
  readonly logLevel: string
  readonly cause?: string
  readonly annotations: { readonly [name: string]: unknown }
}

/** The lines that a server has logged. */
const logsOf = (server: ServerProcess) => {
  let text = ""
  server.child.stderr?.on("data", (chunk: string) => (text += chunk))
  return (): ReadonlyArray<Line> =>
    text
      .trim()
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))
}

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 400; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("it did not come about in time")
}

const put = (server: ServerProcess, name: string, id: string) =>
  fetch(`${server.url}/api/v2/flows/${server.org}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${server.key}`,
      "content-type": "application/json",
      "x-request-id": id
    },
    body: JSON.stringify({ name, description: "" })
  })

const ready = async ({ url }: ServerProcess) => {
  const answer = await fetch(`${url}/ready`)
  return `${answer.status} ${await answer.text()}`
}

const attach = async (server: ServerProcess, id: string) => {
  const form = new FormData()
  form.set("data_json", JSON.stringify({ attestation_name: "scan" }))
  form.set("attachment_file", new Blob(["bytes"]), "scan.txt")
  const url = `${server.url}/api/v2/attestations/${server.org}/shop/trail/build-1/generic`
  const headers = { authorization: `Bearer ${server.key}`, "x-request-id": id }
  return (await fetch(url, { method: "POST", headers, body: form })).status
}

const openDatabase = async (folder: string) => {
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir: join(folder, "data") }))
  const { url } = await runtime.runPromise(EmbeddedPostgres.EmbeddedPostgres)
  return { url: Redacted.value(url), close: () => runtime.dispose() }
}

const hasMount = (() => {
  try {
    execFileSync("mount", ["--version"])
    return process.getuid?.() === 0
  } catch {
    return false
  }
})()

/** A full file system of one megabyte. */
const withFullDisk = async (folder: string, use: (path: string) => Promise<void>) => {
  const path = join(folder, "full")
  mkdirSync(path)
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path])
  try {
    execFileSync("sh", ["-c", `head -c 2M /dev/zero > ${path}/ballast 2>/dev/null || true`])
    await use(path)
  } finally {
    execFileSync("umount", [path])
  }
}

describe("an internal failure", () => {
  it("is logged in full once, then counted, while the database is down", async () => {
    await withFolder(async (folder) => {
      const database = await openDatabase(folder)
      const server = await start({
        ATTESTRY_STORE: "postgres",
        ATTESTRY_DATABASE_URL: database.url,
        ATTESTRY_LOG_LEVEL: "warning"
      })
      const logs = logsOf(server)
      await database.close()
      for (let count = 0; count < 20; count++) {
        assert.strictEqual((await put(server, "shop", `away-${count}`)).status, 503)
      }
      const about = () => logs().filter(({ annotations }) => "requestId" in annotations)
      await until(() => about().length > 0)
      const [first] = about()
      assert.strictEqual(first?.annotations.requestId, "away-0")
      assert.strictEqual(first?.annotations.operation, "flow.put")
      assert.match(String(first?.message), /answered 503/)
      assert.match(first?.cause ?? "", /ECONNREFUSED|ENOENT|does not answer|terminated/)
      assert.isBelow(about().length, 6)
      const counted = () =>
        logs().reduce((sum, { annotations }) => sum + Number(annotations.repeated ?? 0), 0)
      await until(() => counted() + about().length >= 20)
      assert.match(await ready(server), /^503 not ready: the database cannot be reached/)
      await server.stop("SIGTERM")
    })
  })

  it("is logged when files cannot be stored, and `/ready` reports it", async () => {
    await withFolder(async (folder) => {
      const tmp = join(folder, "tmp")
      mkdirSync(tmp)
      const server = await start({ ATTESTRY_STORE: "memory", TMPDIR: tmp })
      const logs = logsOf(server)
      assert.strictEqual(await ready(server), "200 OK")
      rmSync(tmp, { recursive: true })
      assert.strictEqual(await attach(server, "no-folder"), 503)
      await until(() => logs().some(({ annotations }) => annotations.requestId === "no-folder"))
      assert.match(JSON.stringify(logs()), /ENOENT/)
      assert.match(
        await ready(server),
        new RegExp(`^503 not ready: files cannot be kept in \`${tmp}\`: ENOENT`)
      )
      mkdirSync(tmp)
      assert.strictEqual(await ready(server), "200 OK")
      await server.stop("SIGTERM")
    })
  })

  // WHY conditional: only root may mount a file system.
  it.runIf(hasMount)("is logged when the disk is full, and readiness says so", async () => {
    await withFolder((folder) =>
      withFullDisk(folder, async (tmp) => {
        const server = await start({ ATTESTRY_STORE: "memory", TMPDIR: tmp })
        const logs = logsOf(server)
        assert.strictEqual(await attach(server, "full"), 503)
        await until(() => logs().some(({ annotations }) => annotations.requestId === "full"))
        assert.match(JSON.stringify(logs()), /ENOSPC/)
        assert.match(await ready(server), /^503 not ready: files cannot be kept in `.*`: ENOSPC/)
        await server.stop("SIGTERM")
      })
    )
  })
})

describe("/ready", () => {
  it("fails while the database is read-only", async () => {
    await withFolder(async (folder) => {
      const database = await openDatabase(folder)
      const env = { ATTESTRY_STORE: "postgres", ATTESTRY_DATABASE_URL: database.url }
      const server = await start(env)
      assert.strictEqual(await ready(server), "200 OK")
      const readOnly = (setting: "on" | "off") =>
        withClient(database.url, async (owner) => {
          await owner.query(`alter system set default_transaction_read_only = ${setting}`)
          await owner.query("select pg_reload_conf()")
        })
      await readOnly("on")
      await until(async () => (await ready(server)).startsWith("503"))
      assert.match(
        await ready(server),
        /^503 not ready: the database takes no writes: cannot execute .* in a read-only transaction/
      )
      await readOnly("off")
      await until(async () => (await ready(server)) === "200 OK")
      assert.strictEqual(await server.stop("SIGTERM"), 0)
      await database.close()
    })
  })
})
