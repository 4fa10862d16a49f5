/** One setting of a Scenario as it takes effect. */
export interface ScenarioSetting {
  name: string;
  /** What two Scenarios are held against each other by: equal as JSON, or they differ. */
  value: unknown;
  words: string;
  /** Shown where the words of two different values are the same. */
  wholeWords?: string;
  isScript?: boolean;
}

export function isSame(one: ScenarioSetting | undefined, other: ScenarioSetting | undefined): boolean {
  return JSON.stringify(one?.value) === JSON.stringify(other?.value);
}
