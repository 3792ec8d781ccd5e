/** Failures disclose a class alone; the operator gets a warning about the allow-list. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Cause, Effect, Exit, Layer, Logger, Option } from "effect"
import type * as GuardedHttpClientNode from "../../src/node/GuardedHttpClientNode.js"
import { GuardedHttpClient } from "../../src/outbound/GuardedHttpClient.js"
import { client, post } from "./Posting.js"
import * as Receiver from "./Receiver.js"

describe("GuardedHttpClientNode, messages", () => {
  it.scopedLive("have no address, port or body in any failure", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(Receiver.silent())
      const silent = yield* Receiver.silent()
      const loud = yield* Receiver.https((response) => response.end("secret".repeat(20_000)))
      const noise = yield* Receiver.tls("secret\r\n")
      const other = { url: `https://other.attestry.example:${loud.port}/` }
      const inside = { url: `https://127.0.0.9:${loud.port}/` }
      const exits = yield* Effect.all(
        [
          post(closed),
          post(silent, { timeoutMs: 200 }),
          post(loud),
          post(noise),
          post(loud, other),
          post(loud, inside)
        ].map(Effect.exit)
      )
      const reasons = exits.map((exit) => {
        assert.isTrue(Exit.isFailure(exit))
        const text = `${Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""}${JSON.stringify(exit)}`
        const leaks = [
          "127.0.0",
          "secret",
          ...[closed, silent, loud, noise].map(({ port }) => `:${port}`)
        ]
        // WHY: the stack has source lines with numbers like ports.
        const said = text.replaceAll(/^\s+at .*$/gm, "")
        deepStrictEqual(
          leaks.filter((leak) => said.includes(leak)),
          []
        )
        return Exit.isFailure(exit) ? Option.getOrThrow(Cause.failureOption(exit.cause)).reason : ""
      })
      deepStrictEqual(reasons, [
        "connection",
        "timeout",
        "response too large",
        "invalid response",
        "tls",
        "blocked destination"
      ])
    }).pipe(Effect.provide(client()))
  )

  const warnings = (options: GuardedHttpClientNode.Options) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel.label} ${String(message)}`)
    })
    return Effect.scoped(Layer.build(client(options))).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.as(lines)
    )
  }

  it.effect("warn once when the allow-list has an entry, and only then", () =>
    Effect.gen(function* () {
      deepStrictEqual(yield* warnings({ allow: [] }), [])
      deepStrictEqual(yield* warnings({ allow: ["127.0.0.1"] }), [
        "WARN deliveries to destinations that are not public are permitted"
      ])
    })
  )

  it.effect("refuse invalid options", () =>
    Effect.gen(function* () {
      const tagOf = (options: GuardedHttpClientNode.Options) =>
        Effect.map(
          Effect.flip(Effect.provide(GuardedHttpClient, client(options))),
          ({ _tag }) => _tag
        )
      assert.strictEqual(yield* tagOf({ allow: ["*.corp"] }), "InvalidAllowList")
      assert.strictEqual(yield* tagOf({ extraCa: "" }), "InvalidExtraCa")
      assert.strictEqual(
        yield* tagOf({ extraCa: Receiver.certificate.replace("MII", "AAA") }),
        "InvalidExtraCa"
      )
    })
  )
})
