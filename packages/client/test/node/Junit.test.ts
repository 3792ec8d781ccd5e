/** The results of test suites, from the XML that test runners leave behind, also when it is hostile. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AttestationReport from "@attestry/core/AttestationReport"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as JunitFolder from "../../node/JunitFolder.js"
import * as PromiseEvidence from "../../node/PromiseEvidence.js"

const root = mkdtempSync(join(tmpdir(), "attestry-junit-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let made = 0
const folderOf = (files: { readonly [name: string]: string | Uint8Array }): string => {
  const path = join(root, `folder-${made++}`)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  mkdirSync(path, { recursive: true })
  return path
}

const results = async (xml: string) =>
  (await PromiseEvidence.junit(folderOf({ "a.xml": xml }))).junit_results

const refusal = (folder: string, options?: JunitFolder.JunitOptions): Promise<string> =>
  Effect.runPromise(Effect.flip(JunitFolder.read(folder, options))).then(({ message }) => message)

const isCompliant = (suites: Awaited<ReturnType<typeof results>>): boolean =>
  AttestationReport.junit({ attestation_name: "unit" as never, junit_results: suites }).isCompliant

describe("a folder of JUnit results", () => {
  it("gives every suite with what its cases came to", async () => {
    assert.deepStrictEqual(
      await results(`<?xml version="1.0" encoding="UTF-8"?>
        <testsuites><testsuite name="core &amp; more" tests="4" failures="1" errors="1" skipped="1"
            time="1.25" timestamp="2026-11-15T10:00:00">
          <testcase name="a" time="0.5"/>
          <testcase name="b"><failure message="no">&lt;stack&gt;</failure></testcase>
          <testcase name="c"><error/></testcase>
          <testcase name="d"><skipped/></testcase>
          <system-out><![CDATA[<testcase>not one</testcase>]]></system-out>
        </testsuite></testsuites>`),
      [
        {
          name: "core & more",
          total: 4,
          failures: 1,
          errors: 1,
          skipped: 1,
          duration: 1.25,
          timestamp: Date.UTC(2026, 10, 15, 10) / 1000
        }
      ]
    )
  })

  it("reads a suite without a root, adds up times, and believes totals where there are no cases", async () => {
    assert.deepStrictEqual(
      await results('<testsuite name="x"><testcase time="0.5"/><testcase time="1"/></testsuite>'),
      [{ name: "x", total: 2, failures: 0, errors: 0, skipped: 0, duration: 1.5 }]
    )
    const [told] = await results('<testsuite name="x" tests="1,200" failures="2" time="1,000.5"/>')
    assert.deepInclude(told, { total: 1200, failures: 2, duration: 1000.5 })
  })

  it("gives suites inside suites as results of their own, and their frame as none", async () => {
    const inner = (name: string) => `<testsuite name="${name}" tests="1"><testcase/></testsuite>`
    const suites = await results(
      `<testsuites tests="2"><testsuite name="all" tests="2">${inner("a")}${inner("b")}</testsuite></testsuites>`
    )
    assert.deepStrictEqual(
      suites.map(({ name, total }) => [name, total]),
      [
        ["a", 1],
        ["b", 1]
      ]
    )
  })

  for (const [where, xml] of Object.entries({
    "a suite's total": '<testsuite errors="1"><testcase/></testsuite>',
    "the frame of suites": '<testsuite failures="1"><testsuite><testcase/></testsuite></testsuite>',
    "the root": '<testsuites errors="1"><testsuite><testcase/></testsuite></testsuites>'
  })) {
    it(`never loses a failure that stands only in ${where}`, async () => {
      assert.isFalse(isCompliant(await results(xml)))
    })
  }

  it("counts no failure twice, and is compliant without any", async () => {
    const failed = `<testsuites failures="1"><testsuite name="all" failures="1">
      <testsuite name="a" failures="1"><testcase><failure/></testcase></testsuite>
      </testsuite></testsuites>`
    const suites = await results(failed)
    assert.strictEqual(
      suites.reduce((sum, { failures }) => sum + failures, 0),
      1
    )
    assert.isTrue(isCompliant(await results("<testsuite><testcase/></testsuite>")))
  })

  it("reads every file below the folder in order, and no others; or one file", async () => {
    const suite = (name: string) => `<testsuite name="${name}"><testcase/></testsuite>`
    const folder = folderOf({
      "b.xml": suite("b"),
      "deep/er/a.XML": suite("deep"),
      "a.xml": suite("a"),
      "notes.txt": "not XML"
    })
    const names = async (path: string) =>
      (await PromiseEvidence.junit(path)).junit_results.map(({ name }) => name)
    assert.deepStrictEqual(await names(folder), ["a", "b", "deep"])
    assert.deepStrictEqual(await names(join(folder, "b.xml")), ["b"])
  })
})

describe("a folder that is no good", () => {
  for (const [what, files] of Object.entries({
    "nothing in it": {},
    "only suites' frames": { "a.xml": "<testsuites/>" }
  })) {
    it(`is refused with ${what}`, async () => {
      assert.include(await refusal(folderOf(files)), "holds no results of tests")
    })
  }

  for (const [what, xml] of Object.entries({
    "half a document": "<testsuite><testcase>",
    "no XML": "hello",
    "an entity of its own":
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite name="&b;"/>',
    "a file that it names":
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuite name="x">&a;</testsuite>',
    "another kind of document": "<html/>",
    "elements without end": `<testsuite>${"<x>".repeat(100)}${"</x>".repeat(100)}</testsuite>`
  })) {
    it(`is refused with ${what}, and the file is named`, async () => {
      const message = await refusal(folderOf({ "bad.xml": xml }))
      assert.include(message, "bad.xml")
      assert.notInclude(message, "root:")
    })
  }

  it("is refused with bytes that are not UTF-8", async () => {
    assert.include(await refusal(folderOf({ "a.xml": new Uint8Array([0x3c, 0xff]) })), "folder-")
  })

  it("is refused over its limits, and taken at them", async () => {
    const xml = "<testsuite><testcase/></testsuite>"
    const folder = folderOf({ "a.xml": xml, "b.xml": xml })
    assert.include(await refusal(folder, { filesMax: 1 }), "more than 1 XML files")
    assert.include(await refusal(folder, { fileBytesMax: xml.length - 1 }), "bytes")
    const taken = await PromiseEvidence.junit(folder, { filesMax: 2, fileBytesMax: xml.length })
    assert.strictEqual(taken.junit_results.length, 2)
  })
})
