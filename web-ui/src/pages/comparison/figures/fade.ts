/** The colour #rrggbb with that opacity, 0 to 1, in the notation that the SVG of a figure keeps. */
export function fade(colour: string, opacity: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${red!}, ${green!}, ${blue!}, ${opacity})`;
}
