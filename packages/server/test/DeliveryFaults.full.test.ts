/**
 * Every recorded delivery arrives although the server is killed while it delivers (P-OUTBOX).
 *
 * One kill in `pnpm test:full`, ten in `pnpm test:faults`.
 */
import { assert, describe, it } from "vitest"
import { onDatabase } from "./shared/Database.js"
import { fixture, type Received, withReceiver } from "./shared/Receiver.js"
import { type ServerProcess, start } from "./shared/ServerProcess.js"

const KILLS = process.env.ATTESTRY_FAULTS === "1" ? 10 : 1
/** Deliveries that each report makes. */
const ARTIFACTS = 120

const put = async (
  server: ServerProcess,
  { org, key }: { readonly org: string; readonly key: string },
  [path, body]: readonly [string, object]
) => {
  const answer = await fetch(`${server.url}/api/v2${path.replace("{org}", org)}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.isBelow(answer.status, 300, await answer.text())
}

const reportOf = (round: number): readonly [string, object] => [
  "/environments/{org}/prod/report/docker",
  {
    artifacts: Array.from({ length: ARTIFACTS }, (_, at) => ({
      digests: { [`r${round}-${at}`]: "a".repeat(64) },
      creationTimestamp: 1
    }))
  }
]

const nameOf = ({ body }: Received): string =>
  (body.artifact as { readonly name: string } | null)?.name ?? ""

const startedIn = (received: ReadonlyArray<Received>, round: number) =>
  received.filter((one) => nameOf(one).startsWith(`r${round}-`))

describe("deliveries of a server that is killed", () => {
  it(
    "all arrive, and arrive again only under the same id",
    async () => {
      await withReceiver((receiver) =>
        onDatabase(async (database) => {
          const env = {
            ...database,
            ATTESTRY_OUTBOUND_ALLOW: "127.0.0.1",
            ATTESTRY_OUTBOUND_CA: fixture("cert"),
            ATTESTRY_DELIVERY_TIMEOUT: "1s"
          }
          let server = await start(env)
          const who = { org: server.org ?? "", key: server.key ?? "" }
          await put(server, who, ["/environments/{org}", { name: "prod", type: "docker" }])
          await put(server, who, [
            "/organizations/{org}/environments_notifications",
            {
              name: "starts",
              environments: ["prod"],
              triggers: ["ON_STARTED_ARTIFACT"],
              targets: [{ type: "WEBHOOK", webhook: receiver.url }]
            }
          ])
          for (let round = 1; round <= KILLS; round += 1) {
            await put(server, who, reportOf(round))
            await receiver.until((all) => startedIn(all, round).length >= ARTIFACTS / 4)
            await server.stop("SIGKILL")
            server = await start(env)
          }
          const names = (round: number) =>
            new Set(startedIn(receiver.received, round).map(nameOf)).size
          for (let round = 1; round <= KILLS; round += 1) {
            await receiver.until(() => names(round) === ARTIFACTS)
          }
          assert.strictEqual(await server.stop("SIGTERM"), 0)
          const ids = new Map<string, Set<unknown>>()
          for (const one of receiver.received) {
            const known = ids.get(nameOf(one)) ?? new Set()
            ids.set(nameOf(one), known.add(one.headers["webhook-id"]))
          }
          assert.deepStrictEqual(
            [...ids.values()].map(({ size }) => size),
            [...ids.values()].map(() => 1)
          )
        })
      )
    },
    120_000 + KILLS * 60_000
  )
})
