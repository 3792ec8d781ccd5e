/** A change that waits for a sign-in: for the same person, and for ten minutes at most. */
import { afterAll, afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import type * as Contract from "../../app/shared/Contract.js"

const LIMIT_MS = 600_000

// WHY before the import: the module of links reads the document when it is loaded.
vi.stubGlobal("document", { querySelector: () => null })
vi.stubGlobal("location", new URL("https://attestry.example.com/acme"))
const Session = await import("../../app/session/Session.js")
afterAll(() => void vi.unstubAllGlobals())

const sessionOf = (id: string, token: string): Contract.Session => ({
  actor: { kind: "user", id, name: id },
  csrf_token: token,
  default_org: null,
  orgs: [],
  expires_at: 0,
  sign_in: ["okta"]
})

const signIn = (id: string, token: string) => {
  Session.session.value = { _tag: "SignedIn", session: sessionOf(id, token) }
}

describe("a change that needs a recent sign-in", () => {
  const changes: Array<boolean> = []

  const wait = () => void Session.signInAgain(300).then((isDone) => changes.push(isDone))

  beforeEach(() => {
    vi.useFakeTimers()
    changes.length = 0
    signIn("mia", "first")
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("is sent for a sign-in just before ten minutes have passed", async () => {
    wait()
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1)
    assert.deepStrictEqual(changes, [])
    assert.strictEqual(Session.waiting.value?.within, 300)
    signIn("mia", "second")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(changes, [true])
    assert.isUndefined(Session.waiting.value)
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    assert.deepStrictEqual(changes, [true])
  })

  it("is given up after ten minutes, also for who signs in then", async () => {
    wait()
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
    assert.deepStrictEqual(changes, [false])
    assert.isUndefined(Session.waiting.value)
    signIn("mia", "second")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(changes, [false])
  })

  it("begins anew with the next change, and gives the one before up", async () => {
    wait()
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1)
    wait()
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1)
    assert.deepStrictEqual(changes, [false])
    signIn("mia", "second")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(changes, [false, true])
  })

  it("goes on waiting for the same session, and is given up for another person", async () => {
    wait()
    signIn("mia", "first")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(changes, [])
    signIn("tom", "second")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(changes, [false])
  })
})
