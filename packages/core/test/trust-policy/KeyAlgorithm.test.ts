/** The algorithm that the beginning of a public key names. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as KeyAlgorithm from "../../src/trust-policy/KeyAlgorithm.js"
import * as Generated from "../../testing/arbitrary/TrustPolicy.js"

const pem = (...lines: ReadonlyArray<string>): string =>
  `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`

const ED25519 = pem("MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=")
const P256 = pem(
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESbIntYxBYOXcuERjhVy4B65O//MI",
  "omRLAu0MVl3mSTCda1/AXvMbotOp1IBuPnx+txP3XaiY/KA08o4AOh32qQ=="
)
const P384 = pem(
  "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAExWkTrgVrRIuiti0166FqdAwkZh1wwXip",
  "sj4V6C3Dria+Bc+7voonGnnWwLDyjdG3ixz6uFo3MJFra00hLcGh2fJmhbjTrkmR",
  "C+XY52u3d+y6S7wjJwAVkKLY9HqXPJ2I"
)
const P521 = pem(
  "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQB4uax+r49zIXOPTvoqeMwMeH2SlSO",
  "taYuL559TlWYonQqG+rjwcU5VjPQbtMfHz6FszcZaWuqPu8F0PdXXsvqkDoAhubW",
  "9DiarHmyme5O6U/Nr68M6VJi2y1vXyZ0yCWAwUn0tbpgMjrLZYS7PfROK6Qabo+8",
  "hHdw/3Ui/msyUjy5Tls="
)
const RSA = pem(
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAj/KV5kzFIgc3PMCTm4XJ",
  "91JqyJxxo2UWVXN4ggk2b4NdxoCBMO5GTsz9Hpn5lNdQkizfBztewNugAX5oawlT",
  "22zr1Y6HbDW5Jmo2QTQa5AaZhHVzEpDjZzaXWMkmiG+b1v/M/4mjHDY1RfTK9PxL",
  "0xGF6sbfvuJvGT/FmLBdegtMKejbw4ilvmkLbBMLfcH5K5sbEHkfMYuOm0Ps9rvB",
  "hfAqWov4yoDOL3w1dP851DvrQaS++eNlooQdWI+VXRynKfkhrI/5lLdHW6Xqi6xt",
  "R6fZfLxD22NB1gswPixKMgqLaWik+YULtR35EM+SBsI/9Th9mFEnJrl2gyBSJNTU",
  "BwIDAQAB"
)
const X25519 = pem("MCowBQYDK2VuAyEAlKjYNknTvt7sGWdlxiAVUGwjx7bprOVRNoesEE0dhEs=")

describe("KeyAlgorithm.of", () => {
  for (const [name, key, algorithm] of [
    ["Ed25519", ED25519, "ed25519"],
    ["P-256", P256, "ecdsa-p256"],
    ["P-384", P384, "ecdsa-p384"],
    ["P-521", P521, "ecdsa-p521"],
    ["RSA", RSA, "rsa"],
    ["a key for another purpose", X25519, null],
    ["a text that is no key", "none", null],
    ["bytes that are no key", pem("AAAA"), null]
  ] as const)
    it(`names ${name}`, () => assert.strictEqual(KeyAlgorithm.of(key), algorithm))

  it.prop(
    "answers for every text, also for the beginning of a key",
    {
      text: FastCheck.oneof(
        Generated.publicKey,
        FastCheck.integer({ min: 1, max: 20 }).map((groups) =>
          pem((P256.split("\n")[1] ?? "").slice(0, groups * 4))
        )
      )
    },
    ({ text }) => assert.include([null, "ecdsa-p256", "ed25519", "rsa"], KeyAlgorithm.of(text))
  )
})
