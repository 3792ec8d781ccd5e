/**
 * `attestry get attestation ID`: an attestation; with `--download`, also its evidence files.
 *
 * File names come from foreign reports: only their last part is used, made safe, and no existing file is overwritten.
 * The bytes must have the digest that the attestation names.
 */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

/** The last part of a name, without control characters and leading dots. */
export const safeName = (name: string): string => {
  const last = name.split(/[\\/]/).at(-1) ?? ""
  const safe = last.replaceAll(/[^\p{L}\p{N}._ +-]/gu, "_").replace(/^[. ]+/, "")
  return safe === "" ? "evidence" : safe.slice(0, 120)
}

interface Saved {
  readonly file: string
  readonly fingerprint: string
  readonly size: number
}

const write = (folder: string, name: string, bytes: Uint8Array): string => {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" })
  } catch (cause) {
    throw unreadable(`${file} cannot be written, or is there already`, undefined, cause)
  }
  return file
}

const download = async (
  { api, host }: CommandContext,
  attestation: Json.Fields,
  folder: string
): Promise<ReadonlyArray<Saved>> => {
  const saved: Array<Saved> = []
  for (const { filename, fingerprint } of Json.objects(attestation.attachments)) {
    const { bytes } = await (await api()).answer("attestation.evidence", {
      path: {
        flow_name: attestation.flow_name,
        trail_name: attestation.trail_name,
        attestation_id: attestation.attestation_id
      },
      urlParams: { fingerprint }
    })
    const digest = createHash("sha256").update(bytes).digest("hex")
    if (digest !== fingerprint)
      throw new CommandFailure(
        "unanswered",
        `the server sent other bytes than \`${filename}\` had: ${digest} instead of ${fingerprint}`
      )
    const file = write(resolve(host.cwd, folder), safeName(String(filename)), bytes)
    saved.push({ file, fingerprint: digest, size: bytes.length })
  }
  return saved
}

/** Runs `attestry get attestation`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [id = ""] = args.positionals
  const answer = await (await context.api()).call("attestation.list", {
    urlParams: { attestation_id: id }
  })
  const [attestation] = Json.objects(Json.object(answer).data)
  if (attestation === undefined)
    throw new CommandFailure("missing", `there is no attestation \`${id}\``)
  const folder = args.text("download")
  const saved = folder === undefined ? [] : await download(context, attestation, folder)
  return {
    value: attestation,
    quiet: saved.map(({ file }) => file).join("\n"),
    lines: (style) => [
      `${style.text(attestation.attestation_name)} (${style.text(attestation.attestation_type)}): ` +
        `${verdict(style, attestation.is_compliant)}   ${style.instant(attestation.created_at)} by ` +
        style.text(attestation.reported_by),
      `flow ${style.text(attestation.flow_name)}, trail ${style.text(attestation.trail_name)}`,
      ...Table.lines(
        Json.objects(attestation.attachments).map(({ filename, fingerprint }) => [
          `  ${style.text(filename)}`,
          style.short(fingerprint)
        ])
      ),
      style.text(attestation.html_url),
      ...saved.map(({ file, size }) => `saved ${style.text(file)}, ${size} bytes`)
    ]
  }
}
