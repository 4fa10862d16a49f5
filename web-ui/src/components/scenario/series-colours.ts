/** The colour of a series on white, and on dark. Both reach a contrast of 4.5:1 on paper, raised surfaces and bands of their scheme. */
interface SeriesColour {
  light: string;
  dark: string;
}

/** The hues of Okabe and Ito, Color Universal Design, 2008, as dark or as light as their contrast needs. */
export const scenarioColours: readonly SeriesColour[] = [
  { light: '#0b6bae', dark: '#4a9cf0' },
  { light: '#b84412', dark: '#f2762e' },
  { light: '#0b764d', dark: '#2bbd83' },
  { light: '#ad3a82', dark: '#ea8bc4' },
  { light: '#8f5d04', dark: '#e69f00' },
  { light: '#0d7590', dark: '#63cdf2' },
  { light: '#5f5900', dark: '#f0e442' },
];

export const baselineColour: SeriesColour = { light: '#6a6a6a', dark: '#a0a0a0' };

/** Of another family than Scenarios have: darker on white, paler on dark. */
export const userColours: readonly SeriesColour[] = [
  { light: '#560499', dark: '#c77dff' },
  { light: '#61370d', dark: '#ffd0b0' },
  { light: '#043f0a', dark: '#8fe01f' },
  { light: '#850344', dark: '#ff9a8a' },
  { light: '#324263', dark: '#b9c4d8' },
  { light: '#853fd8', dark: '#9a88ff' },
  { light: '#000079', dark: '#50f5db' },
  { light: '#380a26', dark: '#f9e3fb' },
  { light: '#00494f', dark: '#d9d9a0' },
];

const darkOf = new Map([...scenarioColours, baselineColour, ...userColours].map(({ light, dark }) => [light, dark]));

/** A series is known by its colour on white. This is the one on dark. */
export function darkenScheme(colour: string): string {
  return darkOf.get(colour) ?? colour;
}

/** In CSS, for the scheme that the page is shown in. */
export function cssColour(colour: string): string {
  return `light-dark(${colour}, ${darkenScheme(colour)})`;
}

/** The colour of each User Agent on white, in the order of the Evaluation; they come again after nine. */
export function colourUsers(userAgents: readonly string[]): Map<string, string> {
  return new Map(userAgents.map((name, index) => [name, userColours[index % userColours.length]!.light]));
}
