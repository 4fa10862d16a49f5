/** Paul Tol's “muted” scheme, safe for the colour-blind, its indigo replaced by the blue of his “bright” one, which shows on dark too. No Scenario has one of them. */
const colours = ['#4477aa', '#88ccee', '#44aa99', '#117733', '#999933', '#ddcc77', '#cc6677', '#882255', '#aa4499'];

/** The colour of each User Agent, in the order of the Evaluation; they come again after nine. */
export function colourUsers(userAgents: readonly string[]): Map<string, string> {
  return new Map(userAgents.map((name, index) => [name, colours[index % colours.length]!]));
}
