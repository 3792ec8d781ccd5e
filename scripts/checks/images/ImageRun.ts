/**
 * The server as its image runs it, without a container engine: with the variables, the entry point and the health check
 * of the Dockerfile, as an ordinary user, on a root file system that is read-only except for a volume and /tmp.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as OfflineBundle from "../bundle/OfflineBundle.js"
import * as Repository from "../shared/Repository.js"
import * as ImageFile from "./ImageFile.js"

const PATH = "deploy/Dockerfile"

/** The folder of the bundle in the image. */
const PLACE = "/usr/lib/attestry"

const quoted = (words: ReadonlyArray<string>): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")

/** The line that the Dockerfile adds to the list of users, for the user of this run. */
const accountOf = ({ uid, gid }: typeof OfflineBundle.user): string => {
  const [, line = ""] =
    /echo '(attestry:x:1000:1000:.*)' >> \/etc\/passwd/.exec(Repository.read(PATH)) ?? []
  return line.replace("1000:1000", `${uid}:${gid}`)
}

/** Starts the server, waits until it is healthy, and stops it. */
const sessionOf = (image: ImageFile.ImageFile, home: string): string => {
  const command = (keyword: string) =>
    quoted(ImageFile.commandOf(ImageFile.textOf(image, keyword))).replaceAll(PLACE, home)
  const [signal = ""] = ImageFile.lastWords(image, "STOPSIGNAL")
  const [place = ""] = ImageFile.lastWords(image, "WORKDIR")
  return [
    "set -u",
    `cd ${place}`,
    `for path in / /etc /var/lib ${home}; do`,
    "  (: > $path/x) 2>/dev/null && echo can write $path",
    "done",
    `${command("ENTRYPOINT")} > /tmp/server.log 2>&1 &`,
    "server=$!",
    `until ${command("HEALTHCHECK")}; do`,
    '  kill -0 "$server" || { cat /tmp/server.log; exit 8; }',
    "  sleep 0.2",
    "done",
    "echo healthy as $(id -u)",
    "test -s $ATTESTRY_BOOTSTRAP_KEY_FILE && echo the first key is in its file",
    "attestry-server version",
    `kill -s ${signal.replace("SIG", "")} "$server"`,
    'wait "$server"; echo "ends with $?"',
    ""
  ].join("\n")
}

const mountsFor = ({ uid, gid }: typeof OfflineBundle.user, folder: string): string =>
  [
    "mount -t tmpfs -o mode=755 tmpfs /var/lib",
    "mkdir /var/lib/attestry",
    `mount -t tmpfs -o mode=700,uid=${uid},gid=${gid} tmpfs /var/lib/attestry`,
    `mount --bind ${join(folder, "passwd")} /etc/passwd`,
    "for path in /var/lib /; do mount -o remount,bind,ro $path; done",
    "mount -t tmpfs -o mode=1777 tmpfs /tmp"
  ].join("\n")

/** Runs the server of an unpacked bundle with the embedded store; `folder` is for files of the run, not below /tmp. */
export const run = (folder: string, home: string): OfflineBundle.Ended => {
  const image = ImageFile.parse(Repository.read(PATH))
  const settings = { ATTESTRY_STORE: "embedded", ATTESTRY_DATA_DIR: "/var/lib/attestry/data" }
  const variables = { ...Object.fromEntries(ImageFile.variablesOf(image)), ...settings }
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const script = join(folder, "image.sh")
  writeFileSync(script, sessionOf(image, home))
  const users = ["root:x:0:0:root:/root:/bin/sh", accountOf(OfflineBundle.user), ""]
  writeFileSync(join(folder, "passwd"), users.join("\n"))
  const env = quoted(environment).replaceAll(PLACE, home)
  const command = `exec ${OfflineBundle.withoutRights()} env -i ${env} sh ${script}\n`
  const prepared = `${mountsFor(OfflineBundle.user, folder)}\n${command}`
  return OfflineBundle.isolated(folder, ["--mount", "--net"], prepared)
}
