/** LOG-12: erasing members of an entry keeps its bytes, its hash and every other disclosure. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import * as ErasedMembers from "../../src/journal/ErasedMembers.js"
import * as Erasure from "../../src/log/Erasure.js"
import { entryOf, type LoggedEntry } from "../../src/log/Log.js"
import * as LogEntry from "../../src/log/LogEntry.js"
import { OrgId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const CONTENT = {
  name: "scan",
  comment: "kept here",
  list: [
    { author: "Ada", n: 1 },
    { author: "Ben", "a/b": { email: "ada@example.org" } }
  ],
  user_data: { owner: { login: "ada" }, rows: [{ message: "own", k: 2 }] },
  body: { user_data: { deep: { message: "inner", k: 1 } }, message: "outer", is_compliant: true }
}

const logged = (content: unknown = CONTENT): LoggedEntry => ({
  entry: {
    org_id: OrgId.make("o"),
    sequence: 7,
    kind: "k",
    subject: { type: "trail", id: "t" },
    actor: { kind: "user", id: "u", name: "Ada" },
    at: Timestamp.fromMicros(1),
    content: JSON.stringify(content),
    digest: "0".repeat(64)
  },
  leaf: {
    index: 0,
    sequence: 7,
    prev: null,
    hash: new Uint8Array(32),
    salt: new Uint8Array(32).fill(7)
  }
})

const after = (before: LoggedEntry, { actor, content, remains }: Erasure.Erased): LoggedEntry => ({
  entry: {
    ...before.entry,
    actor: { ...before.entry.actor, name: actor },
    content: JSON.stringify(content)
  },
  leaf: { ...before.leaf, salt: remains }
})

const POINTERS = [
  "/facts/actor/name",
  "/facts/content/comment",
  "/facts/content/list/0/author",
  "/facts/content/list/1/author",
  "/facts/content/list/1/a~1b/email",
  "/user_data",
  "/user_data/owner/login",
  "/user_data/rows/0/message",
  "/body/user_data",
  "/body/user_data/deep/message",
  "/body/message"
]

describe("Erasure", () => {
  it.prop(
    "LOG-12: keeps bytes, hash and other disclosures, whatever is erased and in how many steps",
    { steps: FastCheck.array(FastCheck.subarray(POINTERS), { maxLength: 4 }) },
    ({ steps }) => {
      const before = logged()
      let now = before
      const gone: Array<string> = []
      for (const pointers of steps) {
        const left = pointers.filter(
          (pointer) => !gone.some((outer) => pointer !== outer && pointer.startsWith(`${outer}/`))
        )
        now = after(now, Either.getOrThrow(Erasure.erase(now, left)))
        gone.push(...left)
      }
      const [first, last] = [entryOf(before), entryOf(now)]
      assert.deepStrictEqual([...last.bytes], [...first.bytes])
      const isGone = (pointer: string) =>
        gone.some((outer) => pointer === outer || pointer.startsWith(`${outer}/`))
      assert.deepStrictEqual(
        last.concealed,
        first.concealed.filter(({ pointer }) => !isGone(pointer))
      )
      assert.isTrue(
        Option.isSome(
          LogEntry.read(
            last.bytes,
            last.concealed.map(({ disclosure }) => disclosure)
          )
        )
      )
    }
  )

  it("takes the value out of the content, and marks its place", () => {
    const { content } = Either.getOrThrow(Erasure.erase(logged(), ["/body/message"]))
    assert.notInclude(JSON.stringify(content), "outer")
    assert.match(JSON.stringify(content), /"message":\{"_erased":"[\w-]{43}"\}/)
    assert.include(JSON.stringify(ErasedMembers.withStandIns(content)), '"message":"**ERASED**"')
  })

  it("takes the name of a person out of the entry, and not that of a service account", () => {
    const pointer = LogEntry.ACTOR_NAME
    const { actor, values } = Either.getOrThrow(Erasure.erase(logged(), [pointer]))
    assert.deepStrictEqual([actor, values], [ErasedMembers.ERASED, ["Ada"]])
    const { entry, leaf } = logged()
    const account: LoggedEntry = {
      leaf,
      entry: { ...entry, actor: { ...entry.actor, kind: "service-account" } }
    }
    assert.deepStrictEqual(Erasure.erase(account, [pointer]), Either.left(pointer))
    assert.notInclude(
      Erasure.personal(account).map((each) => each.pointer),
      pointer
    )
  })

  it("LOG-12: gives another entry where a value stands in the place of an erased one", () => {
    const before = logged()
    const pointers = [LogEntry.ACTOR_NAME, "/body/message"]
    const now = after(before, Either.getOrThrow(Erasure.erase(before, pointers)))
    const content = JSON.parse(now.entry.content)
    const other = { _erased: "A".repeat(43) }
    for (const message of ["outer", "Eve", "**ERASED**", other, null]) {
      const changed = JSON.stringify({ ...content, body: { ...content.body, message } })
      const forged = { ...now, entry: { ...now.entry, content: changed } }
      assert.notDeepEqual([...entryOf(forged).bytes], [...entryOf(before).bytes])
    }
    for (const name of ["Ada", "Eve", ""]) {
      const forged = { ...now, entry: { ...now.entry, actor: { ...now.entry.actor, name } } }
      assert.notDeepEqual([...entryOf(forged).bytes], [...entryOf(before).bytes])
    }
  })

  it.each(["/body", "/facts", "/body/is_compliant", "/facts/content/name", "x"])(
    "refuses %s",
    (pointer) => {
      assert.deepStrictEqual(Erasure.erase(logged(), [pointer]), Either.left(pointer))
    }
  )

  it("counts what is erased already as done", () => {
    const once = after(logged(), Either.getOrThrow(Erasure.erase(logged(), ["/body/message"])))
    const twice = after(once, Either.getOrThrow(Erasure.erase(once, ["/body/message"])))
    assert.deepStrictEqual(twice, once)
  })

  it("takes a detail with a personal name out as a whole", () => {
    const { content, values } = Either.getOrThrow(Erasure.erase(logged(), ["/user_data"]))
    assert.match(JSON.stringify(content), /"user_data":\{"_erased":"[\w-]{43}"\}/)
    assert.include(values, "own")
    assert.include(JSON.stringify(ErasedMembers.withStandIns(content)), '"user_data":{}')
  })

  it("knows every personal member", () => {
    const known = Erasure.personal(logged()).map(({ pointer }) => pointer)
    assert.deepStrictEqual([...known].sort(), [...POINTERS].sort())
  })
})
