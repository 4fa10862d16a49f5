import type { Coding } from '../../exchange/body-coder.ts';

export const imageFormats = ['jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

export interface Compression {
  /** How text is compressed in the tunnel, without a loss; null for not at all. */
  text: Coding | null;
  /** What images become, with a loss; null for what they are. */
  images: { format: ImageFormat; /** 1 to 100. */ quality: number } | null;
}
