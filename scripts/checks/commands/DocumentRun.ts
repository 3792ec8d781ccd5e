/** Runs the commands of a document in their order, and compares what they print with what it shows. */
import type { TextFile } from "../shared/Repository.js"
import { type Block, blocksIn, find, isOutputOf, isRun } from "./Commands.js"
import { Machine } from "./Machine.js"
import { shows } from "./Outputs.js"

/** The problems of a run, and the number of blocks that it ran. */
export interface DocumentRun {
  readonly problems: ReadonlyArray<string>
  readonly blocks: number
}

/** Whether a test has to run commands of a document. */
export const hasCommands = ({ text }: TextFile): boolean => blocksIn(text).some(isRun)

/** The parts of a document that have a machine of their own. */
const partsOf = (blocks: ReadonlyArray<Block>): ReadonlyArray<ReadonlyArray<Block>> => {
  const parts: Array<Array<Block>> = [[]]
  for (const block of blocks) {
    if (find(block, "run anew") !== undefined) parts.push([])
    parts.at(-1)?.push(block)
  }
  return parts.filter((part) => part.some(isRun))
}

const setupOf = ({ marks }: Block): string =>
  marks.map((mark) => (mark.kind === "setup" ? `${mark.commands}\n` : "")).join("")

const runPart = async (file: TextFile, part: ReadonlyArray<Block>): Promise<DocumentRun> => {
  const machine = await Machine.start(
    part.some((each) => find(each, "run in a clone") !== undefined)
  )
  const problems: Array<string> = []
  let blocks = 0
  let output = ""
  try {
    for (const [index, block] of part.entries()) {
      const name = find(block, "file")?.name
      if (name !== undefined) machine.write(name, block.text)
      const setup = setupOf(block)
      const steps = [
        ...(setup === "" ? [] : [{ commands: setup, exits: 0, until: undefined }]),
        ...(isRun(block)
          ? [
              {
                commands: block.text,
                exits: find(block, "exits")?.code ?? 0,
                until: find(block, "run until")?.text
              }
            ]
          : [])
      ]
      for (const { commands, ...how } of steps) {
        const ran = await machine.run(commands, how)
        output = ran.output
        if (!ran.isAsExpected)
          return {
            problems: [...problems, `${file.path}:${block.line} failed:\n${commands}\n${output}`],
            blocks
          }
      }
      if (isRun(block)) blocks += 1
      if (isOutputOf(block, part[index - 1]) && !shows(output, machine.here(block.text)))
        problems.push(`${file.path}:${block.line} shows other lines than:\n${output}`)
    }
    return { problems, blocks }
  } finally {
    await machine.stop()
  }
}

/** Runs every part of a document, one after the other. */
export const runDocument = async (file: TextFile): Promise<DocumentRun> => {
  const runs: Array<DocumentRun> = []
  for (const part of partsOf(blocksIn(file.text))) runs.push(await runPart(file, part))
  return {
    problems: runs.flatMap(({ problems }) => problems),
    blocks: runs.reduce((sum, { blocks }) => sum + blocks, 0)
  }
}
