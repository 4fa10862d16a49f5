import sharp from 'sharp';

/** An image of 64 px width, some 1 kB: what icons and lists of products are made of. */
export async function makeThumbnail(image: Buffer): Promise<Buffer> {
  return await sharp(image).resize({ width: 64 }).jpeg({ quality: 60 }).toBuffer();
}
