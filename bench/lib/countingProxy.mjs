/** Stands between a server and PostgreSQL and counts the statements that pass: simple and prepared ones. */
import { connect, createServer } from "node:net"

const [SIMPLE, PARSE, BIND, EXECUTE, SYNC] = Array.from("QPBES", (letter) => letter.charCodeAt(0))

/** The texts of a message, each ended by a zero byte. */
const textsIn = (message) => message.toString("utf8", 5).split("\0")

/**
 * Walks the messages of one connection's client, and passes on the texts of each round trip; the first has no type.
 */
const walker = (tell) => {
  let rest = Buffer.alloc(0)
  let isStarted = false
  let bound = ""
  let texts = []
  const prepared = new Map()
  const see = (message) => {
    if (message[0] === SIMPLE) texts.push(textsIn(message)[0])
    if (message[0] === EXECUTE) texts.push(prepared.get(bound) ?? "")
    if (message[0] === BIND) bound = textsIn(message)[1]
    if (message[0] === PARSE) {
      const [name, text] = textsIn(message)
      prepared.set(name, text)
    }
    if (message[0] === SIMPLE || message[0] === SYNC) {
      tell(texts)
      texts = []
    }
  }
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      if (isStarted) see(rest.subarray(0, size))
      isStarted = true
      rest = rest.subarray(size)
    }
  }
}

/** Addresses of sockets have no host before the path, which `URL` does not take. */
const parse = (url) => new URL(url.replace("@/", "@localhost/"))

const targetOf = (url) => {
  const { hostname, port, searchParams } = parse(url)
  const folder = searchParams.get("host")
  return folder === null
    ? { host: hostname, port: Number(port) }
    : { path: `${folder}/.s.PGSQL.${searchParams.get("port") ?? (port || 5432)}` }
}

const TRANSACTION = /^(begin|commit|rollback)/

/** Naming the org is part of beginning, in whichever message it comes. */
const OPENING = /^select set_config\('attestry\.org_id'/

/** What a server does now and again, whoever asks it for what; evidence logs grow ten times a second. */
const BACKGROUND =
  /outbox_|credential_by_id|api_key|last_used|lease|last_reported_at = |list_orgs|org_list|org_by_name|log_(tree|leaf|node|look|behind|checkpoint|key|status|scrub)/

/** Starts the proxy: `url` leads through it; begin and commit, and work in the background, are counted apart. */
export const startCountingProxy = async (databaseUrl) => {
  const counts = { statements: 0, transactions: 0, background: 0, roundTrips: 0 }
  const texts = new Map()
  const kindOf = (text) => {
    if (TRANSACTION.test(text)) return "transactions"
    return BACKGROUND.test(text) ? "background" : "statements"
  }
  /** What begins and ends a transaction is counted as the statements before it on the connection. */
  const counter = () => {
    let isBackground = false
    return (trip) => {
      const named = trip.filter((text) => !OPENING.test(text))
      const kinds = named.map(kindOf)
      const others = kinds.filter((kind) => kind !== "transactions")
      if (others.length > 0) isBackground = !others.includes("statements")
      for (const kind of kinds) counts[isBackground ? "background" : kind] += 1
      if (!isBackground) counts.roundTrips += 1
      for (const text of named) texts.set(text, (texts.get(text) ?? 0) + 1)
    }
  }
  const server = createServer((client) => {
    const database = connect(targetOf(databaseUrl))
    const see = walker(counter())
    client.on("data", see)
    client.pipe(database).pipe(client)
    client.on("error", () => database.destroy())
    database.on("error", () => client.destroy())
  })
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready))
  const url = parse(databaseUrl)
  url.searchParams.delete("host")
  url.searchParams.delete("port")
  url.hostname = "127.0.0.1"
  url.port = String(server.address().port)
  return { url: url.toString(), counts, texts, stop: () => server.close() }
}
