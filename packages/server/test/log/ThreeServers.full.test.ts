/**
 * A log and two witnesses, three servers of ours over real sockets: both cosign, while a third witness is down and a
 * fourth signs another text. When one of the two is gone the other goes on. A log that was set back is stopped by what
 * the witnesses remember.
 */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as Log from "@attestry/core/Log"
import * as LogSigner from "@attestry/core/LogSigner"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { fixture } from "../shared/Receiver.js"
import { type ServerProcess, start, withFolder } from "../shared/ServerProcess.js"

const ORG = "acme"
const LOG_SEED = randomBytes(32)
const LIAR = { name: "liar.test/api/v2/witness", seed: new Uint8Array(32).fill(5) }

const signed = <A, E>(effect: Effect.Effect<A, E, Signatures>) =>
  Effect.runPromise(Effect.provide(effect, SignaturesWebCrypto.layer))

const keyLine = (seed: Uint8Array) => `1 ${Buffer.from(seed).toString("base64")}\n`

const logKey = () =>
  signed(
    Effect.flatMap(
      LogSigner.fromKeys([{ generation: 1, seed: Uint8Array.from(LOG_SEED) }]),
      (signer) => signer.keys(Log.originOf("http://l.test", ORG))
    )
  ).then(([key]) => key?.vkey ?? "")

const liarKey = () =>
  signed(
    Effect.map(
      Effect.flatMap(Signatures, ({ publicKey }) => publicKey(LIAR.seed)),
      (publicKey) => ({ name: LIAR.name, type: SignedNote.COSIGNATURE, publicKey })
    )
  )

/** A cosignature on a checkpoint of another size, by a key that is known. */
const lie = async (body: string) => {
  const said = SignedNote.parse(body.slice(body.indexOf("\n\n") + 2))
  const text = said._tag === "Some" ? said.value.text : ""
  const [origin = ""] = text.split("\n")
  const other = Checkpoint.print({ origin, size: 1_000, root: MerkleTree.EMPTY_ROOT })
  const signature = await signed(
    Effect.flatMap(Signatures, ({ sign }) => sign(LIAR.seed, SignedNote.cosigned(other, 1)))
  )
  return SignedNote.printLine({
    name: LIAR.name,
    keyId: SignedNote.keyId(await liarKey()),
    signature: SignedNote.cosignature(1, signature)
  })
}

/** An address of https that passes requests on; witnesses are asked over nothing else. */
const listen = async (answer: (url: string, body: string) => Promise<Response>) => {
  const credentials = { cert: readFileSync(fixture("cert")), key: readFileSync(fixture("key")) }
  const server = createServer(credentials, async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const answered = await answer(request.url ?? "", body).catch(() => undefined)
    if (answered === undefined) request.socket.destroy()
    else response.writeHead(answered.status).end(await answered.text())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { server, url: `https://127.0.0.1:${port}/api/v2/witness` }
}

const until = async (what: string, condition: () => Promise<boolean>) => {
  for (let tries = 0; tries < 900; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`not in time: ${what}`)
}

interface State {
  readonly size: number
  readonly rollback_detection: string
  readonly checkpoint: {
    readonly size: number
    readonly witnesses: ReadonlyArray<string>
    readonly quorum: boolean | null
  } | null
}

describe("three servers", () => {
  it("cosign a log over sockets, beside one that is down and one that signs another text", {
    timeout: 240_000
  }, async () => {
    await withFolder(async (folder) => {
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text, { mode: 0o600 })
        return join(folder, name)
      }
      const logs = file("logs", `${await logKey()}\n`)
      const processes: Array<ServerProcess> = []
      const fronts: Array<Server> = []
      const started = async (env: NodeJS.ProcessEnv) => {
        const server = await start({ ATTESTRY_STORE: "memory", ATTESTRY_LOG_LEVEL: "none", ...env })
        processes.push(server)
        return server
      }
      const opened = async (answer: (url: string, body: string) => Promise<Response>) => {
        const front = await listen(answer)
        fronts.push(front.server)
        return front
      }
      const witness = async (name: string) => {
        const server = await started({
          ATTESTRY_PUBLIC_URL: `http://${name}.test`,
          ATTESTRY_WITNESS_LOGS_FILE: logs,
          ATTESTRY_WITNESS_KEY_FILE: file(`${name}-key`, keyLine(randomBytes(32)))
        })
        const { vkey } = (await (await fetch(`${server.url}/api/v2/witness`)).json()) as {
          readonly vkey: string
        }
        const { url } = await opened((path, body) =>
          fetch(`${server.url}${path}`, body === "" ? {} : { method: "POST", body })
        )
        return { server, line: `witness ${name} ${vkey} ${url}` }
      }
      try {
        const [a, b] = [await witness("a"), await witness("b")]
        const down = await opened(() => Promise.reject(new Error("down")))
        const downKey = SignedNote.printKey({ ...(await liarKey()), publicKey: randomBytes(32) })
        const liar = await opened(async (_, body) => new Response(await lie(body)))
        const policy = [
          a.line,
          b.line,
          `witness down ${downKey} ${down.url}`,
          `witness liar ${SignedNote.printKey(await liarKey())} ${liar.url}`,
          "group two all a b",
          "quorum two",
          ""
        ].join("\n")
        const settings = {
          ATTESTRY_PUBLIC_URL: "http://l.test",
          ATTESTRY_BOOTSTRAP_ORG: ORG,
          ATTESTRY_LOG_KEY_FILE: file("log-key", keyLine(LOG_SEED)),
          ATTESTRY_WITNESS_POLICY_FILE: file("policy", policy),
          ATTESTRY_OUTBOUND_ALLOW: "127.0.0.1",
          ATTESTRY_OUTBOUND_CA: fixture("cert")
        }
        const log = await started(settings)
        const call = (path: string, init: RequestInit = {}) =>
          fetch(`${log.url}/api/v2${path}`, {
            ...init,
            headers: { authorization: `Bearer ${log.key}`, "content-type": "application/json" }
          })
        const write = async (name: string) => {
          const body = JSON.stringify({ name, description: "" })
          assert.strictEqual((await call(`/flows/${ORG}`, { method: "PUT", body })).status, 201)
        }
        const state = async () => (await (await call(`/log/${ORG}`)).json()) as State
        const isCosigned = async (names: ReadonlyArray<string>) => {
          const { size, checkpoint } = await state()
          return checkpoint?.size === size && checkpoint.witnesses.join() === names.join()
        }
        await write("one")
        await until("both have cosigned", () => isCosigned(["a", "b"]))
        assert.strictEqual((await state()).checkpoint?.quorum, true)
        assert.strictEqual((await state()).rollback_detection, "witness")
        const note = await (await call(`/log/${ORG}/checkpoint`)).text()
        assert.include(note, "— a.test/api/v2/witness ")
        assert.include(note, "— b.test/api/v2/witness ")
        assert.notInclude(note, LIAR.name)
        const metrics = await (await fetch(`${log.url}/metrics`)).text()
        assert.match(metrics, /attestry_log_witness_requests_total\S*"dropped"\S* [1-9]/)
        assert.match(metrics, /attestry_log_witness_requests_total\S*"unreachable"\S* [1-9]/)
        // A server without the entries, as after a restore of an empty backup: the witnesses remember them.
        const setBack = await started(settings)
        const stopped = await fetch(`${setBack.url}/api/v2/log/${ORG}`, {
          headers: { authorization: `Bearer ${setBack.key}` }
        })
        assert.deepInclude(await stopped.json(), { state: "stopped", checkpoint: null })
        await setBack.stop("SIGKILL")
        await b.server.stop("SIGKILL")
        await write("two")
        await until("one goes on alone", () => isCosigned(["a"]))
        assert.strictEqual((await state()).checkpoint?.quorum, false)
      } finally {
        for (const server of fronts) server.close()
        for (const { child } of processes) child.kill("SIGKILL")
      }
    })
  })
})
