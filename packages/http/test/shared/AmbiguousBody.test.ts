/** Ambiguous bodies are refused, and the error has the ambiguous field. */
import { assert, beforeAll, it } from "vitest"
import { evidenceOf } from "./Evidence.js"
import { type Answer, onEveryStore } from "./TestServer.js"

const FAILED = "Input payload validation failed"
const ONCE = "Field should occur only once [input: …]"
const MALFORMED = "Input should be valid multipart/form-data [input: …]"

const JSON_TYPE = { "content-type": "application/json" }
const FORM_TYPE = { "content-type": "multipart/form-data; boundary=b" }

const part = (name: string, content: string, more = ""): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`

const said = (name: string) => JSON.stringify({ attestation_name: name, is_compliant: true })
const file = (content: string, more = '; filename="f.txt"') =>
  part("attachment_file", content, more)

const refused = (answer: Answer, errors: object) =>
  assert.deepStrictEqual(
    { status: answer.status, body: answer.body },
    { status: 400, body: { message: FAILED, errors } }
  )

onEveryStore("ambiguous bodies", (server) => {
  const { call } = server
  const { attest, begin, named, putFlow, trail } = evidenceOf(server, "doubts")
  const json = (on: string, raw: string) =>
    attest(on, "generic", {}, { raw, headers: JSON_TYPE, body: undefined })
  const form = (on: string, raw: BodyInit) =>
    attest(on, "generic", {}, { raw, headers: FORM_TYPE, body: undefined })
  const untouched = async (on: string) =>
    assert.include(JSON.stringify(await trail(on)), "does not exist")

  beforeAll(() => putFlow("version: 1\n"))

  it("refuses a JSON body with a repeated member, however it is spelled", async () => {
    for (const [index, again] of ["is_compliant", "\\u0069s_compliant"].entries()) {
      const raw = `{"attestation_name":"a","is_compliant":false,"${again}":true}`
      refused(await json(`flat-${index}`, raw), { is_compliant: ONCE })
      await untouched(`flat-${index}`)
    }
  })

  it("refuses a repeated member at any depth, with its path", async () => {
    const data = `{"a":[{"b":1},{"c":{"x":1,"y":{},"x":2}}]}`
    const raw = `{"attestation_name":"a","is_compliant":true,"user_data":${data}}`
    refused(await json("deep", raw), { "user_data.a[1].c.x": ONCE })
    await untouched("deep")
  })

  it("accepts members of one name in different objects", async () => {
    const raw = `{"attestation_name":"a","is_compliant":true,"user_data":{"a":{"a":1},"b":[{"a":1},{"a":2}]}}`
    assert.strictEqual((await json("apart", raw)).status, 201)
  })

  it("refuses a repeated member in the JSON part of a form", async () => {
    const data = '{"attestation_name":"a","is_compliant":false,"is_compliant":true}'
    refused(await form("part", `${part("data_json", data)}--b--\r\n`), { is_compliant: ONCE })
    await untouched("part")
  })

  it("refuses a report with a repeated member, plain or not", async () => {
    await call("PUT /environments/{org}", { body: { name: "twice", type: "docker" } })
    const report = (raw: string) =>
      call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "twice" },
        raw,
        headers: JSON_TYPE
      })
    const [a, b] = ["a".repeat(64), "b".repeat(64)]
    const unit = (members: string) =>
      `{"artifacts":[{"digests":{},"creationTimestamp":1},${members}]}`
    refused(await report(unit(`{"digests":{"x":"${a}","x":"${b}"},"creationTimestamp":1}`)), {
      "artifacts[1].digests.x": ONCE
    })
    refused(await report(unit(`{"digests":{"é":"${a}","\\u00e9":"${b}"},"creationTimestamp":1}`)), {
      "artifacts[1].digests.é": ONCE
    })
    refused(await report(unit(`{"digests":{},"creationTimestamp":1,"creationTimestamp":2}`)), {
      "artifacts[1].creationTimestamp": ONCE
    })
    refused(await report(`{"artifacts":[],"artifacts":[]}`), { artifacts: ONCE })
  })

  it("refuses the JSON Schema of a custom type with a repeated member, with its name", async () => {
    const schema = '{"type":"object","properties":{"a":{"type":"number","type":"string"}}}'
    const data = JSON.stringify({ name: "doubtful", description: "" })
    const parts = `${part("data_json", data)}${part("type_schema", schema, '; filename="s"')}--b--\r\n`
    const answer = await call("POST /custom-attestation-types/{org}", {
      raw: parts,
      headers: FORM_TYPE
    })
    refused(answer, { "type_schema.properties.a.type": ONCE })
  })

  it("refuses anything after the closing delimiter of a form", async () => {
    const whole = `${part("data_json", said("a"))}${file("x")}--b--`
    for (const [index, after] of [
      `\r\n${part("data_json", said("other"))}--b--\r\n`,
      `\r\n${file("other")}`,
      "\r\nepilogue",
      "x"
    ].entries()) {
      refused(await form(`after-${index}`, whole + after), { body: MALFORMED })
      await untouched(`after-${index}`)
    }
    for (const [index, after] of ["", "\r\n", " \t\r\n"].entries()) {
      assert.strictEqual((await form(`end-${index}`, whole + after)).status, 201)
    }
  })

  it("refuses a form that ends too early, wherever it does", async () => {
    const whole = `${part("data_json", said("a"))}${file("content")}--b--\r\n`
    for (let length = 1; length < whole.length - 2; length++) {
      const answer = await form("early", whole.slice(0, length))
      refused(answer, { body: MALFORMED })
    }
    await untouched("early")
  })

  it("refuses a second JSON part, and a second file where one is allowed", async () => {
    const two = `${part("data_json", said("a"))}${part("data_json", said("b"))}--b--\r\n`
    refused(await form("two", two), { data_json: ONCE })
    await untouched("two")
    const data = JSON.stringify({ name: "two-templates", description: "" })
    const template = part("template_file", "version: 1\n", '; filename="t.yml"')
    const put = (raw: string) => call("PUT /flows/{org}/template_file", { raw, headers: FORM_TYPE })
    refused(await put(`${part("data_json", data)}${template}${template}--b--\r\n`), {
      template_file: ONCE
    })
    const both = JSON.stringify({ ...JSON.parse(data), template_file: "version: 1\n" })
    refused(await put(`${part("data_json", both)}${template}--b--\r\n`), { template_file: ONCE })
    assert.strictEqual((await put(`${part("data_json", data)}${template}--b--\r\n`)).status, 201)
  })

  it("accepts file names in any script, and in every form that clients send", async () => {
    await begin("names")
    const names: ReadonlyArray<readonly [written: string, shown: string]> = [
      ['; filename="отчёт.txt"', "отчёт.txt"],
      ['; filename="报告.pdf"', "报告.pdf"],
      ['; filename="تقرير.pdf"', "تقرير.pdf"],
      ['; filename="🦉.bin"', "🦉.bin"],
      ["; filename*=UTF-8''%e5%a0%b1%20%F0%9F%A6%89.txt", "報 🦉.txt"],
      ["; filename=\"plain.txt\"; filename*=utf-8'en'na%C3%AFve.txt", "naïve.txt"],
      ["; filename*=ISO-8859-1''na%EFve.txt", "naïve.txt"],
      ['; filename="a \\"quoted\\" name.txt"', 'a "quoted" name.txt'],
      ['; filename="a %22quoted%22 name.txt"', 'a "quoted" name.txt'],
      ['; filename="a;b=c.txt"', "a;b=c.txt"],
      ['; filename="C:\\dir\\report.txt"', "report.txt"],
      ["; filename=bare.txt", "bare.txt"]
    ]
    for (const [index, [written]] of names.entries()) {
      const answer = await form(
        "names",
        `${part("data_json", said(`n${index}`))}${file("x", written)}--b--\r\n`
      )
      assert.deepStrictEqual([answer.status, answer.body], [201, "OK"], written)
    }
    const shown = await Promise.all(
      names.map(
        async (_, index) => (await named("names", `n${index}`))[0]?.attachments[0]?.filename
      )
    )
    assert.deepStrictEqual(
      shown,
      names.map(([, name]) => name)
    )
  })

  it("refuses ambiguous part headers", async () => {
    const data = part("data_json", said("a"))
    for (const [index, bad] of [
      '--b\r\nContent-Disposition: form-data; name="attachment_file"; name="other"\r\n\r\nx\r\n',
      `--b\r\n${'Content-Disposition: form-data; name="attachment_file"\r\n'.repeat(2)}\r\nx\r\n`,
      '--b\r\nContent-Disposition: attachment; name="attachment_file"\r\n\r\nx\r\n',
      '--b\r\nContent-Disposition: form-data; name="attachment_file\r\n\r\nx\r\n',
      "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n",
      "--b\r\nno colon at all\r\n\r\nx\r\n"
    ].entries()) {
      refused(await form(`headers-${index}`, `${data}${bad}--b--\r\n`), { body: MALFORMED })
    }
  })

  it("refuses two values of a single query parameter, with its name", async () => {
    const { status, body } = await call("GET /custom-attestation-types/{org}", {
      query: "?archived=true&archived=false"
    })
    assert.deepStrictEqual(
      [status, Object.keys((body as { errors: object }).errors)],
      [400, ["query.archived"]]
    )
  })
})
