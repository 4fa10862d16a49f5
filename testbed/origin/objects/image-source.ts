/** The nth JPEG of a page set, from 1; always the same bytes for the same n. */
export type ImageSource = (n: number) => Promise<Buffer>;

/** Makes or reads each image once. */
export function rememberImages(source: ImageSource): ImageSource {
  const known = new Map<number, Promise<Buffer>>();
  return (n) => {
    const image = known.get(n) ?? source(n);
    known.set(n, image);
    return image;
  };
}
