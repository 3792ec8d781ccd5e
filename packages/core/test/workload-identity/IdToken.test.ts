/** Reading of id tokens: total, exact about what was signed, and at the instants of its limits. */
import { assert, describe, it } from "@effect/vitest"
import { Encoding, FastCheck, Option } from "effect"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as IdToken from "../../src/workload-identity/IdToken.js"

const part = (value: unknown): string => Encoding.encodeBase64Url(JSON.stringify(value))

const HEADER = { alg: "RS256", kid: "k1" }
const CLAIMS = { iss: "https://i.example.org", sub: "repo:a/b", aud: "x", iat: 1_000, exp: 1_300 }

const tokenOf = (header: unknown, claims: unknown, signature = "c2ln"): string =>
  `${part(header)}.${part(claims)}.${signature}`

const isRead = (header: unknown, claims: unknown): boolean =>
  Option.isSome(IdToken.parse(tokenOf(header, claims)))

const json = FastCheck.jsonValue()

describe("an id token", () => {
  it.prop("is read from any text without a failure", { text: FastCheck.string() }, ({ text }) => {
    assert.isTrue(Option.isOption(IdToken.parse(text)))
  })

  it.prop(
    "is read from any header and claims without a failure",
    { header: json, claims: json },
    ({ header, claims }) => {
      assert.isTrue(Option.isOption(IdToken.parse(tokenOf(header, claims))))
    }
  )

  it.prop(
    "keeps the text that was signed and every claim, whatever else it says",
    { more: FastCheck.dictionary(FastCheck.stringMatching(/^[a-z_]{4,8}$/), json) },
    ({ more }) => {
      const claims = { ...more, ...CLAIMS }
      const text = tokenOf(HEADER, claims)
      const token = Option.getOrThrow(IdToken.parse(text))
      assert.strictEqual(`${token.content}.c2ln`, text)
      assert.deepStrictEqual({ ...token.claims.all }, JSON.parse(JSON.stringify(claims)))
      assert.deepStrictEqual(
        [token.algorithm, token.keyId, token.claims.subject, token.claims.audiences],
        ["RS256", "k1", "repo:a/b", ["x"]]
      )
    }
  )

  it("has an algorithm of public keys, a key, and no extension that must be understood", () => {
    for (const alg of IdToken.ALGORITHMS) assert.isTrue(isRead({ ...HEADER, alg }, CLAIMS), alg)
    for (const alg of ["none", "HS256", "HS512", "RS512", "rs256", "", null])
      assert.isFalse(isRead({ ...HEADER, alg }, CLAIMS), String(alg))
    assert.isFalse(isRead({ alg: "RS256" }, CLAIMS))
    assert.isFalse(isRead({ ...HEADER, kid: "" }, CLAIMS))
    assert.isTrue(isRead({ ...HEADER, kid: "k".repeat(256) }, CLAIMS))
    assert.isFalse(isRead({ ...HEADER, kid: "k".repeat(257) }, CLAIMS))
    assert.isFalse(isRead({ ...HEADER, crit: ["b64"] }, CLAIMS))
  })

  it("has every claim that is needed, of its type", () => {
    for (const name of Object.keys(CLAIMS))
      for (const wrong of [undefined, null, {}, [1]])
        assert.isFalse(isRead(HEADER, { ...CLAIMS, [name]: wrong }), name)
    assert.isTrue(isRead(HEADER, { ...CLAIMS, aud: ["x", "y"] }))
    assert.isFalse(isRead(HEADER, { ...CLAIMS, nbf: "1" }))
    assert.isTrue(isRead(HEADER, { ...CLAIMS, jti: "j".repeat(512) }))
    assert.isFalse(isRead(HEADER, { ...CLAIMS, jti: "j".repeat(513) }))
    assert.isTrue(isRead(HEADER, { ...CLAIMS, sub: "s".repeat(1_024) }))
    assert.isFalse(isRead(HEADER, { ...CLAIMS, sub: "s".repeat(1_025) }))
  })

  it("has three parts of base64url, and a length", () => {
    const text = tokenOf(HEADER, CLAIMS)
    for (const wrong of [
      `${text}.`,
      `.${text}`,
      `${text}=`,
      ` ${text}`,
      `${text}\n`,
      text.replace(".", "")
    ])
      assert.isTrue(Option.isNone(IdToken.parse(wrong)), wrong)
    const [header, claims] = text.split(".")
    assert.isTrue(Option.isNone(IdToken.parse(`${header}.${claims}.`)))
    const room = IdToken.LENGTH_MAX - `${header}.${claims}.`.length
    const long = (length: number) => `${header}.${claims}.${"A".repeat(length)}`
    const whole = room - (room % 4)
    assert.isTrue(Option.isSome(IdToken.parse(long(whole))))
    assert.isTrue(Option.isNone(IdToken.parse(long(whole + 4))))
  })
})

describe("the time of an id token", () => {
  const isCurrent = (seconds: number, claims: object = {}): boolean =>
    IdToken.isCurrent(
      Option.getOrThrow(IdToken.parse(tokenOf(HEADER, { ...CLAIMS, ...claims }))).claims,
      Timestamp.fromSeconds(seconds)
    )

  it("begins with its issue and ends with its expiry, with the leeway of clocks", () => {
    assert.isFalse(isCurrent(1_000 - IdToken.LEEWAY_SECONDS - 1))
    assert.isTrue(isCurrent(1_000 - IdToken.LEEWAY_SECONDS))
    assert.isTrue(isCurrent(1_300 + IdToken.LEEWAY_SECONDS - 1))
    assert.isFalse(isCurrent(1_300 + IdToken.LEEWAY_SECONDS))
  })

  it("is not longer than an age, whatever the token says about its end", () => {
    const last = 1_000 + IdToken.AGE_SECONDS_MAX + IdToken.LEEWAY_SECONDS
    assert.isTrue(isCurrent(last, { exp: 1e12 }))
    assert.isFalse(isCurrent(last + 1, { exp: 1e12 }))
  })

  it("does not begin before `nbf`", () => {
    assert.isFalse(isCurrent(1_100, { nbf: 1_100 + IdToken.LEEWAY_SECONDS + 1 }))
    assert.isTrue(isCurrent(1_100, { nbf: 1_100 + IdToken.LEEWAY_SECONDS }))
  })
})
