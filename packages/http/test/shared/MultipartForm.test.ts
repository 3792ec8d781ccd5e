/** A form has the same parts in whatever pieces it arrives, and an incomplete form is refused. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { HEADER_BYTES_MAX, MultipartForm } from "../../src/shared/internal/MultipartForm.js"

interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly content: string
}

const TYPE = "multipart/form-data; boundary=b0"
const encode = (text: string) => new TextEncoder().encode(text)

/** Contents that resemble a delimiter. */
const content = FastCheck.array(
  FastCheck.constantFrom(
    "\r",
    "\n",
    "\r\n",
    "-",
    "--",
    "--b",
    "b0",
    "--b0",
    "x",
    "é",
    "\r\n--",
    "\r\n-"
  )
)
  .map((parts) => parts.join(""))
  .filter((text) => !`\r\n${text}\r`.includes("\r\n--b0"))

const text = FastCheck.string({ unit: "grapheme" }).filter((given) => !/[\p{Cc}\\%]/u.test(given))

const part: FastCheck.Arbitrary<Part> = FastCheck.record({
  name: text,
  filename: FastCheck.option(text, { nil: undefined }),
  content
})

const quoted = (given: string): string => `"${given.replaceAll('"', '\\"')}"`

const print = (parts: ReadonlyArray<Part>): string =>
  `${parts
    .map(({ name, filename, content: inner }) => {
      const file = filename === undefined ? "" : `; filename=${quoted(filename)}`
      return `--b0\r\nContent-Disposition: form-data; name=${quoted(name)}${file}\r\nX: y\r\n\r\n${inner}\r\n`
    })
    .join("")}--b0--`

/** The parts of a form that arrives in pieces; undefined when it is malformed or incomplete. */
const read = (
  bytes: Uint8Array,
  places: ReadonlyArray<number>,
  type = TYPE
): ReadonlyArray<Part> | undefined => {
  const form = new MultipartForm(type)
  const ends = [...places.map((place) => Math.floor(place * bytes.byteLength)), bytes.byteLength]
  ends.sort((left, right) => left - right)
  const parts: Array<{ info: Omit<Part, "content">; bytes: Array<number> }> = []
  let from = 0
  for (const end of ends) {
    const steps = form.write(bytes.slice(from, end))
    if (steps === undefined) return undefined
    for (const step of steps) {
      if (step._tag === "Begin") parts.push({ info: step.info, bytes: [] })
      if (step._tag === "Bytes") parts.at(-1)?.bytes.push(...step.bytes)
    }
    from = end
  }
  return form.isWhole
    ? parts.map(({ info, bytes: inner }) => ({
        ...info,
        content: new TextDecoder().decode(Uint8Array.from(inner))
      }))
    : undefined
}

const places = FastCheck.array(FastCheck.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })
const parts = FastCheck.array(part, { minLength: 1, maxLength: 3 })

describe("MultipartForm", () => {
  it.prop(
    "returns the written parts, in any pieces",
    { parts, places },
    ({ parts: given, places: at }) => assert.deepStrictEqual(read(encode(print(given)), at), given),
    { fastCheck: { numRuns: 500 } }
  )

  it.prop(
    "is incomplete before its end",
    { parts, places, cut: FastCheck.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }) },
    ({ parts: given, places: at, cut }) => {
      const bytes = encode(print(given))
      assert.isUndefined(read(bytes.slice(0, Math.floor(cut * bytes.byteLength)), at))
    }
  )

  it.prop(
    "terminates on any bytes",
    { bytes: FastCheck.uint8Array({ maxLength: 200 }), places },
    ({ bytes, places: at }) => {
      read(bytes, at)
      read(encode(`--b0\r\n${new TextDecoder().decode(bytes)}`), at)
    }
  )

  it("accepts an empty line before it and blanks after it, and nothing else", () => {
    const whole = print([{ name: "a", filename: undefined, content: "x" }])
    for (const taken of [`\r\n${whole}`, `${whole}\r\n`, `${whole} \t\r\n\r\n`])
      assert.strictEqual(read(encode(taken), [])?.length, 1)
    for (const refused of [`x${whole}`, `\n${whole}`, `${whole}x`, `${whole}\r\n${whole}`])
      assert.isUndefined(read(encode(refused), []))
  })

  it("refuses a delimiter that is a prefix of another text", () => {
    const one = '--b0\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b0'
    assert.isUndefined(read(encode(`${one}1\r\n--b0--`), []))
    assert.isUndefined(read(encode(`${one}-\r\n--b0--`), []))
    assert.strictEqual(read(encode(`${one}--`), [])?.length, 1)
  })

  it("limits the header of a part", () => {
    const headed = (length: number) => {
      const head = 'Content-Disposition: form-data; name="a"\r\nX: '
      return `--b0\r\n${head}${"x".repeat(length - head.length - 2)}\r\n\r\n\r\n--b0--`
    }
    assert.strictEqual(read(encode(headed(HEADER_BYTES_MAX)), [])?.length, 1)
    assert.isUndefined(read(encode(headed(HEADER_BYTES_MAX + 1)), []))
  })

  it.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    "multipart/form-data; boundary=b0; boundary=b1",
    "multipart/mixed; boundary=b0",
    `multipart/form-data; boundary=${"b".repeat(71)}`
  ])("refuses the type %s", (type) => assert.isUndefined(read(encode(print([])), [], type)))

  it("accepts a boundary in quotes", () =>
    assert.deepStrictEqual(read(encode("--a b--"), [], 'Multipart/Form-Data; Boundary="a b"'), []))
})
