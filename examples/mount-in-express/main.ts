/**
 * The API inside an Express application: Express has its own routes, Attestry has `/api/v2` and the probes.
 * `PORT` is the port to listen on.
 */
import { createAttestry } from "@attestry/server/Attestry"
import express from "express"

const port = Number(process.env.PORT ?? 8080)

const attestry = await createAttestry({
  store: "memory",
  publicUrl: `http://127.0.0.1:${port}`,
  settings: { ATTESTRY_BOOTSTRAP_ORG: "acme" }
})

const app = express()
// WHY before body parsers: the API reads its bodies itself, within its own limits.
app.all(/^\/(?:api\/v2\/|live$|ready$|metrics$)/, attestry.listener)
app.use(express.json())
app.get("/", (_, response) => void response.send("the application that was there before"))

const server = app.listen(port, "127.0.0.1", () => {
  const address = server.address()
  const taken = typeof address === "object" && address !== null ? address.port : port
  console.log(`url http://127.0.0.1:${taken}\norg acme\nkey ${attestry.first?.key}`)
})

const stop = () => void server.close(() => void attestry.close())
process.once("SIGINT", stop).once("SIGTERM", stop)
