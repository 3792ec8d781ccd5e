/** The paths of spaces, for forms. */
import { useQuery } from "./Query.js"

/** The paths of the spaces below the root that the person reads. */
export const useSpacePaths = (org: string): ReadonlyArray<string> => {
  const state = useQuery("space.list", { org })
  return state._tag === "Ready"
    ? state.value.spaces.map(({ path }) => path).filter((path) => path !== "/")
    : []
}
