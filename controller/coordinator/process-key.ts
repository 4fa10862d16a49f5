/** Names a process of a Scenario to its Agent: the same on every try, so that a later Controller can end it. */
export function processKeyOf(runId: string, scenario: string, process: string): string {
  return [runId, scenario, process].map((part) => part.replaceAll('/', '%2F')).join('/');
}
