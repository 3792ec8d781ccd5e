/**
 * SCIM-1: filters and patches are total, a patch has all of its effect or none, twice is once, and a filter selects
 * what its conditions say.
 */
import * as GroupPatch from "@attestry/core/GroupPatch"
import * as ScimFilter from "@attestry/core/ScimFilter"
import * as ScimPatch from "@attestry/core/ScimPatch"
import * as ScimPath from "@attestry/core/ScimPath"
import * as ScimUser from "@attestry/core/ScimUser"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as ScimRequest from "../../testing/arbitrary/ScimRequest.js"

const USER = {
  userName: "mia",
  externalId: "e1",
  active: true,
  displayName: "Mia",
  name: { givenName: "Mia", familyName: "Muster" },
  emails: [{ value: "mia@corp.example", type: "work", primary: true }]
}

const right = <A>(result: Either.Either<A, unknown>): A => Either.getOrThrow(result)

const patched = (...Operations: ReadonlyArray<object>) =>
  right(Either.flatMap(ScimPatch.parse({ Operations }), (each) => ScimPatch.apply(USER, each)))

describe("SCIM-1", () => {
  it("every generated patch changes a user in the form of a body, or is refused", () =>
    FastCheck.assert(
      FastCheck.property(ScimRequest.patch, (body) => {
        const before = JSON.stringify(USER)
        const result = Either.flatMap(ScimPatch.parse(body), (operations) =>
          ScimPatch.apply(USER, operations)
        )
        assert.strictEqual(JSON.stringify(USER), before)
        assert.isUndefined(Object.getOwnPropertyDescriptor(Object.prototype, "value"))
        if (Either.isRight(result)) {
          assert.isObject(result.right)
          const read = ScimUser.read(result.right)
          if (Either.isRight(read)) assert.isAtLeast(read.right.userName.length, 1)
        } else assert.isNotEmpty(result.left.detail)
      }),
      { numRuns: 2_000 }
    ))

  it("a patch that replaces, or adds to a list, is applied twice as once", () =>
    FastCheck.assert(
      FastCheck.property(ScimRequest.operation, (operation) => {
        const parsed = ScimPatch.parse({ Operations: [operation] })
        if (Either.isLeft(parsed)) return
        const once = ScimPatch.apply(USER, parsed.right)
        if (Either.isLeft(once)) return
        const twice = ScimPatch.apply(once.right, parsed.right)
        // What selects by a value that it changes finds nothing the second time, and changes nothing.
        if (Either.isRight(twice)) assert.deepStrictEqual(twice, once)
        else assert.strictEqual(twice.left.scimType, "noTarget")
      }),
      { numRuns: 2_000 }
    ))

  it("every generated patch of a group gives ids once, or is refused", () =>
    FastCheck.assert(
      FastCheck.property(ScimRequest.patch, (body) => {
        const group = { displayName: "Ops", externalId: null, members: new Set(["a", "b"]) }
        const result = Either.flatMap(ScimPatch.parse(body), (operations) =>
          GroupPatch.apply(group, operations)
        )
        assert.deepStrictEqual([...group.members], ["a", "b"])
        if (Either.isRight(result)) assert.isNotEmpty(result.right.displayName)
      }),
      { numRuns: 2_000 }
    ))

  it("every generated filter and path is read or refused", () =>
    FastCheck.assert(
      FastCheck.property(ScimRequest.filter, ScimRequest.path, (text, path) => {
        const filter = ScimFilter.parse(text, ScimFilter.OF_USERS)
        if (Either.isRight(filter)) assert.isAtLeast(filter.right.length, 1)
        assert.isTrue(Either.isEither(ScimPath.parse(path)))
      }),
      { numRuns: 2_000 }
    ))
})

describe("ScimFilter", () => {
  const person = {
    id: "1",
    externalId: "E1",
    userName: "Mia@Corp",
    displayName: "Mia",
    active: false,
    emails: [
      { value: "Mia@corp", type: "Work" },
      { value: "mia@home", type: null }
    ]
  }
  const passes = (text: string) =>
    ScimFilter.matches(right(ScimFilter.parse(text, ScimFilter.OF_USERS)), person)

  it("compares names in any case, and ids as they are", () => {
    const held = [
      'userName eq "mia@corp"',
      'USERNAME EQ "MIA@CORP"',
      'externalId eq "E1" and active eq false',
      'active eq "False"',
      'emails eq "mia@HOME"',
      'emails.value eq "mia@home"',
      'emails[type eq "work"].value eq "mia@corp"',
      'urn:ietf:params:scim:schemas:core:2.0:User:displayName eq "MIA"',
      '  id   eq   "1"  '
    ]
    for (const text of held) assert.isTrue(passes(text), text)
    const not = [
      'externalId eq "e1"',
      'userName eq "mia"',
      "active eq true",
      'emails[type eq "work"].value eq "mia@home"',
      'id eq "1" and userName eq "x"'
    ]
    for (const text of not) assert.isFalse(passes(text), text)
  })

  it("reads quotes and backslashes in values", () => {
    const filter = ScimFilter.parse('userName eq "a\\"b\\\\ and \\u00fc"', ScimFilter.OF_USERS)
    assert.deepStrictEqual(right(filter), [{ attribute: "userName", value: 'a"b\\ and ü' }])
  })
})

describe("ScimPatch", () => {
  it("has one meaning for the forms that programs send", () => {
    const forms = [
      [{ op: "replace", path: "active", value: false }],
      [{ op: "Replace", path: "ACTIVE", value: "False" }],
      [{ op: "replace", value: { active: false } }],
      [{ op: "add", value: { "urn:ietf:params:scim:schemas:core:2.0:User:active": "false" } }]
    ]
    for (const form of forms) assert.deepStrictEqual(patched(...form), { ...USER, active: false })
  })

  it("changes, makes and removes elements of lists", () => {
    const [email] = USER.emails
    const work = 'emails[type eq "work"]'
    assert.deepStrictEqual(patched({ op: "replace", path: `${work}.value`, value: "x" }).emails, [
      { ...email, value: "x" }
    ])
    assert.deepStrictEqual(
      patched({ op: "add", path: 'emails[type eq "home"].value', value: "h" }).emails,
      [email, { type: "home", value: "h" }]
    )
    assert.deepStrictEqual(patched({ op: "remove", path: work }).emails, [])
    assert.deepStrictEqual(patched({ op: "remove", path: `${work}.primary` }).emails, [
      { value: "mia@corp.example", type: "work" }
    ])
    assert.deepStrictEqual(patched({ op: "add", path: "emails", value: [email] }).emails, [email])
    assert.deepStrictEqual(patched({ op: "replace", path: "emails", value: [] }).emails, [])
  })

  it("merges parts, and reaches into extensions", () => {
    assert.deepStrictEqual(
      patched({ op: "replace", path: "name", value: { givenName: "M" } }).name,
      {
        givenName: "M",
        familyName: "Muster"
      }
    )
    assert.deepStrictEqual(patched({ op: "remove", path: "name.familyName" }).name, {
      givenName: "Mia"
    })
    const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
    for (const operation of [
      { op: "add", path: `${urn}:department`, value: "IT" },
      { op: "add", value: { [`${urn}:department`]: "IT" } },
      { op: "add", value: { [urn]: { department: "IT" } } }
    ])
      assert.deepStrictEqual(Object.entries(patched(operation)).at(-1), [urn, { department: "IT" }])
  })

  it("costs little, whatever it holds", () => {
    const operations = [
      {
        op: "add",
        path: "emails",
        value: Array.from({ length: 150 }, (_, at) => ({ value: `${at}` }))
      },
      ...Array.from({ length: 998 }, (_, at) => ({
        op: "add",
        path: "emails",
        value: [{ value: `x${at}` }]
      }))
    ]
    const nested = `${"[".repeat(1_000)}`
    const once = () => {
      const started = performance.now()
      for (const Operations of [operations, [{ op: "add", path: nested, value: 1 }]])
        Either.flatMap(ScimPatch.parse({ Operations }), (each) => ScimPatch.apply(USER, each))
      ScimFilter.parse('"'.repeat(2_000), ScimFilter.OF_USERS)
      return performance.now() - started
    }
    // WHY the shortest: what else runs on the machine makes some take longer.
    assert.isBelow(Math.min(once(), once(), once()), 200)
  })
})
