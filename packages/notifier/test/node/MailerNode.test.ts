/** Mail through an SMTP server in this process. */
import { readFileSync } from "node:fs"
import * as Net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, Effect, Either, Redacted } from "effect"
import { SMTPServer } from "smtp-server"
import * as SmtpUrl from "../../src/node/internal/SmtpUrl.js"
import * as MailerNode from "../../src/node/MailerNode.js"
import * as EmailMessage from "../../src/notification/internal/EmailMessage.js"
import * as NotificationSummary from "../../src/notification/internal/NotificationSummary.js"
import { Mailer } from "../../src/notification/Mailer.js"
import { HOSTILE, hostile, publicUrl, samples } from "../notification/Samples.js"
import * as Receiver from "./Receiver.js"

interface Taken {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly user: unknown
  readonly secure: boolean
  readonly data: string
}

type ServerOptions = ConstructorParameters<typeof SMTPServer>[0]

const key = readFileSync(new URL("../fixture/receiver.key.pem", import.meta.url), "utf8")

const serve = (options: ServerOptions = {}) => {
  const taken: Array<Taken> = []
  const server = new SMTPServer({
    authOptional: true,
    cert: Receiver.certificate,
    key,
    onAuth: ({ password, username }, _session, done) =>
      password === "p@ss/word" ? done(null, { user: username }) : done(new Error("wrong")),
    onData: (stream, { envelope, secure, user }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = envelope
        taken.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user,
          secure,
          data: Buffer.concat(chunks).toString("utf8")
        })
        done()
      })
    },
    ...options
  })
  server.on("error", () => {})
  return Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly taken: Array<Taken> }>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, taken }))
      })
    }),
    () => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
  )
}

const mailOf = (
  notification = samples["api-key-expiry"] as Parameters<typeof NotificationSummary.make>[1]
) => ({
  ...EmailMessage.make(NotificationSummary.make(publicUrl, notification)),
  id: "delivery-1",
  to: ["ops@example.com", "audit@example.com"],
  timeoutMs: 5_000
})

const send = (
  url: string,
  {
    mail = mailOf(),
    ...options
  }: Partial<MailerNode.Options> & { mail?: ReturnType<typeof mailOf> } = {}
) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(
    Effect.provide(
      MailerNode.layer({
        url: Redacted.make(url),
        from: "Attestry <attestry@example.com>",
        extraCa: Receiver.certificate,
        ...options
      })
    )
  )

const messageOf = (...input: Parameters<typeof send>) =>
  Effect.map(Effect.flip(send(...input)), ({ message }) => message)

const headersOf = (data: string) => data.slice(0, data.indexOf("\r\n\r\n"))

describe("MailerNode", () => {
  it.scopedLive("sends one mail to all addresses, with text and HTML", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* serve()
      yield* send(`smtp://127.0.0.1:${port}`)
      assert.strictEqual(taken.length, 1)
      const [mail] = taken
      deepStrictEqual(mail?.to, ["ops@example.com", "audit@example.com"])
      assert.strictEqual(mail?.from, "attestry@example.com")
      assert.isTrue(mail?.secure)
      const headers = headersOf(mail?.data ?? "")
      assert.match(headers, /^Message-ID: <delivery-1@example\.com>$/m)
      assert.match(headers, /^Subject: \[acme\] An API key of ci expires within 7 days$/m)
      assert.match(headers, /^Auto-Submitted: auto-generated$/m)
      assert.match(headers, /^From: Attestry <attestry@example\.com>$/m)
      assert.match(mail?.data ?? "", /^Content-Type: text\/plain; charset=utf-8/m)
      assert.match(mail?.data ?? "", /^Content-Type: text\/html; charset=utf-8/m)
    })
  )

  it.scopedLive("lets no text of users become a header or a recipient", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* serve()
      const plain = mailOf(hostile)
      yield* send(`smtp://127.0.0.1:${port}`, { mail: { ...plain, subject: `[acme] ${HOSTILE}` } })
      yield* send(`smtp://127.0.0.1:${port}`, { mail: plain })
      for (const { data, to } of taken) {
        deepStrictEqual(to, ["ops@example.com", "audit@example.com"])
        assert.notMatch(headersOf(data), /^Bcc/im)
      }
      assert.strictEqual(taken.length, 2)
    })
  )

  it.scopedLive("does not parse one address as a list or a name", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* serve()
      const to = ["ops@example.com, victim@example.com"]
      yield* Effect.exit(send(`smtp://127.0.0.1:${port}`, { mail: { ...mailOf(), to } }))
      assert.notInclude(
        taken.flatMap((mail) => mail.to),
        "victim@example.com"
      )
    })
  )

  it.scopedLive("authenticates over TLS only", () =>
    Effect.gen(function* () {
      const secured = yield* serve()
      const login = (port: number, query = "") =>
        `smtp://ci:p%40ss%2Fword@127.0.0.1:${port}${query}`
      yield* send(login(secured.port))
      deepStrictEqual([secured.taken[0]?.user, secured.taken[0]?.secure], ["ci", true])
      const bare = yield* serve({
        hideSTARTTLS: true,
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true
      })
      assert.strictEqual(yield* messageOf(login(bare.port)), "tls (500)")
      assert.strictEqual(bare.taken.length, 0)
      yield* send(login(bare.port, "?tls=off"))
      deepStrictEqual([bare.taken[0]?.user, bare.taken[0]?.secure], ["ci", false])
    })
  )

  it.scopedLive("uses TLS from the first byte for smtps", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* serve({ secure: true })
      yield* send(`smtps://127.0.0.1:${port}`)
      assert.isTrue(taken[0]?.secure)
    })
  )

  it.scopedLive("reports the class of a failure, never an address or the server's text", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(serve())
      const refusing = yield* serve({
        onRcptTo: (_address, _session, done) =>
          done(Object.assign(new Error("10.0.0.7 says no"), { responseCode: 550 }))
      })
      const busy = yield* serve({
        onMailFrom: (_address, _session, done) =>
          done(Object.assign(new Error("10.0.0.7 is busy"), { responseCode: 451 }))
      })
      const { port } = yield* serve()
      deepStrictEqual(
        yield* Effect.all([
          messageOf(`smtp://127.0.0.1:${closed.port}`),
          messageOf(`smtp://127.0.0.1:${refusing.port}`),
          messageOf(`smtp://127.0.0.1:${busy.port}`),
          messageOf(`smtp://ci:wrong@127.0.0.1:${port}`),
          Effect.map(Effect.flip(sendWithoutCa(port)), ({ message }) => message)
        ]),
        ["connection", "mail refused (550)", "mail refused (451)", "authentication (535)", "tls"]
      )
      const final = yield* Effect.flip(send(`smtp://127.0.0.1:${refusing.port}`))
      const passing = yield* Effect.flip(send(`smtp://127.0.0.1:${busy.port}`))
      deepStrictEqual(
        ["isFinal" in final && final.isFinal, "isFinal" in passing && passing.isFinal],
        [true, false]
      )
    })
  )

  it.scopedLive("succeeds when the server accepts the mail for one address", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* serve({
        onRcptTo: ({ address }, _session, done) =>
          address.startsWith("ops") ? done() : done(new Error("unknown"))
      })
      yield* send(`smtp://127.0.0.1:${port}`)
      deepStrictEqual(taken[0]?.to, ["ops@example.com"])
    })
  )

  const blackHole = Effect.acquireRelease(
    Effect.async<Net.Server>((resume) => {
      const server = Net.createServer()
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )
  const portOf = (server: Net.Server) => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  }

  it.scopedLive("times out on a silent server, then fails immediately for a while", () =>
    Effect.gen(function* () {
      const port = portOf(yield* blackHole)
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const mail = { ...mailOf(), timeoutMs: 300 }
        assert.strictEqual((yield* Effect.flip(mailer.send(mail))).message, "timeout")
        const [elapsed] = yield* Effect.timed(
          Effect.flip(mailer.send({ ...mail, timeoutMs: 5_000 }))
        )
        assert.isBelow(Duration.toMillis(elapsed), 250)
      }).pipe(
        Effect.provide(
          MailerNode.layer({
            url: Redacted.make(`smtp://127.0.0.1:${port}`),
            from: "a@example.com"
          })
        )
      )
    })
  )

  it.scopedLive("ends immediately when it is interrupted, also with a silent server", () =>
    Effect.gen(function* () {
      const port = portOf(yield* blackHole)
      const hanging = send(`smtp://127.0.0.1:${port}`, { mail: { ...mailOf(), timeoutMs: 60_000 } })
      const [elapsed] = yield* Effect.timed(Effect.timeoutOption(hanging, 300))
      assert.isBelow(Duration.toMillis(elapsed), 1_500)
    })
  )

  it.effect.each([
    ["not a url", "a@example.com"],
    ["http://mail.example.com", "a@example.com"],
    ["smtp://", "a@example.com"],
    ["smtp://mail.example.com/path", "a@example.com"],
    ["smtp://mail.example.com?ssl=1", "a@example.com"],
    ["smtp://mail.example.com?tls=maybe", "a@example.com"],
    ["smtps://mail.example.com?tls=off", "a@example.com"],
    ["smtp://%ff:secret@mail.example.com", "a@example.com"],
    ["smtp://mail.example.com", "nobody"],
    ["smtp://mail.example.com", "a@example.com\r\nBcc: b@example.com"],
    ["smtp://mail.example.com", "A <a@example.com>, B <b@example.com>"]
  ])("refuses the settings %j and %j without repeating them", ([url = "", from = ""]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(url, { from }))
      assert.strictEqual(error._tag, "InvalidMailSettings")
      assert.notMatch(error.message, /secret|example\.com/)
    })
  )
})

const sendWithoutCa = (port: number) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(mailOf())).pipe(
    Effect.provide(
      MailerNode.layer({
        url: Redacted.make(`smtp://127.0.0.1:${port}?tls=required`),
        from: "a@example.com"
      })
    )
  )

describe("SmtpUrl", () => {
  it("has default ports and requires TLS for credentials", () => {
    const parse = (text: string) => Either.getOrThrow(SmtpUrl.parse(text))
    assert.deepStrictEqual(parse("smtp://mail.example.com"), {
      host: "mail.example.com",
      port: 587,
      secure: false,
      requireTLS: false,
      ignoreTLS: false
    })
    assert.deepStrictEqual(parse("smtps://u:p%3A@[::1]"), {
      host: "::1",
      port: 465,
      secure: true,
      requireTLS: false,
      ignoreTLS: false,
      auth: { user: "u", pass: "p:" }
    })
    assert.isTrue(parse("smtp://u:p@mail.example.com:25").requireTLS)
    assert.isFalse(parse("smtp://u:p@mail.example.com?tls=opportunistic").requireTLS)
  })
})
