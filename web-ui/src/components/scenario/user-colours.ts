import { userColours } from './series-colours.ts';

/** The colour of each User Agent on white, in the order of the Evaluation; they come again after nine. */
export function colourUsers(userAgents: readonly string[]): Map<string, string> {
  return new Map(userAgents.map((name, index) => [name, userColours[index % userColours.length]!.light]));
}
