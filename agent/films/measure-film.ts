import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import { computeVisualProgress, countColours, type ColourHistogram } from './visual-progress.ts';

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
