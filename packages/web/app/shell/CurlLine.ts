/** The requests of a page as `curl` commands. The API key is a variable, never a value. */
import type { Call } from "../shared/Api.js"
import { quote } from "./ShellWord.js"

/** The command for a request, with its JSON body if it has one. */
export const curlLine = ({ method, path }: Call, origin: string, body?: unknown): string =>
  [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    '-H "Authorization: Bearer $ATTESTRY_API_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", "-d", quote(JSON.stringify(body))]),
    quote(`${origin}${path}`)
  ].join(" ")
