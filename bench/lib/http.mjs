/** Requests whose answers are wanted, and small sums over what was measured. */
import { request } from "node:http"

/** The value in the middle. */
export const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1]

/** The value below which 99 of 100 are. */
export const percentile99 = (values) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.99)]

/** Prints one result. */
export const line = (name, value, { goal, isReached }) =>
  process.stdout.write(`${name}: ${value} (goal ${goal}${isReached ? "" : ", missed"})\n`)

/** The body of an answer; anything but a success is a failure. `onData` takes the pieces instead. */
const answerTo = (method, port, { path, headers, body, onData }) =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, method, path: `/api/v2${path}`, headers }, (response) => {
      const chunks = []
      response.on("data", onData ?? ((chunk) => chunks.push(chunk)))
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(chunks).toString())
          : reject(new Error(`${path} answered ${response.statusCode}`))
      )
      response.on("error", reject)
    })
      .on("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })

/** The body of the answer to a GET. */
export const get = (port, asked) => answerTo("GET", port, asked)

/** The body of the answer to a POST of JSON. */
export const post = (port, asked) => answerTo("POST", port, asked)

/** How long something took, in milliseconds. */
export const timed = async (work) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The medians of two pieces of work that take turns, in milliseconds. */
export const inTurns = async (samples, base, subject) => {
  const [bases, subjects] = [[], []]
  for (let sample = 0; sample < samples; sample++) {
    bases.push(await timed(base))
    subjects.push(await timed(subject))
  }
  return [median(bases), median(subjects)]
}
