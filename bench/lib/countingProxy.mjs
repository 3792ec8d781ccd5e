/** Stands between a server and PostgreSQL and counts the statements that pass: simple and prepared ones. */
import { connect, createServer } from "node:net"

const SIMPLE = "Q".charCodeAt(0)
const EXECUTE = "E".charCodeAt(0)

/** Walks the messages of one connection's client; the first has no type. */
const counter = (count) => {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      if (isStarted && rest[0] === SIMPLE) count(rest.toString("utf8", 5, size - 1))
      if (isStarted && rest[0] === EXECUTE) count("")
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

/** Starts the proxy: `url` leads through it; begin and commit are counted apart. */
export const startCountingProxy = async (databaseUrl) => {
  const counts = { statements: 0, transactions: 0 }
  const count = (text) => {
    counts[TRANSACTION.test(text) ? "transactions" : "statements"] += 1
  }
  const server = createServer((client) => {
    const database = connect(targetOf(databaseUrl))
    const see = counter(count)
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
  return { url: url.toString(), counts, stop: () => server.close() }
}
