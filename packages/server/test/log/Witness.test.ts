/** Files about witnesses, and how long a witness that fails is left alone. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { LogPublishing } from "@attestry/core/LogPublishing"
import type { Dispatch } from "@attestry/http/HttpMessage"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import { Effect, Either, Option } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import * as WitnessFiles from "../../src/internal/WitnessFiles.js"
import { Resting } from "../../src/internal/WitnessWorker.js"
import * as ServerConfig from "../../src/ServerConfig.js"

const folder = mkdtempSync(join(tmpdir(), "attestry-witness-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const configOf = (variables: { readonly [name: string]: string }) =>
  Either.getOrThrow(ServerConfig.read({ variables, flags: new Map(), file: new Map() }))

const vkey = (type: number) =>
  SignedNote.printKey({ name: "log.example", type, publicKey: new Uint8Array(32).fill(3) })

const LOGS = file("logs", `# ours\n\n${vkey(SignedNote.ED25519)}\n`)
const KEY = file("key", `1 ${Buffer.alloc(32, 7).toString("base64")}\n`)

const api: Dispatch = () => Effect.succeed({ status: 418, headers: {}, body: "" })

const asked = async (variables: { readonly [name: string]: string }) => {
  const dispatch = await WitnessFiles.front(configOf(variables), "https://w.example/", api).pipe(
    Effect.provide(MemoryStore.layer),
    Effect.runPromise
  )
  const answer = await Effect.runPromise(
    dispatch({
      method: "GET",
      url: "/api/v2/witness",
      headers: () => [],
      remoteAddress: "",
      body: (async function* () {})()
    })
  )
  return { status: answer.status, body: String(answer.body) }
}

const problemOf = (variables: { readonly [name: string]: string }) =>
  asked(variables).then(
    () => "",
    (error: unknown) => String(error)
  )

describe("a witness", () => {
  it("is there with a key and logs, under its address", async () => {
    const { status, body } = await asked({
      ATTESTRY_WITNESS_LOGS_FILE: LOGS,
      ATTESTRY_WITNESS_KEY_FILE: KEY
    })
    assert.strictEqual(status, 200)
    assert.strictEqual(JSON.parse(body).name, "w.example/api/v2/witness")
    assert.strictEqual((await asked({})).status, 418)
  })

  it("refuses to start with half of its files, or with files that it cannot read", async () => {
    assert.include(
      await problemOf({ ATTESTRY_WITNESS_LOGS_FILE: LOGS }),
      "ATTESTRY_WITNESS_KEY_FILE"
    )
    assert.include(
      await problemOf({ ATTESTRY_WITNESS_KEY_FILE: KEY }),
      "ATTESTRY_WITNESS_LOGS_FILE"
    )
    const wrong = file("wrong", `\n${vkey(SignedNote.COSIGNATURE)}\n`)
    const both = { ATTESTRY_WITNESS_LOGS_FILE: wrong, ATTESTRY_WITNESS_KEY_FILE: KEY }
    assert.include(await problemOf(both), "line 2 is not the key of a log")
    const missing = { ...both, ATTESTRY_WITNESS_LOGS_FILE: join(folder, "nothing") }
    assert.include(await problemOf(missing), "ENOENT")
  })
})

describe("the policy of witnesses", () => {
  const publishing = (variables: { readonly [name: string]: string }) =>
    LogPublishing.pipe(
      Effect.provide(WitnessFiles.layerPublishing(configOf(variables))),
      Effect.runPromise
    )

  it("is read from its file, and a problem names its line", async () => {
    assert.isTrue(Option.isNone((await publishing({})).policy))
    const good = file("policy", "quorum none\n")
    const found = await publishing({
      ATTESTRY_WITNESS_POLICY_FILE: good,
      ATTESTRY_LOG_PUBLISH: "quorum"
    })
    assert.strictEqual(found.mode, "quorum")
    assert.isTrue(Option.isSome(found.policy))
    const bad = { ATTESTRY_WITNESS_POLICY_FILE: file("bad", "quorum x\n") }
    const problem = await publishing(bad).then(() => "", String)
    assert.include(problem, "line 1 names no member")
  })
})

describe("a witness that fails", () => {
  it("is left alone for a growing while, until it answers", () => {
    const resting = new Resting()
    const rests: Array<number> = []
    for (let failure = 0; failure < 9; failure++) {
      resting.note("w", "unreachable", 0)
      let until = 0
      while (!resting.isWanted("w", until)) until += 10_000
      rests.push(until / 1_000)
    }
    assert.deepStrictEqual(rests, [10, 20, 40, 80, 160, 320, 600, 600, 600])
    assert.isTrue(resting.isWanted("other", 0))
    resting.note("w", "cosigned", 0)
    assert.isTrue(resting.isWanted("w", 0))
  })
})
