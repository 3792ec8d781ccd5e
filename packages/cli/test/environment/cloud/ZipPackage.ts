/** A package of a web app. */
import { deflateRawSync } from "node:zlib"

const LOCAL = 0x04034b50
const ENTRY = 0x02014b50
const END = 0x06054b50

/** An archive, as deployments make it. */
export const zipOf = (files: ReadonlyArray<readonly [string, string]>): Buffer => {
  const bodies: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of files) {
    const content = Buffer.from(text)
    const packed = name.endsWith(".raw") ? content : deflateRawSync(content)
    const method = name.endsWith(".raw") ? 0 : 8
    const bytes = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(LOCAL, 0)
    local.writeUInt16LE(bytes.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(ENTRY, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(bytes.length, 28)
    entry.writeUInt32LE(offset, 42)
    bodies.push(local, bytes, packed)
    entries.push(entry, bytes)
    offset += 30 + bytes.length + packed.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, list, end])
}

/** The files of a package. */
export const PACKAGE: ReadonlyArray<readonly [string, string]> = [
  ["host.json", "{}"],
  ["bin/", ""],
  ["bin/app.raw", "binary"]
]
