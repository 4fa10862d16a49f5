import type { Filmstrip } from '#core/protocol/filmstrip.ts';

const levels = 256;
/** Pixels that are this bright in every channel are the empty page, with some slack for the compression. */
const whiteLevel = 250;
/** How far levels of the same colour may be apart, after the compression. */
const slackLevels = 5;

/** How many pixels have each level of red, of green and of blue, in this order; white ones are left out. */
type ColourHistogram = Uint32Array;

type KeptFilmstrip = Extract<Filmstrip, { kind: 'kept' }>;

/** More than a frame can have: its longest side has 400 pixels. */
const mostPixels = 1_000_000;

/** The film with the visual progress of its frames. Rejects where a picture is not there, or is none. */
export async function measureFilm(
  filmstrip: KeptFilmstrip,
  fileOf: (sha256: string) => string,
): Promise<KeptFilmstrip> {
  // Loaded by Agents that film only.
  const { default: sharp } = await import('sharp');
  const histograms: ColourHistogram[] = [];
  for (const { sha256 } of filmstrip.frames) {
    const pixels = sharp(fileOf(sha256), { limitInputPixels: mostPixels }).toColourspace('srgb').removeAlpha().raw();
    histograms.push(countColours(await pixels.toBuffer()));
  }
  const ratios = computeVisualProgress(histograms);
  return {
    ...filmstrip,
    frames: filmstrip.frames.map((frame, index) => ({ ...frame, progressRatio: ratios[index]! })),
  };
}

/** `pixels`: red, green and blue of one after the other. */
export function countColours(pixels: Uint8Array): ColourHistogram {
  const histogram = new Uint32Array(3 * levels);
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    if (red >= whiteLevel && green >= whiteLevel && blue >= whiteLevel) continue;
    histogram[red]!++;
    histogram[levels + green]!++;
    histogram[2 * levels + blue]!++;
  }
  return histogram;
}

/**
 * Visual progress of each frame: how much of the change of colours from the first frame to the last it has, from 0 to 1.
 * `calculate_frame_progress` of https://github.com/catchpoint/WebPageTest.visual-metrics, unrounded.
 */
export function computeVisualProgress(frames: readonly ColourHistogram[]): number[] {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return [];
  return frames.map((frame) => compareFrame(frame, { first, last }));
}

function compareFrame(
  frame: ColourHistogram,
  { first, last }: { first: ColourHistogram; last: ColourHistogram },
): number {
  const available = frame.map((count, level) => Math.abs(count - first[level]!));
  let [total, matched] = [0, 0];
  for (let level = 0; level < 3 * levels; level++) {
    let target = Math.abs(last[level]! - first[level]!);
    total += target;
    const channel = level - (level % levels);
    const end = Math.min(channel + levels, level + slackLevels);
    for (let near = Math.max(channel, level - slackLevels); near < end && target > 0; near++) {
      const match = Math.min(target, available[near]!);
      available[near]! -= match;
      matched += match;
      target -= match;
    }
  }
  return total === 0 ? 1 : matched / total;
}
