/**
 * One PostgreSQL for a test run, shared by every project that asks for it, with one migrated database
 * that test files copy (`PgLayer`). It is ours, in a folder of its own, unless
 * `ATTESTRY_TEST_DATABASE_URL` names a server to use; only databases made here are touched there.
 */
import { randomBytes } from "node:crypto"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import type { TestProject } from "vitest/node"
import { makeDataFolder } from "../../../embedded-postgres/test/DataFolder.js"
import * as PgStore from "../../src/pg/PgStore.js"
import { execute, type ProvidedPostgres, withDatabase } from "./PgServer.js"

interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
}

interface Running extends ProvidedPostgres {
  readonly stop: () => Promise<void>
}

interface Shared {
  projects: number
  running: Promise<Running> | undefined
}

// WHY with fsync: the store refuses to work on a server that may lose acknowledged writes.
const settings = { shared_buffers: "32MB", max_connections: "100" }

const startOwn = async (): Promise<Server> => {
  const folder = await makeDataFolder()
  const runtime = ManagedRuntime.make(
    EmbeddedPostgres.layer({ dataDir: join(folder, "data"), settings })
  )
  const { url } = await runtime.runPromise(EmbeddedPostgres.EmbeddedPostgres)
  const stop = async () => {
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: Redacted.value(url), stop }
}

const start = async (): Promise<Running> => {
  const named = process.env.ATTESTRY_TEST_DATABASE_URL
  const server = named === undefined ? await startOwn() : { url: named, stop: async () => {} }
  const template = `attestry_test_${randomBytes(6).toString("hex")}`
  await execute(server.url, `create database ${template}`)
  const url = Redacted.make(withDatabase(server.url, template))
  await Effect.runPromise(PgStore.migrate({ url }))
  const plainOwner = `${template}_owner`
  const stop = async () => {
    await execute(server.url, `drop database ${template} with (force)`)
    await execute(server.url, `drop database if exists ${plainOwner} with (force)`)
    await execute(server.url, `drop role if exists ${plainOwner}`)
    await server.stop()
  }
  return { url: server.url, template, plainOwner, stop }
}

const SHARED: unique symbol = Symbol.for("@attestry/sql-store/test/GlobalPostgres")

// WHY: each project loads this module anew, in one process; what they share must live outside of it.
const holder = globalThis as typeof globalThis & { [SHARED]?: Shared }

/** Starts the server with the first project that asks, and stops it with the last. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  holder[SHARED] ??= { projects: 0, running: undefined }
  const shared = holder[SHARED]
  shared.projects += 1
  shared.running ??= start()
  const { stop, ...provided } = await shared.running
  project.provide("postgres", provided)
  return async () => {
    shared.projects -= 1
    if (shared.projects > 0) return
    shared.running = undefined
    await stop()
  }
}
