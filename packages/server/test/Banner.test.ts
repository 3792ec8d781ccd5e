/** The URLs of the banner. */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import * as Banner from "../src/internal/Banner.js"

const first = Option.some({
  org: OrgName.make("acme"),
  user: Login.make("ada"),
  key: Redacted.make("a-key"),
  keyFile: undefined
})
const url = "http://0.0.0.0:8080"

describe("the banner", () => {
  it("has links to the public URL when it is set", () => {
    const publicUrl = "https://attestry.example.com"
    const shown = Banner.print({
      url,
      publicUrl,
      store: "postgres",
      hasPages: true,
      permitted: [],
      isSigned: true,
      first,
      orgs: []
    })
    assert.include(shown, `ready at ${url}\n`)
    assert.include(shown, `Documentation  ${publicUrl}/docs/\n`)
    assert.include(shown, `API            ${publicUrl}/api/v2/doc/\n`)
    assert.include(shown, `Pages          ${publicUrl}/  sign in with the key below\n`)
    assert.include(shown, `curl -X PUT ${publicUrl}/api/v2/flows/acme/template_file`)
  })

  it("has links to the listening address by default", () => {
    const told = {
      url,
      publicUrl: undefined,
      store: "postgres",
      hasPages: true,
      permitted: [],
      isSigned: true,
      first,
      orgs: []
    }
    const shown = Banner.print(told)
    assert.include(shown, `Documentation  ${url}/docs/\n`)
    assert.include(shown, `API            ${url}/api/v2/doc/\n`)
    assert.include(shown, `curl -X PUT ${url}/api/v2/flows/acme/template_file`)
  })

  it("names the pages with any key later, and not at all where they are off", () => {
    const told = {
      url,
      publicUrl: undefined,
      store: "memory",
      permitted: [],
      isSigned: true,
      orgs: ["acme"]
    }
    const later = Banner.print({ ...told, first: Option.none(), hasPages: true })
    assert.include(later, `Pages          ${url}/  sign in with an API key\n`)
    assert.notInclude(Banner.print({ ...told, first, hasPages: false }), "Pages")
  })
  it("warns of a log that is not signed", () => {
    const told = { url, publicUrl: undefined, store: "postgres", hasPages: true, permitted: [] }
    const shown = (isSigned: boolean) => Banner.print({ ...told, isSigned, first, orgs: [] })
    assert.include(shown(false), "  WARNING        the evidence log is not signed: ")
    assert.include(shown(false), "ATTESTRY_LOG_KEY_FILE\n")
    assert.notInclude(shown(true), "WARNING")
  })
})
