/** Whether to colour what is written there: on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export function wantsColour(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}
